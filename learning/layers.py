"""What beams show of a win to those who learn from it, layer by layer.

The searches are those of the product. Told is, of each layer, the position that the win came from
and some of the others that stood for choice, before the best were chosen.
"""

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.jit import Record, kernel
from double_solitaire.engine.rules import Rules
from double_solitaire.solver import beam, component_beam
from double_solitaire.solver.evaluate import by_drawn, evaluate, evaluation_record, prepare
from double_solitaire.solver.homes import perform, send_all_home
from double_solitaire.solver.position import NODE, TALON
from double_solitaire.solver.search import NO_END, Search
from double_solitaire.solver.seeds import the_deal
from double_solitaire.solver.verdict import Limits
from double_solitaire.solver.weights import FEATURES, USUAL
from double_solitaire.solver.workspace import workspace_for
from numpy.typing import NDArray

FIRST_DEAL = 100_000
"""Nothing is learned from deals below: results are told of those."""


class Layers(NamedTuple):
    """The choices of a beam on the way to a win: of each layer the position that the win came from,
    and others of it."""

    features: NDArray[np.float32]
    """(layers, 1 + others, features), what the weights are multiplied by."""
    drawn: NDArray[np.float32]
    """(layers, 1 + others), share of the stock that is drawn."""


class Beam(ABC):
    """A beam of a deal that can be watched, without limits."""

    def __init__(self, rules: Rules, number: int, width: int, weights: NDArray[np.float64]) -> None:
        """`weights` are (2, features)."""
        self.work = work = workspace_for(rules)
        work.load(Position.start(rules, deal_number(rules, number)))
        self.search = Search(work, Limits(nodes=None))
        evaluation = evaluation_record(USUAL)
        evaluation["weight"][0] = by_drawn(weights)
        self.tools = work.tools._replace(evaluation=evaluation[0])
        self.memory, self.state = work.widen(width), work.beam[0]
        beam.start_beam(self.state, width, 0.0, beam.ANY_MERIT, NO_END)
        prepare(self.tools.game, self.tools.evaluation)

    @abstractmethod
    def first(self) -> Record:
        """The position that the first layer follows from."""

    @abstractmethod
    def collect(self) -> bool:
        """Gather the candidates for the next layer; False if there are none."""

    @abstractmethod
    def choose(self) -> None:
        """Make the next layer of the best of them."""

    @abstractmethod
    def follow(self, node: Record, choice: int) -> None:
        """Make the choice in a position."""

    def candidates(self, picks: NDArray[np.int64]) -> Record:
        """These of the candidates, as an array of nodes."""
        picked = self.memory.candidates[picks]
        nodes = self.memory.nodes[self.state.layer & 1][picked["parent"]].copy()
        for node, choice in zip(nodes, picked["choice"], strict=True):
            self.follow(node, int(choice))
        return nodes

    def run(self) -> bool:
        """Whether the beam wins."""
        while self.state.won_layer < 0 and self.state.layer < beam.MAX_LAYERS and self.collect():
            self.choose()
        return bool(self.state.won_layer >= 0)

    def layers(self, others: int, every: int, source: np.random.Generator) -> Layers | None:
        """The choices of a win in every so many layers, against so many others; None without a
        win."""
        seen: dict[int, Record] = {}
        while self.state.won_layer < 0 and self.state.layer < beam.MAX_LAYERS and self.collect():
            layer, count = int(self.state.layer), int(self.state.candidates)
            if layer > 0 and layer % every == 0 and count > others:
                seen[layer] = self.candidates(source.choice(count, others, replace=False))
            self.choose()
        if self.state.won_layer < 0:
            return None
        path = self.path()
        nodes = np.zeros((len(seen), 1 + others), NODE)
        for at, (layer, sampled) in enumerate(seen.items()):
            nodes[at, 0] = path[layer]
            nodes[at, 1:] = sampled
        features = np.zeros((*nodes.shape, len(FEATURES)))
        list_features(self.tools.game, nodes.ravel(), self.tools.evaluation, features)
        return Layers(features.astype(np.float32), (nodes["border"] / TALON).astype(np.float32))

    def path(self) -> Record:
        """The position of each layer that the win came from."""
        index, choices = int(self.state.won_index), []
        for layer in range(int(self.state.won_layer), -1, -1):
            choices.append(int(self.memory.choices[layer, index]))
            index = int(self.memory.parents[layer, index])
        node, path = self.first(), np.zeros(len(choices), NODE)
        for layer, choice in enumerate(reversed(choices)):
            # The first layer of lazy play is the deal itself.
            if layer > 0 or index >= 0:
                self.follow(node[0], choice)
            path[layer] = node[0]
        return path


class Components(Beam):
    """A beam over components."""

    def first(self) -> Record:
        """The representative of the deal's component."""
        node = self.work.start.copy()
        self.tools.journal.length = 0
        send_all_home(self.tools.game, node[0], self.tools.journal)
        return node

    def collect(self) -> bool:
        """As `component_beam.collect`."""
        if self.state.layer == 0:
            component_beam.start(
                self.tools.game, self.memory, self.state, self.tools.journal, self.work.start[0]
            )
        component_beam.collect(self.tools, self.memory, self.state, self.work.search[0])
        return bool(self.state.candidates > 0)

    def choose(self) -> None:
        """As `component_beam.choose`."""
        component_beam.choose(self.tools, self.memory, self.state)

    def follow(self, node: Record, choice: int) -> None:
        """As `component_beam.follow`."""
        component_beam.follow(self.tools.game, node, self.tools.journal, choice)


class Lazy(Beam):
    """A beam of lazy play."""

    def first(self) -> Record:
        """The deal."""
        return self.work.start.copy()

    def collect(self) -> bool:
        """As `beam.collect`, from the deal."""
        starts = the_deal(self.work)
        beam.collect(self.tools, self.memory, self.state, starts.nodes, starts.layers)
        return bool(self.state.candidates > 0)

    def choose(self) -> None:
        """As `beam.choose`."""
        beam.choose(self.tools, self.memory, self.state, the_deal(self.work).nodes)

    def follow(self, node: Record, choice: int) -> None:
        """As `homes.perform`."""
        self.tools.journal.length = 0
        perform(self.tools.game, node, self.tools.journal, choice)


METHODS: dict[str, type[Beam]] = {"components": Components, "lazy": Lazy}


@kernel
def list_features(game: Record, nodes: Record, evaluation: Record, features: Record) -> None:
    """Write what the weights of the value of each position are multiplied by.

    The value is linear in the weights, so each is the value where its weight is 1 and the others
    are 0; thus nothing of `evaluate.py` is told twice. The weights of the record are lost.
    """
    rows = features.reshape(len(nodes), -1)
    for row in range(len(nodes)):
        weight = evaluation.weight[nodes[row].border]
        weight[:] = 0.0
        for at in range(len(weight)):
            weight[at] = 1.0
            rows[row, at] = evaluate(game, nodes[row], evaluation)
            weight[at] = 0.0
