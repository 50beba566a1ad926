"""The expert: a tree of what may be seen, grown by play-outs of the fast player.

Each simulation deals the cards that cannot be seen anew, each order as likely as the others, and
plays a game on that sample: through the tree as long as it has the position, at each by the choice
that promises most (what it was worth so far, and the more the fast player thinks of it and the less
it was tried), then to the end as the fast player does, who does not see those cards either. The
tree is one of what is *seen*: positions that differ in hidden cards alone are one node of it, so a
choice is worth what it is worth over all samples, and nothing is planned that needs foresight.
(Silver and Veness, "Monte-Carlo planning in large POMDPs", NIPS 2010; Cowling, Powley and
Whitehouse, "Information set Monte Carlo tree search", 2012; the term for what is promised as in
Rosin, "Multi-armed bandits with episode context", 2011.) The choice tried most often is made.

The tree is kept from move to move of a game: what a simulation found of a position is as good
when the position is reached.
"""

import math

import numpy as np
from numpy.typing import NDArray

from ..engine.bits import lowest_bit
from ..engine.deal import Position
from ..engine.jit import Record, int64, kernel, record_type
from ..engine.rules import Rules, Scoring
from ..engine.shuffle import GAMMA, mix
from ..engine.state import pack
from ..solver.homes import TRAIL, perform, send_all_home
from ..solver.position import GAME, NODE, is_sure_win, write_key
from .policy import (
    POLICY,
    cards_home,
    list_choices,
    load_state,
    play_on,
    see_all,
    set_node,
    weights_for,
)
from .rate import Fared, fared, seed_of

ROWS = 1 << 15
"""Of the table of the tree; a power of two. By hand: room for what some fifty moves of thinking
add, each simulation a position at most."""
MOST_NODES = ROWS // 2
"""So that probes of the table stay short; from half of it on the tree is begun anew."""
CHILDREN = 24
"""Of a position, those of which the fast player thinks most; by hand, few have more."""
MAX_PATH = 200
"""More than a game has choices: 104 cards leave their places, and there are 59 draws."""
MAX_UNSEEN = 100
"""There are 36 cards face down and 59 in the stock."""
NONE = -1
DEAD = -1e9
"""Less than any choice promises."""
SIMULATIONS = 300
"""What the expert thinks about a move. By hand: a game of one-deck Klondike takes 0.2 s then."""
EXPLORE, HEAT, PLAYOUT_NOISE = 1.0, 5.0, 0.2
"""How much is made of what was tried little, how evenly the fast player's opinion is taken, and how
much chance moves the choices of play-outs. Chosen on some hundred deals of KL1-D3N from number
100,000 up (docs/difficulty.md)."""
NORMAL_CARDS, VEGAS_WIN = 0.05, 0.5
"""What all cards up are worth beside a win, and in Vegas a win beside all cards up. By hand."""
EXPERT_SEED = 3
"""Added to the seed, as the numbers of the other players are for them."""

TREE = record_type(
    [
        ("game", GAME),
        ("root", NODE),
        ("start_placed", np.int64, (9,)),
        ("start_border", np.int64),
        ("sample", GAME),
        ("node", NODE),
        ("unseen", np.int64, (MAX_UNSEEN,)),
        ("unseen_count", np.int64),
        ("player", POLICY),
        ("trail", TRAIL),
        ("explore", np.float64),
        ("heat", np.float64),
        ("card_worth", np.float64),
        ("win_worth", np.float64),
        ("simulations", np.int64),
        ("used", np.int64),
        ("path", np.int64, (MAX_PATH, 2)),
        ("key", np.uint64, (ROWS,)),
        ("visits", np.int64, (ROWS,)),
        ("count", np.int64, (ROWS,)),
        ("choice", np.int16, (ROWS, CHILDREN)),
        ("tries", np.int32, (ROWS, CHILDREN)),
        ("total", np.float32, (ROWS, CHILDREN)),
        ("prior", np.float32, (ROWS, CHILDREN)),
    ]
)
"""The game as it is, with its position now and what was open at the start; a sample and a position
in it, with the cards that cannot be seen; the fast player; how much is made of what was tried
little, how evenly the fast player's opinion is taken, and what a card and a win are worth; and the
tree: of each position its key, simulations that came through it, and its choices."""


@kernel
def gather_unseen(t: Record) -> None:
    """Write the cards that cannot be seen, in order, so that nothing depends on where they lie."""
    count = 0
    for column in range(t.game.columns):
        for row in range(int64(t.root.placed[column]) - 1):
            t.unseen[count] = t.game.dealt[column, row]
            count += 1
    if not t.player.all_seen:
        left = t.root.talon >> t.root.border << t.root.border
        while left:
            t.unseen[count] = t.game.talon_card[lowest_bit(left)]
            count += 1
            left &= left - 1
    t.unseen_count = count
    for index in range(1, count):
        card, at = t.unseen[index], index
        while at > 0 and t.unseen[at - 1] > card:
            t.unseen[at] = t.unseen[at - 1]
            at -= 1
        t.unseen[at] = card


