"""What to tell who lacks an optional part of the program."""

import re
from importlib.metadata import PackageNotFoundError, requires

import click

DISTRIBUTION = "double-solitaire"


def missing(what: str, extra: str, error: ImportError) -> click.UsageError:
    """The error that says how to get what an option needs, in a clone and under pipx.

    `what` is the option, `extra` the name of the optional dependencies in `pyproject.toml`.
    """
    packages = " ".join(extra_packages(extra)) or error.name
    return click.UsageError(
        f'{what} needs {error.name}: in a clone of the repository, pip install ".[{extra}]"; '
        f"under pipx, pipx inject {DISTRIBUTION} {packages}"
    )


def extra_packages(extra: str) -> list[str]:
    """Names of the packages of an extra, as the installed distribution lists them."""
    try:
        listed = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        return []
    wanted = re.compile(rf"""extra\s*==\s*["']{re.escape(extra)}["']""")
    return [
        re.split(r"[\s<>=!~;\[(]", each, maxsplit=1)[0] for each in listed if wanted.search(each)
    ]
