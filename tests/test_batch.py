"""Batches: shards, rows, the folder, and how a run goes on after whatever has stopped it."""

import io
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from itertools import count, islice
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from double_solitaire.batch.compact import compact
from double_solitaire.batch.events import Done
from double_solitaire.batch.folder import Folder, folder_to_write, whole_file
from double_solitaire.batch.jobs import Counts
from double_solitaire.batch.local import LocalCrew
from double_solitaire.batch.rows import answer
from double_solitaire.batch.run import Batch
from double_solitaire.batch.schema import SCHEMA
from double_solitaire.batch.settings import FOR_ROWS, BatchError, Settings
from double_solitaire.batch.shards import Item, Shard, cut_lists, cut_ranges, mine
from double_solitaire.batch.watch import Watch
from double_solitaire.cli.main import run
from double_solitaire.engine.codes import DealCode, Range
from double_solitaire.solver.verdict import Limits
from games import F1, F1_DRAW3, F2, F3, F6, FIXTURES, mode
from hypothesis import given
from hypothesis import strategies as st

CODE = "DS1-D1N-AAAAAAA"
PATIENCE = 300
"""Seconds after which a process counts as hung."""
ON_LINUX = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")
SMALL = Settings(Limits(nodes=20_000), timing=False)


class Inline:
    """A crew of nobody: the jobs are done here, one after the other."""

    def __init__(self, settings):
        self.settings = settings

    def work(self, jobs):
        for job in jobs:
            yield Done(job, answer(job, self.settings, lambda _: None))


@pytest.fixture
def dsol(capsys, monkeypatch):
    """Run `dsol batch` with these arguments; exit code, stdout, stderr."""

    def call(*arguments, stdin=""):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = run(["batch", *map(str, arguments)])
        return code, *capsys.readouterr()

    return call


@pytest.fixture
def alone(dsol, monkeypatch):
    """As `dsol`, without worker processes, which take a second to start."""
    monkeypatch.setattr(
        "double_solitaire.cli.batch._crew", lambda _, jobs, settings: nullcontext(Inline(settings))
    )
    return dsol


def process(*arguments, **options):
    words = [sys.executable, "-m", "double_solitaire", "batch", *map(str, arguments)]
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(words, start_new_session=True, **(settings | options))


def rows(folder):
    """All rows, in the order of the files' names, without the columns that may differ."""
    return [
        {name: value for name, value in row.items() if name != "seconds"}
        for path in files(folder)
        for row in pq.read_table(path, partitioning=None).to_pylist()
    ]


def files(folder):
    """The files of a folder, after a look that nothing else is in it."""
    found = sorted(path for path in Path(folder).rglob("*") if not path.is_dir())
    assert all(path.suffix == ".parquet" for path in found)
    assert all(path.parent.name.startswith("mode=") for path in found)
    return found


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files(folder)}


def deal_files(*names):
    return [word for name in names for word in ("--deal", FIXTURES / f"{name}.json")]


def batch(folder, shards, with_settings=SMALL, force=False):
    """Answer shards into a folder, here."""
    target = folder_to_write(folder)
    if not force:
        target.check(with_settings, FOR_ROWS)
    running = Batch(target, Watch(None, shown=False, quiet=True))
    return running.run(Inline(with_settings), running.missing(shards, with_settings))


def deals(text="D1N", first=0, number=20, size=10):
    return list(cut_ranges([Range(mode(text), first, first + number - 1)], size, moves=False))


# Shards


@given(
    st.lists(st.tuples(st.integers(0, 200), st.integers(1, 60)), min_size=1, max_size=5),
    st.integers(1, 40),
)
def test_ranges_are_cut_into_shards_that_hold_each_deal_once(spans, size):
    rules = mode("D1N")
    ranges = [Range(rules, first, first + number - 1) for first, number in spans]
    shards = list(cut_ranges(ranges, size, moves=False))
    numbers = [item.number for shard in shards for item in shard.deals()]
    assert sorted(numbers) == sorted(
        {n for each in ranges for n in range(each.first, each.last + 1)}
    )
    for shard in shards:
        assert shard.first // size == (shard.first + shard.count - 1) // size
    assert [s.name for s in cut_ranges(reversed(ranges), size, moves=False)] == [
        s.name for s in shards
    ]


