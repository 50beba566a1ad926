"""Nothing that happens to compiled code stops an answer."""

import errno
import os
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import pytest
from double_solitaire.cli.main import COMMANDS, run
from double_solitaire.engine import cache, jit
from games import FIXTURES

F1 = str(FIXTURES / "F1_straight_win_draw1.json")
ON_POSIX = pytest.mark.skipif(os.name != "posix", reason="owners and modes of POSIX")
AS_ROOT = pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="gives files away"
)
NOBODY = 65534


def double(x):
    return 2 * x


@pytest.fixture
def forget():
    """Have the place of compiled code looked up anew."""
    cache.cache_place.cache_clear()
    yield cache.cache_place.cache_clear
    cache.cache_place.cache_clear()


@pytest.fixture
def place(tmp_path, monkeypatch, forget):
    """The place that the environment names; not there yet."""
    monkeypatch.setenv("DSOL_CACHE_DIR", str(tmp_path / "place"))
    return tmp_path / "place"


@pytest.fixture
def usual(tmp_path, monkeypatch, forget):
    """A home without a cache folder yet, and a folder for temporary files."""
    monkeypatch.delenv("DSOL_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home/cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return tmp_path / "home/cache/double-solitaire", tmp_path / f"double-solitaire-{user}"


@pytest.fixture
def told(monkeypatch):
    """The lines that are told of troubles from now on."""
    lines = []
    monkeypatch.setattr(cache, "TROUBLES", cache.Troubles())
    cache.TROUBLES.tell_to(lines.append)
    return lines


def answer():
    """What a newly decorated function says, and whether it had to be compiled."""
    compiled = []
    jit.when_compiling(lambda: compiled.append(True))
    return jit.kernel(double)(21), bool(compiled)


def the_file(place):
    (file,) = place.glob("*/*.code")
    return file


def test_compiled_code_is_loaded_the_next_time(place, told):
    assert answer() == (42, True)
    assert answer() == (42, False)
    assert told == []


def cut(file):
    file.write_bytes(file.read_bytes()[:-1])


def cut_to_the_half(file):
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def empty(file):
    file.write_bytes(b"")


def fill_with_zeros(file):
    file.write_bytes(bytes(file.stat().st_size))


def change_a_byte(file):
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def append(file):
    file.write_bytes(file.read_bytes() + b"\0")


def take_another_pickle(file):
    import hashlib
    import pickle

    data = pickle.dumps({"what": "ever"})
    file.write_bytes(hashlib.sha256(data).digest() + data)


def end_the_pickle_early(file):
    import hashlib

    data = file.read_bytes()[32:100]
    file.write_bytes(hashlib.sha256(data).digest() + data)


def name_a_class_that_is_gone(file):
    import hashlib

    data = b"cnowhere\nNothing\n."
    file.write_bytes(hashlib.sha256(data).digest() + data)


DAMAGES = (
    empty,
    cut,
    cut_to_the_half,
    fill_with_zeros,
    change_a_byte,
    append,
    take_another_pickle,
    end_the_pickle_early,
    name_a_class_that_is_gone,
)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a3_damaged_code_is_compiled_anew_written_over_and_told_once(place, told, damage):
    answer()
    damage(the_file(place))
    assert answer() == (42, True)
    assert told == [f"compiled code in {the_file(place).parent} is damaged; it is compiled anew"]
    assert answer() == (42, False)
    damage(the_file(place))
    answer()
    assert len(told) == 1


def test_a3_a_folder_in_place_of_a_file_does_no_harm(place, told):
    answer()
    file = the_file(place)
    file.unlink()
    file.mkdir()
    assert answer() == (42, True)
    assert len(told) == 2


@pytest.mark.parametrize(
    ("step", "number"),
    [
        ("mkdir", errno.ENOSPC),
        ("write_bytes", errno.ENOSPC),
        ("replace", errno.ENOSPC),
        ("mkdir", errno.EROFS),
        ("write_bytes", errno.EDQUOT),
        ("write_bytes", errno.EIO),
    ],
)
def test_a3_what_cannot_be_written_lasts_as_long_as_the_process(
    place, told, monkeypatch, step, number
):
    place.mkdir(mode=0o700)
    cache.cache_place()

    def fail(*_, **__):
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(Path, step, fail)
        assert answer() == (42, True)
        assert answer() == (42, True)
    assert len(told) == 1
    assert f"({os.strerror(number)})" in told[0]
    assert not [path for path in place.glob("*/*") if path.is_file()]
    assert answer() == (42, True)
    assert answer() == (42, False)


def test_a3_a_write_that_ends_half_way_leaves_nothing(place, told, monkeypatch):
    def write_half(path, data):
        with path.open("wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", write_half)
        assert answer() == (42, True)
    assert not list(place.glob("*/*"))


@AS_ROOT
def test_a3_a_full_disk(tmp_path, monkeypatch, forget, told):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8k,mode=700", "tmpfs", str(disk)],
        check=False,
        capture_output=True,
    )
    if mounted.returncode:
        pytest.skip("may not mount")
    monkeypatch.setenv("DSOL_CACHE_DIR", str(disk))
    try:
        assert answer() == (42, True)
        assert len(told) == 1 and "No space left on device" in told[0]
        assert not [path for path in disk.glob("*/*") if path.is_file()]
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a3_a_folder_that_is_deleted_under_a_running_process_is_made_again(place, told):
    import shutil

    answer()
    shutil.rmtree(place)
    assert answer() == (42, True)
    assert answer() == (42, False)
    assert told == []


