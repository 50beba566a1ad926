"""Writing a file so that it is whole at any time."""

import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a file beside the old one and then in its place; raises `OSError` if that fails."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)
