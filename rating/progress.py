"""`outlook`: what can bring a game on, as far as the player can see, and the ways there.

A game comes on when a card is turned up, when one goes from the stock or the waste to a column
or a foundation, and when an unknown card of the stock is drawn. No legal move undoes any of
these, so a game has no more of them than cards. Nor is a card's way home undone here, but for
the one case below. All other moves only rearrange: part of a run goes from one parent to the
other, a column is emptied, the stock is turned where it is known. A `Way` is a few of these and
the move that they lead to. Of each gain (a column's card, a card of the stock, a card's way
home, the next draw) only the shortest ways are ways, so that none has a step without need.

**No position comes back**, unless more of the stock is known than before, for a player who always
starts on the way of the highest worth, whatever the worths are, if the worth of a way falls with
every step that it has left and else depends on the position at its end alone. For let `I` be the
hidden cards, the cards of stock and waste and the unknown ones of these, added up. It never rises.

- While a gain other than a card's way home is in sight (`SIGHT` steps), no card is taken back, so
  the cards that are home only become more. Between two of these gains the best worth in sight
  rises with every step: after a step the way goes on and has one left less, and each way that is
  there afterwards is a shortest one or was none before. A card goes home only if such a gain
  is in sight afterwards, so this part ends with one, and `I` is lower.
- Where none is in sight, the shortest way to one is looked for among all legal moves, and this is
  the only one. Its length falls with each step. Only here is a card taken back.
- Where there is none, all that is left is cards that go home, and they become more.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum

import numpy as np

from ..engine.cards import card_of, is_red, rank_of, suit_of
from ..engine.column import (
    HIDDEN,
    RANK,
    RANK_SHIFT,
    RED_SHIFT,
    RUN,
    RUN_SHIFT,
    card_word,
    put_run,
    run_card,
    take_run,
)
from ..engine.jit import Record
from ..engine.listing import (
    COLUMN_TO_COLUMN,
    COLUMN_TO_FOUNDATION,
    MAX_MOVES,
    TAKE_BACK,
    count_home,
    list_moves,
)
from ..engine.moves import (
    COUNT_SHIFT,
    DRAW_MOVE,
    INDEX,
    KIND,
    RECYCLE_MOVE,
    SOURCE_SHIFT,
    TARGET_SHIFT,
    WASTE_UP_MOVE,
    Kind,
    Move,
)
from ..engine.rules import Rules
from ..engine.state import pack
from ..notation.typed import STOCK
from . import players
from .view import View

SIGHT = 2
"""Steps that a player looks ahead for a gain. By hand, as the next three: what people do at a
table, not measured."""
TALON_CARDS = 5
"""Cards of the known stock that are looked at in one arrangement of the columns: those that come
first. Whichever of them the stock is turned to, it stays among the first."""
FAR, FAR_POSITIONS = 8, 1_000
"""Steps, and positions, that are looked through where no gain is in sight."""

Key = tuple[str, int]


class Gain(IntEnum):
    """What a way brings, the least first."""

    DRAW = 0
    WASTE = 1
    HOME = 2
    TURN_UP = 3


class Standing(Enum):
    """How a game stands for its player."""

    WON = "won"
    SURE = "sure"
    """All cards lie open or can be reached, so that the rest plays itself."""
    UNDER_WAY = "under way"
    STUCK = "stuck"
    """Nothing more was found, but not everything was looked through."""
    OVER = "over"
    """No move can bring the game on."""


@dataclass(frozen=True, slots=True)
class Way:
    """A few moves, the last of which brings the game on."""

    steps: tuple[Move, ...]
    """What only rearranges cards, in order; it comes first."""
    turns: tuple[Move, ...]
    """Draws and recycles through known cards; they come next."""
    last: Move
    gain: Gain
    safe: bool
    """Whether the last move puts up a card that can hardly be missed below."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """All of its moves."""
        return (*self.steps, *self.turns, self.last)


@dataclass(frozen=True, slots=True)
class Outlook:
    """The ways on from a position, and how the game stands."""

    standing: Standing
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class _Stop:
    """What lies on the waste after some turns of the known stock."""

    turns: tuple[Move, ...]
    index: int
    card: int


@dataclass(frozen=True, slots=True)
class _Talon:
    """What turning the stock brings: known cards, and perhaps at last an unknown one."""

    stops: tuple[_Stop, ...]
    draw: Way | None


def outlook(rules: Rules, view: View) -> Outlook:
    """The ways on from what is seen; nothing that is unknown has a part in them."""
    return _Look(rules, view).outlook()


@dataclass(frozen=True, slots=True)
class _Table:
    """The open part of a position: the words of the columns and of the foundations (`STATE`)."""

    words: tuple[int, ...]
    foundations: int

    def after(self, code: int, places: int) -> "_Table":
        """The table after a move that turns no card up and takes none from the waste."""
        words = list(self.words)
        source, target = code >> SOURCE_SHIFT & INDEX, code >> TARGET_SHIFT & INDEX
        count = code >> COUNT_SHIFT
        if code & KIND == COLUMN_TO_COLUMN:
            words[target] = int(put_run(words[target], words[source], count))
            words[source] = int(take_run(words[source], count))
            return _Table(tuple(words), self.foundations)
        if code & KIND == COLUMN_TO_FOUNDATION:
            card = int(run_card(words[source], 0))
            words[source] = int(take_run(words[source], 1))
            first = 8 * suit_of(card)
            shifts = range(first, first + 4 * places, 4)
            at = next(p for p in shifts if self.foundations >> p & 15 == rank_of(card))
            return _Table(tuple(words), self.foundations + (1 << at))
        at = 8 * source + 4 * (count - 1)
        card = card_of((self.foundations >> at & 15) - 1, source)
        words[target] = int(put_run(words[target], int(card_word(card)), 1))
        return _Table(tuple(words), self.foundations - (1 << at))


Path = tuple[int, ...]


class _Look:
    """One look at a position."""

    def __init__(self, rules: Rules, view: View) -> None:
        self._rules = rules
        self._s: Record = pack(rules, view.position)[0]
        self._layout, self._foundations = self._s.layout, self._s.foundations
        # A view into the record, whose fields are slow to ask for.
        self._columns = self._layout.tableau[: rules.columns]
        self._start = _Table(tuple(self._columns.tolist()), int(self._foundations.heights))
        self._talon = _talon(rules, view)
        self._listed = np.zeros(MAX_MOVES, np.int64)

    def outlook(self) -> Outlook:
        """What there is to see."""
        if count_home(self._foundations) == self._rules.cards:
            return Outlook(Standing.WON, ())
        standing = Standing.SURE if players.is_sure(self._s.layout) else Standing.UNDER_WAY
        near = self._near()
        if near:
            return Outlook(standing, near)
        far = self._find(self._start, FAR, everything=True)
        far = far or self._find(self._start, FAR, homes=True)
        if far is not None:
            return Outlook(standing, (far,))
        return Outlook(Standing.OVER if self._is_proved() else Standing.STUCK, ())

    def _near(self) -> tuple[Way, ...]:
        """The shortest ways to each gain in sight; none if all of them put cards up only."""
        lengths: dict[Key, int] = {}
        ways: list[Way] = []
        for path, table in self._arrangements(self._start, SIGHT):
            for key, way in self._gains(path, table):
                is_shortest = lengths.setdefault(key, len(path)) == len(path)
                if is_shortest and (_lasts(way) or len(path) < SIGHT):
                    ways.append(way)
        if not any(map(_lasts, ways)):
            return ()
        return tuple(way for way in ways if _lasts(way) or self._keeps_sight(way))

    def _keeps_sight(self, way: Way) -> bool:
        """Whether a gain that lasts is in sight all along a way that puts a card up."""
        if self._talon.draw is not None:
            return True
        table = self._start
        for move in way.moves:
            table = table.after(move.encode(), self._rules.places)
            if self._find(table, SIGHT) is None:
                return False
        return True

    def _find(
        self, start: _Table, depth: int, everything: bool = False, homes: bool = False
    ) -> Way | None:
        """The first of the shortest ways to a gain that lasts; with `homes`, to any gain.

        Once `FAR_POSITIONS` have been looked through, no length is begun. So what is found here
        is found from the next position on the way, too.
        """
        length = 0
        for number, (path, table) in enumerate(self._arrangements(start, depth, everything)):
            if len(path) > length and number > FAR_POSITIONS:
                return None
            length = len(path)
            for _, way in self._gains(path, table, homes):
                return way
        return None

    def _is_proved(self) -> bool:
        """Whether it is proved that no order of legal moves puts one more card up.

        For a position without gains that last; False also if there is too much to look through.
        """
        arranged = self._arrangements(self._start, FAR_POSITIONS, True)
        home = _height(self._start)
        for number, (path, table) in enumerate(arranged):
            if _height(table) > home or number == FAR_POSITIONS:
                return False
            if any(self._gains(path, table, homes=False)):
                return False
        return True

    def _arrangements(
        self, start: _Table, depth: int, everything: bool = False
    ) -> Iterator[tuple[Path, _Table]]:
        """All tables that some steps lead to, each with its shortest path, the shortest first.

        `everything` takes cards that go home and come back as steps, too.
        """
        seen = {start}
        level: list[tuple[Path, _Table]] = [((), start)]
        yield level[0]
        for _ in range(depth):
            following = []
            for path, table in level:
                for move in self._steps(table, everything):
                    after = table.after(move, self._rules.places)
                    if after not in seen:
                        seen.add(after)
                        following.append(((*path, move), after))
                        yield following[-1]
            level = following

    def _listing(self, table: _Table) -> list[int]:
        self._columns[:] = table.words
        self._foundations.heights = table.foundations
        count = list_moves(self._layout, self._foundations, self._listed)
        moves: list[int] = self._listed[:count].tolist()
        return moves

    def _steps(self, table: _Table, everything: bool) -> list[int]:
        """The moves that only rearrange; homes, then columns, then taking back."""
        steps = []
        for move in self._listing(table):
            kind, word = move & KIND, table.words[move >> SOURCE_SHIFT & INDEX]
            if kind == COLUMN_TO_COLUMN:
                run = word >> RUN_SHIFT & RUN
                # A king without hidden cards could only go from one empty column to another.
                king = (word >> RANK_SHIFT & RANK) + run == self._rules.ranks
                if move >> COUNT_SHIFT < run or (word & HIDDEN == 0 and not king):
                    steps.append(move)
            elif everything and (
                kind == TAKE_BACK or (kind == COLUMN_TO_FOUNDATION and not _turns_up(word))
            ):
                steps.append(move)
        return steps

    def _gains(self, path: Path, table: _Table, homes: bool = True) -> Iterator[tuple[Key, Way]]:
        """What the next move can bring on a table that `path` led to."""
        words = table.words
        steps = tuple(map(Move.decode, path))
        for code in self._listing(table):
            kind, source = code & KIND, code >> SOURCE_SHIFT & INDEX
            if kind == COLUMN_TO_FOUNDATION:
                word = words[source]
                up = _turns_up(word)
                if not (up or homes):
                    continue
                card = int(run_card(word, 0))
                key = ("column", source) if up else ("home", card)
                gain = Gain.TURN_UP if up else Gain.HOME
                yield key, Way(steps, (), Move.decode(code), gain, self._is_safe(table, card))
            elif kind == COLUMN_TO_COLUMN:
                word = words[source]
                whole = code >> COUNT_SHIFT == word >> RUN_SHIFT & RUN
                target = code >> TARGET_SHIFT & INDEX
                # One empty column is as good as another.
                first = words[target] != 0 or target == words.index(0)
                if whole and word & HIDDEN and first:
                    way = Way(steps, (), Move.decode(code), Gain.TURN_UP, False)
                    yield ("column", source), way
        yield from self._talon_gains(steps, table)
        if self._talon.draw is not None and not path:
            yield ("draw", 0), self._talon.draw

    def _talon_gains(self, steps: tuple[Move, ...], table: _Table) -> Iterator[tuple[Key, Way]]:
        """The first cards of the known stock that fit somewhere."""
        left = TALON_CARDS
        targets = self._targets(table) if self._talon.stops else {}
        for stop in self._talon.stops:
            for last in targets.get(stop.card, ()):
                safe = last == WASTE_UP_MOVE and self._is_safe(table, stop.card)
                yield ("waste", stop.index), Way(steps, stop.turns, last, Gain.WASTE, safe)
            left -= stop.card in targets
            if not left:
                return

    def _targets(self, table: _Table) -> dict[int, list[Move]]:
        """Where each card could go from the waste; up first, kings to the first empty column."""
        targets: dict[int, list[Move]] = {}
        rules = self._rules
        for place in range(rules.foundations):
            suit, copy = divmod(place, rules.places)
            height = table.foundations >> 8 * suit + 4 * copy & 15
            targets[card_of(height, suit)] = [WASTE_UP_MOVE]
        for column, word in enumerate(table.words):
            if word:
                rank, red = (word >> RANK_SHIFT & RANK) - 1, word >> RED_SHIFT & 1
                suits = [suit for suit in range(rules.suits) if is_red(suit) != red]
            elif column == table.words.index(0):
                rank, suits = rules.ranks - 1, list(range(rules.suits))
            else:
                continue
            for suit in suits if rank >= 0 else ():
                move = Move(Kind.WASTE_TO_COLUMN, 0, column)
                targets.setdefault(card_of(rank, suit), []).append(move)
        return targets

    def _is_safe(self, table: _Table, card: int) -> bool:
        """Whether a card that can go up can hardly be missed below."""
        self._foundations.heights = table.foundations
        return bool(players.is_missed_by_none(self._s.foundations, card))


def _height(table: _Table) -> int:
    """Cards on the foundations."""
    return sum(table.foundations >> at & 15 for at in range(0, 32, 4))


def _lasts(way: Way) -> bool:
    """Whether no later move can take back what the way brings."""
    return way.gain is not Gain.HOME


def _turns_up(word: int) -> bool:
    """Whether a column turns a card up when its top card leaves."""
    return word >> RUN_SHIFT & RUN == 1 and word & HIDDEN != 0


def _talon(rules: Rules, view: View) -> _Talon:
    """What turning the stock brings, to the first unknown card or once around."""
    position = view.position
    talon = position.waste + position.stock
    border = len(position.waste)
    unknown = {border + index for pile, index in view.places if pile == STOCK}
    recycles = position.recycles
    stops: list[_Stop] = []
    turns: tuple[Move, ...] = ()
    seen = set()
    while border not in seen:
        seen.add(border)
        if border:
            stops.append(_Stop(turns, border - 1, talon[border - 1]))
        if border < len(talon):
            after = min(border + rules.draw, len(talon))
            if unknown.intersection(range(border, after)):
                draw = Way((), turns, DRAW_MOVE, Gain.DRAW, False)
                return _Talon(tuple(stops), draw)
            turns, border = (*turns, DRAW_MOVE), after
        elif talon and (rules.recycles is None or recycles < rules.recycles):
            turns, border, recycles = (*turns, RECYCLE_MOVE), 0, recycles + 1
        else:
            break
    return _Talon(tuple(stops), None)
