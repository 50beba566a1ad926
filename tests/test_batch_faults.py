"""What goes wrong around a batch: killed runs, damaged files, copies and strays, schedulers."""

import http.server
import io
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest
from double_solitaire.batch.events import Done
from double_solitaire.batch.folder import Folder, folder_to_write
from double_solitaire.batch.jobs import Counts, rest
from double_solitaire.batch.rows import answer
from double_solitaire.batch.run import Batch
from double_solitaire.batch.settings import BatchError, Settings
from double_solitaire.batch.shards import Item, cut_lists
from double_solitaire.batch.summary import summarise
from double_solitaire.batch.watch import LINE_SECONDS, Watch
from double_solitaire.cli.main import run
from double_solitaire.engine.codes import DealCode
from double_solitaire.solver.verdict import Limits
from games import mode
from test_batch import ON_LINUX, PATIENCE, SMALL, Inline, batch, contents, deals, rows, workers_of

CODE = "DS1-D1N-AAAAAAA"


@pytest.fixture
def dsol(capsys, monkeypatch):
    """Run `dsol` with these arguments, without worker processes; exit code, stdout, stderr."""
    monkeypatch.setattr(
        "double_solitaire.cli.batch._crew", lambda _, jobs, settings: nullcontext(Inline(settings))
    )

    def call(*arguments, stdin=""):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = run([*map(str, arguments)])
        return code, *capsys.readouterr()

    return call


def listed(numbers, size=10):
    rules = mode("D1N")
    items = [(rules, Item(str(DealCode(rules, number)), number)) for number in numbers]
    return list(cut_lists(items, [rules], size, moves=False))


def everything(folder):
    return {path: path.is_file() and path.read_bytes() for path in Path(folder).rglob("*")}


# Copies and strays

SHARD = "DS1-00000000000-0000010"


@pytest.mark.parametrize(
    "name",
    [
        *("mode=D1N copy", "mode=D1N (1)", "mode=d1n", "backup", "mode=D2N"),
        *(".DS_Store", "Thumbs.db", "notes.txt", f"{SHARD}.parquet"),
        *(f"mode=D1N/._{SHARD}.parquet", f"mode=D1N/{SHARD} (1).parquet"),
        *(f"mode=D1N/{SHARD} - Copy.parquet", f"mode=D1N/{SHARD}.parquet.tmp"),
        *("mode=D1N/.DS_Store", f"mode=D1N/{SHARD}.parquet~", "mode=D1N/mine.parquet"),
        *("mode=D1N/old", f"mode=D1N/_{SHARD}.parquet", f"mode=D1N/{SHARD}.parquet.part"),
    ],
)
def test_what_is_no_result_is_named_and_left_alone(dsol, tmp_path, name):
    folder = tmp_path / "results"
    batch(folder, deals(number=20))
    stray = folder / name
    if stray.suffix or "." in stray.name:
        shutil.copy(folder / "mode=D1N" / f"{SHARD}.parquet", stray)
    else:
        shutil.copytree(folder / "mode=D1N", stray)
    before = everything(folder)
    line = f"dsol: {folder}: no results of a batch, and left alone: {name!r}\n"
    code, out, err = dsol("report", folder)
    assert (code, err) == (0, line)
    assert "DS1-D1N: 20 deals" in out
    code, out, err = dsol("compact", folder, "-o", tmp_path / "large")
    assert (code, err) == (0, line)
    assert "20 rows, 2 files into 1" in out
    words = ("batch", "-q", CODE, "+20", "--shard-size", 10, "-o", folder)
    code, out, err = dsol(*words, "--max-nodes", 20_000, "--no-timing")
    assert (code, err) == (0, line)
    assert out == (
        f"{folder}: 0 files written, 2 were there; "
        "there already: 20 deals: 20 winnable, 0 unwinnable, 0 unknown\n"
    )
    assert everything(folder) == before


