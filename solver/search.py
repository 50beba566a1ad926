"""Which search is asked when, and the limits they share.

The order is by cost. Where recycles are unlimited a dive answers nearly every deal in about a
hundred positions. With one pass, beams of growing width look for wins. Between them the
exhaustive search, which goes on where it was stopped, looks for the proof that there is
none. Nothing depends on the clock but the time limit, so answers are the same on every run, and
more of a limit only adds to what less of it has found.
"""

import time
from typing import NamedTuple

import numpy as np

from . import beam, component_beam, dive, evaluate, exhaust, plan, relax, straight, table
from .position import DRAW, NO_LIMIT, RECYCLE
from .seeds import Starts, after_plans, the_deal
from .verdict import Limits, Verdict
from .weights import OF_COMPONENTS, USUAL
from .workspace import FIRST_ROWS, Workspace

NO_END = 1 << 62
CHUNK_NODES = 50_000
"""Positions between two looks at the clock."""


class Stage(NamedTuple):
    """One search: `dive` or `exhaust` up to so many positions in all, a `beam` or a beam of
    `components` so wide, the `straight` line, or `relax` for cards that can never leave.

    Beams value positions by these of the `SETS` of weights."""

    method: str
    amount: int
    weights: int = USUAL


QUICK = Stage("dive", 3_000)
"""What every deal with unlimited recycles gets first."""
UNLIMITED = (
    Stage("relax", 1),
    QUICK,
    Stage("exhaust", 30_000),
    Stage("dive", 100_000),
    Stage("exhaust", 8_000_000),
    Stage("dive", 1_000_000),
    Stage("exhaust", NO_END),
)
LAST_PASS = {
    1: (
        Stage("straight", 1),
        Stage("relax", 1),
        Stage("beam", 300),
        Stage("components", 300),
        Stage("exhaust", 50_000),
        Stage("components", 2_000, OF_COMPONENTS[1]),
        Stage("components", 6_000, OF_COMPONENTS[1]),
        Stage("components", 30_000, OF_COMPONENTS[1]),
        Stage("exhaust", NO_END),
    ),
    3: (
        Stage("straight", 1),
        Stage("relax", 1),
        Stage("beam", 300),
        Stage("components", 300),
        Stage("exhaust", 200_000),
        Stage("components", 2_000, OF_COMPONENTS[3]),
        Stage("exhaust", 2_000_000),
        Stage("components", 6_000, OF_COMPONENTS[3]),
        Stage("exhaust", 20_000_000),
        Stage("components", 30_000, OF_COMPONENTS[3]),
        Stage("exhaust", NO_END),
    ),
}
"""By draw. With draw 1 proofs of a loss have only been found soon or not at all. The narrow beam
over components does better by the weights learned from lazy play."""

Result = tuple[Verdict, str]


