"""Every line of play of the game for two with small decks, written from the rules alone.

A card is (rank, suit), black suits are even here and red ones odd. A side is (columns, hidden,
stock, waste, up, clean, through, passed), all of it tuples; a state is (side of A, side of B, turn,
last), with players 0 and 1.
"""

import sys
from typing import NamedTuple

COLUMNS, HIDDEN, STOCK, WASTE, UP, CLEAN, THROUGH, PASSED = range(8)


class Deck(NamedTuple):
    ranks: int
    cards: int
    draw: int
    turns_over: bool
    play_on: bool = False


class TooLargeError(Exception):
    pass


def put(side, **changes):
    names = ("columns", "hidden", "stock", "waste", "up", "clean", "through", "passed")
    return tuple(changes.get(name, value) for name, value in zip(names, side, strict=True))


def goes_up(state, card):
    rank, suit = card
    copies = [sum((r, suit) in side[UP] for side in state[:2]) for r in (rank - 1, rank)]
    return copies[1] < (2 if rank == 0 else copies[0])


def fits(deck, card, column):
    if not column:
        return card[0] == deck.ranks - 1
    return column[-1][0] == card[0] + 1 and (column[-1][1] + card[1]) % 2 == 1


def moves(deck, state):
    """What the player in turn can do: the new side, whether it is progress, ends, card up."""
    side = state[state[2]]
    columns, hidden, stock, waste = side[:4]

    def taken(source, count):
        """The columns without the last cards of one, and the hidden cards then."""
        left = columns[source][:-count]
        down = hidden[source]
        if left and down == len(left):
            down -= 1
        return (
            (*columns[:source], left, *columns[source + 1 :]),
            (*hidden[:source], down, *hidden[source + 1 :]),
        )

    for source, column in enumerate(columns):
        if column and goes_up(state, column[-1]):
            after, down = taken(source, 1)
            up = side[UP] | {column[-1]}
            yield put(side, columns=after, hidden=down, up=up), True, False, True
        for count in range(1, len(column) - hidden[source] + 1):
            for target, onto in enumerate(columns):
                if target != source and fits(deck, column[-count], onto):
                    after, down = taken(source, count)
                    after = (*after[:target], onto + column[-count:], *after[target + 1 :])
                    turned = down != hidden
                    emptied = len(column) == count and bool(onto)
                    yield put(side, columns=after, hidden=down), turned or emptied, False, False
    if waste:
        if goes_up(state, waste[-1]):
            up = side[UP] | {waste[-1]}
            yield put(side, waste=waste[:-1], up=up), True, False, True
        for target, onto in enumerate(columns):
            if fits(deck, waste[-1], onto):
                after = (*columns[:target], (*onto, waste[-1]), *columns[target + 1 :])
                yield put(side, columns=after, waste=waste[:-1]), True, False, False
    if stock:
        left = stock[deck.draw :]
        through = side[THROUGH] or (not left and side[CLEAN])
        drawn = put(side, stock=left, waste=waste + stock[: deck.draw], through=through)
        yield drawn, False, True, False
    elif waste and deck.turns_over:
        yield put(side, stock=waste, waste=(), clean=True), False, False, False
    yield put(side, passed=True), False, True, False


def worth_at_end(state):
    lead = len(state[0][UP]) - len(state[1][UP])
    return 2 * lead or {None: 0, 0: 1, 1: -1}[state[3]]


class Minimax:
    """The worth of states: twice A's lead at the end, or for equal counts 1 to the last play."""

    def __init__(self, deck, most):
        self.deck, self.most = deck, most
        self.known = {}
        self.positions = 0
        sys.setrecursionlimit(20_000)

    def is_out(self, side):
        return len(side[UP]) == self.deck.cards

    def is_idle(self, side):
        return side[THROUGH] or side[PASSED] or (self.deck.play_on and self.is_out(side))

    def after(self, state, side, progress, ends, goes_home):
        """The state after a move, and whether it is the end."""
        turn, last = state[2], state[3]
        sides = list(state[:2])
        sides[turn] = side
        if progress:
            sides = [put(each, clean=False, through=False, passed=False) for each in sides]
        if goes_home:
            last = turn
            out = [self.is_out(each) for each in sides]
            if all(out) or (out[turn] and not self.deck.play_on):
                return (*sides, turn, last), True
        if ends:
            if all(map(self.is_idle, sides)):
                return (*sides, turn, last), True
            if not (self.deck.play_on and self.is_out(sides[1 - turn])):
                turn = 1 - turn
            sides[turn] = put(sides[turn], passed=False)
        return (*sides, turn, last), False

    def worth(self, state):
        """Moves that bring nothing on can go in circles: all that they reach is taken together."""
        if state in self.known:
            return self.known[state]
        alike, waiting, found = {state}, [state], []
        while waiting:
            each = waiting.pop()
            self.positions += 1
            if self.positions > self.most:
                raise TooLargeError
            for move in moves(self.deck, each):
                after, is_end = self.after(each, *move)
                _, progress, ends, _ = move
                turned_over = len(move[0][STOCK]) > len(each[each[2]][STOCK])
                if is_end:
                    found.append(worth_at_end(after))
                elif progress or ends or turned_over:
                    found.append(self.worth(after))
                elif after not in alike:
                    alike.add(after)
                    waiting.append(after)
        best = max(found) if state[2] == 0 else min(found)
        self.known |= dict.fromkeys(alike, best)
        return best


def most_up(deck, start, movers, most):
    """The most cards of the movers that can ever be up, if all others only pass."""
    game = Minimax(deck, most)
    seen, waiting, best = {start}, [start], 0
    while waiting:
        state = waiting.pop()
        best = max(best, sum(len(state[player][UP]) for player in movers))
        for move in moves(deck, state):
            if state[2] in movers or move[0][PASSED] > state[state[2]][PASSED]:
                after, is_end = game.after(state, *move)
                best = max(best, sum(len(after[player][UP]) for player in movers))
                if not is_end and after not in seen:
                    seen.add(after)
                    waiting.append(after)
        if len(seen) > most:
            raise TooLargeError
    return best