def test_many_strays_are_one_line(dsol, tmp_path):
    batch(tmp_path, deals(number=10))
    for number in range(50):
        (tmp_path / f"{number}.tmp").touch()
    _, _, err = dsol("report", tmp_path)
    assert err.count("\n") == 1
    assert "'0.tmp', '1.tmp', '10.tmp', 47 more" in err


@pytest.mark.parametrize(
    ("others", "lines"),
    [
        ([deals(number=20, size=20)], 2),
        ([deals(first=5, number=10, size=30)], 2),
        ([deals(first=10, number=20, size=30)], 1),
        ([deals(number=20, size=20), deals(number=30, size=30)], 3),
    ],
)
def test_deals_that_are_there_twice_are_named_and_counted_once(dsol, tmp_path, others, lines):
    small = Settings(Limits(nodes=1), timing=False)
    batch(tmp_path / "a", deals(number=20), small)
    for number, shards in enumerate(others):
        batch(tmp_path / f"{number}", shards, small)
        shutil.copytree(tmp_path / f"{number}", tmp_path / "a", dirs_exist_ok=True)
    numbers = {row["deal_number"] for row in rows(tmp_path / "a")}
    code, out, err = dsol("report", tmp_path / "a")
    assert (code, err.count("they count once\n"), err.count("\n")) == (0, lines, lines)
    assert f"DS1-D1N: {len(numbers)} deals" in out
    code, _, err = dsol("compact", tmp_path / "a", "-o", tmp_path / "large")
    assert (code, err.count("\n")) == (0, lines)
    assert [row["deal_number"] for row in rows(tmp_path / "large")] == sorted(numbers)
    undecided = summarise(tmp_path / "a", 0).modes[0].verdicts.unknown
    assert undecided
    code, out, _ = dsol("batch", "-q", "--retry-unknown", "--max-nodes", 2, "-o", tmp_path / "a")
    assert (code, out.split("; ")[1].split(":")[0]) == (0, f"{undecided} deals")


# Damaged files


def zeros(path, _):
    path.write_bytes(bytes(path.stat().st_size))


def cut(path, _):
    path.write_bytes(path.read_bytes()[:-9])


def page(path, _):
    data = path.read_bytes()
    path.write_bytes(data[:300] + b"damage!!" + data[308:])


def other(path, other):
    shutil.copy(other, path)


def other_mode(path, _):
    batch(path.parent.parent.parent / "other", deals("D3N", number=10))
    shutil.copy(path.parent.parent.parent / "other" / "mode=D3N" / path.name, path)


def fewer(path, _):
    table = pq.read_table(path, partitioning=None)
    pq.write_table(table.slice(1), path)


def foreign(path, _):
    table = pq.read_table(path, partitioning=None)
    pq.write_table(table.replace_schema_metadata(), path)


def empty(path, _):
    path.write_bytes(b"")


@pytest.mark.parametrize("force", [(), ("--force",)])
@pytest.mark.parametrize("harmed", [empty, cut, zeros, page, other, other_mode, fewer, foreign])
def test_a_damaged_file_is_kept_aside_and_made_anew(dsol, tmp_path, harmed, force):
    folder = tmp_path / "results"
    words = ("batch", "-q", CODE, "+20", "--shard-size", 10, "-o", folder, *force)
    words = (*words, "--max-nodes", 20_000, "--no-timing")
    assert dsol(*words)[0] == 0
    before = contents(folder)
    first, second = (folder / name for name in before)
    for number in (1, 2):
        harmed(first, second)
        data = first.read_bytes()
        code, out, err = dsol(*words)
        assert code == 0
        assert f"{folder}: 1 file written, 1 were there; 10 deals: 10 winnable" in out
        ending = ".damaged" if number == 1 else ".damaged-2"
        (line,) = err.splitlines()
        assert line.startswith(f"dsol: {first} ")
        assert line.endswith(
            f"; it is kept as _{first.name}{ending}, and its deals are searched again"
        )
        aside = first.with_name(f"_{first.name}{ending}")
        assert aside.read_bytes() == data
        assert {path: (folder / path).read_bytes() for path in before} == before
        assert dsol(*words)[2] == ""
    # Readers of the folder, and we, pass over what was kept aside.
    assert pq.read_table(folder).num_rows == 20
    assert summarise(folder, 0).modes[0].verdicts.deals == 20


