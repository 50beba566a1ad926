"""A beam search over components, for wins in one pass.

Layers are those of `beam.py`, by draws and cards that have left their places; but a position
stands for its whole component (`exhaust.py`), so that play may take cards back, and no two
positions of a layer differ only in what is home. Where few courses of play lead to a win, it
finds one in a tenth of the width. What comes of lazy play (`beam.py`) is worth more points and
needs no taking back.
"""

from ..engine.jit import Record, int64, kernel
from .beam import BeamMemory, Tools, is_over, mark_best, slot_for
from .evaluate import evaluate
from .exhaust import (
    SELDOM,
    STEP_BITS,
    WORTH,
    forced_step,
    home_word,
    list_members,
    push,
    push_steps,
    set_home,
    take_entry,
)
from .homes import send_all_home
from .position import DRAW, apply_step, pack_placed, waste_top, write_key
from .relax import relax
from .table import slot_of

MOST_MEMBERS = 60
"""So many members of a component are looked at; late in a game some have thousands."""


@kernel
def start(game: Record, memory: BeamMemory, beam: Record, journal: Record, node: Record) -> None:
    """Make the component of a position the first layer; the beam must have been started."""
    memory.nodes[0][0] = node
    journal.length = 0
    send_all_home(game, memory.nodes[0][0], journal)
    beam.count = 1


@kernel
def follow(game: Record, node: Record, journal: Record, entry: int) -> None:
    """Go from a representative to that of the component where a stack entry leads."""
    set_home(game, node, entry >> STEP_BITS)
    apply_step(game, node, entry & ((1 << STEP_BITS) - 1))
    journal.length = 0
    send_all_home(game, node, journal)


@kernel
def offer(
    tools: Tools, memory: BeamMemory, beam: Record, search: Record, parent: int, entry: int
) -> None:
    """Add the component of `scratch[0]` to the candidates, unless it is there or cannot win.

    Whether it can is asked of the relaxation where that is worth it, as in `exhaust.expand`.
    """
    game, node = tools.game, tools.scratch[0]
    beam.nodes += 1
    word_0, word_1 = write_key(game, node)
    code = slot_of(word_0, word_1) | slot_of(word_1, word_0) << 31
    slot, at = slot_for(memory, code), int64(beam.candidates)
    if memory.slots[slot] > 0 or at == len(memory.candidates):
        return
    if beam.blocked * WORTH >= beam.asked or beam.nodes & SELDOM == 0:
        beam.asked += 1
        if relax(game, node, search.relaxed) < search.cards:
            beam.blocked += 1
            return
    beam.candidates += 1
    memory.slots[slot] = beam.candidates
    new = memory.candidates[at]
    new.hash, new.parent, new.choice = code, parent, entry
    new.columns = pack_placed(game, node)
    new.value = evaluate(game, node, tools.evaluation)


@kernel
def list_entries(tools: Tools, search: Record, node: Record) -> None:
    """Put what can follow from a component on the stack: a draw, bases, the top of the waste."""
    game = tools.game
    step = forced_step(game, node)
    if step >= 0:
        push(search, home_word(node), step)
        return
    if node.talon >> node.border:
        push(search, home_word(node), DRAW)
    tools.scratch[0] = node
    list_members(game, tools.scratch[0], search, False, MOST_MEMBERS)
    search.talon[0] = waste_top(node)
    push_steps(game, node, search, int64(search.talon[0] >= 0))


@kernel
def collect(tools: Tools, memory: BeamMemory, beam: Record, search: Record) -> None:
    """Gather the candidates for the next layer from the one at hand.

    It stops where `beam.nodes` reaches `beam.most_nodes`. The stack of `search` is left as it was.
    """
    nodes, bottom = memory.nodes[beam.layer & 1], int64(search.top)
    search.relaxed.must_land = False
    beam.candidates = 0
    memory.slots[:] = 0
    for parent in range(beam.count):
        list_entries(tools, search, nodes[parent])
        while search.top > bottom:
            if beam.nodes >= beam.most_nodes:
                search.top = bottom
                return
            search.top -= 1
            entry = int64(search.pending[search.top])
            tools.scratch[0] = nodes[parent]
            follow(tools.game, tools.scratch[0], tools.journal, entry)
            offer(tools, memory, beam, search, parent, entry)


@kernel
def choose(tools: Tools, memory: BeamMemory, beam: Record) -> None:
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
            follow(tools.game, after[count], tools.journal, int64(new.choice))
            if is_over(tools.game, after[count]):
                beam.won_layer, beam.won_index = beam.layer, count
            beam.count += 1
    beam.layer += 1


@kernel
def write_plan(
    tools: Tools,
    memory: BeamMemory,
    beam: Record,
    search: Record,
    begin: Record,
    entries: Record,
) -> None:
    """Write the steps from `begin` to the win that was found to the journal, draws among them.

    `entries` is room for a step of each layer.
    """
    index, layer = int64(beam.won_index), int64(beam.won_layer)
    while layer >= 0:
        entries[layer] = memory.choices[layer, index]
        index = int64(memory.parents[layer, index])
        layer -= 1
    journal, nodes = tools.journal, tools.scratch
    nodes[0] = begin
    journal.length = 0
    for layer in range(beam.won_layer + 1):
        send_all_home(tools.game, nodes[0], journal)
        take_entry(tools.game, nodes, search, journal, entries[layer], False, MOST_MEMBERS)