@given(st.integers(1, 7), st.integers(0, 30))
def test_hosts_share_the_shards(parts, number):
    shards = deals(number=number, size=3) if number else []
    shared = [shard for part in range(1, parts + 1) for shard in mine(shards, part, parts)]
    assert sorted(shard.first for shard in shared) == [shard.first for shard in shards]


def test_a_list_is_cut_as_it_comes_in_memory_that_does_not_grow():
    rules = mode("D1N")
    taken = []

    def endless():
        for number in count():
            taken.append(number)
            yield rules, Item(str(DealCode(rules, number)), number)

    first, second = islice(cut_lists(endless(), [], 50, moves=False), 2)
    assert (first.first, first.count, second.first, second.count) == (0, 50, 50, 50)
    assert len(taken) == 100


def test_lists_of_several_modes_keep_their_order_within_each():
    items = [(mode(text), Item(f"DS1-{text}-{n}", n)) for n in range(5) for text in ("D1N", "D3N")]
    shards = list(cut_lists(items, [], 2, moves=False))
    assert [shard.path.split("-")[0] for shard in shards[:2]] == ["mode=D1N/DS1", "mode=D3N/DS1"]
    for text in ("D1N", "D3N"):
        own = [shard for shard in shards if shard.rules == mode(text)]
        assert [item.number for shard in own for item in shard.items] == [0, 1, 2, 3, 4]
        assert [shard.first for shard in own] == [0, 2, 4]


# Rows


def test_b16_bad_lines_are_named_and_the_rest_is_answered(alone, tmp_path):
    text = "  ds1-d1n-aaaaaab\r\n\n# note\nDS1-D2N-AAAAAAB\nDS1-D1N-AAAAAAB\nDS1-D1N-AAAAAAB\n"
    code, out, err = alone("-q", "-", "-o", tmp_path, stdin=text)
    assert code == 1
    assert "line 4: DS1-D2N-AAAAAAB: draw 2 is not played" in err
    assert err.count("\n") == 1
    first, *others = rows(tmp_path)
    assert first["code"] == "DS1-D1N-AAAAAAB"
    assert others == [first, first]
    assert "3 deals: 3 winnable" in out


def test_b26_fixtures_come_in_their_order(alone, tmp_path):
    words = deal_files(F1, F2, F3, F6, F1)
    code, _, _ = alone("-q", "-o", tmp_path, "--jobs", 2, "--max-nodes", 100_000, *words)
    assert code == 0
    found = rows(tmp_path)
    verdicts = [row["verdict"] for row in found]
    assert verdicts[:3] == ["winnable", "winnable", "unwinnable"]
    assert verdicts[3] in ("unwinnable", "unknown")
    assert all(row["code"] is None and row["cards"] for row in found)
    assert found[0] == found[4]


def test_b26_workers_and_shards_change_no_row(dsol, tmp_path):
    numbers = [*range(0, 300, 3), *range(299, 199, -1)]
    text = "\n".join(str(DealCode(mode("D1N"), number)) for number in numbers) + "\npysol:7\n"
    words = ("-q", "-", "--shard-size", 17, "--no-timing")
    for jobs in (1, 4):
        assert dsol(*words, "-o", tmp_path / f"{jobs}", "--jobs", jobs, stdin=text)[0] == 0
    found = rows(tmp_path / "1")
    assert [row["deal_number"] for row in found] == [*numbers, None]
    assert found[-1]["code"] == "pysol:7"
    assert contents(tmp_path / "1") == contents(tmp_path / "4")