def test_damage_in_a_list_and_beyond_what_is_asked_for(tmp_path):
    said = []

    def go_on(shards):
        running = Batch(folder_to_write(tmp_path, said.append), Watch(None, False, True))
        return running.run(Inline(SMALL), running.missing(shards, SMALL))

    go_on(listed(range(30)))
    go_on(deals(number=20))
    before = contents(tmp_path)
    lists = [path for path in before if "-list-" in path]
    # Two files of a list under each other's name hold the deals of neither name.
    first, second = ((tmp_path / path).read_bytes() for path in lists[:2])
    (tmp_path / lists[0]).write_bytes(second)
    (tmp_path / lists[1]).write_bytes(first)
    (tmp_path / "mode=D1N" / "DS1-00000000010-0000010.parquet").write_bytes(b"")
    assert go_on(deals(number=10)).written == 0
    assert said == []
    assert go_on(listed(range(30))).written == 2
    assert go_on(deals(number=20)).written == 1
    assert len(said) == 3
    assert {path: (tmp_path / path).read_bytes() for path in before} == before


def test_damage_anywhere_changes_no_row_unseen(tmp_path):
    batch(tmp_path, deals(number=5, size=5), replace(SMALL, moves=True))
    (path,) = (tmp_path / "mode=D1N").iterdir()
    data, wanted = path.read_bytes(), pq.ParquetFile(path).read().to_pylist()
    caught = 0
    for at in range(0, len(data), 61):
        path.write_bytes(data[:at] + b"damage!!" + data[at + 8 :])
        folder = Folder(tmp_path)
        missing = list(folder.missing(deals(number=5, size=5)[0]))
        if missing:
            caught += 1
        else:
            with folder.open(next(folder.pieces())) as file:
                assert file.read().to_pylist() == wanted
    assert caught > 50


# Interrupted in the middle of a shard


@pytest.fixture
def row_by_row(monkeypatch):
    """Have deals that a dive wins handed over one by one, as other deals are."""
    monkeypatch.setattr("double_solitaire.batch.rows.CHUNK_DEALS", 1)


class Interrupted(Inline):
    """A crew that hands over each row, until so many were handed over."""

    def __init__(self, settings, rows):
        super().__init__(settings)
        self.rows = rows

    def work(self, jobs):
        for job in jobs:
            part = job
            while part is not None:
                if not self.rows:
                    raise KeyboardInterrupt
                self.rows -= 1
                answered = answer(part, self.settings, lambda _: None, 0)
                yield Done(part, answered)
                part = rest(part, answered)


def interrupted(folder, shards, settings, number):
    running = Batch(folder_to_write(folder), Watch(None, shown=False, quiet=True))
    outcome = running.run(Interrupted(settings, number), running.missing(shards, settings))
    assert outcome.interrupted
    assert outcome.counts.deals == number
    return outcome