def test_a3_the_same_function_is_compiled_by_8_at_once(place, told):
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(answer()[0])) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [42] * 8
    assert told == []
    assert the_file(place)


def test_nobody_to_tell_is_no_trouble(place, monkeypatch):
    def cannot(_):
        raise OSError(errno.ENOSPC, "standard error is full")

    monkeypatch.setattr(cache, "TROUBLES", cache.Troubles())
    cache.TROUBLES.tell_to(cannot)
    jit.when_compiling(lambda: cannot(""))
    answer()
    empty(the_file(place))
    assert answer() == (42, True)


# The place


@ON_POSIX
def test_the_place_is_a_folder_that_nobody_else_can_write(usual):
    assert cache.cache_place() == (usual[0], "")
    assert usual[0].stat().st_mode & 0o777 == 0o700


@ON_POSIX
@pytest.mark.parametrize("trap", ["file", "link", "mode"])
def test_a_folder_that_is_not_ours_alone_is_not_used(usual, tmp_path, trap, forget, told):
    def lay(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        if trap == "file":
            place.write_text("")
        elif trap == "link":
            (tmp_path / "elsewhere").mkdir(exist_ok=True)
            place.symlink_to(tmp_path / "elsewhere")
        else:
            place.mkdir()
            place.chmod(0o777)

    lay(usual[0])
    assert cache.cache_place() == (usual[1], "")
    usual[1].rmdir()
    lay(usual[1])
    forget()
    found, why = cache.cache_place()
    assert found is None
    assert str(usual[0]) in why and str(usual[1]) in why
    assert answer() == (42, True)
    assert len(told) == 1 and str(usual[0]) in told[0]


@AS_ROOT
def test_a3_a_folder_of_another_user_is_not_used(usual):
    usual[0].mkdir(parents=True)
    os.chown(usual[0], NOBODY, NOBODY)
    assert cache.cache_place() == (usual[1], "")


@ON_POSIX
def test_without_a_home_no_folder_called_tilde_is_made(usual, monkeypatch, tmp_path):
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: "~/.cache/double-solitaire")
    monkeypatch.chdir(tmp_path)
    assert cache.cache_place() == (usual[1], "")
    assert not (tmp_path / "~").exists()


