"""The memory that one thread searches in; allocated once, since most searches are short."""

import threading

import numpy as np

from ..engine.deal import Position
from ..engine.rules import Rules
from . import beam, carry, dive, exhaust, table
from .evaluate import evaluation_record
from .homes import JOURNAL, MAX_PLAN
from .position import NODE, game_record, load
from .ranks import read_ranks
from .weights import SETS, USUAL

DIVE_ROWS = 1 << 16
FIRST_ROWS = 1 << 17


class Workspace:
    """All that the searches of one deal after another need, and the deal at hand."""

    def __init__(self, rules: Rules) -> None:
        """Reserve what does not depend on the deal."""
        self.rules = rules
        self.game = game_record(rules)
        self.start = np.zeros(1, NODE)
        self.journal = np.zeros(1, JOURNAL)
        self.dive = dive.dive_record(read_ranks())
        self.dive_nodes = np.zeros(dive.MAX_DEPTH, NODE)
        self.dive_rows = table.new_table(DIVE_ROWS)
        self.search = np.zeros(1, exhaust.SEARCH)
        self.search_nodes = np.zeros(exhaust.NODES, NODE)
        self.search_rows = table.new_table(FIRST_ROWS)
        self.beam = np.zeros(1, beam.BEAM)
        self.beam_memory = beam.beam_memory(1)
        self.evaluations = [evaluation_record(weights) for weights in range(len(SETS))]
        self.evaluation = self.evaluations[USUAL]
        self.scratch = np.zeros(3, NODE)
        self.choices = np.zeros(beam.MAX_CHOICES, np.int64)
        self.plan = np.zeros(MAX_PLAN, np.int64)
        self.moves = np.zeros(carry.MAX_MOVES, np.int64)

    def load(self, position: Position) -> None:
        """Make a position the one that is searched, with the usual weights."""
        self.game, self.start = load(self.rules, position)
        self.weigh_by(USUAL)

    def weigh_by(self, weights: int) -> None:
        """Have the beams from now on value positions by these of the `SETS` of weights."""
        self.evaluation = self.evaluations[weights]

    @property
    def tools(self) -> beam.Tools:
        """What the beams make and value positions with."""
        return beam.Tools(
            self.game[0], self.evaluation[0], self.journal[0], self.scratch, self.choices
        )

    def widen(self, width: int) -> beam.BeamMemory:
        """Memory for a beam of this width, the one at hand if it fits."""
        if self.beam_memory.width != width:
            self.beam_memory = beam.beam_memory(width)
        return self.beam_memory


_local = threading.local()


def workspace_for(rules: Rules) -> Workspace:
    """The workspace of this thread, made anew when the rules change."""
    work: Workspace | None = getattr(_local, "work", None)
    if work is None or work.rules != rules:
        work = _local.work = Workspace(rules)
    return work
