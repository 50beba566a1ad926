"""Where games are kept."""

from pathlib import Path

import platformdirs


def games_folder() -> Path:
    """The folder of the games that are kept without a file having been named."""
    return Path(platformdirs.user_data_dir("double-solitaire", appauthor=False)) / "games"


def kept_path(name: str) -> Path:
    """The file of a deal's game, or of another thing with a name of letters, digits and dashes."""
    safe = "".join(sign if sign.isalnum() or sign == "-" else "-" for sign in name)
    return games_folder() / f"{safe}.json"


def set_aside(path: Path) -> None:
    """Give a file that is there another name, one with a number, so that it is not lost."""
    if not path.exists():
        return
    number = 1
    while (other := path.with_name(f"{path.stem}.{number}{path.suffix}")).exists():
        number += 1
    path.rename(other)


def last_kept() -> Path | None:
    """The game that was written last; None where none is kept."""
    folder = games_folder()
    found = [each for each in folder.glob("*.json") if "." not in each.stem]
    return max(found, key=lambda each: each.stat().st_mtime, default=None)
