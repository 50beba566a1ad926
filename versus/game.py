"""The game of two: the plain referee, two layouts over one set of foundations.

What may move where is `Layout`'s to say, as in the games alone; here stands whose turn it is,
who is idle, when it is over and who has won (`docs/rules.md`, section 8).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ..engine.cards import card_of, card_text, rank_of
from ..engine.deal import Deal, Pile, Position, check_cards, check_column
from ..engine.errors import DealError, MoveError
from ..engine.layout import Foundations, Layout
from ..engine.moves import Kind, Move, parse_move
from ..engine.rules import Rules


class Player(StrEnum):
    """One of the two."""

    A = "A"
    B = "B"

    @property
    def other(self) -> "Player":
        """The other one."""
        return Player.B if self is Player.A else Player.A


class End(StrEnum):
    """Why a game is over."""

    OUT = "out"
    """A player has all own cards up; under `play_on` both."""
    IDLE = "idle"
    """Neither brings the game on: each passed, or went through the stock in vain."""
    DEAD = "dead"
    """Neither can ever put a card up again, by a proof; not a rule of the referee."""
    CLEAR = "clear"
    """A player's columns are empty, where that wins."""
    CLOCK = "clock"
    """The clock of progress has run out, or it was ended by agreement."""


@dataclass(frozen=True, slots=True)
class House:
    """Rules on which tables differ."""

    fits: bool = False
    """A turn goes on after a draw while the card on the waste fits somewhere."""
    play_on: bool = False
    """A player who has all cards up does not end the game; the other goes on alone."""
    solo_clear: bool = False
    """Who clears the own columns wins at once."""
    draw_a: int | None = None
    """Cards that A turns at a draw; None: as the deal says. A handicap, as are the next three."""
    draw_b: int | None = None
    ahead_a: int = 0
    """Cards that count for A from the start, beside those that are up."""
    ahead_b: int = 0

    def rules_of(self, rules: Rules, player: Player) -> Rules:
        """The rules by which a player turns the stock."""
        draw = self.draw_a if player is Player.A else self.draw_b
        return rules if draw is None else replace(rules, draw=draw)

    @property
    def ahead(self) -> int:
        """By how many cards A is ahead at the start."""
        return self.ahead_a - self.ahead_b


PASS = "pass"
Action = Move | str
"""A move, or `PASS`."""


@dataclass(frozen=True, slots=True)
class Side:
    """What lies before a player; the cards that are nowhere here are up."""

    columns: tuple[Pile, ...]
    hidden: Pile
    stock: Pile
    waste: Pile = ()
    recycles: int = 0

    @classmethod
    def start(cls, deal: Deal) -> "Side":
        """The side before the first move."""
        return cls(deal.columns, tuple(max(len(c) - 1, 0) for c in deal.columns), deal.stock)

    def check(self, rules: Rules) -> None:
        """Raise `DealError` unless these can be what is left of a deck, where it may lie."""
        if len(self.columns) != rules.columns or len(self.hidden) != rules.columns:
            raise DealError(f"{len(self.columns)} columns; {rules.title} has {rules.columns}")
        check_cards(rules, (*self.cards, *self.up(rules)))
        for number, (column, hidden) in enumerate(zip(self.columns, self.hidden, strict=True), 1):
            check_column(number, column, hidden)
        if self.recycles < 0 or (rules.recycles is not None and self.recycles > rules.recycles):
            raise DealError(f"{self.recycles} recycles; in {rules.mode} there is none")

    @property
    def cards(self) -> Pile:
        """All cards of the piles."""
        return tuple(c for pile in (*self.columns, self.stock, self.waste) for c in pile)

    def up(self, rules: Rules) -> Pile:
        """The own cards on the foundations, in the order of the deck."""
        left = set(self.cards)
        deck = (card_of(rank, suit) for suit in range(rules.suits) for rank in range(rules.ranks))
        return tuple(card for card in deck if card not in left)


