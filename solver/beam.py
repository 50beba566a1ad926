"""A beam search over layers, for wins in one pass and for high scores.

Every draw, every base that leaves its place and every card that leaves the waste is one
step, so positions with as many steps left can be compared: of all that follow from a layer
the `width` best by `evaluate` make the next one. Cards go home only as steps need them
there (`homes.py`). Of positions that differ only in what is home, the one with fewer cards
home is kept. All of that is heuristic: the beam finds wins and scores, and proves nothing.

A beam starts from seeds, each with the layer it joins: the position itself, and positions
after a recycle that came cheap (`seeds.py`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ..engine.bits import popcount
from ..engine.jit import Record, int64, kernel, record_type
from ..engine.rules import POINTS_LANDED
from .evaluate import evaluate, evaluation_record, prepare
from .homes import (
    TRAIL,
    WAY_DIRECT,
    WAY_FIRST_SUIT,
    WAY_SECOND_SUIT,
    WAY_SHIFT,
    Plan,
    perform,
    plan_of,
    send_all_home,
)
from .method import Budget, Result, Win
from .position import (
    BASE_DOWN,
    BASE_HOME,
    DRAW_ONCE,
    NODE,
    TALON_DOWN,
    TALON_HOME,
    TURN_OVER,
    Start,
    apply_step,
    base_of,
    is_open,
    pack_placed,
    points,
    room,
    total_home,
    waste_top,
)
from .table import slot_of
from .weights import SETS, USUAL

CANDIDATES_PER_NODE = 8
"""Room for so many, by hand; two to four are usual, as most choices lead to what others lead to."""
FEWEST_CANDIDATES = 256
"""Room for so many in the narrowest beams, by hand."""
MAX_LAYERS = 192
"""More than `steps_left` ever says: 45 cards dealt to columns, 59 of the stock, as many draws."""
MAX_CHOICES = 32
"""A draw, and three for each of 9 bases and the top of the waste."""
MAX_LIKE = 3
"""Positions with the same columns that are chosen at first. By hand, as the next three."""
MAX_AGAIN = 128
"""Positions kept to go on from with a recycle."""
ANY_MERIT = -9999
"""Less than any: no game loses so much."""
VALUE_OF_STEP = 2.0
"""What a step done is worth, beside the value of what it leads to, when layers differ."""
LOOKED_AT_PER_PLACE = 4
"""Candidates that are put in order for each place of a layer."""

CANDIDATE = record_type(
    [
        ("value", np.float64),
        ("hash", np.int64),
        ("parent", np.int32),
        ("choice", np.int64),
        ("home", np.int16),
        ("merit", np.int16),
        ("columns", np.int32),
        ("like", np.int32),
        ("is_chosen", np.int8),
    ]
)
"""A position that may come into the next layer: a choice from a parent of this layer, or a seed
(parent -1 - its number). `columns` packs what is in place; `like` counts the chosen like it."""

BEAM = record_type(
    [
        ("merit_weight", np.float64),
        ("width", np.int64),
        ("most_like", np.int64),
        ("layer", np.int64),
        ("count", np.int64),
        ("candidates", np.int64),
        ("seed", np.int64),
        ("nodes", np.int64),
        ("most_nodes", np.int64),
        ("won_layer", np.int64),
        ("won_index", np.int64),
        ("won_merit", np.int64),
        ("least_merit", np.int64),
        ("kept", np.int64),
        ("keeps_lost", np.int64),
        ("shortens", np.int64),
        ("lost_layer", np.int64),
        ("lost_index", np.int64),
        ("lost_worth", np.int64),
    ]
)
"""State of a search; `won_layer` is -1 until a win has been found, then that of the best one.

