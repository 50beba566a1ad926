"""The truth about positions under way of the whole deck: every arrangement of its cards is visited.

Plain Python on piles of cards, written from `docs/rules.md`; it takes nothing from the package. The
only liberty is that the order of the columns, and of the two places of a suit, does not matter.
"""

import random
from typing import NamedTuple

RANKS, SUITS, COLUMNS = 13, 4, 9
RED = (1, 2)


class Table(NamedTuple):
    """Cards are 4 * rank + suit, ace 0, suits S H D C."""

    columns: tuple[tuple[int, tuple[int, ...]], ...]
    """How many cards lie face down, and the cards, bottom to top."""
    stock: tuple[int, ...]
    """First drawn first."""
    waste: tuple[int, ...]
    """Top card last."""
    up: tuple[tuple[int, int], ...]
    """Heights of the two places of each suit, the higher first."""


class Truth(NamedTuple):
    """`straight` is about games in which no card is taken back."""

    winnable: bool
    winnable_straight: bool
    most_home: int
    """Most cards ever up at once; of a winnable position all."""
    most_home_straight: int
    best: int
    """Best score, straight, won or not."""
    needs_recycle: bool
    """Whether, straight, that score takes a recycle."""
    states: int


def home(table):
    return sum(map(sum, table.up))


def fits(card, parent):
    return card // 4 + 1 == parent // 4 and (card % 4 in RED) != (parent % 4 in RED)


def raised(up, suit, by):
    """The heights after each way of raising (1) or lowering (-1) a place of a suit by a card."""
    for place in (0, 1):
        if 0 <= up[suit][place] + by <= RANKS:
            heights = list(up[suit])
            heights[place] += by
            pair = (max(heights), min(heights))
            yield up[suit][place], (*up[:suit], pair, *up[suit + 1 :])


