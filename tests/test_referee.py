from collections import Counter

import pytest
from double_solitaire.engine.cards import card_of, card_text
from double_solitaire.engine.deal import Position
from double_solitaire.engine.errors import MoveError
from double_solitaire.engine.moves import DRAW_MOVE, RECYCLE_MOVE, Kind, Move, parse_move
from double_solitaire.engine.referee import UNDO_LIMIT, Game, replay
from games import F1, F1_DRAW3, F2, F3, F6, MODES, cards, fixture, mode, straight, walked
from hypothesis import given, settings

STRAIGHT = {"N": 1220, "V": 416}


def table(columns, hidden=None, foundations=(0,) * 8, stock="", waste="", score=0, text="D1N"):
    """A game with few cards on the table; the referee does not count them."""
    piles = tuple(cards(column) for column in columns) + ((),) * (9 - len(columns))
    hidden = tuple(hidden or ()) + (0,) * (9 - len(hidden or ()))
    return Game(mode(text), Position(piles, hidden, cards(stock), cards(waste), foundations, score))


def play(game, text):
    for word in text.split():
        game.play(parse_move(word))
    return game


def refused(game, move):
    with pytest.raises(MoveError) as error:
        game.play(parse_move(move))
    return str(error.value)


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        (F1, "D1N", 163),
        (F1, "D1V", 163),
        (F1_DRAW3, "D3N", 124),
        (F1_DRAW3, "D3V", 124),
        (F2, "D1N", 163),
        (F2, "D1V", 163),
        (F2, "D3N", 124),
        (F2, "D3V", 124),
    ],
)
def test_straight_wins(name, text, count):
    game = fixture(name, mode(text))
    start = game.position()
    end = replay(game.rules, start, straight(game))
    assert (end.moves, end.draws, end.recycles) == (count, count - 104, 0)
    assert (end.score, end.won, end.cards_up) == (STRAIGHT[text[-1]], True, 104)
    assert (end.waste_to_column, end.taken_back) == (0, 0)


def test_b09_hidden_card_stays():
    game = fixture(F1, mode("D1N"))
    assert refused(game, "4>2x2") == "JD is face down"
    game.play(parse_move("6>4"))
    assert [card_text(card) for card in game.columns[3][-2:]] == ["TC", "9D"]


@pytest.mark.parametrize("text", ["D1N", "D1V", "D3N", "D3V"])
def test_b10_every_hidden_card_is_turned_once(text):
    game = fixture(F1 if text[1] == "1" else F1_DRAW3, mode(text))
    assert sum(game.hidden) == 36
    turned = 0
    start = game.position()
    for move in straight(game):
        before = sum(start.hidden)
        other = Game(game.rules, start)
        other.play(move)
        start = other.position()
        turned += before - sum(start.hidden)
    assert turned == 36


def test_b12_first_draw():
    game = play(fixture(F1, mode("D1N")), "draw")
    assert [card_text(card) for card in game.waste] == ["AS"]
    game = play(fixture(F1_DRAW3, mode("D3N")), "draw")
    assert [card_text(card) for card in game.waste] == ["AH", "AS", "AS"]