@pytest.mark.parametrize("moves", [False, True])
def test_rows_do_not_depend_on_the_size_of_shards(alone, tmp_path, moves):
    words = ("-q", CODE, "+20", "--modes", "D1N,D1V", "--max-nodes", 300)
    for size in (7, 1000):
        options = ["--shard-size", size, "--moves" if moves else "--no-moves"]
        assert alone(*words, "-o", tmp_path / f"{size}", *options)[0] == 0
    assert rows(tmp_path / "7") == rows(tmp_path / "1000")


def test_b31_the_schema_does_not_depend_on_the_rows(alone, tmp_path):
    for name, words in (
        ("won", ["--moves", *deal_files(F1, F2)]),
        ("lost", ["--moves", *deal_files(F3, F3)]),
        ("none", ["-"]),
    ):
        assert alone("-q", "-o", tmp_path / name, *words, stdin="# no deal\n")[0] == 0
    tables = {
        name: pq.read_table(files(tmp_path / name)[0], partitioning=None)
        for name in ("won", "lost", "none")
    }
    for table in tables.values():
        assert table.schema.equals(SCHEMA)
        assert all(field.metadata[b"doc"] for field in table.schema)
        assert b'"nodes": 5000000' in table.schema.metadata[b"double_solitaire"]
    assert [len(table) for table in tables.values()] == [2, 2, 0]
    assert pq.read_table(files(tmp_path / "won") + files(tmp_path / "lost")).num_rows == 4


def test_b32_what_is_not_known_is_null(alone, tmp_path):
    assert alone("-q", "--moves", "-o", tmp_path, *deal_files(F3, F1))[0] == 0
    lost, won = rows(tmp_path)
    for name in ("moves", "move_count", "score", "score_low", "recycles", "difficulty", "won"):
        assert lost[name] is None
    assert lost["winnable_without_take_back"] is False
    assert (won["cards_up"], won["won"]) == (104, True)
    assert won["winnable_without_take_back"] is True
    assert won["move_count"] == len(won["moves"].split()) >= 163
    assert won["recycles"] == won["moves"].split().count("recycle")
    draw3 = tmp_path / "draw 3"
    alone("-q", "--moves", "-o", draw3, "--draw", 3, *deal_files(F1_DRAW3))
    assert rows(draw3)[0]["move_count"] >= 124


@pytest.mark.parametrize("code", ["DS1-D3N-AAAAHZ2", "DS1-D1N-AAABABI"])
def test_a_win_of_the_exhaustive_search_is_written_out(alone, tmp_path, code):
    """Writing these two down once ended in a memory fault."""
    assert alone("-q", "--moves", "-o", tmp_path, code)[0] == 0
    assert rows(tmp_path)[0]["won"] is True


def test_deals_are_played_in_all_modes_asked_for(alone, tmp_path):
    words = (CODE, "+3", "--modes", "D3N,d1v", "--max-nodes", 2000)
    assert alone("-q", "-o", tmp_path, *words)[0] == 0
    assert [row["code"] for row in rows(tmp_path)] == [
        f"DS1-{text}-AAAAAA{letter}" for text in ("D1V", "D3N") for letter in "ABC"
    ]


@pytest.mark.parametrize(
    "words",
    [
        ["+5"],
        [CODE, "+0"],
        [CODE, "+99999999999"],
        [f"{CODE}..DS1-D3N-AAAAAAB"],
        ["DS1-D1N-AAAAAAC..AAAAAAB"],
        ["nonsense"],
        [],
        [CODE, "--modes", "D2N"],
        [CODE, "--shard", "3/2"],
        [CODE, "--retry-unknown"],
        [CODE, "--shard-size", "0"],
    ],
)
def test_wrong_usage_is_one_line_and_leaves_no_folder(alone, tmp_path, words):
    code, out, err = alone(*words, "-q", "-o", tmp_path / "results")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert not (tmp_path / "results").exists()


