"""Plans to test with: random walks over the abstract steps, every kind of them."""

import random

import numpy as np
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.state import pack, unpack
from double_solitaire.solver import carry, plan
from double_solitaire.solver.position import (
    BASE_DOWN,
    BASE_HOME,
    FREE_HOME,
    HOME_DOWN,
    NODE,
    TALON_DOWN,
    TALON_HOME,
    TURN_OVER,
    apply_step,
    load,
)


def start_of(rules, number):
    return load(rules, Position.start(rules, deal_number(rules, number)))


def legal_steps(start, node):
    """All steps that can be taken, by `plan.is_legal`; a recycle only of a waste."""
    rules = start.rules
    steps = [kind | column << 3 for kind in (BASE_DOWN, BASE_HOME) for column in range(9)]
    cards = range(rules.ranks * 4)
    steps += [kind | card << 3 for kind in (FREE_HOME, HOME_DOWN) for card in cards]
    places = range(int(start.game.talon_size))
    steps += [kind | index << 3 for kind in (TALON_DOWN, TALON_HOME) for index in places]
    steps += [TURN_OVER] if node.talon != 0 else []
    return [step for step in steps if plan.is_legal(start.game, node, step)]


def walk(start, length, seed):
    """A plan of up to so many random steps, rare kinds as likely as others, and where it leads."""
    source, node, steps = random.Random(seed), np.array([start.node], NODE)[0], []
    for _ in range(length):
        kinds: dict[int, list[int]] = {}
        for step in legal_steps(start, node):
            kinds.setdefault(step & 7, []).append(step)
        if not kinds:
            break
        # Cards that are had again and again bring nothing on, so taking back is held down.
        weights = [0.3 if kind in (HOME_DOWN, TURN_OVER) else 1.0 for kind in kinds]
        kind = source.choices(list(kinds), weights)[0]
        steps.append(source.choice(kinds[kind]))
        apply_step(start.game, node, steps[-1])
    return tuple(steps), node


def parts(node):
    """All that a node says, to be compared; its bytes would not do, as there are gaps."""
    return tuple(tuple(np.ravel(node[name]).tolist()) for name in NODE.names)


def carried(start, steps):
    """The moves of a plan, and the board at its end; the moves are None if it is no plan."""
    node = np.array([start.node], NODE)[0]
    state, moves = pack(start.rules, start.position)[0], np.zeros(carry.MAX_MOVES, np.int64)
    count = carry.carry_out(start.game, node, state, np.array(steps, np.int64), len(steps), moves)
    board = unpack(state.layout, state.foundations)
    return None if count == carry.FAILED else moves[:count], board