If it `shortens`, the win with fewest moves is the best. With `keeps_lost`, `lost_…` say where the
position is that is worth most if nothing but sending cards home follows. `kept` positions wait in
`AGAIN` records for a recycle.
"""

AGAIN = record_type(
    [
        ("value", np.float64),
        ("talon", np.int64),
        ("columns", np.int64),
        ("layer", np.int64),
        ("index", np.int64),
    ]
)
"""A position at the end of the stock, by its place in the layers, from which play can go on with
a recycle."""


class Tools(NamedTuple):
    """What positions are made and valued with."""

    game: Record
    evaluation: Record
    trail: Record
    scratch: Record
    """Three nodes."""
    choices: Record
    """Room for the choices from one position."""


class BeamMemory(NamedTuple):
    """The layers of a beam of one width."""

    nodes: Record
    """(2, width): the positions of layer i in row i & 1."""
    candidates: Record
    slots: Record
    """A table of the candidates by their hash, from 1; 0 where there is none."""
    values: Record
    parents: Record
    """(layers, width): by whom a position of the layer before each position was reached."""
    choices: Record
    """(layers, width): and by which choice."""
    again: Record

    @property
    def width(self) -> int:
        """The most positions of a layer."""
        return int(self.nodes.shape[1])

    @staticmethod
    def bytes_for(width: int) -> int:
        """Upper bound of what a beam of this width takes."""
        per_candidate = CANDIDATE.itemsize + 8 + 2 * 4
        per_node = 2 * NODE.itemsize + CANDIDATES_PER_NODE * per_candidate
        return width * int(per_node + MAX_LAYERS * 12) + FEWEST_CANDIDATES * int(per_candidate)


def beam_memory(width: int) -> BeamMemory:
    """Memory for a beam of this width."""
    candidates = max(CANDIDATES_PER_NODE * width, FEWEST_CANDIDATES)
    return BeamMemory(
        nodes=np.zeros((2, width), NODE),
        candidates=np.zeros(candidates, CANDIDATE),
        slots=np.zeros(1 << candidates.bit_length(), np.int32),
        values=np.zeros(candidates),
        parents=np.zeros((MAX_LAYERS, width), np.int32),
        choices=np.zeros((MAX_LAYERS, width), np.int64),
        again=np.zeros(MAX_AGAIN, AGAIN),
    )


@kernel
def merit_of(game: Record, node: Record, shortens: int) -> int:
    """What of the score is not the same in every win: minus what was lost of it, in five points.

    Lost are what recycles have cost, and five points for each card that went home from the
    waste without going by way of a column. If the list is to be short: minus the moves that
    not every win takes.
    """
    if shortens:
        return -int64(node.landed) - int64(node.spent)
    played = int64(game.talon_size) - popcount(node.talon)
    return int64(node.landed) - played - int64(node.lost) // POINTS_LANDED


@kernel
def is_over(game: Record, node: Record) -> bool:
    """Whether nothing is hidden and the talon is empty, so that all the rest goes home."""
    return bool(node.talon == 0 and is_open(game, node))


@kernel
def steps_left(game: Record, node: Record) -> int:
    """How many steps of a layer each a win takes from here, without a recycle."""
    stock = popcount(node.talon >> node.border)
    steps = int64(popcount(node.talon) + (stock + game.draw - 1) // game.draw)
    for column in range(game.columns):
        steps += int64(node.placed[column])
    return steps


@kernel
def hash_but_home(node: Record, columns: int) -> int:
    """A hash of the position that leaves out what is home."""
    word = columns << 6 | int64(node.border)
    return slot_of(node.talon, word) | slot_of(word, node.talon) << 31


@kernel
def slot_for(memory: BeamMemory, code: int) -> int:
    """The slot of the candidate with this hash, or the empty one where it belongs."""
    mask = len(memory.slots) - 1
    slot = code & mask
    while memory.slots[slot] > 0 and memory.candidates[memory.slots[slot] - 1].hash != code:
        slot = (slot + 1) & mask
    return slot


@kernel
def add_candidate(
    tools: Tools, memory: BeamMemory, beam: Record, node: Record, parent: int, choice: int
) -> None:
    """Add a position to the candidates, or let it replace a like one if it is better."""
    game, candidates, slots = tools.game, memory.candidates, memory.slots
    beam.nodes += 1
    merit = merit_of(game, node, beam.shortens)
    if merit < beam.least_merit:
        return
    columns = pack_placed(game, node)
    code = hash_but_home(node, columns)
    home = total_home(node)
    slot, at = slot_for(memory, code), int64(beam.candidates)
    if slots[slot] > 0:
        at = int64(slots[slot]) - 1
        other = candidates[at]
        if beam.merit_weight > 0 and merit != other.merit:
            is_better = merit > other.merit
        else:
            is_better = home < other.home
        if not is_better:
            return
    if at == len(candidates):
        return
    if at == beam.candidates:
        beam.candidates += 1
        slots[slot] = at + 1
    new = candidates[at]
    new.hash, new.parent, new.choice, new.home, new.merit = code, parent, choice, home, merit
    new.columns = columns
    new.value = evaluate(game, node, tools.evaluation) + beam.merit_weight * merit


@kernel
def list_ways(
    game: Record, node: Record, card: int, down: int, home: int, choices: Record, count: int
) -> int:
    """Add the choices for a card that may leave its place to `choices`; returns their number."""
    is_king = card >> 2 == game.ranks - 1
    if room(game, node, card) > 0:
        choices[count] = down | WAY_DIRECT << WAY_SHIFT
        count += 1
    elif not is_king:
        choices[count] = down | WAY_FIRST_SUIT << WAY_SHIFT
        choices[count + 1] = down | WAY_SECOND_SUIT << WAY_SHIFT
        count += 2
    choices[count] = home
    return count + 1


@kernel
def list_base_choices(game: Record, node: Record, choices: Record, count: int) -> int:
    """Add the choices for the bases of the columns; returns their new number."""
    for column in range(game.columns):
        if node.placed[column] > 0:
            card = base_of(game, node, column)
            down, home = BASE_DOWN | column << 3, BASE_HOME | column << 3
            count = list_ways(game, node, card, down, home, choices, count)
    return count


@kernel
def list_waste_choices(game: Record, node: Record, choices: Record, count: int) -> int:
    """Add the choices for the top of the waste; returns their new number."""
    index = waste_top(node)
    if index < 0:
        return count
    card = int64(game.talon_card[index])
    down, home = TALON_DOWN | index << 3, TALON_HOME | index << 3
    return list_ways(game, node, card, down, home, choices, count)


@kernel
def list_choices(game: Record, node: Record, choices: Record) -> int:
    """Write the choices from a position, those that may fail among them; returns their number."""
    count = 0
    if node.talon >> node.border:
        choices[0] = DRAW_ONCE
        count = 1
    count = list_base_choices(game, node, choices, count)
    return list_waste_choices(game, node, choices, count)


@kernel
def kth_largest(values: Record, count: int, k: int) -> float:
    """The k-th largest (from 1) of the first `count` values, which are put into another order."""
    first, last, wanted = 0, count - 1, k - 1
    while first < last:
        pivot = values[(first + last) >> 1]
        left, right = first, last
        while left <= right:
            while values[left] > pivot:
                left += 1
            while values[right] < pivot:
                right -= 1
            if left <= right:
                values[left], values[right] = values[right], values[left]
                left += 1
                right -= 1
        if wanted <= right:
            last = right
        elif wanted >= left:
            first = left
        else:
            break
    return float(values[wanted])


@kernel
def collect(
    tools: Tools, memory: BeamMemory, beam: Record, seeds: Record, seed_layers: Record
) -> None:
    """Gather the candidates for the next layer from the one at hand and from the seeds for it.

    It stops where `beam.nodes` reaches `beam.most_nodes`.
    """
    game, trail, choices = tools.game, tools.trail, tools.choices
    nodes, trial = memory.nodes[beam.layer & 1], tools.scratch[0]
    beam.candidates = 0
    memory.slots[:] = 0
    for parent in range(beam.count):
        for i in range(list_choices(game, nodes[parent], choices)):
            if beam.nodes >= beam.most_nodes:
                return
            tools.scratch[0] = nodes[parent]
            trail.length = 0
            if perform(game, trial, trail, choices[i]):
                add_candidate(tools, memory, beam, trial, parent, choices[i])
    while beam.seed < len(seeds) and seed_layers[beam.seed] <= beam.layer:
        if beam.nodes >= beam.most_nodes:
            return
        add_candidate(tools, memory, beam, seeds[beam.seed], -1 - beam.seed, 0)
        beam.seed += 1


@kernel
def mark_best(memory: BeamMemory, beam: Record) -> None:
    """Choose the `width` best candidates, but at first at most `most_like` with the same columns.

    Without that bound the beam soon holds nothing but variations of one course of play. What
    the bound leaves free goes to the best of the rest.
    """
    candidates, slots, values = memory.candidates, memory.slots, memory.values
    count = beam.candidates
    for at in range(count):
        candidates[at].is_chosen = count <= beam.width
        candidates[at].like = 0
        values[at] = candidates[at].value
    if count <= beam.width:
        return
    looked_at = min(count, LOOKED_AT_PER_PLACE * beam.width)
    bar = kth_largest(values, count, looked_at)
    good = np.empty(looked_at, np.int64)
    found = 0
    for at in range(count):
        if candidates[at].value >= bar and found < looked_at:
            values[found] = -candidates[at].value
            good[found] = at
            found += 1
    order = good[np.argsort(values[:looked_at], kind="mergesort")]
    slots[:] = 0
    left = choose_unlike(candidates, slots, order, beam.width, beam.most_like)
    for at in order:
        if left > 0 and not candidates[at].is_chosen:
            candidates[at].is_chosen = True
            left -= 1


@kernel
def choose_unlike(
    candidates: Record, slots: Record, order: Record, places: int, most_like: int
) -> int:
    """Choose candidates in this order, at most so many alike; returns the places left."""
    mask = len(slots) - 1
    for at in order:
        columns = int64(candidates[at].columns)
        slot = slot_of(columns, 0) & mask
        while slots[slot] > 0 and candidates[slots[slot] - 1].columns != columns:
            slot = (slot + 1) & mask
        if slots[slot] == 0:
            slots[slot] = at + 1
        first = candidates[slots[slot] - 1]
        if first.like < most_like:
            first.like += 1
            candidates[at].is_chosen = True
            places -= 1
            if places == 0:
                break
    return places


@kernel
def keep_for_recycle(tools: Tools, again: Record, beam: Record, node: Record) -> None:
    """Keep a position at the end of the stock if it is one of the best to turn the waste over."""
    game, after = tools.game, tools.scratch[0]
    tools.scratch[0] = node
    apply_step(game, after, TURN_OVER)
    merit = merit_of(game, after, beam.shortens)
    if merit < beam.least_merit:
        return
    value = evaluate(game, after, tools.evaluation) + beam.merit_weight * merit
    value -= VALUE_OF_STEP * steps_left(game, after)
    columns, place = pack_placed(game, node), 0
    for at in range(beam.kept):
        if again[at].columns == columns and again[at].talon == node.talon:
            if again[at].value >= value:
                return
            place = at
            break
        if again[at].value < again[place].value:
            place = at
    else:
        if beam.kept < len(again):
            place = beam.kept
            beam.kept += 1
        elif again[place].value >= value:
            return
    kept = again[place]
    kept.value, kept.talon, kept.columns = value, node.talon, columns
    # `next_layer` has not counted this position yet.
    kept.layer, kept.index = beam.layer, beam.count


@kernel
def keep_if_worth(tools: Tools, beam: Record, node: Record) -> None:
    """Note the position if it is worth more than those before, with all home that can go."""
    game, after = tools.game, tools.scratch[0]
    tools.scratch[0] = node
    tools.trail.length = 0
    send_all_home(game, after, tools.trail)
    worth = total_home(after) if game.is_vegas else points(game, after)
    if worth > beam.lost_worth:
        beam.lost_worth, beam.lost_layer, beam.lost_index = worth, beam.layer, beam.count


@kernel
def next_layer(tools: Tools, memory: BeamMemory, beam: Record, seeds: Record) -> None:
    """Make the next layer of the best candidates, and look for wins in it."""
    game, trail = tools.game, tools.trail
    nodes, after = memory.nodes[beam.layer & 1], memory.nodes[~beam.layer & 1]
    mark_best(memory, beam)
    beam.count = 0
    for at in range(beam.candidates):
        new = memory.candidates[at]
        if not new.is_chosen:
            continue
        count = beam.count
        memory.parents[beam.layer, count] = new.parent
        memory.choices[beam.layer, count] = new.choice
        if new.parent < 0:
            after[count] = seeds[-1 - new.parent]
        else:
            after[count] = nodes[new.parent]
            trail.length = 0
            perform(game, after[count], trail, int64(new.choice))
        node = after[count]
        if is_over(game, node) and (beam.won_layer < 0 or new.merit > beam.won_merit):
            beam.won_layer, beam.won_index, beam.won_merit = beam.layer, count, new.merit
            beam.least_merit = beam.won_merit + 1
        if node.recycles > 0 and node.talon != 0 and node.talon >> node.border == 0:
            keep_for_recycle(tools, memory.again, beam, node)
        if beam.keeps_lost:
            keep_if_worth(tools, beam, node)
        beam.count += 1
    beam.layer += 1


@kernel
def start_beam(
    beam: Record, width: int, merit_weight: float, least_merit: int, most_nodes: int
) -> None:
    """Make ready for a search with this width and this weight of `merit_of` in the value.

    Wins of less than `least_merit` are not looked for.
    """
    beam.most_nodes = most_nodes
    beam.width, beam.merit_weight, beam.least_merit = width, merit_weight, least_merit
    beam.most_like = MAX_LIKE
    beam.layer = beam.count = beam.seed = beam.nodes = beam.kept = 0
    beam.won_layer = beam.lost_layer = beam.lost_worth = -1


@kernel
def trace(memory: BeamMemory, layer: int, index: int, course: Record) -> tuple[int, int]:
    """Write the choices that lead to position `index` of a layer to `course`, each at its layer.

    Returns the first of these layers, and the number of the seed that they start from.
    """
    while layer >= 0 and memory.parents[layer, index] >= 0:
        course[layer] = memory.choices[layer, index]
        index = int64(memory.parents[layer, index])
        layer -= 1
    return layer + 1, -1 - int64(memory.parents[layer, index]) if layer >= 0 else 0


@kernel
def retrace(tools: Tools, seed: Record, course: Record, first: int, last: int) -> None:
    """Note the steps of the choices of these layers, which start from a seed, in the trail."""
    tools.scratch[0] = seed
    tools.trail.length = 0
    for layer in range(first, last + 1):
        perform(tools.game, tools.scratch[0], tools.trail, course[layer])


class Seeds:
    """Where a beam begins: positions with the layers they join, and the plans that lead there."""

    def __init__(self, start: Start, nodes: Record, plans: list[Plan]) -> None:
        """Put positions, each with the plan that leads to it, in the order of their layers."""
        all_steps = steps_left(start.game, start.node)
        layers = np.array(
            [max(all_steps - steps_left(start.game, node), 0) for node in nodes], np.int64
        )
        order = np.argsort(layers, kind="stable")
        self.nodes, self.layers = nodes[order], layers[order]
        self.plans = [plans[place] for place in order]


def start_alone(start: Start) -> Seeds:
    """The start as the only seed."""
    return Seeds(start, np.array([start.node], NODE), [()])


class Beam(ABC):
    """What both kinds of beams own. The layers are there only while one runs."""

    def __init__(self) -> None:
        """Reserve what does not depend on the width."""
        self.state = np.zeros(1, BEAM)[0]
        self._trail = np.zeros(1, TRAIL)[0]
        self._scratch = np.zeros(3, NODE)
        self._choices = np.zeros(MAX_CHOICES, np.int64)
        self._course = np.zeros(MAX_LAYERS, np.int64)
        self._evaluations: dict[int, Record] = {}

    def tools(self, start: Start, weights: int) -> Tools:
        """What positions are made and valued with, by these of the `SETS` of weights."""
        if weights not in self._evaluations:
            self._evaluations[weights] = evaluation_record(SETS[weights])
        evaluation = self._evaluations[weights]
        prepare(start.game, evaluation)
        return Tools(start.game, evaluation, self._trail, self._scratch, self._choices)

    def _layers(self, budget: Budget, gather: Callable[[], None], seeds: int = 0) -> Iterator[None]:
        """Gather candidates until there are none and all seeds have been used, or up to a limit."""
        state, before = self.state, budget.nodes
        while state.layer < MAX_LAYERS and budget.limit() is None:
            gather()
            budget.nodes = before + int(state.nodes)
            if state.candidates == 0 and state.seed == seeds:
                return
            yield

    @abstractmethod
    def run(self, start: Start, budget: Budget, width: int, weights: int = USUAL) -> Result:
        """A win, if a beam so wide that values positions by these weights finds one."""


class Outcome(NamedTuple):
    """What a beam of lazy play has found."""

    win: Plan | None = None
    lost: Plan | None = None
    """Without a win, the way to the position that is worth most if all goes home that can."""
    worth: int = -1
    """What that is worth, in points or cards."""
    again: tuple[Plan, ...] = ()
    """Without a win, ways to the end of the stock, and a recycle, from where play can go on."""


class LazyBeam(Beam):
    """The method that sends cards home only as steps need them there."""

    def run(self, start: Start, budget: Budget, width: int, weights: int = USUAL) -> Result:
        """As said there."""
        plan = self.play(budget, self.tools(start, weights), start_alone(start), width).win
        if plan is None:
            return budget.limit()
        return Win(plan, f"win found by a beam of width {width}")

    def play(
        self,
        budget: Budget,
        tools: Tools,
        seeds: Seeds,
        width: int,
        merit_weight: float = 0.0,
        least_merit: int = ANY_MERIT,
        keeps_lost: bool = False,
        shortens: bool = False,
    ) -> Outcome:
        """Search until a win, the end, or a limit.

        With a `merit_weight` above 0 it goes on for the best win; one of less than `least_merit` is
        not looked for. `keeps_lost` asks for the best game that is not won, `shortens` for few
        moves in place of a high score.
        """
        if not budget.has_room(BeamMemory.bytes_for(width)):
            return Outcome()
        state, memory = self.state, beam_memory(width)
        start_beam(state, width, merit_weight, least_merit, budget.left)
        state.keeps_lost, state.shortens = keeps_lost, shortens
        for _ in self.layers(budget, tools, memory, seeds):
            next_layer(tools, memory, state, seeds.nodes)
            if state.won_layer >= 0 and merit_weight == 0:
                break
        if state.won_layer >= 0:
            return Outcome(self._plan(tools, memory, seeds, state.won_layer, state.won_index))
        lost = None
        if state.lost_layer >= 0:
            lost = self._plan(tools, memory, seeds, state.lost_layer, state.lost_index)
        ends = (
            self._plan(tools, memory, seeds, kept.layer, kept.index)
            for kept in memory.again[: state.kept]
        )
        again = tuple((*end, TURN_OVER) for end in ends if end is not None)
        return Outcome(None, lost, int(state.lost_worth), again)

    def layers(
        self, budget: Budget, tools: Tools, memory: BeamMemory, seeds: Seeds
    ) -> Iterator[None]:
        """Gather the candidates of one layer after another; the caller makes the layer of them."""
        state, nodes, layers = self.state, seeds.nodes, seeds.layers
        return self._layers(
            budget, lambda: collect(tools, memory, state, nodes, layers), len(seeds.nodes)
        )

    def _plan(
        self, tools: Tools, memory: BeamMemory, seeds: Seeds, layer: int, index: int
    ) -> Plan | None:
        first, seed = trace(memory, layer, index, self._course)
        retrace(tools, seeds.nodes[seed], self._course, first, layer)
        steps = plan_of(tools.trail)
        return None if steps is None else seeds.plans[seed] + steps
