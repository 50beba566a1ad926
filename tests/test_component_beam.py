"""The beam over components: wins that take back, no position twice in a layer, its own memory."""

import numpy as np
import pytest
from double_solitaire.solver import beam, component_beam
from double_solitaire.solver.method import NO_END, Budget, Limit, Win
from double_solitaire.solver.verdict import Limits
from double_solitaire.solver.weights import OF_COMPONENTS, USUAL
from double_solitaire.solver.workspace import methods
from games import mode
from walks import start_of

WIDTH = 60
UNLIMITED = Limits(nodes=None)


def run(method, start, limits=UNLIMITED, weights=USUAL):
    return method.run(start, Budget(limits), WIDTH, weights)


@pytest.mark.parametrize(("text", "first"), [("D1V", 0), ("D3V", 15)])
def test_it_wins_what_lazy_play_of_its_width_misses(text, first):
    missed = takes_back = 0
    for number in range(first, first + 20):
        start = start_of(mode(text), number)
        found = run(methods.component_beam, start)
        if not isinstance(found, Win):
            continue
        line = methods.lister.list_win(start, found.plan)
        assert line.won and line.recycles == 0
        missed += not isinstance(run(methods.lazy_beam, start), Win)
        takes_back += line.takes_back
    assert missed > 0 and takes_back > 0


def test_nothing_is_left_from_another_search():
    first, other = start_of(mode("D1V"), 3), start_of(mode("D3V"), 5)
    fresh = [run(component_beam.ComponentBeam(), start) for start in (first, other)]
    assert [run(methods.component_beam, start) for start in (first, other)] == fresh
    methods.exhaust.begin(first, Budget(Limits(nodes=2_000)))
    methods.exhaust.run()
    run(methods.component_beam, other, weights=OF_COMPONENTS[3])
    assert run(methods.component_beam, first) == fresh[0]


def test_no_layer_holds_a_position_twice_and_none_is_wider():
    start, method = start_of(mode("D1V"), 0), component_beam.ComponentBeam()
    tools, memory = method.tools(start, USUAL), beam.beam_memory(WIDTH)
    beam.start_beam(method.state, WIDTH, 0.0, beam.ANY_MERIT, NO_END)
    layers = 0
    for _ in method.layers(Budget(UNLIMITED), tools, memory, start):
        count = int(method.state.candidates)
        assert len(np.unique(memory.candidates["hash"][:count])) == count
        component_beam.next_components(tools, memory, method.state)
        assert 0 < method.state.count == min(count, WIDTH)
        layers += 1
    assert layers > 10


@pytest.mark.parametrize("limits", [Limits(nodes=500), Limits(nodes=None, memory=50_000)])
def test_limits_end_it_and_are_said(limits):
    budget = Budget(limits)
    result = methods.component_beam.run(start_of(mode("D3V"), 1), budget, WIDTH)
    assert isinstance(result, Limit) and budget.nodes == (limits.nodes or 0)
    assert result.reason.startswith("limit of 500" if limits.nodes else "memory limit")