def heights_of(rules: Rules, sides: Sequence[Side]) -> Pile:
    """The foundations that hold what is up; `DealError` if no foundations can.

    Of each rank of a suit as many copies are up as of the next one or more, so the places of the
    suit, highest first, hold the ranks of which one copy, two copies … are up.
    """
    counts = [0] * (rules.ranks * 4)
    for side in sides:
        for card in side.up(rules):
            counts[card] += 1
    heights = []
    for suit in range(rules.suits):
        of_suit = [counts[card_of(rank, suit)] for rank in range(rules.ranks)]
        for rank in range(1, rules.ranks):
            if of_suit[rank] > of_suit[rank - 1]:
                name, under = (card_text(card_of(r, suit)) for r in (rank, rank - 1))
                raise DealError(
                    f"{name} is up {of_suit[rank]} times and {under} {of_suit[rank - 1]} times; "
                    "what is in no pile is up"
                )
        heights += [sum(n > place for n in of_suit) for place in range(rules.places)]
    return tuple(heights)


@dataclass(frozen=True, slots=True)
class Table:
    """A position of both players, and what of the play so far still counts."""

    sides: tuple[Side, Side]
    to_move: Player | None = Player.A
    """Whose turn it is; None where both move at once."""
    last: Player | None = None
    """Who made the last play to a foundation."""

    @classmethod
    def start(cls, deals: tuple[Deal, Deal], to_move: Player | None = Player.A) -> "Table":
        """The table before the first move."""
        return cls((Side.start(deals[0]), Side.start(deals[1])), to_move)

    def begun_by(self, player: Player | None) -> "Table":
        """The same table, on which a player begins; None: both move at once."""
        return replace(self, to_move=player)

    def begun_by_lower(self) -> "Table":
        """The same table, begun by who has the lower open card in column 1, or else in 2, …

        Where all are equal A begins.
        """
        a, b = ([rank_of(c[-1]) for c in side.columns if c] for side in self.sides)
        return self.begun_by(Player.B if b < a else Player.A)

    def check(self, rules: Rules) -> None:
        """Raise `DealError` unless the table can stand under these rules."""
        heights_of(rules, self.sides)
        for player, side in zip(Player, self.sides, strict=True):
            try:
                side.check(rules)
            except DealError as error:
                raise DealError(f"{player}: {error}") from None