# The folder


def test_what_is_there_is_not_made_again_and_ranges_grow(tmp_path):
    assert batch(tmp_path, deals(number=25)).written == 3
    before = contents(tmp_path)
    outcome = batch(tmp_path, deals(number=25))
    assert (outcome.written, outcome.present) == (0, 3)
    outcome = batch(tmp_path, deals(number=40))
    assert (outcome.written, outcome.present, outcome.counts.deals) == (2, 2, 15)
    assert [row["deal_number"] for row in rows(tmp_path)] == list(range(40))
    assert before.items() <= contents(tmp_path).items()
    # Smaller and larger shards of the same deals are there, too.
    assert batch(tmp_path, deals(number=40, size=5)).written == 0
    assert batch(tmp_path, deals(number=40, size=100)).written == 0


def test_a_list_grows_at_its_end_and_another_list_is_refused(tmp_path):
    def listed(numbers):
        rules = mode("D1N")
        items = [(rules, Item(str(DealCode(rules, number)), number)) for number in numbers]
        return cut_lists(items, [rules], 10, moves=False)

    assert batch(tmp_path, listed([])).written == 1
    assert batch(tmp_path, listed(range(5))).written == 1
    assert batch(tmp_path, listed(range(15))).counts.deals == 10
    assert batch(tmp_path, listed(range(15))).written == 0
    assert [row["deal_number"] for row in rows(tmp_path)] == list(range(15))
    with pytest.raises(BatchError, match="another list"):
        batch(tmp_path, listed(range(1, 15)))
    assert [row["deal_number"] for row in rows(tmp_path)] == list(range(15))


def test_ranges_cut_in_another_way_add_what_is_missing(tmp_path):
    batch(tmp_path, deals(first=5, number=10, size=20))
    before = contents(tmp_path)
    outcome = batch(tmp_path, deals(number=40, size=7))
    assert (outcome.present, outcome.counts.deals) == (1, 30)
    assert before.items() <= contents(tmp_path).items()
    assert sorted(row["deal_number"] for row in rows(tmp_path)) == list(range(40))
    assert batch(tmp_path, deals(number=40, size=9)).written == 0


def test_a_longer_range_goes_on_in_a_compacted_folder(tmp_path):
    batch(tmp_path / "small", deals(number=30, size=7))
    compact(tmp_path / "small", tmp_path / "large")
    assert batch(tmp_path / "large", deals(number=40, size=7)).counts.deals == 10
    assert [row["deal_number"] for row in rows(tmp_path / "large")] == list(range(40))


def test_two_lists_in_one_folder_lose_nothing(tmp_path):
    def listed(numbers):
        rules = mode("D1N")
        items = [(rules, Item(str(DealCode(rules, number)), number)) for number in numbers]
        return cut_lists(items, [rules], 10, moves=False)

    batch(tmp_path / "one", listed(range(3)))
    batch(tmp_path / "two", listed([7, 8]))
    shutil.copytree(tmp_path / "two", tmp_path / "one", dirs_exist_ok=True)
    before = contents(tmp_path / "one")
    assert batch(tmp_path / "one", listed(range(3))).written == 0
    assert contents(tmp_path / "one") == before
    assert len(rows(tmp_path / "one")) == 5


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (Settings(Limits(nodes=10_000)), "nodes=20000"),
        (Settings(Limits(nodes=20_000, seconds=1)), "seconds=none"),
        (Settings(Limits(nodes=20_000), moves=True), "moves false, not true"),
        (Settings(Limits(nodes=20_000), solver="0.0.1"), "not 0.0.1"),
    ],
)
def test_a_folder_made_with_other_settings_is_refused(tmp_path, other, words):
    batch(tmp_path, deals(number=10))
    with pytest.raises(BatchError, match=words) as refused:
        batch(tmp_path, deals(number=30), other)
    assert "\n" not in str(refused.value)
    assert len(files(tmp_path)) == 1


