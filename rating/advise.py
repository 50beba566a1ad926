"""Advice under hidden cards: of each way on, how the game goes on sampled deals after it.

Every way (`progress.py`) is tried on the same samples. On each the fast player goes on from
its end, and the solver says whether the game can still be won. A way is worth what these come
to, on average, and in units of what chance alone may make of that (`NOISE`) what it brings
(`GAINS`, `SAFE`) less the ado (`STEP`, `TURN`). So of ways between which the samples show no
difference that one is best which brings the game on most with the least ado. What is counted
depends on the end of a way alone, and thus no position comes back for one who starts on the best
way again and again, with equal samples, nodes and seed (the proof is in `progress.py`).
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import fmean, stdev

from ..engine.cards import card_sign
from ..engine.deal import Position
from ..engine.dealing import splitmix64
from ..engine.jit import Record
from ..engine.kernel import play, undo
from ..engine.moves import Kind, Move
from ..engine.referee import Game
from ..engine.rules import DOLLARS_HOME, Rules, Scoring
from ..engine.state import pack, unpack
from ..notation.solution import moved_card
from ..solver.solve import check
from ..solver.verdict import Limits, Verdict
from .interval import CONFIDENCE_95, wilson
from .policy import Fast
from .progress import Gain, Standing, Way, outlook
from .reasons import reasons
from .view import View

GAINS = {Gain.TURN_UP: 3.0, Gain.HOME: 2.0, Gain.WASTE: 1.0, Gain.DRAW: 0.0}
"""What a way is worth before anything is played out, by what it brings. By hand, as the next two:
only the order of ways that the samples do not tell apart follows from it."""
SAFE = 4.0
"""For a card that goes up and can hardly be missed below, whatever else it brings."""
STEP, TURN = 2.0, 0.01
"""What a move that only rearranges, and a turn of known stock, must be made good for."""
NOISE = {Scoring.NORMAL: 0.5, Scoring.VEGAS: 0.2}
"""About the standard deviation of the difference between two equal ways on one sample; an estimate,
of which no measurement is kept."""
CARD_USE = 0.25
"""What it counts for in Normal scoring to have all cards up in a game that is not won. By hand."""
HOPELESS = 4
"""Of a way of which so many samples in a row are not decided, the solver is asked no more. By
hand."""
FEW = 8
"""No difference is told from fewer samples. By hand."""


class Known(StrEnum):
    """What the samples say of a way, in words."""

    KEEPS = "keeps the win"
    LOSES = "loses (proof)"
    BEST = "recommended"
    MORE_WINS = "wins more often"
    FEWER_WINS = "wins less often"
    MORE_DOLLARS = "more dollars"
    FEWER_DOLLARS = "fewer dollars"
    EQUAL = "no difference shown"
    OPEN = "not decided"
    UNTRIED = "not tried"


@dataclass(slots=True)
class Advice:
    """What became of the sampled deals after one way."""

    way: Way
    wins: list[int] = field(default_factory=list)
    """Of each sample, 1 if a fast player who does not see the cards goes on to win it, else 0.
    """
    cards: list[int] = field(default_factory=list)
    """Of each sample, the cards that this player has up at the end."""
    winnable: int = 0
    """Samples that can be won; a win of the fast player is a proof of it."""
    lost: int = 0
    """Samples that cannot be won any more, by proof."""

    def __repr__(self) -> str:
        """The moves, and what became of the samples, in a line."""
        return (
            f"<Advice {' '.join(map(str, self.way.moves))}: {self.samples} samples, "
            f"{self.winnable} winnable, {self.fast_wins} won by the fast player>"
        )

    @property
    def move(self) -> Move:
        """The first move of the way."""
        return self.way.moves[0]

    @property
    def samples(self) -> int:
        """Deals that it was tried on."""
        return len(self.wins)

    @property
    def undecided(self) -> int:
        """Samples on which the search hit its limit, or was not made (`HOPELESS`)."""
        return self.samples - self.winnable - self.lost

    @property
    def fast_wins(self) -> int:
        """Samples that the fast player won."""
        return sum(self.wins)

    @property
    def share(self) -> float:
        """Share of samples known to be winnable after the move."""
        return self.winnable / max(self.samples, 1)

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the share still winnable, undecided samples counted both ways."""
        low, _ = wilson(self.winnable, self.samples)
        return low, wilson(self.winnable + self.undecided, self.samples)[1]

    @property
    def fast_share(self) -> float:
        """Share of samples that the fast player won."""
        return self.fast_wins / max(self.samples, 1)

    @property
    def fast_interval(self) -> tuple[float, float]:
        """95 % interval of `fast_share`."""
        return wilson(self.fast_wins, self.samples)

    @property
    def mean_cards(self) -> float:
        """Mean number of cards that the fast player has up at the end; 0 without samples."""
        return fmean(self.cards) if self.cards else 0.0

    def cards_interval(self, most: int) -> tuple[float, float]:
        """95 % interval of `mean_cards`; 0 … `most`, which are all cards, from one sample."""
        if self.samples < 2:
            return 0.0, float(most)
        half = CONFIDENCE_95 * stdev(self.cards) / math.sqrt(self.samples)
        return max(self.mean_cards - half, 0.0), min(self.mean_cards + half, float(most))


