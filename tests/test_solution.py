import json

import pytest
from double_solitaire.cli.deals import Asked
from double_solitaire.cli.output import answer_row
from double_solitaire.cli.streams import to_ascii
from double_solitaire.engine.codes import DealCode
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.errors import DealError, MoveError
from double_solitaire.engine.moves import parse_move
from double_solitaire.engine.referee import Game, replay
from double_solitaire.notation.solution import (
    Solution,
    describe,
    parse_line,
    play_lines,
    printed_lines,
    read_lines,
    read_solution,
)
from double_solitaire.solver.verdict import Answer, Verdict
from games import F1, F1_DRAW3, F2, cards, fixture, mode, straight, walked
from hypothesis import given, settings

D1N = mode("D1N")


def rewound(walk):
    """The game taken back to its start, and the moves."""
    game, moves = walk
    for _ in moves:
        game.undo()
    return game.position(), moves


def moves_in(text):
    return tuple(move for move, _ in read_lines(text))


def written(rules, start, moves, number=None):
    """The line that `dsol solve --json` prints of these moves."""
    end = replay(rules, start, moves)
    verdict = Verdict.WINNABLE if end.won else Verdict.UNKNOWN
    answer = Answer(verdict, "", 0, 0.0, tuple(moves), end.score)
    code = None if number is None else str(DealCode(rules, number))
    return json.dumps(answer_row(Asked("deal", rules, number, start, code), answer))


@given(walked())
@settings(max_examples=10, deadline=None)
def test_solution_files_are_read_as_solve_writes_them(walk):
    rules = walk[0].rules
    start, moves = rewound(walk)
    end = replay(rules, start, moves)
    text = written(rules, start, moves)
    assert read_solution(text) == Solution(rules, start, tuple(moves), end.score, end.won)
    assert moves_in(text) == tuple(moves)


@given(walked())
@settings(max_examples=10, deadline=None)
def test_printed_lists_are_read_as_printed(walk):
    start, moves = rewound(walk)
    lines = printed_lines(walk[0].rules, start, moves)
    text = "DS1 winnable\n" + "\n".join(lines) + "\nscore 17\n"
    for written_as in (text, to_ascii(text)) if moves else ():
        assert moves_in(written_as) == tuple(moves)
    assert to_ascii(text).isascii()
    assert moves_in("\n".join(map(str, moves))) == tuple(moves)
    assert moves_in("\ufeff" + "\r\n".join(map(str, moves))) == tuple(moves)


@pytest.mark.parametrize(
    ("name", "text"), [(F1, "D1N"), (F1, "D1V"), (F1_DRAW3, "D3N"), (F1_DRAW3, "D3V"), (F2, "D3V")]
)
def test_b11_a_printed_win_is_accepted(name, text):
    rules = mode(text)
    start = fixture(name, rules).position()
    moves = straight(fixture(name, rules))
    lines = list(printed_lines(rules, start, moves))
    end = replay(rules, start, moves_in("\n".join(lines)))
    assert end == replay(rules, start, moves)
    assert (end.won, end.moves) == (True, len(lines))


def test_code_files():
    code = DealCode.parse("DS1-D1N-AAAAAAB")
    start = Position.start(code.rules, deal_number(code.rules, code.number))
    text = written(code.rules, start, [parse_move("draw")], code.number)
    data = json.loads(text)
    assert "deal" not in data
    assert (data["code"], data["moves"], data["score"], data["won"]) == (
        "DS1-D1N-AAAAAAB",
        ["draw"],
        0,
        False,
    )
    assert read_solution(text) == Solution(code.rules, start, (parse_move("draw"),), 0, False, code)


def test_deal_files():
    start = fixture(F1, D1N).position()
    data = json.loads(written(D1N, start, straight(fixture(F1, D1N))))
    assert list(data["deal"]) == ["columns", "stock"]
    assert (data["draw"], data["scoring"], data["score"], data["won"]) == (1, "N", 1220, True)


def test_a_file_need_not_say_what_it_comes_to():
    solution = read_solution('{"code": "DS1-D1N-AAAAAAB", "moves": []}')
    assert (solution.score, solution.won, solution.moves) == (None, None, ())


