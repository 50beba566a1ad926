"""The public functions, and what README.md and the manual say of them and of the command."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from double_solitaire.batch.schema import SCHEMA
from double_solitaire.cli.main import run

import double_solitaire
from double_solitaire import (
    Answer,
    CodeError,
    Deal,
    DealCode,
    DealError,
    Game,
    Limits,
    Move,
    MoveError,
    Verdict,
    advise,
    answer_many,
    api,
    check,
    hint,
    new_game,
    parse_move,
    rate,
    read_deal,
    replay,
    rules_for,
    score,
    solve,
)

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
MANUAL = (ROOT / "docs" / "manual.md").read_text(encoding="utf-8")
CODE = "DS1-D1N-AAAAAAB"


COMMANDS = MANUAL.split("## Commands")[1].split("\n## ")[0]


def blocks(language, text):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def shown():
    """The commands of README.md that it shows the output of, with the lines it shows."""
    for block in blocks("console", README):
        shape = r'\$ (?:echo "(.*)" \| )?dsol (.*)\n((?:(?!\$).*\n)*)'
        for typed, command, output in re.findall(shape, block):
            if output:
                yield typed, command, output.splitlines()


def test_every_public_name_is_there():
    for name in api.__all__:
        assert getattr(double_solitaire, name) is getattr(api, name)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = double_solitaire.no_such_name


def test_what_can_be_seen_of_the_package_is_what_is_public():
    public = {name for name in dir(double_solitaire) if not name.startswith("__")}
    assert public == set(api.__all__)
    assert "__version__" in dir(double_solitaire)
    assert double_solitaire.__version__ == version("double-solitaire")
    for name in ("Iterable", "DEAL_NUMBERS", "_game", "np"):
        assert not hasattr(double_solitaire, name)
    names = {}
    exec("from double_solitaire import *", names)
    assert set(api.__all__) <= set(names)


@pytest.mark.parametrize("name", api.__all__)
def test_every_public_name_is_documented(name):
    assert getattr(api, name).__doc__.strip()


def things():
    """One of everything that a user of the library gets to see."""
    game = new_game(CODE)
    limits = Limits(nodes=20_000)
    yield from (game, game.position(), game.rules, game.legal_moves()[1])
    yield Deal.from_order(game.rules, range(104))
    yield DealCode.parse(CODE)
    yield from (solve(CODE), solve("DS1-D1V-AAAAAAC", Limits(nodes=10)), limits)
    yield from (score(CODE, limits), score(CODE, limits).line, hint(CODE, limits))
    yield from hint(CODE, limits).legal
    yield from (rate(CODE, games=3), replay(CODE, ["draw"]), advise(CODE, samples=1))


def test_everything_prints_itself_in_a_short_line():
    for thing in things():
        shown = repr(thing)
        assert len(shown) <= 200, type(thing)
        assert "\n" not in shown and not re.search(r"\bat 0x|array\(", shown)


@pytest.mark.parametrize(
    "thing",
    [parse_move("5>3x4"), parse_move("FH2>9"), rules_for("KL1", 3, "V"), DealCode.parse(CODE)],
)
def test_small_things_print_how_to_get_them(thing):
    names = {"parse_move": parse_move, "rules_for": rules_for, "DealCode": DealCode}
    assert eval(repr(thing), names) == thing


def test_an_answer_says_what_it_found():
    answer = solve(CODE)
    assert repr(answer).startswith(f"<Answer winnable: {len(answer.moves)} moves, score ")
    assert repr(Answer(Verdict.UNKNOWN, "why", 5, 0.1)) == "<Answer unknown: 5 nodes, why>"


GAME = new_game(CODE)
NAN, INFINITY = float("nan"), float("inf")


@pytest.mark.parametrize(
    "call",
    [
        *(lambda f=f: f(5) for f in (solve, score, hint, rate, advise, new_game, read_deal)),
        *(lambda f=f: f(None) for f in (solve, check, answer_many, parse_move, DealCode.parse)),
        *(lambda f=f: f(CODE) for f in (check, answer_many)),
        *(lambda f=f: f([5]) for f in (check, answer_many)),
        *(lambda f=f: f(CODE, 1000) for f in (solve, score, hint, rate)),
        lambda: new_game(CODE.encode()),
        lambda: check([CODE], limits=5),
        lambda: answer_many([CODE], 5),
        lambda: answer_many(CODE, 1.5),
        lambda: answer_many(CODE, True),
        lambda: answer_many(CODE, 1, 1000),
        lambda: answer_many(CODE, 1, jobs="2"),
        lambda: rate(CODE, games="5"),
        lambda: advise(CODE, samples=None),
        lambda: read_deal("x", "DS1"),
        lambda: replay(CODE, "draw"),
        lambda: replay(CODE, 5),
        lambda: replay(CODE, [5]),
        lambda: replay(5, []),
        lambda: GAME.play("draw"),
        lambda: Game(GAME.rules, GAME.rules),
        lambda: Game("DS1", GAME.position()),
        lambda: DealCode(5, 5),
        lambda: DealCode(GAME.rules, "5"),
        lambda: Limits(nodes="5"),
        lambda: Limits(nodes=1.5),
        lambda: Limits(True),
        lambda: Limits(seconds="1s"),
        lambda: Limits(memory=None),
    ],
)
def test_what_is_of_another_type_is_a_type_error_in_one_line(call):
    with pytest.raises(TypeError) as error:
        call()
    message = str(error.value)
    assert "\n" not in message and len(message) < 200
    # Said by us, not by what happened to fail: these are Python's own words.
    assert not re.search("object|argument|operand|supported|iterable|attribute", message)


@pytest.mark.parametrize(
    "call",
    [
        *(lambda n=n: Limits(nodes=n) for n in (-5, 0, 2**63, 10**30)),
        *(lambda s=s: Limits(seconds=s) for s in (NAN, INFINITY, -INFINITY, 0, 0.0, -1, 10**400)),
        *(lambda m=m: Limits(memory=m) for m in (0, -1, 2**64)),
        *(lambda g=g: rate(CODE, games=g) for g in (0, -3, 10**9)),
        lambda: rate(CODE, seed=-1),
        lambda: advise(CODE, samples=0),
        lambda: answer_many(CODE, 0),
        lambda: answer_many(CODE, -1),
        lambda: answer_many("DS1-D1N-7777777", 2),
        lambda: answer_many("pysol:1", 2),
        lambda: answer_many([CODE, "DS1-D2N-AAAAAAB"]),
        lambda: answer_many([CODE], jobs=0),
        lambda: read_deal(""),
        lambda: read_deal("{}"),
        lambda: advise('{"columns": 5}'),
        lambda: check([""]),
        lambda: GAME.play(Move(parse_move("FS1>1").kind, 9, 0, 1)),
        lambda: GAME.play(Move(parse_move("FS1>1").kind, -1, 0, 1)),
    ],
)
def test_what_is_no_limit_count_or_code_is_a_value_error_in_one_line(call):
    with pytest.raises(ValueError, match=r"\A.+\Z") as error:
        call()
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    "limits", [{"nodes": 1}, {"nodes": None, "seconds": 1e-9}, {"nodes": 2**63 - 1, "memory": 1}]
)
def test_the_ends_of_the_limits_are_limits(limits):
    assert Limits(**limits).seconds == limits.get("seconds")


def test_a_deal_is_read_and_solved():
    text = Path(ROOT / "tests" / "fixtures" / "F3_dead_deal.json").read_text(encoding="utf-8")
    game = read_deal(text)
    assert game.rules == rules_for("DS1", 1, "N")
    assert solve(game).verdict is Verdict.UNWINNABLE
    assert read_deal(text, rules_for("DS1", 3, "V")).rules.mode == "D3V"
    assert read_deal(text.replace("{", '{"draw": 3,', 1)).rules.mode == "D3N"


def test_a_deal_is_rated_only_if_it_is_known_to_be_winnable():
    rating = rate(CODE, games=20, seed=3)
    assert rating == rate(new_game(CODE), games=20, seed=3)
    assert rating.casual.games == 20 and 0 <= rating.difficulty <= 100
    assert rate("KL1-D3N-AAAAAAA", Limits(nodes=10)) is None
    # Dollars are won in lost games, too.
    assert rate("DS1-D1V-AAAAAAC", Limits(nodes=10), games=20).dollars["fast"].mean > 0


def untimed(table):
    return table.drop_columns("seconds").to_pylist()


def test_a_range_is_answered_as_a_batch_answers_it(tmp_path):
    limits = Limits(nodes=2_000)
    table = answer_many("DS1-D1N-AAAAAAA", 30, limits, jobs=2)
    assert table.schema.equals(SCHEMA)
    assert table["deal_number"].to_pylist() == list(range(30))
    words = ["batch", "DS1-D1N-AAAAAAA", "+30", "-o", tmp_path / "out", "--max-nodes", "2000"]
    assert run([*map(str, words), "--jobs", "1", "--quiet"]) == 0
    (path,) = (tmp_path / "out").rglob("*.parquet")
    assert untimed(pq.read_table(path, partitioning=None)) == untimed(table)


def test_a_list_is_answered_in_its_order():
    codes = ["DS1-D1V-AAAAAAB", "pysol:3", CODE, "DS1-D1V-AAAAAAA", CODE, "KL1-D3N-AAAAAAA"]
    limits = Limits(nodes=1_000)
    table = answer_many(codes, limits=limits, moves=True, rate=True, score=True)
    assert table["code"].to_pylist() == codes
    assert table.schema.equals(SCHEMA)
    assert table["game"].to_pylist()[-1] == "KL1"
    row = table.to_pylist()[2]
    assert replay(CODE, row["moves"].split()).won
    assert row["score_low"] <= row["score_high"] and row["level"] is not None
    assert untimed(
        answer_many(iter(codes), limits=limits, moves=True, rate=True, score=True, jobs=3)
    ) == untimed(table)
    assert answer_many([]).num_rows == 0
    assert answer_many([]).schema.equals(SCHEMA)


def test_the_example_of_the_package():
    assert doctest.testmod(double_solitaire).failed == 0


def test_solve_check_and_replay_agree():
    answer = solve(CODE)
    assert answer.verdict is Verdict.WINNABLE
    end = replay(CODE, answer.moves)
    assert end.won
    assert end.score == answer.score
    assert replay(CODE, map(str, answer.moves)) == end
    assert [found.verdict for found in check([CODE, "pysol:1"])] == [Verdict.WINNABLE] * 2


def test_a_game_under_way_can_be_solved():
    game = new_game("pysol:1")
    game.play(game.legal_moves()[0])
    assert solve(game, Limits(nodes=1_000_000)).verdict is Verdict.WINNABLE


def test_a_score_has_its_bounds_and_its_line():
    answer = score(CODE, Limits(nodes=50_000))
    end = replay(CODE, answer.line.moves)
    assert (end.score, end.taken_back) == (answer.low, 0)
    assert answer.low <= answer.high <= 1515


def test_what_is_wrong_is_said():
    with pytest.raises(CodeError, match="draw 2 is not played"):
        solve("DS1-D2N-AAAAAAB")
    with pytest.raises(MoveError, match="illegal at move 2: "):
        replay(CODE, ["draw", "recycle"])
    with pytest.raises(MoveError, match="is no move"):
        replay(CODE, ["up"])


def with_hidden_card_too_many(position):
    *columns, last = position.columns
    columns[0] = (last[0], *columns[0])
    hidden = (1, *position.hidden[1:-1], position.hidden[-1] - 1)
    return replace(position, columns=(*columns, last[1:]), hidden=hidden)


def with_stock_too_large(position):
    *columns, last = position.columns
    hidden = (*position.hidden[:-1], position.hidden[-1] - 1)
    return replace(
        position, columns=(*columns, last[1:]), hidden=hidden, stock=(*position.stock, last[0])
    )


@pytest.mark.parametrize(
    ("mode", "change", "words"),
    [
        ("D1N", with_hidden_card_too_many, "column 1: 1 cards are hidden"),
        ("D1N", with_stock_too_large, "60 cards in stock and waste"),
        ("D1N", lambda position: replace(position, score=3), "points come in fives"),
        ("D1V", lambda position: replace(position, score=10**20), "a score of 1000"),
        ("D1V", lambda position: replace(position, recycles=1), "1 recycles"),
    ],
)
@pytest.mark.parametrize("search", [solve, score, hint])
def test_a_position_that_no_game_reaches_is_refused(mode, change, words, search):
    # Two such positions could have one key, or a bound be too low.
    game = new_game(f"DS1-{mode}-AAAAAAB")
    with pytest.raises(DealError, match=words):
        search(Game(game.rules, change(game.position())), Limits(nodes=10))


@pytest.mark.parametrize("code", blocks("python", README) + blocks("python", MANUAL))
def test_the_python_in_the_documents_runs(code):
    exec(code, {})


@pytest.mark.parametrize(("typed", "command", "lines"), [*shown()])
def test_the_readme_shows_what_the_commands_print(typed, command, lines, dsol):
    code, out, _ = dsol(*shlex.split(command), "--quiet", stdin=typed)
    assert code == 0
    printed = out.splitlines()
    is_cut = lines[-1] == "…"
    expected = lines[:-1] if is_cut else lines
    assert printed[: len(expected)] == expected
    assert is_cut == (len(printed) > len(expected))


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("line", "".join(blocks("console", COMMANDS)).splitlines())
def test_the_commands_in_the_manual_run(line, tmp_path):
    scripts = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": os.pathsep.join([scripts, os.environ["PATH"]])}
    script = ["bash", "-o", "pipefail", "-c", line.removeprefix("$ ")]
    subprocess.run(script, check=True, capture_output=True, cwd=tmp_path, env=environment)
