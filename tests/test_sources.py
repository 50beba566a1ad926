"""Every file that holds data says where it is from, beside it in SOURCE.md."""

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ["data", "tests/fixtures"]


def sections(folder):
    """What SOURCE.md says, by the names of the files that each heading names."""
    text = (ROOT / folder / "SOURCE.md").read_text(encoding="utf-8")
    parts = re.split(r"^# (.+\.\w+)$", text, flags=re.MULTILINE)[1:]
    return {
        name: body
        for names, body in zip(parts[::2], parts[1::2], strict=True)
        for name in names.split(", ")
    }


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_file_says_where_it_is_from(folder):
    files = {path.name for path in (ROOT / folder).iterdir() if path.is_file()} - {"SOURCE.md"}
    assert set(sections(folder)) == files
    for name, body in sections(folder).items():
        assert "```sh\n" in body or "by hand" in body, name


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_scripts_that_are_named_are_there(folder):
    for body in sections(folder).values():
        for script in re.findall(r"^python (\w+/\w+\.py)", body, re.MULTILINE):
            assert (ROOT / script).exists(), script
        for module in re.findall(r"^python -m ([\w.]+)", body, re.MULTILINE):
            assert (ROOT / f"{module.replace('.', '/')}.py").exists(), module


def test_the_dealt_codes_are_made_by_their_command():
    body = sections("tests/fixtures")["dealt.txt"]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(body.split("<<'END'\n")[1].split("END\n")[0], {})
    assert out.getvalue() == (ROOT / "tests/fixtures/dealt.txt").read_text(encoding="utf-8")