@dataclass(frozen=True, slots=True)
class Counsel:
    """What to do in a position, and what the samples showed."""

    rules: Rules
    view: View
    standing: Standing
    advice: list[Advice]
    """The best way for each first move, the best of all first."""
    others: list[Move]
    """Legal moves that are not tried: they only rearrange cards, take one back without need, or put
    one up after which nothing more would be in sight."""

    def __repr__(self) -> str:
        """The first move that is recommended, and how many there are, in a line."""
        first = f"{self.advice[0].move}, of {len(self.advice)} tried" if self.advice else "no move"
        return f"<Counsel {self.standing.value}: {first}; {self.samples} samples>"

    @property
    def samples(self) -> int:
        """Deals that the ways were tried on."""
        return self.advice[0].samples if self.advice else 0

    def known(self, advice: Advice) -> Known:
        """What the samples say of a way, compared with the best."""
        best = self.advice[0]
        if not advice.samples:
            return Known.UNTRIED
        if not self.view.places and not advice.undecided:
            return Known.KEEPS if advice.winnable else Known.LOSES
        if advice is best:
            return Known.BEST
        wins = _difference(advice.wins, best.wins)
        if wins:
            return Known.MORE_WINS if wins > 0 else Known.FEWER_WINS
        if self.rules.scoring is Scoring.VEGAS:
            cards = _difference(advice.cards, best.cards)
            if cards:
                return Known.MORE_DOLLARS if cards > 0 else Known.FEWER_DOLLARS
        return Known.OPEN if advice.undecided == advice.samples else Known.EQUAL

    def dollars(self, cards: float) -> float:
        """What a player has in Vegas scoring who ends with so many cards up.

        A card that is taken back and goes up again counts once.
        """
        position = self.view.position
        return position.score + DOLLARS_HOME * (cards - sum(position.foundations))

    def reason(self, advice: Advice) -> str:
        """What a way is good for, in words for a player."""
        return _reason(self.rules, self.view.position, advice.way)

    def why(self) -> str:
        """Why the first way is recommended, or why none is, in words for a player."""
        if self.standing is Standing.WON:
            return f"the game is won: all {self.rules.cards} cards are up"
        if self.standing is Standing.OVER:
            return (
                "the game is over: no card can be turned up, put up or played from the stock, "
                "whatever is moved"
            )
        if self.standing is Standing.STUCK:
            return (
                "no way on was found: no card that is seen can be turned up, put up or played "
                "from the stock within a few moves"
            )
        words = self.reason(self.advice[0])
        if self.advice[0].way.gain is Gain.DRAW:
            words = f"nothing on the table is shown to be better: it {words}"
        if self.standing is Standing.SURE:
            words = f"the game is won, as every card lies open or within reach; {words}"
        others = [self.known(each) for each in self.advice[1:]]
        worse = (Known.FEWER_WINS, Known.FEWER_DOLLARS, Known.LOSES)
        if others and all(known in worse for known in others):
            words += ", and all else does worse"
        return words


@dataclass(frozen=True, slots=True)
class Tried:
    """How far the trying has come."""

    done: int
    total: int
    """Samples played and samples searched, together."""
    counsel: Callable[[], Counsel]
    """What to say now."""


class Judge:
    """Tries moves on a sampled deal: a game of the fast player, and the solver."""

    def __init__(self, rules: Rules, nodes: int) -> None:
        """`nodes` is what a verdict may cost."""
        self._rules, self._limits = rules, Limits(nodes=nodes)
        self._fast = Fast(rules)

    def take(self, sample: Position) -> None:
        """Try moves from this position from now on."""
        self._start = pack(self._rules, sample)
        self._layout: Record = self._start[0].layout
        self._foundations: Record = self._start[0].foundations

    def game(self, moves: tuple[Move, ...], seed: int) -> tuple[bool, int]:
        """Whether the fast player wins a game after the moves, and the cards up at its end."""
        self._play(moves)
        cards = int(self._fast.play(self._start[0], seed, 1)[0])
        self._undo(moves)
        return cards == self._rules.cards, cards

    def verdict(self, moves: tuple[Move, ...]) -> Verdict:
        """What the solver says of the sample after the moves."""
        self._play(moves)
        after = unpack(self._layout, self._foundations)
        self._undo(moves)
        return check(self._rules, after, self._limits).verdict

    def _play(self, moves: tuple[Move, ...]) -> None:
        for move in moves:
            play(self._layout, self._foundations, move.encode())

    def _undo(self, moves: tuple[Move, ...]) -> None:
        for _ in moves:
            undo(self._layout, self._foundations)