@kernel
def deal_sample(t: Record) -> None:
    """Deal the unseen cards of `t.sample` anew."""
    p = t.player
    for last in range(t.unseen_count - 1, 0, -1):
        p.random = p.random + GAMMA
        other = int64((mix(p.random) >> np.uint64(32)) * np.uint64(last + 1) >> np.uint64(32))
        card = t.unseen[last]
        t.unseen[last] = t.unseen[other]
        t.unseen[other] = card
    count = 0
    for column in range(t.game.columns):
        for row in range(int64(t.root.placed[column]) - 1):
            t.sample.dealt[column, row] = t.unseen[count]
            count += 1
    if not p.all_seen:
        left = t.root.talon >> t.root.border << t.root.border
        while left:
            t.sample.talon_card[lowest_bit(left)] = t.unseen[count]
            count += 1
            left &= left - 1


@kernel
def seen_key(t: Record) -> np.uint64:
    """A number for what is seen in `t.node`, the same for all samples that agree in that."""
    word_0, word_1 = write_key(t.sample, t.node)
    key = mix(np.uint64(word_0) + GAMMA) ^ mix(mix(np.uint64(word_1) + GAMMA))
    for column in range(t.game.columns):
        for row in range(max(int64(t.node.placed[column]) - 1, 0), t.start_placed[column] - 1):
            place = 100 * (column * 16 + row) + int64(t.sample.dealt[column, row])
            key ^= mix(np.uint64(place + 1000))
    for index in range(t.start_border, t.node.border):
        key ^= mix(np.uint64(100_000 + 100 * index + int64(t.sample.talon_card[index])))
    return key | np.uint64(1)


@kernel
def find_row(t: Record, key: np.uint64) -> int:
    """The row of a key, or the empty one where it belongs."""
    row = int64(key >> np.uint64(33)) & (ROWS - 1)
    while t.key[row] != key and t.key[row] != np.uint64(0):
        row = (row + 1) & (ROWS - 1)
    return row


@kernel
def add_row(t: Record, row: int, key: np.uint64) -> None:
    """Write a position's choices, which the fast player has listed, to the tree."""
    p = t.player
    count = min(int64(p.count), CHILDREN)
    t.key[row] = key
    t.visits[row] = 0
    t.used += 1
    for at in range(count):
        best = at
        for other in range(at + 1, p.count):
            if p.worth[other] > p.worth[best]:
                best = other
        choice, worth = p.choice[best], p.worth[best]
        p.choice[best], p.worth[best] = p.choice[at], p.worth[at]
        p.choice[at], p.worth[at] = choice, worth
        t.choice[row, at] = choice
        t.tries[row, at] = 0
        t.total[row, at] = 0.0
    t.count[row] = count
    sum_all = 0.0
    for at in range(count):
        share = math.exp((p.worth[at] - p.worth[0]) / t.heat)
        t.prior[row, at] = share
        sum_all += share
    for at in range(count):
        t.prior[row, at] = t.prior[row, at] / sum_all


@kernel
def select(t: Record, row: int) -> int:
    """The choice of a position that promises most; -1 if it has none."""
    best, best_worth = NONE, DEAD
    seen = math.sqrt(t.visits[row] + 1.0)
    mean, tries = 0.0, 0
    for at in range(t.count[row]):
        mean += t.total[row, at]
        tries += t.tries[row, at]
    mean = mean / tries if tries > 0 else 0.0
    for at in range(t.count[row]):
        if t.prior[row, at] < 0.0:
            continue
        many = t.tries[row, at]
        worth = t.total[row, at] / many if many > 0 else mean
        worth += t.explore * t.prior[row, at] * seen / (1.0 + many)
        if worth > best_worth:
            best, best_worth = at, worth
    return best


@kernel
def worth_of(t: Record, won: bool) -> float:
    """What an end is worth."""
    all_cards = t.game.ranks * t.game.suits * t.game.decks
    cards = all_cards if won else cards_home(t.sample, t.node)
    worth: float = t.win_worth * won + t.card_worth * cards / all_cards
    return worth


@kernel
def simulate(t: Record) -> None:
    """One simulation, and what it was worth noted along its way."""
    p = t.player
    seen = p.all_seen
    deal_sample(t)
    set_node(t.node, t.root)
    length = 0
    value = 0.0
    while True:
        if is_sure_win(t.sample, t.node):
            value = worth_of(t, True)
            break
        see_all(t.sample, t.node, p)
        key = seen_key(t)
        row = find_row(t, key)
        if t.key[row] == np.uint64(0):
            if t.used < MOST_NODES and length < MAX_PATH:
                list_choices(t.sample, t.node, p)
                add_row(t, row, key)
            value = worth_of(t, play_on(t.sample, t.node, p))
            break
        at = take_choice(t, row)
        if at < 0:
            p.trail.length = 0
            send_all_home(t.sample, t.node, p.trail)
            value = worth_of(t, False)
            break
        t.path[length, 0], t.path[length, 1] = row, at
        length += 1
    for step in range(length):
        row, at = t.path[step, 0], t.path[step, 1]
        t.visits[row] += 1
        t.tries[row, at] += 1
        t.total[row, at] += value
    p.all_seen = seen


