"""The game for two: the situations of its rules, and random games against a plain referee."""

import random
from dataclasses import asdict

import numpy as np
import pytest
from double_solitaire.engine.errors import CodeError, DealError, MoveError
from double_solitaire.engine.listing import MAX_MOVES, list_moves
from double_solitaire.engine.moves import Move, parse_move
from double_solitaire.engine.rules import rules_for
from double_solitaire.versus.codes import VersusCode
from double_solitaire.versus.contest import ENDS
from double_solitaire.versus.dead import are_both_dead, new_probe
from double_solitaire.versus.game import (
    PASS,
    End,
    House,
    Player,
    Table,
    VersusGame,
    parse_action,
)
from double_solitaire.versus.playout import act, count_up, pack_table
from double_solitaire.versus.replay import encode
from tables import plain, script, table
from versus_referee import RefusedError

SHARED = ("1 AH; stock 2H..KH", "1 2H; stock 3H..KH")
QUEENS = "1 (KH) (JS) QH", "1 (KS) (JH) QS"
BURIED = "1 (KD) (KH) (JS) QH; stock QD", "1 (KS) (JD) (JH) QS"
DEEPER = "1 (KD) (KH) (JC) (JS) QH; stock QD", "1 (KS) (KC) (JD) (JH) QS; stock QC"
CLEAR = "1 KC; stock KD KH KS", "1 KH"
SITUATIONS = [
    ("shared pile", SHARED, {}, "A 1>F, A draw, B 1>F, B draw, A W>F", "41:41 A"),
    ("draw ends the turn", SHARED, {}, "A 1>F, A draw, A W>F x, B pass, A W>F", "41:40 A"),
    (
        "the turn goes on while a card fits",
        SHARED,
        {"fits": True},
        "A 1>F, A draw, A W>F, A draw, A W>F, A pass, B 1>F",
        "42:41 B",
    ),
    (
        "illegal",
        (
            "1 9C, 2 QH, 3 (KC) JC, 4 JD, 5 (KH) (QC) TC; stock KS QS QD KD",
            "1 (QC) JC, 2 KC",
        ),
        {},
        "A 5>F x, A 4>2 x, A 3>4 x, A 2>6 x, A 5>4x2 x, A W>F x, A FH1>2 x, A recycle x, B pass x",
        "40:49 A",
    ),
    (
        "runs and kings",
        ("1 KD QC JH, 2 KS, 3 (QH) JS, 6 KH; stock KC QS", "1 KH"),
        {},
        "A 1>2x2 x, A 3>5 x, A 1>6x2, A 6>1x2, A 1>4x3, A 4>6x2, A 3>F, A 3>2, A 6>F, A 2>F, "
        "A 5>F x",
        "46:51 A",
    ),
    (
        "both blocked, the last play wins",
        QUEENS,
        {"last": "B"},
        "A 1>F x, A 1>2 x, A draw x, A pass, B pass",
        "49:49 idle B",
    ),
    (
        "both blocked after a king",
        ("1 (KH) (JS) QH, 2 KC", QUEENS[1]),
        {"last": "B"},
        "A 2>F, A pass, B pass",
        "49:49 idle A",
    ),
    ("a stock that never plays", BURIED, {"last": "B"}, "A draw, B pass", "47:48 idle B"),
    (
        "one pass",
        BURIED,
        {"last": "B", "mode": "D1V"},
        "A draw, B pass",
        "47:48 idle B",
    ),
    ("two such stocks", DEEPER, {"last": "A"}, "A draw, B draw", "46:46 idle A"),
    ("played out", ("1 KH", "1 KH"), {}, "A 1>F, B 1>F x", "52:51 out A"),
    (
        "played on",
        ("1 KH", "1 KH"),
        {"play_on": True},
        "A 1>F, A pass, B 1>F",
        "52:52 out B",
    ),
    ("solo clear", CLEAR, {"solo_clear": True}, "A 1>F", "49:51 clear A"),
    ("no solo clear", CLEAR, {}, "A 1>F, A draw, B 1>F", "49:52 out B"),
    (
        "race for a place",
        ("1 2H; stock 3H..KH", "1 (AH) 2H; stock 3H..KH"),
        {"to_move": None},
        "1.000 B 1>F, 1.001 A 1>F x, 2.000 B 1>F, 2.400 A 1>F",
        "41:41 None",
    ),
    (
        "no race where both places are free",
        ("1 2H; stock 3H..KH", "1 2H; stock 3H..KH"),
        {"to_move": None},
        "1.000 B 1>F, 1.001 A 1>F",
        "41:41 None",
    ),
    # Two more for each rule.
    (
        "own order is free",
        ("1 3H, 2 (KS) 2H; stock 4H..KH", "1 3H; stock 4H..KH"),
        {},
        "A 1>F, A 2>F",
        "41:41 A",
    ),
    (
        "a card stays up",
        ("1 2S; stock 3S..KS", "1 3H; stock 4H..KH"),
        {},
        "A FS1>1 x, A FH1>1 x",
        "40:41 A",
    ),
    ("a pass alone ends nothing", QUEENS, {"last": "A"}, "A pass", "49:49 B"),
    (
        "a pass is void after the other's progress",
        ("1 (KH) (JS) QH, 2 KC", "1 (KS) (JH) QS, 2 KD"),
        {},
        "A pass, B 2>F, B pass, A 2>F, A pass",
        "49:49 B",
    ),
    (
        "a move back and forth is no progress",
        ("1 KS QH, 2 KC", "1 KH; stock QD KD"),
        {},
        "A 1>2, A 2>1, A pass, B pass",
        "49:49 idle None",
    ),
    (
        "a king's run from one empty column to another is none either",
        ("1 KS QH", "1 (KH) KD"),
        {},
        "A 1>2x2, A pass, B pass",
        "50:50 idle None",
    ),
    (
        "a column emptied onto a card is progress",
        (QUEENS[0], "1 (KS) (JH) QS, 3 KC, 4 QD; stock KD"),
        {},
        "A pass, B 4>3, B pass",
        "49:46 A",
    ),
    (
        "a recycle ends no turn and needs a draw after it",
        (DEEPER[0], "1 (KS) (JD) (JH) QS; stock QC KC"),
        {"last": "A"},
        "A draw, B draw, A recycle, A recycle x, B draw x, A draw, B draw",
        "46:46 idle A",
    ),
    (
        "one pass has no recycle",
        (DEEPER[0], "1 (KS) (JD) (JH) QS; stock QC KC"),
        {"last": "A", "mode": "D1V"},
        "A draw, B draw, A recycle x, A pass, B draw",
        "46:46 idle A",
    ),
    (
        "draw 3 turns what is left",
        ("1 KS; stock JS QS", "1 KH; stock JC QC KC"),
        {"mode": "D3N"},
        "A draw, A W>F x, B draw, B draw x",
        "49:48 idle A",
    ),
    (
        "solo clear counts after a play to a foundation only",
        ("1 QC, 2 KC; stock KD", "1 KH, 2 (QD) KD"),
        {"solo_clear": True},
        "A 1>F, A 2>F",
        "51:49 clear A",
    ),
    ("out of turn", SHARED, {}, "B 1>F x, B draw x, B pass x, A pass, A 1>F x", "39:40 B"),
    ("after the end", ("1 KH", "1 KH"), {}, "A 1>F, A pass x, B pass x", "52:51 out A"),
    (
        "both at once: nobody waits",
        ("1 AH; stock 2H..KH", "1 AS; stock 2S..KS"),
        {"to_move": None},
        "A draw, A draw, A draw, B 1>F, A 1>F",
        "40:40 None",
    ),
    (
        "draws of their own",
        ("1 KS; stock JS QS", "1 KH; stock JC QC KC"),
        {"mode": "D3N", "draw_b": 1},
        "A draw, B draw, A pass, B draw, A pass, B draw",
        "49:48 idle A",
    ),
    (
        "three cards for A alone",
        ("1 KS; stock TS JS QS", "1 KH; stock JH QH"),
        {"draw_a": 3},
        "A draw, A W>F x, B draw, A recycle, A draw, B W>F, B draw, A pass, B W>F, B 1>F",
        "48:52 out B",
    ),
    (
        "a head start decides an even count",
        QUEENS,
        {"last": "B", "ahead_a": 1},
        "A pass, B pass",
        "49:49 idle A",
    ),
    (
        "a head start that does not do",
        ("1 (KH) (JS) QH, 2 KC", QUEENS[1]),
        {"last": "B", "ahead_b": 2, "ahead_a": 1},
        "A pass, B pass",
        "48:49 idle B",
    ),
    (
        "played out ends it, and the count with the head start decides",
        ("1 KH", "1 KH"),
        {"ahead_b": 2},
        "A 1>F",
        "52:51 out B",
    ),
    (
        "cleared columns win against a head start",
        CLEAR,
        {"solo_clear": True, "ahead_b": 50},
        "A 1>F",
        "49:51 clear A",
    ),
    ("B begins", SHARED, {"to_move": Player.B}, "A 1>F x, B draw, B pass x, A 1>F", "40:40 A"),
    (
        "played on: the turn comes back while the other is out",
        ("1 KH", "1 KS; stock QS"),
        {"play_on": True},
        "A 1>F, A draw x, A pass, B draw, B W>F, B pass",
        "52:51 idle A",
    ),
    (
        "played on: who is out is idle",
        ("1 KH", "1 (KS) KD; stock QS"),
        {"play_on": True},
        "A 1>F, A pass, B 1>F, B draw, B W>F, B 1>F",
        "52:52 out B",
    ),
    (
        "a mixed end: one passes, the other goes through the stock",
        BURIED,
        {"last": "A"},
        "A pass, B pass",
        "47:48 idle B",
    ),
    (
        "no play at all: no winner",
        ("1 (KS) QH; stock KH", "1 (KH) QS; stock KS"),
        {},
        "A pass, B pass",
        "49:49 idle None",
    ),
    (
        "a pass of one with a stock left is enough",
        (DEEPER[0], "1 (KS) (JD) (JH) QS; stock QC KC"),
        {"last": "B"},
        "A draw, B pass",
        "46:46 idle B",
    ),
    (
        "a waste card put down is progress",
        ("1 (KD) KH; stock QS KS", "1 KC; stock KD"),
        {"last": "B"},
        "A draw, B pass, A W>1, A pass",
        "48:50 B",
    ),
    (
        "both at once: a draw ends nothing and a recycle needs an empty stock",
        (DEEPER[0], "1 (KS) (JD) (JH) QS; stock QC KC"),
        {"to_move": None, "last": "A"},
        "B draw, B recycle x, B draw, B recycle, A pass",
        "46:46 idle A",
    ),
    (
        "both at once: playing out ends it at once",
        ("1 KH", "1 KH"),
        {"to_move": None},
        "1.000 B 1>F, 1.001 A 1>F x",
        "51:52 out B",
    ),
    (
        "both at once: progress voids a pass",
        ("1 (KH) (JS) QH, 2 KC", QUEENS[1]),
        {"to_move": None},
        "B pass, A 2>F, A pass, A pass, B pass",
        "49:49 idle A",
    ),
    (
        "both at once: cleared columns win",
        CLEAR,
        {"to_move": None, "solo_clear": True},
        "A 1>F, B 1>F x",
        "49:51 clear A",
    ),
    (
        "both at once: the second of two places",
        ("1 AH; stock 2H..KH", "1 AH; stock 2H..KH"),
        {"to_move": None},
        "1.0 A 1>F, 1.0 B 1>F, 1.5 A draw, 1.5 B draw, 2.1 B W>F, 2.2 A W>F",
        "41:41 None",
    ),
    (
        "both at once: blocked is declared",
        QUEENS,
        {"to_move": None, "last": "A"},
        "B pass, A pass",
        "49:49 idle A",
    ),
]