def test_force_has_both_in_one_folder(tmp_path):
    batch(tmp_path, deals(number=10))
    batch(tmp_path, deals(number=20), Settings(Limits(nodes=10_000)), force=True)
    limits = [row["limit_nodes"] for row in rows(tmp_path)]
    assert limits == [20_000] * 10 + [10_000] * 10


def test_what_a_killed_run_left_behind_is_cleared(tmp_path):
    batch(tmp_path, deals(number=10, size=5))
    before = contents(tmp_path)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    host = os.uname().nodename if hasattr(os, "uname") else "host"
    path = files(tmp_path)[0]
    left = path.with_name(f".{path.name}.{host}-{dead.pid}.partial")
    left.write_bytes(b"PAR1")
    alive = path.with_name(f".{path.name}.{host}-{os.getppid()}.partial")
    alive.write_bytes(b"PAR1")
    Folder(tmp_path)
    assert left.exists()
    batch(tmp_path, [])
    assert not left.exists()
    assert alive.exists()
    alive.unlink()
    assert contents(tmp_path) == before


def test_a_file_is_whole_or_not_there(tmp_path):
    with pytest.raises(KeyboardInterrupt), whole_file(tmp_path / "a") as stream:
        stream.write(b"half")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "nodes", "seconds"),
    [
        ((), 5_000_000, None),
        (("--time-limit", "1h"), None, 3600),
        (("--time-limit", "1h", "--max-nodes", 9999), 9999, 3600),
    ],
)
def test_a_limit_of_time_alone_stands_alone(alone, tmp_path, options, nodes, seconds):
    assert alone("-q", CODE, "+1", "-o", tmp_path / "a", *options)[0] == 0
    (row,) = rows(tmp_path / "a")
    assert (row["limit_nodes"], row["limit_seconds"]) == (nodes, seconds)


def test_undecided_deals_are_searched_again_by_larger_limits(alone, tmp_path):
    words = ("DS1-D1V-AAAAAAA", "+6", "--shard-size", 3, "--no-timing")
    small, large = ("--max-nodes", 50), ("--max-nodes", 30_000)
    retry = ("-q", "-o", tmp_path / "a", "--retry-unknown")
    assert alone("-q", "-o", tmp_path / "a", *words, *small)[0] == 0
    assert {row["verdict"] for row in rows(tmp_path / "a")} == {"unknown"}
    before = contents(tmp_path / "a")
    assert "0 files written" in alone(*retry, *small)[1]
    assert "0 files written" in alone(*retry, "--max-nodes", 40, "--time-limit", "1h")[1]
    assert contents(tmp_path / "a") == before
    assert "2 files written; 6 deals" in alone(*retry, *large, "--no-timing")[1]
    assert "0 files written" in alone(*retry, *large)[1]
    assert alone("-q", "-o", tmp_path / "b", *words, *large)[0] == 0
    assert rows(tmp_path / "a") == rows(tmp_path / "b")
    # The folder is still the one of the first command, which finds nothing left to do.
    outcome = alone("-q", "-o", tmp_path / "a", *words, *small)
    assert "0 files written, 2 were there" in outcome[1]
    assert rows(tmp_path / "a") == rows(tmp_path / "b")


@pytest.mark.parametrize("wrong", ["results", "results/mode=D1N"])
def test_a_folder_that_cannot_be_used_is_one_line(alone, tmp_path, wrong):
    path = tmp_path / wrong
    path.parent.mkdir(exist_ok=True)
    path.write_text("a file")
    code, _, err = alone(CODE, "-q", "-o", tmp_path / "results")
    assert code in (1, 2)
    assert err.count("\n") == 1
    assert "results" in err


def test_b36_paths_may_hold_spaces_accents_and_backslashes(tmp_path):
    batch(tmp_path / "a b é\\c", deals(number=3))
    assert len(files(tmp_path / "a b é\\c")) == 1