def test_b11_printed_lines_are_held_to_the_cards_they_name():
    start = fixture(F1, D1N).position()
    moves = straight(fixture(F1, D1N))
    lines = list(printed_lines(D1N, start, moves))
    assert play_lines(D1N, start, read_lines("\n".join(lines))).won
    assert lines[1] == "2. A♠ waste → foundation"
    for wrong, words in (
        (
            "1. draw (1 card, 2♠ on top)",
            "illegal at move 1: the line says 2S, the card there is AS",
        ),
        ("1. draw\n2. AH waste -> foundation", "illegal at move 2: the line says AH, the card"),
        ("1. A♠ waste → foundation", "illegal at move 1: the waste is empty"),
        ("1. A♠ foundation 3 → column 1", "illegal at move 1: there is no place 3 of a suit"),
        ("1. A♠ foundation 2 → column 1", "illegal at move 1: the foundation FS2 is empty"),
        ("1. A♠ column 1 → column 2 (5 cards)", "illegal at move 1: column 1 has 1 cards, not 5"),
    ):
        with pytest.raises(MoveError, match=words):
            play_lines(D1N, start, read_lines(wrong))


def test_descriptions():
    game = Game(
        mode("D3N"),
        Position(
            tuple(map(cards, ["TH", "9S 8H", "", "2C", "3H", "", "", "", "KC"])),
            (0,) * 9,
            cards("5D KD"),
            cards("QH 9C"),
            (1, 0, 2, 0, 0, 0, 1, 0),
            0,
        ),
    )
    known = {
        "draw": "draw (2 cards, K♦ on top)",
        "W>1": "9♣ waste → column 1",
        "2>1x2": "9♠ column 2 → column 1 (2 cards)",
        "4>5": "2♣ column 4 → column 5 (1 card)",
        "9>3": "K♣ column 9 → column 3 (1 card)",
        "4>F": "2♣ column 4 → foundation",
    }
    for move, line in known.items():
        assert describe(parse_move(move), game) == line
        assert parse_line(line) == parse_move(move)
    game.columns[4].append(cards("2C")[0])
    assert describe(parse_move("FH1>9"), game) == "2♥ foundation 1 → column 9"
    assert parse_line("2♥ foundation 1 → column 9") == parse_move("FH1>9")
    game.stock, game.waste = [], list(cards("AS"))
    assert describe(parse_move("W>F"), game) == "A♠ waste → foundation"
    assert describe(parse_move("recycle"), game) == "recycle (1 card)"


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("draw W>F\n5>3x4", ["draw", "W>F", "5>3x4"]),
        ("draw # the first\n# a note\nrecycle", ["draw", "recycle"]),
        ("1. draw\n2. 5>3x4\n", ["draw", "5>3x4"]),
        ("  1. draw (1 card, A♠ on top)\n 2. 10h column 5 → column 3", ["draw", "5>3"]),
        ('{"moves": ["draw", "W>3"]}', ["draw", "W>3"]),
        ("", []),
        ("F3 best score 0, taking back excluded (upper bound: x): 0 moves, score 0, not won", []),
        ("\ufeffa #1 winnable: 0 moves, score -$104\r\n", []),
    ],
)
def test_lists_of_moves(text, moves):
    assert moves_in(text) == tuple(map(parse_move, moves))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("draw W>X", "'W>X' is no move"),
        ("1. draw\n3. draw", "move 2 is missing from the list; 3 stands there"),
        ("1. 9H waste 3 -> column 3", "a line reads"),
        ("1. 9H column -> column 3", "a line reads"),
        ("1. 9H foundation 1 -> foundation", "a line reads"),
        ("1. 9H column 0 -> column 3", "is no move"),
        ("1. something else", "is no move"),
        ("F3 winnable: 12 moves, score 0", "'F3' is no move"),
        ("F3 winnable: 0 moves, score 0\nup", "'F3' is no move"),
        ('{"moves": "draw"}', "must be a list of moves"),
        ('{"moves": [1]}', "must be a list of moves"),
        ("{}", "must be a list of moves"),
    ],
)
def test_what_is_no_list_of_moves(text, words):
    with pytest.raises(MoveError, match=words):
        moves_in(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"moves": []}', 'it needs "code", or "deal", "draw" and "scoring"'),
        ('{"moves": [], "code": "DS1-D1N-AAAAAAB", "score": "9"}', "whole number"),
        ('{"moves": [], "code": "DS1-D1N-AAAAAAB", "won": 1}', "true or false"),
        ('{"moves": [], "code": 5}', "no deal code"),
        ('{"moves": [], "deal": 5, "draw": 1, "scoring": "N"}', "no deal in the JSON"),
        ('{"moves": [], "deal": 5, "draw": "1", "scoring": "N"}', "draw is 1 or 3"),
        ("draw", "no JSON"),
    ],
)
def test_what_is_no_solution_file(text, words):
    with pytest.raises(ValueError, match=words):
        read_solution(text)
    with pytest.raises(DealError, match="no object"):
        read_solution("[]")