class Search:
    """The search of one deal within limits; a win leaves `length` steps in `workspace.plan`."""

    def __init__(self, workspace: Workspace, limits: Limits) -> None:
        """Search from `workspace.start`."""
        self.workspace = workspace
        self.limits = limits
        self.most_nodes = NO_END if limits.nodes is None else limits.nodes
        self.deadline = None if limits.seconds is None else time.perf_counter() + limits.seconds
        self.length = 0
        self.spent = 0
        """Positions of beams, and of exhaustive searches that are over."""
        self.lacks_memory = False
        self.needs_take_back = False
        """Whether no game without taking back wins, by a proof (`run_forward`)."""
        # A wide beam of the deal before would count, and rows would depend on their company.
        workspace.widen(1)
        dive.start_dives(workspace.dive[0])
        workspace.search[0].nodes = 0
        self.start_exhaust()

    def start_exhaust(
        self,
        goal: int | None = None,
        most_lost: int = exhaust.UNCOUNTED,
        only_forward: bool = False,
    ) -> None:
        """Begin the exhaustive search anew, for so many cards home (by default for a win).

        With `most_lost` it is for a win with so few points lost, with `only_forward` for one that
        takes no card back (`exhaust.SEARCH`).
        """
        work = self.workspace
        search = work.search[0]
        self.spent += int(search.nodes)
        search.tag += 1
        if search.tag > table.TAGS or len(work.search_rows) > FIRST_ROWS:
            work.search_rows = table.new_table(FIRST_ROWS)
            search.tag = 1
        work.search_nodes[0] = work.start[0]
        exhaust.start(work.game[0], work.search_nodes, search, work.journal[0], only_forward)
        if goal is not None:
            search.goal = goal
        if most_lost != exhaust.UNCOUNTED:
            search.most_lost = most_lost
            work.search_nodes[0].recycles = 0

    @property
    def nodes(self) -> int:
        """Positions generated so far."""
        return int(self.workspace.dive[0].total + self.workspace.search[0].nodes) + self.spent

    def run(self) -> Result:
        """The verdict and how it is known, or which limit was hit."""
        methods = {"dive": self._dive, "exhaust": self._exhaust, "beam": self._beam}
        methods |= {"components": self._components}
        methods |= {"straight": self._straight, "relax": self._relax}
        unlimited = self.workspace.start[0].recycles == NO_LIMIT
        last_pass = LAST_PASS[self.workspace.rules.draw]
        for method, amount, weights in UNLIMITED if unlimited else last_pass:
            self.workspace.weigh_by(weights)
            result = methods[method](amount) or self.limit()
            if result is not None:
                return result
        raise AssertionError("the last stage has no end of its own")

    def limit(self) -> Result | None:
        """The answer if a limit has been reached."""
        if self.nodes >= self.most_nodes:
            return Verdict.UNKNOWN, f"limit of {self.most_nodes} nodes reached"
        if self.deadline is not None and time.perf_counter() >= self.deadline:
            return Verdict.UNKNOWN, f"time limit of {self.limits.seconds:g} s reached"
        if self.lacks_memory:
            return Verdict.UNKNOWN, f"memory limit of {self.limits.memory / 2**20:g} MB reached"
        return None

    def _straight(self, _: int) -> Result | None:
        if self.go_straight():
            return Verdict.WINNABLE, "won by sending home what can go home"
        return None

    def _relax(self, _: int) -> Result | None:
        work = self.workspace
        relaxed = work.search[0].relaxed
        relaxed.must_land = False
        if relax.relax(work.game[0], work.start[0], relaxed) < work.rules.cards:
            return Verdict.UNWINNABLE, relax.blocked(work.game[0], relaxed)
        return None

    def go_straight(self) -> bool:
        """Whether the plainest line wins; if so it is in the plan."""
        work = self.workspace
        work.scratch[0] = work.start[0]
        is_won = straight.go_straight(work.game[0], work.scratch[0], work.journal[0])
        if is_won:
            self._take_journal()
        return bool(is_won)

    def _take_journal(self) -> None:
        """Make the journal's steps the plan; draws follow from those of the talon."""
        journal = self.workspace.journal[0]
        steps = journal.plan[: journal.length]
        steps = steps[steps != DRAW]
        self.length = len(steps)
        self.workspace.plan[: self.length] = steps

    def _dive(self, most: int) -> Result | None:
        work, search = self.workspace, self.workspace.dive[0]
        journal = work.journal[0]
        work.dive_nodes[0] = work.start[0]
        most = min(most, self.most_nodes - self.nodes + int(search.total))
        while search.total < most:
            pause = search.total + CHUNK_NODES
            state = dive.dive_on(
                work.game[0], work.dive_nodes, search, journal, work.dive_rows, most, pause
            )
            if state == dive.WON:
                self._take_journal()
                return Verdict.WINNABLE, dive.FOUND
            limit = self.limit()
            if limit is not None:
                return limit
        return None

    def _exhaust(self, most: int) -> Result | None:
        search, state = self.workspace.search[0], self.run_exhaust(most)
        if state == exhaust.WON:
            if self.take_exhaust_win():
                return Verdict.WINNABLE, "win found by exhaustive search"
            return Verdict.UNKNOWN, f"a win of more than {plan.MAX_STEPS} steps cannot be written"
        if state == exhaust.OUT_OF_MEMORY:
            self.lacks_memory = True
        if state == exhaust.EXHAUSTED and not search.is_cut:
            found = f"all {search.nodes} positions searched"
            return Verdict.UNWINNABLE, found if search.nodes else "no card can leave its place"
        if state == exhaust.EXHAUSTED:
            return Verdict.UNKNOWN, f"more than {exhaust.MAX_MEMBERS} arrangements at a time"
        return self.limit()

    def run_exhaust(self, most: int) -> int:
        """Go on with the exhaustive search up to so many positions; returns how it ended."""
        work, search = self.workspace, self.workspace.search[0]
        most = min(most, self.most_nodes - self.nodes + int(search.nodes))
        state = exhaust.OUT_OF_NODES
        while state == exhaust.OUT_OF_NODES and search.nodes < most and self.limit() is None:
            self._make_room()
            pause = min(search.nodes + CHUNK_NODES, most)
            mask = len(work.search_rows) - 1
            state = exhaust.go_on(
                work.game[0],
                work.search_nodes,
                search,
                work.journal[0],
                work.search_rows,
                mask,
                pause,
            )
        return int(state)

    def run_forward(self, most: int) -> bool:
        """Look in up to so many positions for a win that takes no card back; True if one is in the
        plan."""
        self.start_exhaust(only_forward=True)
        state = self.run_exhaust(most)
        self.needs_take_back = state == exhaust.EXHAUSTED and not self.workspace.search[0].is_cut
        return state == exhaust.WON and self.take_exhaust_win()

    def _make_room(self) -> None:
        """Let the table grow when it might get more than half full, as far as memory goes."""
        work, entries = self.workspace, int(self.workspace.search[0].entries)
        rows = len(work.search_rows)
        while rows < 2 * (entries + CHUNK_NODES):
            rows *= 2
        # The old table is still there while its rows are copied.
        need = 3 * rows // 2 * table.ROW_BYTES + beam.BeamMemory.bytes_for(work.beam_memory.width)
        if rows > len(work.search_rows) and need <= self.limits.memory:
            larger = table.new_table(rows)
            if table.copy_into(work.search_rows, larger, work.search[0].tag) == table.NEW:
                work.search_rows = larger

    def take_exhaust_win(self) -> bool:
        """Make the win that `run_exhaust` has found the plan; False if it is too long for it."""
        work = self.workspace
        work.search_nodes[0] = work.start[0]
        journal = work.journal[0]
        exhaust.write_plan(work.game[0], work.search_nodes, work.search[0], journal)
        if journal.length > plan.MAX_STEPS:
            return False
        self._take_journal()
        return True

    def _beam(self, width: int) -> Result | None:
        if self.run_beam(width, 0.0, the_deal(self.workspace)):
            return Verdict.WINNABLE, f"win found by a beam of width {width}"
        return None

    def _components(self, width: int) -> Result | None:
        if self.run_component_beam(width):
            return Verdict.WINNABLE, f"win found by a beam of {width} components"
        return None

    def run_component_beam(self, width: int) -> bool:
        """Search with a beam over components until a win, the end, or a limit; True if a win is in
        the plan."""
        if not self._has_memory_for(width):
            return False
        work, search, memory = self.workspace, self.workspace.beam[0], self.workspace.widen(width)
        tools = work.tools
        beam.start_beam(search, width, 0.0, beam.ANY_MERIT, self.most_nodes - self.nodes)
        component_beam.start(tools.game, memory, search, tools.journal, work.start[0])
        evaluate.prepare(tools.game, tools.evaluation)
        before = self.spent
        while search.won_layer < 0 and search.layer < beam.MAX_LAYERS and self.limit() is None:
            component_beam.collect(tools, memory, search, work.search[0])
            self.spent = before + int(search.nodes)
            if search.candidates == 0:
                break
            component_beam.choose(tools, memory, search)
        if search.won_layer < 0:
            return False
        component_beam.write_plan(tools, memory, search, work.search[0], work.start[0], work.plan)
        if tools.journal.length > plan.MAX_STEPS:
            return False
        self._take_journal()
        return True

    def _has_memory_for(self, width: int) -> bool:
        """Whether a beam so wide fits. If not, nothing is searched from then on: what came after
        instead might use up what else is limited."""
        rows = len(self.workspace.search_rows) * table.ROW_BYTES
        self.lacks_memory |= beam.BeamMemory.bytes_for(width) + rows > self.limits.memory
        return not self.lacks_memory

    def run_beam(
        self,
        width: int,
        merit_weight: float,
        starts: Starts,
        least_merit: int = beam.ANY_MERIT,
        keeps_lost: bool = False,
    ) -> bool:
        """Search with a beam until a win, the end, or a limit; True if a win is in the plan.

        With a `merit_weight` above 0 it goes on for the best win.
        """
        if not self._has_memory_for(width):
            return False
        work, search, memory = self.workspace, self.workspace.beam[0], self.workspace.widen(width)
        tools = work.tools
        beam.start_beam(search, width, merit_weight, least_merit, self.most_nodes - self.nodes)
        search.keeps_lost = keeps_lost
        evaluate.prepare(tools.game, tools.evaluation)
        before = self.spent
        while search.layer < beam.MAX_LAYERS and self.limit() is None:
            beam.collect(tools, memory, search, starts.nodes, starts.layers)
            self.spent = before + int(search.nodes)
            if search.candidates == 0 and search.seed == len(starts.nodes):
                break
            beam.choose(tools, memory, search, starts.nodes)
            if search.won_layer >= 0 and merit_weight == 0:
                break
        if search.won_layer < 0:
            return False
        self.length = self.write_beam_plan(starts, search.won_layer, search.won_index)
        return True

    def write_beam_plan(self, starts: Starts, layer: int, index: int) -> int:
        """Write the steps to a position of the last beam to the plan; returns their number."""
        work, search = self.workspace, self.workspace.beam[0]
        length = beam.write_plan(
            work.tools, work.beam_memory, search, starts.nodes, layer, index, work.plan
        )
        lead = starts.plans[search.from_seed]
        work.plan[len(lead) : len(lead) + length] = work.plan[:length].copy()
        work.plan[: len(lead)] = lead
        return len(lead) + int(length)

    def starts_again(self, starts: Starts) -> Starts:
        """The positions that the last beam kept for a recycle, as starts of the next."""
        work = self.workspace
        plans = []
        for kept in work.beam_memory.again[: work.beam[0].kept]:
            length = self.write_beam_plan(starts, kept.layer, kept.index)
            plans.append(np.append(work.plan[:length], RECYCLE))
        return after_plans(work, plans)