# What is seen of a run


def test_the_bar_says_how_it_goes(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    shard = deals(number=10)[0]
    watch = Watch(20, shown=True, quiet=False)
    watch.progress(shard, Counts(winnable=3, unknown=1))
    watch.done(shard, Counts(winnable=8, unknown=2))
    watch.close()
    err = capsys.readouterr().err
    assert "10/20" in err
    assert "winnable 80.00%, undecided 2" in err


def test_b36_no_bar_where_standard_error_is_no_terminal(tmp_path):
    running = process(CODE, "+50", "-o", tmp_path, "--shard-size", 10)
    out, err = running.communicate(timeout=PATIENCE)
    assert out.startswith(f"{tmp_path}: 5 files written; 50 deals: 50 winnable, 0 unwinnable")
    assert len(err.splitlines()) <= 2
    assert "%" not in err


# What may happen to a run

LONG = ("--no-timing", "--shard-size", 25, "--max-nodes", 300)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The files of 1000 deals that take a few seconds, and the words that ask for them."""
    folder = tmp_path_factory.mktemp("undisturbed")
    words = ("DS1-D1V-AAAAAAA", "+1000", *LONG)
    running = process("-q", *words, "-o", folder, "--jobs", 2)
    _, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, err) == (0, "")
    return words, contents(folder)


def wait_for_files(folder, number):
    for _ in range(100 * PATIENCE):
        if len(list(Path(folder).rglob("mode=*/[A-Z]*.parquet"))) >= number:
            return
        time.sleep(0.01)
    raise AssertionError("no files in time")


def workers_of(running):
    """Process ids of the workers of a run."""
    found = []
    for path in Path(f"/proc/{running.pid}/task").glob("*/children"):
        for child in path.read_text().split():
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(int(child))
    return found


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def go_on(words, folder, expected):
    """The same command goes on to the same results; how many files it had to write."""
    running = process("-q", *words, "-o", folder, "--jobs", 2)
    out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, err) == (0, "")
    assert contents(folder) == expected
    return int(out.split(": ")[1].split()[0])


@ON_LINUX
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_b33_an_interrupt_ends_all_and_the_same_command_goes_on(undisturbed, tmp_path, sent):
    words, expected = undisturbed
    running = process(*words, "-o", tmp_path, "--jobs", 4)
    wait_for_files(tmp_path, 3)
    workers = workers_of(running)
    assert len(workers) == 4
    os.killpg(running.pid, sent)
    started = time.monotonic()
    _, err = running.communicate(timeout=PATIENCE)
    assert time.monotonic() - started < 5
    assert running.returncode == 130
    assert "the same command goes on" in err.splitlines()[-1]
    assert "Traceback" not in err
    assert not any(map(is_alive, workers))
    assert contents(tmp_path).items() <= expected.items()
    assert 0 < go_on(words, tmp_path, expected) < 38


@ON_LINUX
def test_b34_a_killed_worker_costs_nothing(undisturbed, tmp_path):
    words, expected = undisturbed
    running = process("-q", *words, "-o", tmp_path, "--jobs", 4)
    wait_for_files(tmp_path, 2)
    os.kill(workers_of(running)[0], signal.SIGKILL)
    out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, err.count("\n")) == (0, 1)
    assert "a worker died (exit code -9)" in err
    assert "1000 deals: " in out
    assert contents(tmp_path) == expected


@ON_LINUX
def test_the_whole_run_killed_leaves_whole_files_and_no_worker(undisturbed, tmp_path):
    words, expected = undisturbed
    running = process("-q", *words, "-o", tmp_path, "--jobs", 2)
    wait_for_files(tmp_path, 3)
    workers = workers_of(running)
    os.kill(running.pid, signal.SIGKILL)
    running.communicate(timeout=PATIENCE)
    for _ in range(500):
        if not any(map(is_alive, workers)):
            break
        time.sleep(0.01)
    assert not any(map(is_alive, workers))
    assert 0 < go_on(words, tmp_path, expected) < 40


@pytest.mark.skipif(os.name != "posix", reason="sets a limit of the process")
def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path):
    import resource

    words = (CODE, "+60", "--jobs", 2, "--shard-size", 20, "--no-timing")
    limit = 100
    running = process(
        *("-q", *words, "-o", tmp_path),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 1
    assert err.count("\n") == 1
    assert "File too large" in err
    assert files(tmp_path) == []
    running = process("-q", *words, "-o", tmp_path)
    out, _ = running.communicate(timeout=PATIENCE)
    assert out.startswith(f"{tmp_path}: 3 files written")


class Deadly:
    """Ends the process that unpickles it."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os._exit, (7,)


def test_a_job_that_kills_each_worker_is_given_up_and_the_rest_is_done(tmp_path, capsys):
    jobs = [*deals(number=10), Deadly("mode=D1N/deadly"), *deals(first=10, number=10)]
    running = Batch(folder_to_write(tmp_path), Watch(None, shown=False, quiet=True))
    with LocalCrew(2, SMALL) as crew:
        outcome = running.run(crew, iter(jobs))
    assert (outcome.written, outcome.failed, outcome.counts.deals) == (2, 1, 20)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split("; ")[1] for line in lines] == [
        "mode=D1N/deadly is begun again",
        "mode=D1N/deadly is given up",
    ]