@pytest.mark.parametrize(
    ("shards", "settings"),
    [
        (deals("D1N", number=12, size=6), SMALL),
        (deals("D3V", number=12, size=6), replace(SMALL, limits=Limits(nodes=300))),
        (deals("D1N", first=3, number=9, size=6), replace(SMALL, moves=True)),
        (deals("D1N", number=8, size=6), replace(SMALL, rate=True)),
        (deals("D3N", number=8, size=6), replace(SMALL, score=True, limits=Limits(nodes=2000))),
        (listed(range(40, 50), size=6), SMALL),
    ],
)
@pytest.mark.parametrize("number", [1, 5, 7])
def test_rows_of_a_shard_under_way_are_kept(row_by_row, tmp_path, shards, settings, number):
    whole = batch(tmp_path / "whole", shards, settings)
    interrupted(tmp_path / "a", shards, settings, number)
    # Once more: parts grow, and stay one file a shard.
    if number < 5:
        interrupted(tmp_path / "a", shards, settings, 1)
        number += 1
    assert len(list((tmp_path / "a").rglob("*.part"))) == 1
    outcome = batch(tmp_path / "a", shards, settings)
    assert outcome.counts.deals == whole.counts.deals - number
    assert outcome.counts + outcome.found == whole.counts
    assert contents(tmp_path / "a") == contents(tmp_path / "whole")
    assert not list((tmp_path / "a").rglob("*.part"))


def test_kept_rows_serve_a_longer_range_and_the_same_settings_alone(row_by_row, tmp_path):
    interrupted(tmp_path, deals(number=8), SMALL, 5)
    other_settings = Settings(Limits(nodes=10_000), timing=False)
    folder = Folder(tmp_path)
    assert folder.begun(deals(number=20)[0], SMALL).count == 5
    assert folder.begun(deals(number=20)[0], other_settings) is None
    assert folder.begun(deals(number=4)[0], SMALL) is None
    assert folder.begun(deals(first=1, number=9)[0], SMALL) is None
    assert batch(tmp_path, deals(number=20)).counts.deals == 15
    interrupted(tmp_path, listed(range(8)), SMALL, 5)
    assert Folder(tmp_path).begun(listed(range(1, 9))[0], SMALL) is None
    assert batch(tmp_path, listed(range(20))).counts.deals == 15


def test_kept_rows_that_are_damaged_are_searched_again(row_by_row, tmp_path):
    interrupted(tmp_path, deals(number=10), SMALL, 5)
    (part,) = tmp_path.rglob("*.part")
    part.write_bytes(part.read_bytes()[:100])
    said = []
    running = Batch(folder_to_write(tmp_path, said.append), Watch(None, shown=False, quiet=True))
    outcome = running.run(Inline(SMALL), running.missing(deals(number=10), SMALL))
    assert outcome.counts.deals == 10
    assert [line.split("; ")[1] for line in said] == [
        f"it is kept as {part.name}.damaged, and its deals are searched again"
    ]


def test_a_search_of_undecided_deals_keeps_what_it_has(tmp_path):
    small, large = (Settings(Limits(nodes=nodes), timing=False) for nodes in (1, 30_000))
    for name in ("a", "b"):
        batch(tmp_path / name, deals("D1V", number=6, size=6), small)
    undecided = {}
    for name, crew in (("b", Inline(large)), ("a", Interrupted(large, 2)), ("a", Inline(large))):
        running = Batch(folder_to_write(tmp_path / name), Watch(None, shown=False, quiet=True))
        outcome = running.run(crew, running.undecided(large))
        undecided.setdefault(name, []).append(outcome.counts.deals)
    assert undecided == {"b": [6], "a": [2, 4]}
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


# What is seen


def test_a_line_now_and_then_where_there_is_no_terminal(capsys):
    now = [0.0]
    shard, other, last = deals(number=30)
    watch = Watch(2000, shown=False, quiet=False, clock=lambda: now[0])
    for step in range(2 * LINE_SECONDS):
        now[0] += 1
        watch.progress(shard, Counts(winnable=step))
    watch.skip(1000)
    now[0] += LINE_SECONDS
    watch.done(other, Counts(winnable=40, unknown=1))
    watch.done(last, Counts())
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(" deals, ")[0] for line in lines] == [
        *("dsol: 29 of 2,000", "dsol: 59 of 2,000", "dsol: 100 of 1,000")
    ]
    assert lines[-1].endswith("deals/s, winnable 99.00%, undecided 1")
    silent = Watch(10, shown=False, quiet=True, clock=lambda: now[0])
    now[0] += 10 * LINE_SECONDS
    silent.progress(shard, Counts(winnable=1))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("columns", [20, 40, 60, 80, 120])