@given(walked())
@settings(max_examples=12, deadline=None)
def test_b18_no_card_is_lost(walk):
    game, moves = walk
    rules = game.rules
    while moves:
        game.position().check(rules)
        up = [
            card_of(rank, place // rules.places)
            for place, height in enumerate(game.foundations.heights)
            for rank in range(height)
        ]
        seen = Counter([*up, *game.stock, *game.waste, *(c for pile in game.columns for c in pile)])
        assert set(seen.values()) == {rules.copies}
        assert sum(seen.values()) == rules.cards
        game.undo()
        moves.pop()


@pytest.mark.parametrize(("text", "score"), [("D1N", 1250), ("D1V", 431)])
def test_b22_points_for_going_up_again(text, score):
    game = fixture(F1, mode(text))
    start = game.position()
    moves = []
    for move in straight(fixture(F1, mode(text))):
        moves.append(move)
        game.play(move)
        if game.foundations.heights[0] == 7 and not any(m.kind is Kind.TAKE_BACK for m in moves):
            for word in ("FS1>8", "8>F") * 3:
                moves.append(parse_move(word))
                game.play(moves[-1])
    end = replay(mode(text), start, moves)
    assert (end.moves, end.score, end.won, end.taken_back) == (169, score, True, 3)


@pytest.mark.parametrize(("text", "score"), [("D1N", 1225), ("D1V", 416)])
def test_b23_points_for_waste_to_column(text, score):
    game = fixture(F1, mode(text))
    start = game.position()
    moves = []
    detour = False
    for move in straight(fixture(F1, mode(text))):
        if not detour and game.waste and card_text(game.waste[-1]) == "7S":
            detour = True
            moves += [parse_move("W>8"), parse_move("8>F")]
        else:
            moves.append(move)
        for each in moves[game.moves :]:
            game.play(each)
    end = replay(mode(text), start, moves)
    assert (end.moves, end.score, end.won, end.waste_to_column) == (164, score, True, 1)


def test_b25_last_draw_is_short():
    game = fixture(F3, mode("D3N"))
    stock = game.stock.copy()
    tops = []
    for _ in range(2):
        tops.append([])
        while game.stock:
            game.play(DRAW_MOVE)
            tops[-1].append(game.waste[-1])
        if len(tops) == 1:
            game.play(RECYCLE_MOVE)
    assert (game.moves, game.score) == (41, 0)
    assert tops[0] == tops[1] == [stock[k - 1] for k in (*range(3, 58, 3), 59)]


@pytest.mark.parametrize("text", MODES)
def test_dead_deal_has_only_the_stock(text):
    game = fixture(F3, mode(text))
    positions = set()
    while game.legal_moves() == [DRAW_MOVE]:
        positions.add(game.position())
        game.play(DRAW_MOVE)
    assert len({*positions, game.position()}) == (60 if text[1] == "1" else 21)
    assert game.legal_moves() == ([RECYCLE_MOVE] if text[2] == "N" else [])
    assert (game.score, game.cards_up) == (0 if text[2] == "N" else -104, 0)


def test_score_of_each_event():
    game = table(["9S 8H", "", "9C"], [1], stock="2S", waste="7D 8D", score=200)
    assert play(game, "1>3").score == 205
    assert play(game, "W>1").score == 210
    game = table(["KS AS"], [1], waste="AH")
    assert play(game, "1>F").score == 15
    assert play(game, "W>F").score == 25
    game = table(["KD QS"], [1], (0, 0, 11, 0, 0, 0, 0, 0), score=7)
    assert play(game, "FH1>1").score == 7
    game = table(["AS"], waste="AH", text="D1V", score=-104)
    assert play(game, "1>F").score == -99
    assert play(game, "W>F").score == -94


def test_recycle_costs_100_but_never_goes_below_0():
    game = table([], waste="7D 8D 9D", score=130)
    play(game, "recycle")
    assert (game.score, game.recycles, game.stock) == (30, 1, list(cards("7D 8D 9D")))
    play(game, "draw draw draw recycle")
    assert (game.score, game.recycles) == (0, 2)


def test_undo_gives_back_what_the_floor_swallowed():
    game = table([], waste="7D 8D 9D", score=30)
    play(game, "recycle")
    assert game.score == 0
    game.undo()
    assert (game.score, game.recycles, game.moves) == (30, 0, 1)


@given(walked(most=250))
@settings(max_examples=12, deadline=None)
def test_undo_restores_everything(walk):
    game, moves = walk
    end = Game(game.rules, game.position())
    states = []
    for _ in range(min(len(moves), UNDO_LIMIT)):
        states.append(game.position())
        game.undo()
        assert game.moves == len(moves)
    with pytest.raises(MoveError, match="nothing to undo"):
        game.undo()
    for move, after in zip(moves[-len(states) :] if states else [], states[::-1], strict=True):
        game.play(move)
        assert game.position() == after
    assert game.position() == end.position()


def test_200_actions_can_be_undone():
    game = table([], stock="7D 8D", score=0)
    for _ in range(201):
        game.play(DRAW_MOVE if game.stock else RECYCLE_MOVE)
    for _ in range(200):
        game.undo()
    with pytest.raises(MoveError, match="nothing to undo"):
        game.undo()
    assert game.moves == 201
    assert game.position() == play(table([], stock="7D 8D"), "draw").position()


REFUSALS = [
    ("2>1", "9D does not go on TH: same colour"),
    ("3>1", "8S does not go on TH: not one rank lower"),
    ("2>9", "9D does not go on 8D: same colour, not one rank lower"),
    ("1>4", "column 4 is empty and takes only a king, not TH"),
    ("3>1x2", "9H is face down"),
    ("3>1x3", "column 3 has 2 cards, not 3"),
    ("4>1", "column 4 has 0 cards, not 1"),
    ("4>F", "column 4 is empty"),
    ("1>1", "column 1 is both source and target"),
    ("1>F", "no foundation takes TH: its suit is at 2 and 0"),
    ("W>1", "the waste is empty"),
    ("W>F", "the waste is empty"),
    ("draw", "the stock is empty"),
    ("recycle", "the waste is empty"),
    ("FS1>1", "the foundation FS1 is empty"),
    ("FH1>4", "column 4 is empty and takes only a king, not 2H"),
]


@pytest.mark.parametrize(("move", "why"), REFUSALS)
def test_refusals_say_why_and_change_nothing(move, why):
    columns = ["TH", "9D", "9H 8S", "", "", "", "", "", "8D"]
    game = table(columns, [0, 0, 1], (0, 0, 2, 0, 0, 0, 0, 0))
    before = game.position()
    assert refused(game, move) == why
    assert (game.position(), game.moves) == (before, 0)


def test_refusals_of_the_stock():
    assert refused(table([], stock="7D", waste="8D"), "recycle").startswith("the stock still has")
    vegas = table([], waste="7D", text="D3V")
    assert "Vegas scoring has no recycle" in refused(vegas, "recycle")
    klondike = Game(mode("D1N", "KL1"), Position(((),) * 7, (0,) * 7, (), (), (0, 1, 0, 0), 0))
    assert refused(klondike, "FH2>1") == "there is no place 2 of a suit"
    assert refused(klondike, "W>8") == "there is no column 8"


def test_first_place_that_accepts():
    game = play(table(["2S", "2S"], waste="AS AS"), "W>F W>F 1>F")
    assert game.foundations.heights[:2] == [2, 1]
    assert play(game, "2>F").foundations.heights[:2] == [2, 2]
    game = play(table(["3H"], foundations=(1, 2, 0, 0, 0, 0, 0, 0)), "FS2>1 1>F")
    assert game.foundations.heights[:2] == [2, 1]


def test_equal_places_and_empty_columns_count_each():
    game = table(["KS QH", "3D"], foundations=(2, 2, 0, 0, 0, 0, 0, 0))
    moves = [str(move) for move in game.legal_moves()]
    assert moves == [f"1>{c}x2" for c in range(3, 10)] + ["FS1>2", "FS2>2"]


def test_taking_back_a_king_takes_an_empty_column():
    game = table(["KS"], foundations=(13, 0, 0, 0, 0, 0, 0, 0))
    assert Move(Kind.TAKE_BACK, 0, 1, 1) in game.legal_moves()
    assert refused(game, "FS1>1").startswith("KS does not go on KS")


def test_taps():
    game = table(["9S AS", "9C", "9H", "KD"], [1], waste="8H", stock="2S")
    assert str(game.tap(0)) == "1>F"
    assert game.tap(1) is None
    assert game.tap("waste") is None
    assert str(game.tap("stock")) == "draw"
    assert str(game.double_tap("stock")) == "draw"
    assert str(game.double_tap("waste")) == "W>2"
    assert str(game.double_tap(0)) == "1>F"
    assert game.double_tap(1) is None
    assert str(game.double_tap(3)) == "4>5"
    assert game.double_tap(8) is None
    assert str(table([], waste="2S").tap("stock")) == "recycle"
    assert table([]).tap("stock") is None
    assert table([], waste="2S", text="D1V").tap("stock") is None


def test_double_tap_takes_the_longest_column_then_the_leftmost():
    game = table(["9S", "KD QC JD TC", "KH QS JH TS", "9D", "KS QD JC"], waste="")
    assert str(game.double_tap(3)) == "4>2"
    assert game.gesture(parse_move("4>2")) == "double tap"
    assert game.gesture(parse_move("4>3")) == "drag"


def test_gestures():
    game = table(["9S AS", "9D 8C", "9H"], [1], (0, 0, 2, 0, 0, 0, 0, 0), waste="8S", stock="2S")
    gestures = {str(move): game.gesture(move) for move in game.legal_moves()}
    assert gestures == {
        "draw": "tap",
        "W>3": "double tap",
        "1>F": "tap",
        "2>3": "double tap",
    }
    game = table(["3S", "KS QH", "QD"], foundations=(0, 0, 2, 0, 0, 0, 0, 0))
    gestures = {str(move): game.gesture(move) for move in game.legal_moves()}
    assert gestures["FH1>1"] == "drag"
    assert gestures["2>4x2"] == "drag"
    with pytest.raises(MoveError, match="stock is empty"):
        game.gesture(DRAW_MOVE)


@given(walked())
@settings(max_examples=10, deadline=None)
def test_gestures_are_what_the_taps_do(walk):
    game, _ = walk
    places = ["stock", "waste", *range(game.rules.columns)]
    taps = {game.tap(place) for place in places} - {None}
    doubles = {game.double_tap(place) for place in places} - {None}
    for move in game.legal_moves():
        expected = "tap" if move in taps else "double tap" if move in doubles else "drag"
        assert game.gesture(move) == expected


@given(walked())
@settings(max_examples=10, deadline=None)
def test_replay_agrees_with_play(walk):
    game, moves = walk
    for _ in moves:
        game.undo()
    end = replay(game.rules, game.position(), moves)
    for move in moves:
        game.play(move)
    assert (end.score, end.cards_up, end.won) == (game.score, game.cards_up, game.won)
    assert end.moves == len(moves)


def test_replay_names_the_illegal_move():
    game = fixture(F1, mode("D1N"))
    moves = [*map(parse_move, ["draw", "W>F", "draw", "W>F", "4>2x2"])]
    with pytest.raises(MoveError, match=r"^illegal at move 5: JD is face down$"):
        replay(game.rules, game.position(), moves)


def test_b11_neighbours_that_depend_on_each_other():
    game = fixture(F1, mode("D1N"))
    start = game.position()
    moves = straight(game)
    swapped = [moves[1], moves[0], *moves[2:]]
    with pytest.raises(MoveError, match=r"^illegal at move 1: the waste is empty"):
        replay(game.rules, start, swapped)


def test_blocked_column_loads():
    game = fixture(F6, mode("D1N"))
    assert card_text(game.columns[8][-1]) == "5S"
    assert not game.won