@AS_ROOT
def test_a_read_only_place_that_was_filled_before_is_used_by_another_user(tmp_path):
    """As in an image: filled by the administrator, used by somebody who may only read."""
    place = tmp_path / "place"
    code = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); import test_cache as t\n"
        "from double_solitaire.engine import cache\n"
        "lines = []; cache.TROUBLES.tell_to(lines.append); number, compiled = t.answer()\n"
        "if len(sys.argv) > 2:\n"
        "    place = os.environ['DSOL_CACHE_DIR']\n"
        "    for folder, _, files in os.walk(place):\n"
        "        os.chmod(folder, 0o755)\n"
        "        for file in files: os.chmod(os.path.join(folder, file), 0o644)\n"
        f"    os.setuid({NOBODY}); cache.cache_place.cache_clear(); number, compiled = t.answer()\n"
        "print(number, compiled, lines)"
    )
    for path in (tmp_path, *tmp_path.parents):
        if path.stat().st_uid == os.getuid() and str(path).startswith("/tmp/"):
            path.chmod(0o755)
    ended = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parent), "as another user"],
        env=os.environ | {"DSOL_CACHE_DIR": str(place)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout == "42 False []\n", ended.stderr


# The digest


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """The layers as a tree of their own, with nested folders."""
    for layer in (*cache.LAYERS, "batch"):
        (tmp_path / layer / "nested").mkdir(parents=True)
        for path in ("cache.py", "nested/deep.py"):
            (tmp_path / layer / path).write_text(f"{layer} {path}")
    (tmp_path / "other.py").write_text("")
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "engine/cache.py"))
    cache._digest.cache_clear()
    yield tmp_path
    cache._digest.cache_clear()


@pytest.mark.parametrize(
    ("edited", "changed"),
    [
        ("engine/cache.py", "engine solver rating versus other"),
        ("engine/nested/deep.py", "engine solver rating versus other"),
        ("solver/cache.py", "solver rating versus other"),
        ("solver/nested/deep.py", "solver rating versus other"),
        ("rating/nested/deep.py", "rating versus other"),
        ("versus/nested/deep.py", "versus other"),
        ("other.py", "other"),
        ("batch/cache.py", ""),
    ],
)
def test_an_edit_is_noticed_by_its_layer_and_those_after_it(sources, edited, changed):
    def names():
        cache._digest.cache_clear()
        files = [sources / layer / "cache.py" for layer in cache.LAYERS]
        return [cache.folder_name(path) for path in (*files, sources / "other.py")]

    before = names()
    (sources / edited).write_text("edited")
    new = [name.split("-")[0] for name in names() if name not in before]
    assert new == changed.split()


def test_every_folder_with_compiled_functions_is_a_layer_in_the_order_of_dependencies():
    root = Path(__file__).parent.parent
    settings = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = [name.split(".")[1] for name in settings["packages"][1:]]
    compiled = [
        name
        for name in folders
        if any("\n@kernel\n" in path.read_text() for path in (root / name).rglob("*.py"))
    ]
    assert tuple(compiled) == cache.LAYERS


@pytest.mark.parametrize("change", ["numba", "llvmlite", "python", "flag"])
def test_another_version_or_flag_is_another_folder(sources, monkeypatch, change):
    before = cache.folder_name(sources / "engine/cache.py")
    if change == "numba":
        monkeypatch.setattr("numba.__version__", "0.0")
    elif change == "llvmlite":
        monkeypatch.setattr("llvmlite.__version__", "0.0")
    elif change == "python":
        monkeypatch.setattr("sys.version", "4")
    else:
        monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    cache._digest.cache_clear()
    assert cache.folder_name(sources / "engine/cache.py") != before


def test_another_processor_is_another_file(place, monkeypatch):
    answer()
    from numba.core.codegen import JITCPUCodegen

    monkeypatch.setattr(JITCPUCodegen, "magic_tuple", lambda _: ("another", "processor", ""))
    assert answer() == (42, True)
    assert len(list(place.glob("*/*.code"))) == 2


# The commands


@pytest.mark.parametrize("error", [EOFError, EOFError("Ran out of input")])
def test_a3_data_that_end_too_early_are_no_interruption(monkeypatch, capsys, error):
    def end(*_, **__):
        raise error

    monkeypatch.setattr("double_solitaire.cli.show.write", end)
    assert run(["show", "-q", "--json", "pysol:1"]) == 1
    assert capsys.readouterr().err in (
        "dsol: Ran out of input\n",
        "dsol: some data ended too early\n",
    )


