"""The memory that one thread searches in; allocated once, since most searches are short."""

import threading

import numpy as np

from ..engine.deal import Position
from ..engine.rules import Rules
from . import beam, carry, dive, exhaust, plan, table
from .evaluate import evaluation_record
from .homes import JOURNAL
from .position import NODE, game_record, load
from .weights import SETS, USUAL

DIVE_ROWS = 1 << 16
FIRST_ROWS = 1 << 17
MAX_AGAIN = 128
"""Positions kept to go on from with a recycle."""


class BeamMemory:
    """The layers of a beam of one width."""

    def __init__(self, width: int) -> None:
        """Reserve `bytes_for(width)` bytes."""
        candidates = beam.CANDIDATES_PER_NODE * width
        self.width = width
        self.nodes = np.zeros(width, NODE)
        self.after = np.zeros(width, NODE)
        self.candidates = np.zeros(candidates, beam.CANDIDATE)
        self.values = np.zeros(candidates)
        self.slots = np.zeros(1 << candidates.bit_length(), np.int32)
        self.parents = np.zeros((beam.MAX_LAYERS, width), np.int32)
        self.choices = np.zeros((beam.MAX_LAYERS, width), np.int16)

    @staticmethod
    def bytes_for(width: int) -> int:
        """Upper bound of what a beam of this width takes."""
        per_candidate = beam.CANDIDATE.itemsize + 8 + 2 * 4
        per_node = 2 * NODE.itemsize + beam.CANDIDATES_PER_NODE * per_candidate
        return width * int(per_node + beam.MAX_LAYERS * 6)


class Workspace:
    """All that the searches of one deal after another need, and the deal at hand."""

    def __init__(self, rules: Rules) -> None:
        """Reserve what does not depend on the deal."""
        self.rules = rules
        self.game = game_record(rules)
        self.start = np.zeros(1, NODE)
        self.journal = np.zeros(1, JOURNAL)
        self.dive = np.zeros(1, dive.DIVE)
        self.dive_nodes = np.zeros(dive.MAX_DEPTH, NODE)
        self.dive_rows = table.new_table(DIVE_ROWS)
        self.search = np.zeros(1, exhaust.SEARCH)
        self.search_nodes = np.zeros(exhaust.NODES, NODE)
        self.search_rows = table.new_table(FIRST_ROWS)
        self.beam = np.zeros(1, beam.BEAM)
        self.beam_memory = BeamMemory(1)
        self.evaluations = [evaluation_record(weights) for weights in range(len(SETS))]
        self.evaluation = self.evaluations[USUAL]
        self.again = np.zeros(MAX_AGAIN, beam.AGAIN)
        self.scratch = np.zeros(3, NODE)
        self.choices = np.zeros(beam.MAX_CHOICES, np.int64)
        self.plan = np.zeros(plan.MAX_PLAN, np.int64)
        self.moves = np.zeros(carry.MAX_MOVES, np.int64)

    def load(self, position: Position) -> None:
        """Make a position the one that is searched, with the usual weights."""
        self.game, self.start = load(self.rules, position)
        self.weigh_by(USUAL)

    def weigh_by(self, weights: int) -> None:
        """Have the beams from now on value positions by these of the `SETS` of weights."""
        self.evaluation = self.evaluations[weights]

    def widen(self, width: int) -> BeamMemory:
        """Memory for a beam of this width, the one at hand if it fits."""
        if self.beam_memory.width != width:
            self.beam_memory = BeamMemory(width)
        return self.beam_memory


_local = threading.local()


def workspace_for(rules: Rules) -> Workspace:
    """The workspace of this thread, made anew when the rules change."""
    work: Workspace | None = getattr(_local, "work", None)
    if work is None or work.rules != rules:
        work = _local.work = Workspace(rules)
    return work
