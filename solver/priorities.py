"""Learned priorities of the steps of a dive, in `data/priorities.json`; the highest goes first.

`learning/priorities.py` writes the file.
"""

import json
from pathlib import Path

import numpy as np

from ..engine.jit import record_type

FILE = Path(__file__).resolve().parent.parent / "data" / "priorities.json"

NAMES = {
    "base_home_ready": "a base that a foundation takes now",
    "base_home_later": "one that needs others home first",
    "base_home_placed": "for each card in place in its column",
    "base_down_ready": "a base that a column takes now",
    "base_down_later": "one that needs others home first",
    "base_down_placed": "for each card in place in its column",
    "last_base_down": "where it empties its column",
    "talon_home_ready": "a talon card that a foundation takes now",
    "talon_home_later": "one that needs others home first",
    "talon_home_rank": "for each rank of the card",
    "talon_down_ready": "a talon card that a column takes now",
    "talon_down_rank": "for each rank of the card",
    "talon_down_wanted": "where a base waits for it",
}
"""What of a step each number is for; they add up."""

PRIORITIES = record_type([(name, np.int64) for name in NAMES])


def read_priorities(path: Path = FILE) -> dict[str, int]:
    """The priorities of the file, by name."""
    priorities = json.loads(path.read_text(encoding="utf-8"))["priorities"]
    return {name: int(priorities[name]) for name in NAMES}