@pytest.mark.parametrize("total", [1_000_000, None])
def test_the_bar_fits(capsys, monkeypatch, columns, total):
    monkeypatch.setenv("COLUMNS", str(columns))
    watch = Watch(total, shown=True, quiet=False)
    watch.done(deals(number=10)[0], Counts(winnable=123_456, unknown=12))
    watch.close()
    shown = re.split(r"[\r\n]", capsys.readouterr().err)
    assert max(map(len, shown)) < columns
    line = next(line for line in reversed(shown) if line.strip())
    assert "123468" in line
    if total is not None and columns >= 60:
        assert len(line.split("|")[1]) >= 10


# Schedulers


class Silent(http.server.BaseHTTPRequestHandler):
    """Notes nothing of the requests, which are none of HTTP."""

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def addresses():
    """Addresses of an HTTP server, of one that says nothing, and of nobody."""
    web = http.server.HTTPServer(("127.0.0.1", 0), Silent)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    with socket.socket() as silent, socket.socket() as closed:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        closed.bind(("127.0.0.1", 0))
        yield {
            "web": f"127.0.0.1:{web.server_port}",
            "silent": f"127.0.0.1:{silent.getsockname()[1]}",
            "closed": f"127.0.0.1:{closed.getsockname()[1]}",
        }
    web.shutdown()
    web.server_close()


@pytest.mark.parametrize(
    ("address", "wanted", "words"),
    [
        *(
            (address, 2, "has no host and port")
            for address in (
                *("localhost", "", " ", "localhost:", ":8786", "tcp://", "tcp://localhost"),
                *("localhost:port", "localhost:0", "localhost:99999", "tcp://:8786"),
            )
        ),
        *(
            (address, 2, "leads to no scheduler")
            for address in ("http://{web}", "ftp://localhost:8786", "://localhost:8786")
        ),
        *(
            (address, 1, "no scheduler answers at")
            for address in (
                *("tcp://{web}", "{web}", "{silent}", "tcp://{silent}", "{closed}"),
                *("tcp://{closed}", "nowhere.invalid:8786"),
            )
        ),
        ("tls://{closed}", 1, "asks for certificates"),
    ],
)
def test_a_wrong_scheduler_is_one_line(
    capsys, monkeypatch, tmp_path, addresses, address, wanted, words
):
    pytest.importorskip("distributed")
    monkeypatch.setattr("double_solitaire.batch.cluster.CONNECT_SECONDS", 0.5)
    options = ("-q", "-o", str(tmp_path / "a"), "--scheduler", address.format(**addresses))
    code = run(["batch", CODE, "+4", *options])
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (wanted, "", 1)
    assert words in err
    assert not (tmp_path / "a").exists()


# Killed at any moment