@ON_POSIX
@pytest.mark.parametrize("trap", ["file", "mode"])
def test_warm_says_why_nothing_can_be_kept(place, capsys, trap):
    if trap == "file":
        place.write_text("")
    else:
        place.mkdir()
        place.chmod(0o777)
    assert run(["warm"]) == 1
    err = capsys.readouterr().err
    assert str(place) in err and "DSOL_CACHE_DIR" in err and err.count("\n") == 1


ASK_FOR_ALL = """
import contextlib, io, sys
from double_solitaire.cli import warm
from double_solitaire.cli.main import run
from double_solitaire.engine.cache import Store
asked, load = [], Store.load_overload
def note(self, *others):
    asked.append(self._function.__qualname__)
    return load(self, *others)
Store.load_overload = note
warm._take_steps(False)
assert asked
asked.clear()
for line in sys.stdin.read().splitlines():
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = run(line.split())
    assert code == 0, line
    assert not asked, (line, asked)
"""


def test_b8_warm_leaves_nothing_to_compile_for_any_command(tmp_path):
    """Every command asks for no compiled code that was not there after `warm`."""
    lines = [
        "check DS1-D1N-AAAAAAB DS1-D3N-AAAAAAB KL1-D3N-AAAAAAB pysol:1",
        f"check --deal {F1}",
        "check --max-nodes 60000 DS1-D1V-AAAAAAB DS1-D3V-AAAAAAB",
        "solve DS1-D1N-AAAAAAB DS1-D3N-AAAAAAB DS1-D1V-AAAAAAC",
        "score --max-nodes 20000 DS1-D1N-AAAAAAB DS1-D3V-AAAAAAB",
        "hint --max-nodes 5000 DS1-D1N-AAAAAAB",
        "rate --games 2 --places DS1-D1N-AAAAAAB",
        "perft DS1-D1N-AAAAAAB 2",
        f"advise --samples 2 {FIXTURES / 'loop_1.json'}",
        "match casual careful +1",
        f"batch DS1-D1N-AAAAAAB +2 --rate --moves -o {tmp_path / 'rows'}",
    ]
    ended = subprocess.run(
        [sys.executable, "-c", ASK_FOR_ALL],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert "warm" in COMMANDS


def environment(place):
    return os.environ | {"DSOL_CACHE_DIR": str(place)}


@pytest.mark.long
def test_b8_one_wait_for_all_commands(tmp_path):
    def dsol(*arguments):
        ended = subprocess.run(
            [sys.executable, "-m", "double_solitaire", *arguments],
            env=environment(tmp_path / "place"),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        return ended

    first = dsol("check", "--deal", F1)
    assert first.stderr.startswith("dsol: compiling the search") and "`dsol warm`" in first.stderr
    assert dsol("warm").stdout.endswith(f" were there: {tmp_path / 'place'}\n")
    assert dsol("warm").stdout.startswith("0 functions compiled in ")
    for words in ("solve", "rate", "score", "check --scoring V --max-nodes 60000"):
        assert dsol(*words.split(), "--deal", F1).stderr == ""


@pytest.mark.long
def test_a3_every_kind_of_damage_at_once_in_a_command(tmp_path):
    def check():
        return subprocess.run(
            [sys.executable, "-m", "double_solitaire", "check", "--deal", F1],
            env=environment(tmp_path / "place"),
            capture_output=True,
            text=True,
            check=False,
        )

    check()
    files = sorted((tmp_path / "place").glob("*/*.code"))
    assert len(files) > 1
    for number, file in enumerate(files):
        DAMAGES[number % len(DAMAGES)](file)
    ended = check()
    assert (ended.returncode, ended.stdout) == (0, "F1_straight_win_draw1.json winnable\n")
    assert ended.stderr.count(" is damaged; it is compiled anew\n") == 1
    assert check().stderr == ""
