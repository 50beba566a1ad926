"""Learned weights of the features of `evaluate.py`: four sets, which `data/weights.json` holds.

`learning/weights.py` writes the file. Each set has weights for the beginning of the stock and for
its end.
"""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).resolve().parent.parent / "data" / "weights.json"

_GAPS = range(8)
_RANKS = "23456789TJQK"
FEATURES = (
    *(f"placed_{count}" for count in range(10)),
    *(f"parents_{rank}" for rank in _RANKS),
    *(f"more_parents_{rank}" for rank in _RANKS),
    *(f"waste_gap_{gap}" for gap in _GAPS),
    *(f"waste_depth_{gap}" for gap in _GAPS),
    *(f"placed_gap_{gap}" for gap in _GAPS),
    *(f"placed_depth_{gap}" for gap in _GAPS),
    "waste",
    "home",
    "empty",
    "above_near",
    "above_far",
    "above_very_far",
    "above_parent",
    "above_child",
    "run_pairs",
    "suit_pairs",
    "rises",
    "movable_bases",
    "next_4",
    "next_8",
    "next_16",
    "landed",
    "orphans",
    "top_orphans",
    "spread",
    "lowest",
    "column_inversions",
    "waste_kings",
    "ready_bases",
    "above_like",
    "waste_over_8",
    "waste_over_16",
    "waste_over_24",
    "lower_home",
)
"""Their names in the file, in the order in which `evaluate.py` numbers them."""

NAMES = ("usual", "of_draw_3", "of_components_1", "of_components_3")
"""Of the sets, by number."""
USUAL, OF_DRAW_3, OF_COMPONENTS = 0, 1, {1: 2, 3: 3}
"""Two sets for lazy play, of which each finds wins that the other misses (the second was trained
for draw 3), and by draw those for beams over components."""


def read_set(name: str, path: Path = FILE) -> NDArray[np.float64]:
    """A set of the file, (2, features): weights for the beginning and for the end of the stock."""
    weights = json.loads(path.read_text(encoding="utf-8"))[name]["weights"]
    return np.array([weights[feature] for feature in FEATURES], np.float64).T.copy()


SETS = tuple(map(read_set, NAMES))
"""By number."""