class VersusGame:
    """A game under way.

    `turn` is None where both move at once. `end` and `winner` are None while it goes on; a game
    that is over without a play to a foundation has no winner (the next deal is played).
    """

    def __init__(self, rules: Rules, table: Table, house: House | None = None) -> None:
        """Take over a table, which is trusted (see `Table.check`)."""
        self.rules, self.house = rules, house or House()
        self.foundations = Foundations(rules, heights_of(rules, table.sides))
        self.layouts = {
            player: Layout(self.house.rules_of(rules, player), self.foundations, position_of(side))
            for player, side in zip(Player, table.sides, strict=True)
        }
        self.turn, self.last = table.to_move, table.last
        self.end: End | None = None
        self.winner: Player | None = None
        self.turns = 0
        """Turns that have ended; where both move at once, draws and passes."""
        self.progress = 0
        """Events of progress so far, at most 208."""
        self._clean = dict.fromkeys(Player, True)
        """Whether the pass through the stock under way began after the last progress of either."""
        self._through = dict.fromkeys(Player, False)
        """Whether the stock was drawn to its end in such a pass."""
        self._passed = dict.fromkeys(Player, False)

    def table(self) -> Table:
        """The position as it stands now."""
        sides = [_side(self.layouts[player]) for player in Player]
        return Table((sides[0], sides[1]), self.turn, self.last)

    def up(self, player: Player) -> int:
        """Number of a player's own cards on the foundations."""
        return self.rules.cards - len(_side(self.layouts[player]).cards)

    def has_passed(self, player: Player) -> bool:
        """Whether a player has passed since the last progress, in turns in this or the last."""
        return self._passed[player]

    def is_idle(self, player: Player) -> bool:
        """Whether a player has passed, or gone through the stock, since the last progress."""
        done = self.house.play_on and self.up(player) == self.rules.cards
        return done or self._through[player] or self._passed[player]

    def legal(self, player: Player) -> list[Action]:
        """What a player may do now, the pass last; nothing out of turn or after the end."""
        if self.refusal(player, PASS) is not None:
            return []
        return [*self.layouts[player].legal_moves(), PASS]

    def refusal(self, player: Player, action: Action) -> str | None:
        """Why the rules refuse it, in one line; None if it is legal."""
        if self.end is not None:
            return "the game is over"
        if self.turn not in (None, player):
            return f"it is {self.turn}'s turn"
        return None if isinstance(action, str) else self.layouts[player].refusal(action)

    def play(self, player: Player, action: Action) -> None:
        """Do it; `MoveError` says why the rules refuse it, and then nothing has changed."""
        why = self.refusal(player, action)
        if why is not None:
            raise MoveError(why)
        layout = self.layouts[player]
        if isinstance(action, str):
            self._passed[player] = True
            self._end_turn(player)
            return
        is_progress = self._is_progress(layout, action)
        layout.make(action)
        if is_progress:
            self.progress += 1
            for marks in (self._clean, self._through, self._passed):
                marks.update(dict.fromkeys(Player, False))
        if action.kind is Kind.RECYCLE:
            self._clean[player] = True
        elif action.kind is Kind.DRAW:
            self._through[player] |= not layout.stock and self._clean[player]
            if not (self.house.fits and self._fits(layout)):
                self._end_turn(player)
        elif action.kind in (Kind.COLUMN_TO_FOUNDATION, Kind.WASTE_TO_FOUNDATION):
            self.last = player
            self._look_at_count(player)
        if self.turn is None:
            self._look_for_idle()

    def finish(self, end: End, winner: Player | None = None) -> None:
        """End the game with the count as it is, or for a winner whatever it is."""
        self.end = end
        lead = self.up(Player.A) - self.up(Player.B) + self.house.ahead
        by_count = Player.A if lead > 0 else Player.B
        self.winner = winner or (by_count if lead else self.last)

    @staticmethod
    def _is_progress(layout: Layout, move: Move) -> bool:
        """Whether a move puts a card up or a waste card down, turns one up, or empties a column.

        A column is emptied where its last cards go onto another card; a king's run that goes from
        one empty column to another brings nothing on.
        """
        match move.kind:
            case Kind.COLUMN_TO_FOUNDATION | Kind.WASTE_TO_FOUNDATION | Kind.WASTE_TO_COLUMN:
                return True
            case Kind.COLUMN_TO_COLUMN:
                column, hidden = layout.columns[move.source], layout.hidden[move.source]
                if move.count < len(column) - hidden:
                    return False
                return hidden > 0 or bool(layout.columns[move.target])
        return False

    def _fits(self, layout: Layout) -> bool:
        """Whether the card on the waste fits a foundation or a column of its owner."""
        moves = [Move(Kind.WASTE_TO_FOUNDATION)]
        moves += [Move(Kind.WASTE_TO_COLUMN, 0, column) for column in range(self.rules.columns)]
        return any(layout.refusal(move) is None for move in moves)

    def _look_at_count(self, player: Player) -> None:
        mine = self.up(player)
        if self.foundations.full or (mine == self.rules.cards and not self.house.play_on):
            self.finish(End.OUT)
        elif self.house.solo_clear and not any(self.layouts[player].columns):
            self.finish(End.CLEAR, player)

    def _end_turn(self, player: Player) -> None:
        self.turns += 1
        self._look_for_idle()
        if self.turn is None or self.end is not None:
            return
        is_done = self.house.play_on and self.up(player.other) == self.rules.cards
        self.turn = player if is_done else player.other
        self._passed[self.turn] = False

    def _look_for_idle(self) -> None:
        if self.end is None and all(map(self.is_idle, Player)):
            self.finish(End.IDLE)


def outcome(game: VersusGame) -> str:
    """How a game ended, in words; or whose turn it is."""
    if game.end is not None:
        return f"{game.winner} wins ({game.end})" if game.winner else f"no winner ({game.end})"
    return "not over" if game.turn is None else f"not over, {game.turn} to move"


def position_of(side: Side) -> Position:
    """The piles of a side as a position, without what is up."""
    return Position(side.columns, side.hidden, side.stock, side.waste, (), 0, side.recycles)


def _side(layout: Layout) -> Side:
    piles = layout.position()
    return Side(piles.columns, piles.hidden, piles.stock, piles.waste, piles.recycles)


def parse_action(text: str) -> tuple[Player, Action]:
    """Read a line of a record such as `A 3>F` or `B pass`; `MoveError` if it is none."""
    words = text.split()
    if len(words) != 2 or words[0].upper() not in tuple(Player):
        raise MoveError(
            f"{text.strip()!r} is no move of a player; one reads A 3>F, B draw or B pass"
        )
    player = Player(words[0].upper())
    return player, PASS if words[1].lower() == PASS else parse_move(words[1])