def advise(
    rules: Rules,
    view: View,
    samples: int,
    nodes: int,
    seed: int,
    goes_on: Callable[[], bool] = lambda: True,
    report: Callable[[Tried], None] = lambda _: None,
) -> Counsel:
    """What to do in a view.

    All ways are tried on the same samples, of which there are `samples`, or fewer if `goes_on`
    says so before one; then each is searched, with `nodes` for a way on a sample. `report` is
    called after each sample and each search. Equal arguments give equal advice, but for what
    `goes_on` says.
    """
    view = view.blank()
    look = outlook(rules, view)
    advice = [Advice(way) for way in look.ways]
    starts = {each.move for each in advice}
    legal = Game(rules, view.position).legal_moves() if look.standing is not Standing.WON else []
    others = [move for move in legal if move not in starts]
    judge = Judge(rules, nodes)
    # Where nothing is unknown, all samples are one.
    searched = samples if view.places else 1

    def counsel() -> Counsel:
        return Counsel(rules, view, look.standing, _ranked(rules, advice), others)

    if not advice:
        return counsel()
    for number, (sample, word) in enumerate(_samples(view, seed, samples), 1):
        if not goes_on():
            break
        judge.take(sample)
        for each in advice:
            won, cards = judge.game(each.way.moves, word)
            each.wins.append(int(won))
            each.cards.append(cards)
            each.winnable += won
        report(Tried(number, samples + searched, counsel))
    played = advice[0].samples
    in_vain = dict.fromkeys(range(len(advice)), 0)
    for number, (sample, _) in enumerate(_samples(view, seed, min(searched, played))):
        if not goes_on():
            break
        judge.take(sample)
        for at, each in enumerate(advice):
            if each.wins[number] or in_vain[at] == HOPELESS:
                continue
            verdict = judge.verdict(each.way.moves)
            each.winnable += verdict is Verdict.WINNABLE
            each.lost += verdict is Verdict.UNWINNABLE
            in_vain[at] = in_vain[at] + 1 if verdict is Verdict.UNKNOWN else 0
            report(Tried(samples + number, samples + searched, counsel))
    if not view.places:
        for each in advice:
            each.winnable = played if each.winnable else 0
            each.lost = played if each.lost else 0
    return counsel()


def until(seconds: float | None) -> Callable[[], bool]:
    """Whether there is time left, asked for again and again from now on; always for None."""
    end = None if seconds is None else time.monotonic() + seconds
    return lambda: end is None or time.monotonic() < end


def _samples(view: View, seed: int, count: int) -> Iterator[tuple[Position, int]]:
    """Sampled positions, each with the seed of the games that are played on it."""
    words = splitmix64(seed)
    for _ in range(count):
        yield view.sample(words), next(words) >> 2


def _ranked(rules: Rules, advice: list[Advice]) -> list[Advice]:
    """The best way for each first move, the best first."""
    best: dict[Move, Advice] = {}
    for each in sorted(advice, key=lambda each: _worth(rules, each), reverse=True):
        best.setdefault(each.move, each)
    return list(best.values())


def _worth(rules: Rules, advice: Advice) -> float:
    """What a way is worth; see the head of this file."""
    count = max(advice.samples, 1)
    cards = advice.mean_cards / rules.cards
    if rules.scoring is Scoring.VEGAS:
        use = advice.fast_share + cards
    else:
        use = advice.fast_share + CARD_USE * cards
    use += advice.share + advice.undecided / count / 2
    way = advice.way
    gain = SAFE if way.safe else GAINS[way.gain]
    ado = STEP * len(way.steps) + TURN * len(way.turns)
    return use + NOISE[rules.scoring] / math.sqrt(count) * (gain - ado)


def _difference(these: list[int], those: list[int]) -> int:
    """1 if these counts are higher on the same samples than chance explains, -1 if lower, or 0."""
    if len(these) < FEW:
        return 0
    gaps = [one - other for one, other in zip(these, those, strict=True)]
    mean, half = fmean(gaps), CONFIDENCE_95 * stdev(gaps) / math.sqrt(len(gaps))
    return 0 if abs(mean) <= half else 1 if mean > 0 else -1


def _reason(rules: Rules, position: Position, way: Way) -> str:
    """What a way is good for."""
    game = Game(rules, position)
    back = [move for move in way.steps if move.kind is Kind.TAKE_BACK]
    for move in (*way.steps, *way.turns):
        game.play(move)
    last = way.last
    card = moved_card(last, game)
    name = "" if card is None else card_sign(card)
    goes = f"{name} goes to column {last.target + 1}"
    if last.kind in (Kind.COLUMN_TO_FOUNDATION, Kind.WASTE_TO_FOUNDATION):
        goes = f"{name} goes up"
    if way.safe:
        goes += ", where it can hardly be missed"
    match way.gain:
        case Gain.TURN_UP | Gain.HOME:
            gain = goes
        case Gain.WASTE:
            gain = f"{goes}, from the {'stock' if way.turns else 'waste'}"
        case Gain.DRAW:
            gain = f"turns the next card{'s' * (rules.draw > 1)} of the stock"
    facts = reasons(game, last)
    if facts:
        gain += f"; that {' and '.join(facts)}"
    if way.turns:
        many = len(way.turns)
        gain = f"after {many} turn{'s' * (many > 1)} of the stock {gain}"
    if back:
        return f"only with a card taken back the game comes on: then {gain}"
    return f"it makes room: then {gain}" if way.steps else gain