def put_up(up, card):
    """The heights with a card up; None if no place takes it."""
    return next((after for height, after in raised(up, card % 4, 1) if height == card // 4), None)


def without(columns, at, count):
    """The columns with `count` cards less on one, and whether a card turns up."""
    down, cards = columns[at]
    left = cards[: len(cards) - count]
    turns = bool(left) and len(left) == down
    rest = columns[:at] + columns[at + 1 :]
    return (*rest, (down - turns, left)), turns


def onto(columns, cards):
    """The columns after each way of laying cards that lie on one another onto a column."""
    for at, (down, pile) in enumerate(columns):
        if (fits(cards[0], pile[-1])) if pile else cards[0] // 4 == RANKS - 1:
            yield (*columns[:at], (down, pile + cards), *columns[at + 1 :])


def alike(columns):
    return tuple(sorted(columns))


def moves(table, draw, takes_back):
    """Each legal action but the recycle: (ten or five points of Normal scoring, the table)."""
    columns, stock, waste, up = table
    if stock:
        yield 0, Table(columns, stock[draw:], waste + stock[:draw], up)
    if takes_back:
        for suit in range(SUITS):
            for height, after in raised(up, suit, -1):
                for placed in onto(columns, (4 * (height - 1) + suit,)):
                    yield 0, Table(alike(placed), stock, waste, after)
    for at, (down, cards) in enumerate(columns):
        for count in range(1, len(cards) - down + 1):
            left, turns = without(columns, at, count)
            # The column itself is the last of those; no run goes back there.
            for placed in onto(left[:-1], cards[-count:]):
                yield 5 * turns, Table(alike((*placed, left[-1])), stock, waste, up)
    if waste:
        for placed in onto(columns, waste[-1:]):
            yield 5, Table(alike(placed), stock, waste[:-1], up)
        after = put_up(up, waste[-1])
        if after is not None:
            yield 10, Table(columns, stock, waste[:-1], after)
    for at, (_, cards) in enumerate(columns):
        after = put_up(up, cards[-1]) if cards else None
        if after is not None:
            left, turns = without(columns, at, 1)
            yield 10 + 5 * turns, Table(alike(left), stock, waste, after)


def recycled(table):
    """The table after a recycle; None where the stock is not empty or the waste is."""
    if table.stock or not table.waste:
        return None
    return Table(table.columns, table.waste, (), table.up)


def visit(table, draw, recycles, cap):
    """The most cards up with taking back, and the tables visited; None if those are over `cap`.

    It ends with the first win.
    """
    seen, waiting = {table}, [table]
    most = home(table)
    while waiting:
        at = waiting.pop()
        following = [after for _, after in moves(at, draw, True)]
        again = recycled(at) if recycles else None
        for after in following if again is None else [again, *following]:
            if after in seen:
                continue
            if len(seen) == cap:
                return None
            seen.add(after)
            # What has more cards up is looked at first.
            waiting.append(after)
            most = max(most, home(after))
        if most == 2 * RANKS * SUITS:
            break
    return most, len(seen)


def best_scores(table, score, draw, is_vegas, cap, recycles):
    """The best score of each table that play without taking back leads to; None if over `cap`.

    A higher score is never worse than a lower one at the same table, so the best is enough.
    """
    best, waiting = {table: score}, [table]
    while waiting:
        at = waiting.pop()
        points = best[at]
        following = [
            (points + (5 * (home(after) - home(at)) if is_vegas else gain), after)
            for gain, after in moves(at, draw, False)
        ]
        again = recycled(at) if recycles else None
        if again is not None:
            following.append((max(points - 100, 0), again))
        for points, after in following:
            if points > best.get(after, points - 1):
                if len(best) == cap:
                    return None
                best[after] = points
                waiting.append(after)
    return best


def find_truth(table, score, draw, is_vegas, cap):
    """The truth about a position; None if there are more than `cap` arrangements."""
    table = Table(alike(table.columns), *table[1:])
    best = best_scores(table, score, draw, is_vegas, cap, not is_vegas)
    if best is None:
        return None
    straight = max(map(home, best))
    most, states = straight, len(best)
    if most < 2 * RANKS * SUITS:
        found = visit(table, draw, not is_vegas, cap)
        if found is None:
            return None
        most, states = found[0], max(states, found[1])
    once = best if is_vegas else best_scores(table, score, draw, is_vegas, cap, False)
    return Truth(
        winnable=most == 2 * RANKS * SUITS,
        winnable_straight=straight == 2 * RANKS * SUITS,
        most_home=most,
        most_home_straight=straight,
        best=max(best.values()),
        needs_recycle=max(once.values()) < max(best.values()),
        states=states,
    )


def heights_of(source, cards_out):
    """Uneven heights with so many cards out, nearly all of one colour."""
    colour = source.choice((RED, (0, 3)))
    stray = source.choice((0.0, 0.1, 0.25))
    heights = [[RANKS, RANKS] for _ in range(SUITS)]
    left = cards_out
    while left:
        suit = source.choice(colour if source.random() >= stray else range(SUITS))
        place = source.randrange(2)
        fewer = min(source.randint(1, 6), left, heights[suit][place])
        heights[suit][place] -= fewer
        left -= fewer
    return tuple((max(pair), min(pair)) for pair in heights)


def a_table(source, up, from_stock):
    """The cards that are out, laid somewhere: as many face down as a deal may have, low ones below
    high ones for the most part, and some in stock and waste.

    `from_stock` has nearly all of them there, so that a recycle may be worth what it costs.
    """
    cards = [
        4 * rank + suit
        for suit, pair in enumerate(up)
        for height in pair
        for rank in range(height, RANKS)
    ]
    source.shuffle(cards)
    fewest = len(cards) - source.randint(2, 6) if from_stock else 0
    in_talon = source.randint(fewest, max(fewest, len(cards) // 4))
    talon, rest = cards[:in_talon], cards[in_talon:]
    noise = source.choice((1, 3, 6, 20))
    rest.sort(key=lambda card: card // 4 + source.uniform(0, noise))
    piles = [[] for _ in range(COLUMNS)]
    used = source.sample(range(COLUMNS), source.choice((6, 8, 9, 9, 9, 9, 9)))
    for card in rest:
        # Of column k at most k cards lie where they were dealt; an empty one is filled first.
        free = [at for at in used if not piles[at]] or [at for at in used if len(piles[at]) <= at]
        if free:
            piles[source.choice(free)].append(card)
        else:
            talon.append(card)
    columns = tuple((max(len(pile) - 1, 0), tuple(pile)) for pile in piles)
    border = source.choice((0, source.randint(0, len(talon)), len(talon)))
    if from_stock:
        border = max(border, len(talon) - 2)
    return Table(columns, tuple(talon[border:]), tuple(talon[:border]), up)


def positions(seed, count, cap):
    """(table, score, draw, whether Vegas, truth) of positions under way with 10 to 26 cards out.

    Those with more than `cap` arrangements are left out; the same for the same seed.
    """
    source = random.Random(seed)
    for _ in range(count):
        from_stock = source.random() < 0.3
        up = heights_of(source, source.randint(10, 16 if from_stock else 26))
        table = a_table(source, up, from_stock)
        draw, is_vegas = source.choice((1, 3)), source.random() < 0.4
        # A recycle pays only where it costs little.
        score = 5 * source.choice((source.randint(0, 4), source.randint(0, 26)))
        score = 5 * home(table) - 104 if is_vegas else score
        truth = find_truth(table, score, draw, is_vegas, cap)
        if truth is not None:
            yield table, score, draw, is_vegas, truth
