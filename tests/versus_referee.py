"""A plain referee of the game for two, written from the rules alone; nothing is the engine's.

Cards are texts such as `2H`. Moves are texts of the notation, without the player's letter.
Everything is a list, copied freely; slow and meant to be read.
"""

import copy
import re

RANKS = "A23456789TJQK"
SUITS = "SHDC"
RED = "HD"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
OTHER = {"A": "B", "B": "A"}


def rank(card):
    return RANKS.index(card[0])


def fits(card, parent):
    return rank(card) + 1 == rank(parent) and (card[1] in RED) != (parent[1] in RED)


class Side:
    """What lies before one player."""

    def __init__(self, columns, hidden, stock, waste=()):
        self.columns = [list(column) for column in columns]
        self.hidden = list(hidden)
        self.stock, self.waste = list(stock), list(waste)
        self.recycles = 0
        # Whether the pass under way began after the last progress of either; whether the stock was
        # drawn to its end in such a pass; whether the player passed.
        self.clean, self.through, self.passed = True, False, False
        seen = [card for pile in (*self.columns, self.stock, self.waste) for card in pile]
        assert len(set(seen)) == len(seen)
        self.up = {card for card in DECK if card not in seen}


class RefusedError(Exception):
    pass


class VersusReferee:
    """`turn` is whose turn it is, None in simultaneous play; `winner` is set when it is over."""

    def __init__(
        self, a, b, draw=1, passes=None, first="A", simultaneous=False, last=None, **house
    ):
        self.sides = {"A": a, "B": b}
        self.draw, self.passes = draw, passes
        self.turn = None if simultaneous else first
        self.last = last
        self.fits = house.pop("fits", False)
        self.play_on = house.pop("play_on", False)
        self.solo_clear = house.pop("solo_clear", False)
        self.draws = {"A": house.pop("draw_a", None), "B": house.pop("draw_b", None)}
        self.ahead = {"A": house.pop("ahead_a", 0), "B": house.pop("ahead_b", 0)}
        assert not house
        self.over, self.end, self.winner = False, None, None
        self.progress_events = 0

    def up(self, player):
        return len(self.sides[player].up)

    def copies_up(self, card):
        return (card in self.sides["A"].up) + (card in self.sides["B"].up)

    def heights(self, suit):
        """The higher and the lower place of a suit."""
        counts = [self.copies_up(r + suit) for r in RANKS]
        return tuple(sum(count >= copies for count in counts) for copies in (1, 2))

    def goes_up(self, card):
        below = 2 if card[0] == "A" else self.copies_up(RANKS[rank(card) - 1] + card[1])
        return self.copies_up(card) < below

    def takes(self, side, column, card):
        pile = side.columns[column]
        return fits(card, pile[-1]) if pile else card[0] == "K"

    # Moves

    def legal(self, player):
        """Every legal move of a player, whether or not it is their turn; without the pass."""
        side, moves = self.sides[player], []
        if side.stock:
            moves.append("draw")
        elif side.waste and (self.passes is None or side.recycles + 1 < self.passes):
            moves.append("recycle")
        numbers = range(7)
        if side.waste:
            top = side.waste[-1]
            moves += ["W>F"] * self.goes_up(top)
            moves += [f"W>{n + 1}" for n in numbers if self.takes(side, n, top)]
        for n in numbers:
            pile, hidden = side.columns[n], side.hidden[n]
            if pile and self.goes_up(pile[-1]):
                moves.append(f"{n + 1}>F")
            for count in range(1, len(pile) - hidden + 1):
                for target in numbers:
                    if target != n and self.takes(side, target, pile[-count]):
                        moves.append(f"{n + 1}>{target + 1}" + (f"x{count}" if count > 1 else ""))
        return moves

    def play(self, player, move):
        """Make a move, `pass` among them, or raise `RefusedError` with nothing changed."""
        if self.over:
            raise RefusedError("the game is over")
        if self.turn not in (None, player):
            raise RefusedError("it is the other's turn")
        if move != "pass" and move not in self.legal(player):
            raise RefusedError("not legal")
        side = self.sides[player]
        progress = ends_turn = went_up = False
        if move == "pass":
            side.passed = ends_turn = True
        elif move == "recycle":
            side.stock, side.waste = side.waste, []
            side.recycles += 1
            side.clean = True
        elif move == "draw":
            draw = self.draws[player] or self.draw
            side.waste += side.stock[:draw]
            del side.stock[:draw]
            if not side.stock and side.clean:
                side.through = True
            top = side.waste[-1]
            placed = self.goes_up(top) or any(self.takes(side, n, top) for n in range(7))
            ends_turn = not (self.fits and placed)
        else:
            source, target, many = re.fullmatch(r"(.)>(.)(?:x(\d+))?", move).groups()
            count = int(many or 1)
            pile = side.waste if source == "W" else side.columns[int(source) - 1]
            cards = pile[-count:]
            del pile[-count:]
            if target == "F":
                side.up.add(cards[0])
                self.last = player
                progress = went_up = True
            else:
                onto = side.columns[int(target) - 1]
                # A column is emptied onto another card.
                progress = source == "W" or (not pile and bool(onto))
                onto += cards
            if source != "W" and pile and side.hidden[int(source) - 1] == len(pile):
                side.hidden[int(source) - 1] -= 1
                progress = True
        if progress:
            self.progress_events += 1
            for each in self.sides.values():
                each.clean = each.through = each.passed = False
        if went_up:
            self._look_for_end(player)
        if self.turn is None:
            self._look_whether_idle()
        elif ends_turn and not self.over:
            self._look_whether_idle()
            if not self.over:
                self.turn = OTHER[player]
                if self.play_on and self.up(self.turn) == 52:
                    self.turn = player
                self.sides[self.turn].passed = False

    def _look_for_end(self, player):
        side = self.sides[player]
        if self.up("A") + self.up("B") == 104 or (self.up(player) == 52 and not self.play_on):
            self._finish("out")
        elif self.solo_clear and not any(side.columns):
            self._finish("clear")
            self.winner = player

    def _look_whether_idle(self):
        if not self.over and all(
            side.through or side.passed or (self.play_on and len(side.up) == 52)
            for side in self.sides.values()
        ):
            self._finish("idle")

    def _finish(self, end):
        self.over, self.end = True, end
        a, b = (self.up(each) + self.ahead[each] for each in "AB")
        self.winner = self.last if a == b else "A" if a > b else "B"

    # What can be known

    def is_dead(self, player):
        """No sequence of a player's own moves reaches a foundation while the other does nothing."""
        start = copy.deepcopy(self)
        start.turn = None
        seen, waiting = set(), [start]
        while waiting:
            game = waiting.pop()
            side = game.sides[player]
            key = (
                tuple(tuple(pile) for pile in side.columns),
                tuple(side.stock),
                tuple(side.waste),
                side.recycles if self.passes is not None else 0,
            )
            if key in seen:
                continue
            seen.add(key)
            for move in game.legal(player):
                if move.endswith(">F"):
                    return False
                after = copy.deepcopy(game)
                for each in after.sides.values():
                    # Idleness does not matter here.
                    each.through = each.passed = False
                after.over = False
                after.play(player, move)
                waiting.append(after)
        return True

    def margin_by_singles(self):
        """Cards up of A less those of B, from the ranks of which just one copy is up."""
        a, b = self.sides["A"].up, self.sides["B"].up
        return sum((card in a) - (card in b) for card in DECK if self.copies_up(card) == 1)