@kernel
def take_choice(t: Record, row: int) -> int:
    """Make the choice that promises most in `t.node`, and forget those that fail; -1 for none."""
    p = t.player
    while True:
        at = select(t, row)
        if at < 0:
            return NONE
        set_node(p.before, t.node)
        p.trail.length = 0
        if perform(t.sample, t.node, p.trail, int64(t.choice[row, at])):
            return at
        set_node(t.node, p.before)
        t.prior[row, at] = -1.0


@kernel
def begin(t: Record) -> None:
    """Make ready for a game from `t.root` with `t.game`."""
    t.key[:] = np.uint64(0)
    t.used = 0
    for column in range(t.game.columns):
        t.start_placed[column] = t.root.placed[column]
    t.start_border = t.root.border


@kernel
def think(t: Record, simulations: int) -> int:
    """Simulate from `t.root`; the choice tried most often, -1 if there is none."""
    if t.used > MOST_NODES // 2:
        begin(t)
    gather_unseen(t)
    t.sample = t.game
    for number in range(simulations):
        simulate(t)
        if number == 1:
            # The second simulation knows which choices fail.
            row = root_row(t)
            if possible(t, row) <= 1 and t.visits[row] > 0:
                break
    row = root_row(t)
    best = NONE
    for at in range(t.count[row]):
        if t.prior[row, at] >= 0.0 and (best < 0 or t.tries[row, at] > t.tries[row, best]):
            best = at
    return NONE if best < 0 else int64(t.choice[row, best])


@kernel
def root_row(t: Record) -> int:
    """The row of `t.root`, which has been simulated from."""
    set_node(t.node, t.root)
    return find_row(t, seen_key(t))


@kernel
def possible(t: Record, row: int) -> int:
    """Choices of a position that have not failed."""
    count = 0
    for at in range(t.count[row]):
        count += t.prior[row, at] >= 0.0
    return count


@kernel
def play_expert(t: Record, simulations: int) -> bool:
    """Play a game from `t.root` to its end; whether it is won, else all is home that can go."""
    t.trail.length = 0
    begin(t)
    while not is_sure_win(t.game, t.root):
        see_all(t.game, t.root, t.player)
        choice = think(t, simulations)
        if choice < 0:
            send_all_home(t.game, t.root, t.trail)
            return False
        perform(t.game, t.root, t.trail, choice)
    return True


@kernel
def play_expert_games(start: Record, t: Record, simulations: int, seed: int, ends: Record) -> int:
    """Play a game of one position for each of `ends`, as `players.play_games` does; games won."""
    wins = 0
    for number in range(len(ends)):
        load_state(start.layout, start.foundations, t.game, t.root, t.player)
        t.player.random = mix(mix(np.uint64(seed) + GAMMA) + np.uint64(number) * GAMMA)
        if play_expert(t, simulations):
            wins += 1
            ends[number] = t.game.ranks * t.game.suits * t.game.decks
        else:
            ends[number] = cards_home(t.game, t.root)
    return wins


class Expert:
    """The expert, and a table for their games."""

    def __init__(self, rules: Rules, simulations: int = SIMULATIONS) -> None:
        """`simulations` is what they think about each move."""
        self._simulations = simulations
        self._tree: Record = np.zeros(1, TREE)[0]
        self._tree.player.weights[:] = weights_for(rules)
        self._tree.player.noise = PLAYOUT_NOISE
        is_vegas = rules.scoring is Scoring.VEGAS
        self._tree.win_worth = VEGAS_WIN if is_vegas else 1.0
        self._tree.card_worth = 1.0 if is_vegas else NORMAL_CARDS
        self._tree.explore, self._tree.heat = EXPLORE, HEAT

    def play(self, start: Record, seed: int, count: int) -> NDArray[np.int64]:
        """The cards that are up at the end of so many games from a `STATE`; all in a game won."""
        ends = np.zeros(count, np.int64)
        play_expert_games(start, self._tree, self._simulations, seed, ends)
        return ends


def expert_games(
    rules: Rules, position: Position, seed: int, games: int, simulations: int = SIMULATIONS
) -> Fared:
    """What some games of the expert come to, which depend on the cards and the seed."""
    start = pack(rules, position)[0]
    expert = Expert(rules, simulations)
    return fared(rules, position, expert.play(start, seed_of(position, seed) + EXPERT_SEED, games))