QUICK_PARTS = """
import functools, sys
from double_solitaire.batch import local
local.LocalCrew = functools.partial(local.LocalCrew, part_seconds=0.2)
if "--scheduler" in sys.argv:
    from double_solitaire.batch import cluster
    cluster.ClusterCrew = functools.partial(cluster.ClusterCrew, part_seconds=0.2)
from double_solitaire.cli.main import main
main()
"""
"""A `dsol` whose workers hand over what they have five times a second."""
WORDS = (
    *("DS1-D1N-AAAAAAA", "+200", "DS1-D3V-AAAAAAA", "+60", "--shard-size", 16),
    *("--max-nodes", 10_000, "--no-timing", "--moves", "--jobs", 2),
)
INTERRUPTS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def start(folder, *more):
    words = [sys.executable, "-c", QUICK_PARTS, "batch", "-q", *map(str, WORDS)]
    return subprocess.Popen(
        [*words, "-o", str(folder), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def results(folder):
    """The rows of results by path, without strays, copies and what was kept aside.

    Not the bytes: damage of what a file says besides its rows may go unseen.
    """
    return {
        path.relative_to(folder).as_posix(): pq.ParquetFile(path).read().to_pylist()
        for mode in ("mode=D1N", "mode=D3V")
        for path in Path(folder, mode).glob("DS1-*.parquet")
        if "(1)" not in path.name
    }


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The rows of a run that nothing happened to."""
    folder = tmp_path_factory.mktemp("undisturbed")
    running = start(folder)
    _, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, err) == (0, "")
    return results(folder)


def footer_of(data):
    """Where the footer of a Parquet file begins, as its end says."""
    return len(data) - 8 - int.from_bytes(data[-8:-4], "little")


def harm(folder, chance):
    """Do something to the files of a folder that disks and people do."""
    whole = sorted(Path(folder).glob("mode=D??/DS1-*.parquet"))
    parts = sorted(Path(folder).glob("mode=D??/_DS1-*.part"))
    paths = [path for path in [*whole, *parts] if "(1)" not in path.name]
    if not paths:
        return
    path, other = chance.choice(paths), chance.choice(paths)
    data = path.read_bytes()
    match chance.choice(("empty", "cut", "page", "swap", "remove", "copy", "copy", "stray")):
        case "empty":
            path.write_bytes(b"")
        case "cut":
            path.write_bytes(data[: chance.randrange(len(data) or 1)])
        case "page":
            at = chance.randrange(max(footer_of(data), 1))
            path.write_bytes(data[:at] + b"damage!!" + data[at + 8 :])
        case "swap":
            path.write_bytes(other.read_bytes())
            other.write_bytes(data)
        case "remove":
            path.unlink()
        case "copy":
            shutil.copytree(path.parent, f"{path.parent} copy", dirs_exist_ok=True)
            shutil.copy(path, path.with_name(f"{path.stem} (1).parquet"))
        case "stray":
            path.with_name(f"._{path.name}").write_bytes(b"\0\5\x16\7")
            Path(folder, ".DS_Store").write_bytes(b"\0\0\0\1Bud1")


def kill_a_worker(running, chance):
    """Kill one of the workers, if there is one."""
    with suppress(FileNotFoundError, ProcessLookupError, IndexError):
        os.kill(chance.choice(workers_of(running)), signal.SIGKILL)


def torment(folder, seed, kills):
    """Run the batch again and again, killed and its files harmed, `kills` times; then to its end.

    The choices depend on the seed alone.
    """
    chance = random.Random(seed)
    done = 0
    while done < kills:
        running = start(folder)
        sent = 0
        while True:
            with suppress(subprocess.TimeoutExpired):
                running.wait(chance.uniform(0.5, 6))
                break
            done += 1
            if chance.random() < 0.3:
                kill_a_worker(running, chance)
                continue
            sent = chance.choice(INTERRUPTS)
            has_workers = False
            with suppress(FileNotFoundError):
                has_workers = bool(workers_of(running))
            if not has_workers:
                # Before there are any, the interpreter starts, and has words of its own.
                sent = signal.SIGKILL
            os.kill(running.pid, sent)
            break
        _, err = running.communicate(timeout=PATIENCE)
        assert "Traceback" not in err
        # A job is given up after two deaths, and the next run does it.
        # SIGTERM ends in the ordinary way a run that has nothing left to do.
        wanted = {0: (0, 1), signal.SIGKILL: (-9,), signal.SIGTERM: (130, 0, 1, -15)}
        assert running.returncode in wanted.get(sent, (130, 0, 1)), err
        harm(folder, chance)
    return to_the_end(folder)


def to_the_end(folder, *more):
    running = start(folder, *more)
    _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 0, err
    assert all(line.startswith("dsol: ") for line in err.splitlines())
    assert not list(Path(folder).glob("mode=D??/_DS1-*.part"))
    return results(folder)


@ON_LINUX
def test_a_batch_killed_and_harmed_at_random_gives_the_same_files(undisturbed, tmp_path):
    assert torment(tmp_path, seed=1, kills=3) == undisturbed


class Cluster:
    """A scheduler with two workers, as a person starts them."""

    def __init__(self):
        with socket.socket() as place:
            place.bind(("127.0.0.1", 0))
            self.port = place.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.processes = [
            self.begin("scheduler", "--host", "127.0.0.1", "--port", str(self.port)),
            *(self.begin("worker", self.address, "--nthreads", "1") for _ in range(2)),
        ]
        for _ in range(100 * PATIENCE):
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            time.sleep(0.01)

    @staticmethod
    def begin(what, *words):
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{what}", *words, "--no-dashboard"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def end(self):
        """Kill all that was started; a worker's group holds the process that its nanny began."""
        for process in self.processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def torment_with_a_scheduler(folder, seed, kills):
    """The same with a scheduler, which is what is killed, or one of its workers, or the run."""
    chance = random.Random(seed)
    for number in range(kills):
        cluster = Cluster()
        try:
            running = start(folder, "--scheduler", cluster.address)
            with suppress(subprocess.TimeoutExpired):
                running.wait(chance.uniform(6, 14))
            kind = ("scheduler", "worker", "run")[number % 3]
            victim = {"scheduler": cluster.processes[0], "worker": cluster.processes[1]}
            ended = running.poll() is not None
            if not ended:
                os.killpg(victim.get(kind, running).pid, signal.SIGKILL)
            _, err = running.communicate(timeout=PATIENCE)
        finally:
            cluster.end()
        assert "Traceback" not in err
        if kind == "scheduler" and not ended:
            assert running.returncode == 1
            *_, last = err.splitlines()
            assert "is gone; finished deals stay, and the same command goes on" in last or (
                "no scheduler answers" in last
            )
        assert all(line.startswith("dsol: ") for line in err.splitlines()), err
        harm(folder, chance)
    return to_the_end(folder)


@pytest.mark.long
@ON_LINUX
def test_a_hundred_kills_change_no_row(undisturbed, tmp_path):
    pytest.importorskip("distributed")
    assert torment(tmp_path / "here", seed=11, kills=82) == undisturbed
    assert torment_with_a_scheduler(tmp_path / "there", seed=11, kills=18) == undisturbed


@pytest.mark.parametrize("status", ["running", "connecting", "closed"])
def test_a_connection_that_breaks_is_a_scheduler_that_is_gone(monkeypatch, status):
    pytest.importorskip("distributed")
    from distributed.comm import CommClosedError
    from double_solitaire.batch.cluster import ClusterCrew

    def broken(*_):
        raise CommClosedError("in <TCP (closed)>: Connection reset by peer")

    monkeypatch.setattr(ClusterCrew, "_work", broken)
    crew = ClusterCrew.__new__(ClusterCrew)
    crew._address, crew._client = "tcp://here:1", SimpleNamespace(status=status)
    with pytest.raises(BatchError, match=r"^the scheduler at tcp://here:1 is gone; .*goes on"):
        list(crew.work(iter([])))


@ON_LINUX
def test_a_killed_scheduler_is_one_line(undisturbed, tmp_path):
    pytest.importorskip("distributed")
    cluster = Cluster()
    try:
        running = start(tmp_path, "--scheduler", cluster.address)
        for _ in range(100 * PATIENCE):
            if results(tmp_path):
                break
            time.sleep(0.01)
        os.killpg(cluster.processes[0].pid, signal.SIGKILL)
        out, err = running.communicate(timeout=PATIENCE)
    finally:
        cluster.end()
    assert (running.returncode, out) == (1, "")
    assert err == (
        f"dsol: the scheduler at {cluster.address} is gone; "
        "finished deals stay, and the same command goes on with the rest\n"
    )
    assert results(tmp_path).items() <= undisturbed.items()
