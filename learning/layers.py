"""What beams show of a win to those who learn from it, layer by layer.

The searches are those of the product. Told is, of each layer, the position that the win came from
and some of the others that stood for choice, before the best were chosen.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.jit import Record, kernel
from double_solitaire.engine.rules import Rules
from double_solitaire.solver import beam, component_beam
from double_solitaire.solver.evaluate import evaluate, evaluation_record, prepare
from double_solitaire.solver.homes import perform, send_all_home
from double_solitaire.solver.method import NO_END, Budget
from double_solitaire.solver.position import NODE, TALON, load
from double_solitaire.solver.verdict import Limits
from double_solitaire.solver.weights import FEATURES, USUAL
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
        self.start = load(rules, Position.start(rules, deal_number(rules, number)))
        self.method, self.budget = self.new_method(), Budget(Limits(nodes=None))
        evaluation = evaluation_record(weights)
        prepare(self.start.game, evaluation)
        self.tools = self.method.tools(self.start, USUAL)._replace(evaluation=evaluation)
        self.memory, self.state = beam.beam_memory(width), self.method.state
        beam.start_beam(self.state, width, 0.0, beam.ANY_MERIT, NO_END)

    @abstractmethod
    def new_method(self) -> beam.Beam:
        """One of the solver's methods."""

    @abstractmethod
    def first(self) -> Record:
        """The position that the first layer follows from, in an array."""

    @abstractmethod
    def layered(self) -> Iterator[None]:
        """Gather the candidates of each layer; what is yielded for is to look at them."""

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
        for _ in self.layered():
            pass
        return bool(self.state.won_layer >= 0)

    def layers(self, others: int, every: int, source: np.random.Generator) -> Layers | None:
        """The choices of a win in every so many layers, against so many others; None without a
        win."""
        seen: dict[int, Record] = {}
        for _ in self.layered():
            layer, count = int(self.state.layer), int(self.state.candidates)
            if layer > 0 and layer % every == 0 and count > others:
                seen[layer] = self.candidates(source.choice(count, others, replace=False))
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
        last, course = int(self.state.won_layer), np.zeros(beam.MAX_LAYERS, np.int64)
        first, _ = beam.trace(self.memory, last, self.state.won_index, course)
        node, path = self.first(), np.zeros(last + 1, NODE)
        for layer in range(last + 1):
            # The first layer of lazy play is the deal itself.
            if layer >= first:
                self.follow(node[0], int(course[layer]))
            path[layer] = node[0]
        return path


class Components(Beam):
    """A beam over components."""

    def new_method(self) -> component_beam.ComponentBeam:
        """As said there."""
        self.components = component_beam.ComponentBeam()
        return self.components

    def first(self) -> Record:
        """The representative of the deal's component."""
        node = np.array([self.start.node], NODE)
        self.tools.trail.length = 0
        send_all_home(self.tools.game, node[0], self.tools.trail)
        return node

    def layered(self) -> Iterator[None]:
        """As `ComponentBeam.layers`."""
        for _ in self.components.layers(self.budget, self.tools, self.memory, self.start):
            yield
            component_beam.next_components(self.tools, self.memory, self.state)

    def follow(self, node: Record, choice: int) -> None:
        """As `component_beam.follow`."""
        component_beam.follow(self.tools.game, node, self.tools.trail, choice)


class Lazy(Beam):
    """A beam of lazy play."""

    def new_method(self) -> beam.LazyBeam:
        """As said there."""
        self.lazy = beam.LazyBeam()
        return self.lazy

    def first(self) -> Record:
        """The deal."""
        return np.array([self.start.node], NODE)

    def layered(self) -> Iterator[None]:
        """As `LazyBeam.layers`, from the deal."""
        seeds = beam.start_alone(self.start)
        for _ in self.lazy.layers(self.budget, self.tools, self.memory, seeds):
            yield
            beam.next_layer(self.tools, self.memory, self.state, seeds.nodes)
            if self.state.won_layer >= 0:
                break

    def follow(self, node: Record, choice: int) -> None:
        """As `homes.perform`."""
        self.tools.trail.length = 0
        perform(self.tools.game, node, self.tools.trail, choice)


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