def test_an_error_of_the_search_is_given_up_and_the_rest_is_done(tmp_path, capsys):
    wrong = Shard(mode("D1N"), 0, 1, (Item(None, cards="{}"),))
    running = Batch(folder_to_write(tmp_path), Watch(None, shown=False, quiet=True))
    with LocalCrew(1, SMALL) as crew:
        outcome = running.run(crew, iter([wrong, *deals(number=10)]))
    assert (outcome.written, outcome.failed) == (1, 1)
    assert "DealError" in capsys.readouterr().err


def test_another_solver_at_work_is_an_error():
    with pytest.raises(RuntimeError, match=r"0\.0\.1 asked for"):
        answer(deals()[0], Settings(Limits(), solver="0.0.1"), lambda _: None)


def test_b34_a_cluster_gives_the_same_files_also_when_a_worker_is_killed(tmp_path):
    distributed = pytest.importorskip("distributed")
    from double_solitaire.batch.cluster import ClusterCrew

    settings = Settings(Limits(nodes=1000), timing=False)
    shards = deals("D1V", number=100, size=5)
    batch(tmp_path / "here", shards, settings)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        pids = []
        with distributed.Client(cluster) as client:
            pids += client.run(os.getpid).values()
        running = Batch(folder_to_write(tmp_path / "there"), Watch(None, shown=False, quiet=True))

        def jobs():
            for place, job in enumerate(running.missing(shards, settings)):
                if place == 10:
                    os.kill(pids[0], signal.SIGKILL)
                yield job

        with ClusterCrew(cluster.scheduler_address, settings) as crew:
            outcome = running.run(crew, jobs())
    assert (outcome.written, outcome.failed) == (20, 0)
    assert contents(tmp_path / "here") == contents(tmp_path / "there")


def test_score_columns_hold_the_bounds_of_every_deal(dsol, tmp_path):
    lines = f"{CODE}\nDS1-D3N-AAAAAAC\n"
    flags = ("--score", "--max-nodes", 60_000, "--no-timing", "-j", 1)
    assert dsol("-", "-o", tmp_path / "scores", *flags, stdin=lines)[0] == 0
    rows = pq.read_table(tmp_path / "scores").to_pylist()
    assert len(rows) == 2
    for row in rows:
        assert 0 < row["score_low"] <= row["score_high"] <= 1515
        assert row["score_proved"] == (row["score_low"] == row["score_high"])