def told(game):
    """`41:41 A` or, after the end, `49:49 idle B`."""
    count = f"{game.up(Player.A)}:{game.up(Player.B)}"
    return f"{count} {game.turn}" if game.end is None else f"{count} {game.end} {game.winner}"


@pytest.mark.parametrize(
    ("sides", "how", "moves", "expected"),
    [each[1:] for each in SITUATIONS],
    ids=[each[0] for each in SITUATIONS],
)
def test_situation(sides, how, moves, expected):
    mode = how.get("mode", "D1N")
    rules = rules_for("DS2", int(mode[1]), mode[2])
    last = None if how.get("last") is None else Player(how["last"])
    position = table(*sides, to_move=how.get("to_move", Player.A), last=last)
    house = {name: how[name] for name in asdict(House()) if name in how}
    game = VersusGame(rules, position, House(**house))
    other = plain(position, draw=rules.draw, passes=rules.passes, **house)
    for player, move, is_refused in script(moves):
        action = parse_action(f"{player} {move}")
        if is_refused:
            before = game.table()
            with pytest.raises(MoveError):
                game.play(*action)
            assert game.table() == before
            with pytest.raises(RefusedError):
                other.play(player, move)
        else:
            game.play(*action)
            other.play(player, move)
    assert told(game) == expected
    assert agree(game, other)


