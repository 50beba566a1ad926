"""The command line as a process: start, pipes, consoles, interrupts, the cache."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from double_solitaire.engine.cards import SUIT_SIGNS
from games import FIXTURES

F1 = str(FIXTURES / "F1_straight_win_draw1.json")
CODE = "DS1-D1N-AAAAAAB"
PATIENCE = 300
"""Seconds after which a process counts as hung."""
ON_LINUX = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


def command(*arguments):
    return [sys.executable, "-m", "double_solitaire", *arguments]


def dsol(*arguments, **options):
    settings = {"capture_output": True, "text": True, "timeout": PATIENCE, "encoding": "utf-8"}
    return subprocess.run(command(*arguments), check=False, **(settings | options))


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["check", "--help"]])
def test_help_and_version_load_nothing_heavy(arguments):
    code = (
        "import sys; from double_solitaire.cli.main import run; "
        f"assert run({arguments}) == 0; "
        "assert not {'numba', 'numpy', 'pyarrow', 'rich', 'tqdm'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE)


def test_show_loads_no_compiler():
    code = (
        "import sys; from double_solitaire.cli.main import run; "
        f"assert run(['show', '{CODE}']) == 0; assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE)


def test_b36_a_closed_pipe_ends_silently():
    codes = "\n".join(f"pysol:{number}" for number in range(1, 2000))
    process = subprocess.Popen(
        command("show", "-"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    process.stdin.write("pysol:1\n")
    process.stdin.flush()
    assert process.stdout.readline().startswith("pysol:1  Double Solitaire")
    process.stdout.close()
    process.stdin.write(codes)
    process.stdin.close()
    assert process.stderr.read() == ""
    assert process.wait(PATIENCE) == 0


@ON_LINUX
def test_a_full_disk_is_one_line():
    with open("/dev/full", "w") as full:
        ended = dsol("show", "pysol:1", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert ended.returncode == 1
    assert ended.stderr == "dsol: No space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="closes a descriptor")
def test_a_closed_standard_output_is_one_line():
    ended = dsol("show", "pysol:1", preexec_fn=lambda: os.close(1))
    assert (ended.returncode, ended.stderr) == (1, "dsol: standard output is closed\n")


@pytest.mark.skipif(os.name != "posix", reason="closes a descriptor")
@pytest.mark.parametrize(
    "arguments",
    [["check", "-"], ["check", "--deal", "-"], ["verify", CODE, "-"], ["advise", "-"]],
)
def test_a_closed_standard_input_is_one_line(arguments):
    ended = dsol(*arguments, preexec_fn=lambda: os.close(0))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "dsol: standard input is closed\n"


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_b36_a_console_without_suit_signs_gets_letters(encoding):
    for name in ("show", "solve"):
        environment = os.environ | {"PYTHONIOENCODING": encoding}
        ended = dsol(name, "-q", "--deal", F1, env=environment, encoding=encoding)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert not set(ended.stdout) & {*SUIT_SIGNS, "→", "?"}
    assert "AS waste -> foundation" in ended.stdout


def test_b36_no_progress_where_standard_error_is_no_terminal():
    assert dsol("check", "-", input="pysol:1\n" * 50).stderr.count("\n") <= 1


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_ctrl_c_is_heard_in_compiled_code():
    process = subprocess.Popen(
        command("perft", "-q", CODE, "30"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "1 7\n"
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    assert "Traceback" not in process.stderr.read()


def test_answers_flow_while_the_input_is_still_being_written():
    process = subprocess.Popen(
        command("check", "-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    for number in (1, 2, 3):
        process.stdin.write(f"pysol:{number}\n")
        process.stdin.flush()
        if number == 1:
            assert process.stdout.readline().startswith("pysol:1 winnable")
    rest, _ = process.communicate(timeout=PATIENCE)
    assert len(rest.splitlines()) == 2


@pytest.mark.long
def test_b35_a_cold_cache_is_filled_by_8_processes_at_once(tmp_path):
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    processes = [
        subprocess.Popen(
            command("check", "--deal", F1),
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(8)
    ]
    for process in processes:
        out, err = process.communicate(timeout=3 * PATIENCE)
        assert process.returncode == 0, err
        assert out == "F1_straight_win_draw1.json winnable\n"
    assert dsol("check", "--deal", F1, env=environment).stderr == ""


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="changes modes")
@pytest.mark.parametrize("writable", [True, False])
def test_b35_without_a_home_the_folder_for_temporary_files_will_do(tmp_path, writable):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("XDG")}
    environment |= {"HOME": "/dev/null/no home", "TMPDIR": str(tmp_path)}
    if not writable:
        (tmp_path / f"double-solitaire-{os.getuid()}").write_text("in the way")
    ended = dsol("check", "--deal", F1, env=environment)
    assert (ended.returncode, ended.stdout) == (0, "F1_straight_win_draw1.json winnable\n")
    assert ended.stderr.startswith("dsol: compiling the search")
    again = dsol("check", "--deal", F1, env=environment)
    assert (again.stderr == "") == writable
