"""A beam search over components, for wins in one pass.

Layers are those of `beam.py`, by draws and cards that have left their places; but a position
stands for its whole component (`exhaust.py`), so that play may take cards back, and no two
positions of a layer differ only in what is home. Where few courses of play lead to a win, it
finds one in a tenth of the width. What comes of lazy play (`beam.py`) is worth more points and
needs no taking back.
"""

from collections.abc import Iterator

import numpy as np

from ..engine.jit import Record, int64, kernel
from .beam import (
    ANY_MERIT,
    MAX_LIKE,
    Beam,
    BeamMemory,
    Tools,
    beam_memory,
    is_over,
    mark_best,
    slot_for,
    start_beam,
    trace,
)
from .components import (
    COMPONENT,
    EVERY_CARD,
    STEP_BITS,
    STEP_MASK,
    home_word,
    list_members,
    put_entries,
    put_entry,
    set_home,
    start_listing,
    take_entry,
)
from .evaluate import evaluate
from .homes import plan_of, send_all_home
from .method import Budget, Result, Win
from .position import DRAW_ONCE, TALON_HOME, Start, apply_step, pack_placed, waste_top, write_key
from .relax import RELAXED, is_blocked, start_asking
from .safe import forced_step
from .table import slot_of
from .weights import USUAL

MOST_MEMBERS = 60
"""So many members of a component are looked at; late in a game some have thousands. By hand."""


@kernel
def put_first(game: Record, memory: BeamMemory, beam: Record, trail: Record, node: Record) -> None:
    """Make the component of a position the first layer; the beam must have been started."""
    memory.nodes[0][0] = node
    trail.length = 0
    send_all_home(game, memory.nodes[0][0], trail)
    beam.count = 1


@kernel
def follow(game: Record, node: Record, trail: Record, entry: int) -> None:
    """Go from a representative to that of the component where an entry leads."""
    set_home(game, node, entry >> STEP_BITS)
    apply_step(game, node, entry & STEP_MASK)
    trail.length = 0
    send_all_home(game, node, trail)


@kernel
def add_component(
    tools: Tools, memory: BeamMemory, beam: Record, relaxed: Record, parent: int, entry: int
) -> None:
    """Add the component of `scratch[0]` to the candidates, unless it is there or cannot win."""
    game, node = tools.game, tools.scratch[0]
    beam.nodes += 1
    word_0, word_1 = write_key(game, node)
    code = slot_of(word_0, word_1) | slot_of(word_1, word_0) << 31
    slot, at = slot_for(memory, code), int64(beam.candidates)
    if memory.slots[slot] > 0 or at == len(memory.candidates):
        return
    cards = game.decks * game.ranks * game.suits
    if is_blocked(game, node, relaxed, False, cards, beam.nodes):
        return
    beam.candidates += 1
    memory.slots[slot] = beam.candidates
    new = memory.candidates[at]
    new.hash, new.parent, new.choice = code, parent, entry
    new.columns = pack_placed(game, node)
    new.value = evaluate(game, node, tools.evaluation)


@kernel
def list_entries(tools: Tools, component: Record, node: Record) -> None:
    """List what can follow from a component: a draw, bases, the top of the waste."""
    game = tools.game
    component.entries = 0
    step = forced_step(game, node)
    if step >= 0:
        # The draw that a step implies is a layer of its own.
        is_draw = step & 7 == TALON_HOME and step >> 3 >= node.border
        put_entry(component, home_word(node), DRAW_ONCE if is_draw else step, EVERY_CARD)
        return
    if node.talon >> node.border:
        put_entry(component, home_word(node), DRAW_ONCE, EVERY_CARD)
    tools.scratch[0] = node
    list_members(game, tools.scratch[0], component)
    component.talon[0] = waste_top(node)
    put_entries(game, node, component, int64(component.talon[0] >= 0))


@kernel
def collect_components(
    tools: Tools, memory: BeamMemory, beam: Record, component: Record, relaxed: Record
) -> None:
    """Gather the candidates for the next layer from the one at hand.

    It stops where `beam.nodes` reaches `beam.most_nodes`.
    """
    nodes = memory.nodes[beam.layer & 1]
    beam.candidates = 0
    memory.slots[:] = 0
    for parent in range(beam.count):
        list_entries(tools, component, nodes[parent])
        for at in range(component.entries - 1, -1, -1):
            if beam.nodes >= beam.most_nodes:
                return
            entry = int64(component.entry[at])
            tools.scratch[0] = nodes[parent]
            follow(tools.game, tools.scratch[0], tools.trail, entry)
            add_component(tools, memory, beam, relaxed, parent, entry)


@kernel
def next_components(tools: Tools, memory: BeamMemory, beam: Record) -> None:
    """Make the next layer of the best candidates, and look for a win in it."""
    nodes, after = memory.nodes[beam.layer & 1], memory.nodes[~beam.layer & 1]
    mark_best(memory, beam)
    beam.count = 0
    for at in range(beam.candidates):
        new = memory.candidates[at]
        if new.is_chosen:
            count = beam.count
            memory.parents[beam.layer, count] = new.parent
            memory.choices[beam.layer, count] = new.choice
            after[count] = nodes[new.parent]
            follow(tools.game, after[count], tools.trail, int64(new.choice))
            if is_over(tools.game, after[count]):
                beam.won_layer, beam.won_index = beam.layer, count
            beam.count += 1
    beam.layer += 1


@kernel
def retrace_entries(
    tools: Tools, component: Record, node: Record, course: Record, last: int
) -> None:
    """Note the steps of the entries of these layers, which start from a position, in the trail."""
    game, trail, nodes = tools.game, tools.trail, tools.scratch
    nodes[0] = node
    trail.length = 0
    for layer in range(last + 1):
        send_all_home(game, nodes[0], trail)
        take_entry(game, nodes, component, trail, course[layer])


class ComponentBeam(Beam):
    """The method; its components are its own."""

    def __init__(self) -> None:
        """Reserve its memory."""
        super().__init__()
        self._component = np.zeros(1, COMPONENT)[0]
        self._relaxed = np.zeros(1, RELAXED)[0]

    def run(
        self,
        start: Start,
        budget: Budget,
        width: int,
        weights: int = USUAL,
        most_like: int = MAX_LIKE,
    ) -> Result:
        """As said there."""
        if not budget.has_room(BeamMemory.bytes_for(width)):
            return budget.limit()
        tools, memory = self.tools(start, weights), beam_memory(width)
        start_beam(self.state, width, 0.0, ANY_MERIT, budget.left)
        self.state.most_like = most_like
        for _ in self.layers(budget, tools, memory, start):
            next_components(tools, memory, self.state)
        plan = None
        if self.state.won_layer >= 0:
            trace(memory, self.state.won_layer, self.state.won_index, self._course)
            retrace_entries(tools, self._component, start.node, self._course, self.state.won_layer)
            plan = plan_of(tools.trail)
        if plan is None:
            return budget.limit()
        return Win(plan, f"win found by a beam of {width} components")

    def layers(
        self, budget: Budget, tools: Tools, memory: BeamMemory, start: Start
    ) -> Iterator[None]:
        """Gather the candidates of one layer after another; the caller makes the layer of them."""
        component, relaxed, state = self._component, self._relaxed, self.state
        start_listing(component, True, MOST_MEMBERS)
        start_asking(relaxed, True)
        put_first(tools.game, memory, state, tools.trail, start.node)
        for _ in self._layers(
            budget, lambda: collect_components(tools, memory, state, component, relaxed)
        ):
            yield
            if state.won_layer >= 0:
                return