def agree(game, other):
    """Whether the two referees see the same."""
    seen = game.table()
    same = plain(seen)
    return (
        all(
            (mine.columns, list(mine.hidden), mine.stock, mine.waste, mine.up)
            == (each.columns, list(each.hidden), each.stock, each.waste, each.up)
            for mine, each in zip(same.sides.values(), other.sides.values(), strict=True)
        )
        and str(game.turn) == str(other.turn)
        and str(game.last) == str(other.last)
        and (game.end is not None) == other.over
        and (not other.over or (str(game.end), str(game.winner)) == (other.end, str(other.winner)))
    )


def random_game(seed, mode, house, at_once):
    """Play a game by chance with both referees and compiled; whether they agree all along.

    Where both move at once some moves are of a player's earlier list, as if they came late. Of the
    games one in eight goes on for long, as there few pass.
    """
    words = random.Random(seed)
    rules = rules_for("DS2", int(mode[1]), mode[2])
    code = VersusCode.of_number(rules, words.randrange(2**35))
    position = Table.start(code.deals(), None if at_once else Player.A)
    game = VersusGame(rules, position, house)
    other = plain(
        position,
        draw=rules.draw,
        passes=rules.passes,
        **asdict(house),
    )
    compiled = pack_table(rules, position, house)[0]
    listed = np.zeros(MAX_MOVES, np.int64)
    # Blocks of 32 seeds have each mode, house and style once.
    is_long = seed // 32 % 8 == 0
    passes = 0.02 if is_long else 0.3
    record, earlier = [], {player: [] for player in Player}
    both_dead = None
    for _ in range(600):
        player = game.turn or words.choice(tuple(Player))
        side = tuple(Player).index(player)
        plain_moves = other.legal(str(player))
        count = list_moves(compiled.layouts[side], compiled.foundations, listed)
        assert sorted(str(Move.decode(int(code))) for code in listed[:count]) == sorted(plain_moves)
        if words.random() < 0.2:
            assert sorted(map(str, game.legal(player))) == sorted([*plain_moves, PASS])
        if at_once and earlier[player] and words.random() < 0.3:
            late = words.choice(earlier[player])
            refused = game.refusal(player, parse_move(late)) is not None
            assert refused == (late not in plain_moves)
        earlier[player] = plain_moves
        progress = [move for move in plain_moves if ">" in move]
        if progress and words.random() < 0.7:
            move = words.choice(progress)
        else:
            move = PASS if words.random() < passes else words.choice([*plain_moves, PASS])
        action = move if move == PASS else parse_move(move)
        game.play(player, action)
        other.play(str(player), move)
        act(compiled, side, encode(action))
        record.append((player, action))
        assert agree(game, other), (seed, record)
        assert game.up(Player.A) - game.up(Player.B) == other.margin_by_singles()
        heights = [other.heights(suit) for suit in "SHDC"]
        assert game.foundations.heights == [height for suit in heights for height in suit]
        assert [count_up(compiled, each) for each in (0, 1)] == [game.up(each) for each in Player]
        if both_dead is not None:
            assert both_dead == [game.up(each) for each in Player], (seed, record)
        elif is_long and are_both_dead(compiled, SEARCH[0]):
            both_dead = [game.up(each) for each in Player]
        if game.end is not None:
            break
    assert ENDS[int(compiled.end)] is game.end
    assert int(compiled.winner) == (-1 if game.winner is None else tuple(Player).index(game.winner))
    assert int(compiled.turns) == game.turns
    assert game.progress == other.progress_events <= 208
    again = VersusGame(rules, position, house)
    for player, action in record:
        again.play(player, action)
    assert again.table() == game.table()
    assert (again.end, again.winner) == (game.end, game.winner)
    return game


