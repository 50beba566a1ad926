"""Lists as they are printed for a person: grouped, wrapped, with boards; and read back."""

import itertools

import pytest
from double_solitaire.cli.deals import Asked
from double_solitaire.cli.listing import Listing
from double_solitaire.cli.main import run
from double_solitaire.cli.streams import to_ascii
from double_solitaire.engine.errors import MoveError
from double_solitaire.notation.solution import play_lines, read_lines
from double_solitaire.pages.story import rest_of, tell

from double_solitaire import Limits, new_game, replay, solve

CODES = [
    *(f"DS1-{mode}-{tail}" for mode in ("D1N", "D3N") for tail in ("AAAAAAB", "AAAAAAC")),
    *("DS1-D1V-AAAAAAC", "KL1-D1N-AAAAAAB", "pysol:123"),
]


@pytest.fixture(scope="module")
def won():
    """A deal and the moves that win it, by its code."""
    answers = {code: solve(code, Limits(nodes=300_000)) for code in CODES}
    return {code: answer.moves for code, answer in answers.items() if answer.moves}


def asked(code, before=0):
    game = new_game(code)
    return Asked(code, game.rules, None, game.position(), code, before)


@pytest.mark.parametrize("taps", [False, True])
@pytest.mark.parametrize("boards", [None, 7, 60])
@pytest.mark.parametrize("signs", [str, to_ascii])
def test_what_is_printed_is_read_back(won, taps, boards, signs):
    assert len(won) >= 6
    for code, moves in won.items():
        text = "\n".join(Listing(taps, boards, False).lines(asked(code), moves))
        lines = read_lines(signs(text))
        assert tuple(move for move, _ in lines) == moves
        play_lines(asked(code).rules, asked(code).position(), lines)


@pytest.mark.parametrize("width", [24, 40, 79])
def test_lines_that_go_on_below_are_read_back(won, monkeypatch, width):
    monkeypatch.setattr("double_solitaire.cli.listing.is_terminal", lambda stream: True)
    monkeypatch.setenv("COLUMNS", str(width))
    for code, moves in won.items():
        lines = list(Listing(True, None, False).lines(asked(code), moves))
        assert max(len(line) for text in lines for line in text.splitlines()) < width
        assert tuple(move for move, _ in read_lines("\n".join(lines))) == moves


def test_the_numbers_go_on_from_moves_before(won):
    moves = won["DS1-D3N-AAAAAAB"]
    text = "\n".join(Listing(False, None, False).lines(asked("DS1-D3N-AAAAAAB", 17), moves))
    assert text.startswith("18")
    assert tuple(move for move, _ in read_lines(text, 17)) == moves


def test_each_step_names_what_it_turns_up_and_the_rest_goes_up_by_itself(won):
    for code, moves in won.items():
        game = new_game(code)
        steps = list(tell(game.rules, game.position(), moves))
        rest = rest_of(steps)
        for step in steps:
            down = sum(step.before.hidden) - sum(step.after.hidden)
            assert (step.turned_up is not None) == (down > 0) == ("turns up" in step.turns)
        assert not any(steps[rest - 1].after.hidden)
        assert all("foundation" in step.text for step in steps[rest:])
        # What is left unsaid is nothing to choose: each card goes up as soon as it can.
        assert replay(code, moves).won


def test_draws_are_one_line_and_recycles_are_marked(won):
    moves = won["DS1-D3N-AAAAAAB"]
    lines = list(Listing(False, None, False).lines(asked("DS1-D3N-AAAAAAB"), moves))
    runs = [len(list(same)) for key, same in itertools.groupby(map(str, moves)) if key == "draw"]
    told = [line for line in lines if ". draw " in line]
    assert len(told) == len(runs)
    assert sum("times" in line for line in told) == sum(run > 1 for run in runs)
    passes = [line for line in lines if "recycle" in line]
    assert len(passes) == list(map(str, moves)).count("recycle")
    assert all(f"pass {number}" in line for number, line in enumerate(passes, 2))


def changed(lines, at, old, new):
    assert old in lines[at]
    return "\n".join([*lines[:at], lines[at].replace(old, new), *lines[at + 1 :]])


def test_a_list_that_was_damaged_is_refused(won):
    moves = won["DS1-D1N-AAAAAAB"]
    lines = list(Listing(False, None, False).lines(asked("DS1-D1N-AAAAAAB"), moves))
    at = next(index for index, line in enumerate(lines) if "times" in line)
    count = lines[at].split("draw ")[1].split()[0]
    number = lines[at].split(".")[0]
    for bad, words in [
        ("\n".join(lines[:at] + lines[at + 1 :]), "missing from the list"),
        (changed(lines, at, f"draw {count} times", "draw 99 times"), "99 draws, but"),
        (changed(lines, at, f"{number}.", f"{number.split('–')[0]}."), "the number of the line"),
        (changed(lines, -1, "the rest goes up (columns ", "the rest goes up (columns 0, "), "move"),
    ]:
        with pytest.raises(MoveError, match=words):
            read_lines(bad)


def test_ungrouped_is_a_line_a_move(capsys):
    assert run(["solve", "DS1-D1N-AAAAAAB", "-q", "--ungrouped"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert f": {len(lines)} moves" in head
    assert [line.split(".")[0] for line in lines] == [str(n + 1) for n in range(len(lines))]
    assert run(["solve", "DS1-D1N-AAAAAAB", "-q", "--ungrouped", "--boards", "5"]) == 2
    assert "without --boards" in capsys.readouterr().err


def test_boards_show_the_table_where_it_stands(capsys):
    assert run(["solve", "DS1-D1N-AAAAAAB", "-q", "--boards", "50"]) == 0
    text = capsys.readouterr().out
    # The fourth would stand in the moves that are left unsaid at the end.
    assert text.count("    | up ") == 3
    assert "    |   1    2    3" in text
