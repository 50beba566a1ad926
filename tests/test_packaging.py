import ast
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import click
import pytest
from double_solitaire.cli.main import COMMANDS, dsol

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
SETTINGS = PYPROJECT["tool"]["setuptools"]
LAYERS = tuple(name.split(".")[1] for name in SETTINGS["packages"][1:])
"""From the lowest to the highest, as the list of packages has them."""
README = (ROOT / "README.md").read_text(encoding="utf-8")
MANUAL = (ROOT / "docs" / "manual.md").read_text(encoding="utf-8")


def commands():
    context = click.Context(dsol)
    return {name: dsol.get_command(context, name) for name in dsol.list_commands(context)}


def test_packages_are_the_folders():
    folders = {
        ".".join(dict.fromkeys(("double_solitaire", path.parent.name))): path.parent.name
        for path in ROOT.glob("*/__init__.py")
    }
    # What was learned is installed beside the code.
    folders["double_solitaire.data"] = "data"
    assert SETTINGS["package-dir"] == folders
    assert sorted(SETTINGS["packages"]) == sorted(folders)


@pytest.mark.parametrize("layer", LAYERS)
def test_dependencies_run_one_way(layer):
    above = LAYERS[LAYERS.index(layer) + 1 :]
    for path in (ROOT / layer).glob("**/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            # What is imported by one dot stands in the same folder, whatever it is called, as does
            # what comes after the folder in `from ..solver.table`.
            if isinstance(node, ast.ImportFrom) and node.level != 1:
                words = node.module.split(".") if node.module else [a.name for a in node.names]
                first = words[:1] if node.level and node.module else words
                assert not set(above) & set(first[:2]), f"{path.name} imports {words}"


def test_notation_knows_the_game_and_nothing_of_searching():
    for path in (ROOT / "notation").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level > 1:
                assert node.module.split(".")[0] == "engine", f"{path.name} imports {node.module}"


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_and_stands_in_the_manual(name):
    command = commands()[name]
    assert command.help.startswith(COMMANDS[name])
    assert f"`dsol {name}" in MANUAL
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help
            assert max(parameter.opts, key=len) in MANUAL


def test_commands_that_deal_from_a_code_say_whose_scheme_it_is():
    for name in ("show", "check", "solve", "score", "hint", "verify", "perft"):
        assert "not the app's" in commands()[name].epilog


def test_the_readme_has_the_two_lines_that_ci_runs():
    lines = re.findall(r"^python3 -m venv .*$", README, re.MULTILINE)
    assert len(lines) == 2
    assert lines[0].endswith("dsol solve DS1-D1N-AAAAAAB")
    assert lines[1].endswith("pytest")


@pytest.fixture(scope="module")
def source_archive(tmp_path_factory):
    """The names in the source archive, and its metadata."""
    pytest.importorskip("setuptools", minversion="77")
    folder = tmp_path_factory.mktemp("source") / "tree"
    left_out = shutil.ignore_patterns(".*", "*.egg-info", "build", "dist", "__pycache__")
    shutil.copytree(ROOT, folder, ignore=left_out)
    build = "from setuptools.build_meta import build_sdist; print(build_sdist('dist'))"
    words = [sys.executable, "-c", build]
    done = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)
    path = folder / "dist" / done.stdout.splitlines()[-1]
    with tarfile.open(path) as archive:
        members = archive.getmembers()
        names = {member.name.split("/", 1)[1] for member in members if member.isfile()}
        (info,) = (each for each in members if re.fullmatch("[^/]+/PKG-INFO", each.name))
        return names, archive.extractfile(info).read().decode()


def test_the_source_archive_has_all_that_a_clone_has(source_archive):
    names, _ = source_archive
    folders = ("docs", "tests", "data", "benchmarks", *SETTINGS["package-dir"].values())
    for folder in folders:
        paths = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
        wanted = {path.relative_to(ROOT).as_posix() for path in paths}
        wanted = {name for name in wanted if "__pycache__" not in name}
        assert wanted and wanted <= names, folder
    assert {"README.md", "ARCHITECTURE.md", "CHANGELOG.md", "LICENSE"} <= names
    assert not [name for name in names if name.endswith(".pyc")]


def test_the_metadata_says_what_the_package_is(source_archive):
    _, info = source_archive
    head = info.split("\n\n")[0]
    least = PYPROJECT["project"]["requires-python"].removeprefix(">=")
    for line in (
        "License-Expression: MIT",
        f"Classifier: Programming Language :: Python :: {least}",
        "Classifier: Typing :: Typed",
        "Classifier: Topic :: Games/Entertainment :: Puzzle Games",
    ):
        assert line in head.splitlines()
    assert re.search("^Keywords: .*klondike.*solver", head, re.MULTILINE)
    # No address is known that would be true, and a made-up one would mislead.
    assert "Project-URL" not in head and "example" not in head