HOUSES = [
    House(),
    House(fits=True),
    House(play_on=True, draw_b=1),
    House(solo_clear=True, draw_a=3, ahead_b=2),
]
SEARCH = new_probe()


def games(first, count):
    ends = set()
    for seed in range(first, first + count):
        mode = ("D1N", "D3N", "D1V", "D3V")[seed % 4]
        ends.add(random_game(seed, mode, HOUSES[seed // 4 % 4], seed // 16 % 2 == 1).end)
    return ends


def test_two_referees_agree_on_random_games():
    assert End.IDLE in games(0, 96)


@pytest.mark.long
@pytest.mark.parametrize("part", range(100))
def test_two_referees_agree_on_a_hundred_thousand_games(part):
    games(1000 + 1000 * part, 1000)


def test_codes_name_two_klondike_deals():
    pairs = {
        "AAAAAAA": ("4IQKQOL", "NZ4J42V"),
        "AAAAAAB": ("SEFC33E", "X3VY3IL"),
        "AAAAAAC": ("S5MDLXQ", "X7EEMEA"),
        "7777777": ("5GAQOIL", "TMGCBFG"),
    }
    for letters, halves in pairs.items():
        code = VersusCode.parse(f" ds2-d3v-{letters.lower()} ")
        assert code.halves == tuple(f"KL1-D3V-{half}" for half in halves)
        assert str(code) == f"DS2-D3V-{letters}"
        own = VersusCode.parse(f"DS2-D3V-{'+'.join(halves)}")
        assert own.deals() == code.deals()
        assert VersusCode.parse(str(own)) == own
    mirror = VersusCode.parse("DS2-D1N-AAAAAAB+AAAAAAB")
    assert mirror.deals()[0] == mirror.deals()[1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("DS1-D1N-AAAAAAB", "is no code of a deal for two"),
        ("DS2-D2N-AAAAAAB", "draw 2 is not played"),
        ("DS2-D1Q-AAAAAAB", "no scoring is called 'Q'"),
        ("DS2-D1N-AAAAAA", "6 symbols instead of 7"),
        ("DS2-D1N-AAAAAAB+AAAAAABB", "8 symbols instead of 7"),
        ("DS2-D1N-AAAAAA1", "'1' in 'AAAAAA1' is no symbol"),
        ("DS2-D1N-AAAAAAB+", "0 symbols instead of 7"),
        ("DS2-D1N-", "0 symbols"),
    ],
)
def test_a_wrong_code_says_why(text, words):
    with pytest.raises(CodeError, match=words.replace("+", r"\+")):
        VersusCode.parse(text)


@pytest.mark.parametrize(
    ("sides", "words"),
    [
        (("1 KH KD", ""), "A: column 1: KD lies open on KH"),
        (("1 KC", "1 KH, 2 KH"), "B: not a deck: 53 cards found, KH is there twice"),
        (("1 2S; stock 4S..KS", "1 (AS) 2S; stock 4S..KS"), "3S is up 2 times and 2S 0 times"),
    ],
)
def test_a_table_that_cannot_be_is_refused(sides, words):
    with pytest.raises(DealError, match=words):
        table(*sides).check(rules_for("DS2", 1, "N"))


@pytest.mark.parametrize(
    ("columns", "begins"),
    [
        (("1 7H", "1 8S"), "A"),
        (("1 8S", "1 7H"), "B"),
        (("1 KD, 2 (2C) 5H", "1 KS, 2 (2S) 4H"), "B"),
        (("1 KD, 2 (2C) 5H", "1 KS, 2 (2S) 5C"), "A"),
        (("1 AD", "1 2S"), "A"),
    ],
)
def test_who_has_the_lower_card_begins(columns, begins):
    assert table(*columns).begun_by_lower().to_move == begins


def test_the_lower_card_of_dealt_tables():
    for number in range(200):
        code = VersusCode.of_number(rules_for("DS2", 1, "N"), number)
        start = Table.start(code.deals())
        ranks = [[column[-1] // 4 for column in side.columns] for side in start.sides]
        assert start.begun_by_lower().to_move == ("B" if ranks[1] < ranks[0] else "A")
