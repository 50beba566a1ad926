"""`Figures`: what makes a deal hard, in numbers that a player understands."""

from dataclasses import dataclass

from ..engine.cards import rank_of
from ..engine.deal import Position
from ..engine.moves import Kind, Move
from ..engine.referee import Game
from ..engine.rules import Rules
from ..solver.solve import check
from ..solver.verdict import Limits, Verdict

EACH_NODES = 20_000
"""Positions that the verdict on one move may cost. By hand, as the next: about a second a
deal."""
DEAL_NODES = 1_000_000
"""Positions that the verdicts on all moves of a deal may cost."""
LOW_RANKS = 2
"""Aces and twos."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Null (None) stands for what was not asked for or not decided with bounded effort."""

    recycles: int
    """Recycles in the winning list that the solver found; not proved to be the fewest."""
    low_cards_hidden: int
    """Aces and twos that lie face down."""
    low_cards_depth: int
    """Cards that lie on aces and twos in the columns, counted for each of these."""
    first_moves: int
    """Legal first moves."""
    first_moves_winning: int | None
    """How many of them keep the deal winnable."""
    forced_places: int | None = None
    """Positions on the winning list where every other move loses that cannot be taken back at once;
    there has to be one."""
    losing_moves: int | None = None
    """Legal moves that lose the game, at all positions on the winning list together."""
    first_loss: int | None = None
    """Number of the first move of the list in whose place another one loses; null if none does."""


def figures(rules: Rules, position: Position, moves: tuple[Move, ...], places: bool) -> Figures:
    """The figures of a deal, and of a list of moves that wins it, which has to have moves.

    `places` asks for the last three, which take about a second.
    """
    checker = _Checker(rules)
    game = Game(rules, position)
    first = len(game.legal_moves())
    losing, _ = checker.losing(game, moves[0])
    hidden, depth = _low_cards(position)
    forced = total = first_loss = None
    if places:
        forced, total, first_loss = _along(checker, game, moves)
    return Figures(
        recycles=sum(move.kind is Kind.RECYCLE for move in moves),
        low_cards_hidden=hidden,
        low_cards_depth=depth,
        first_moves=first,
        first_moves_winning=None if losing is None else first - losing,
        forced_places=forced,
        losing_moves=total,
        first_loss=first_loss,
    )


class _Checker:
    """Verdicts on moves of one deal, as long as `DEAL_NODES` last."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._left = DEAL_NODES

    def losing(self, game: Game, kept: Move) -> tuple[int | None, int]:
        """How many legal moves lose the game, and how many could; `kept` does not.

        The first is None if a move is left undecided.
        """
        losing = 0
        moves = _to_check(game, kept)
        for move in moves:
            if self._left <= 0:
                return None, len(moves)
            game.play(move)
            limits = Limits(nodes=min(EACH_NODES, self._left))
            answer = check(self._rules, game.position(), limits)
            game.undo()
            self._left -= answer.nodes
            if answer.verdict is Verdict.UNKNOWN:
                return None, len(moves)
            losing += answer.verdict is Verdict.UNWINNABLE
        return losing, len(moves)


def _to_check(game: Game, kept: Move) -> list[Move]:
    """The legal moves that may lose where `kept` wins.

    Those that can be taken back at once do not: a card from a foundation goes up again, part
    of a run goes back to the rest of it, and with unlimited redeals the stock comes round.
    """
    return [move for move in game.legal_moves() if move != kept and not _loses_nothing(game, move)]


def _loses_nothing(game: Game, move: Move) -> bool:
    match move.kind:
        case Kind.TAKE_BACK:
            return True
        case Kind.DRAW | Kind.RECYCLE:
            return game.rules.recycles is None
        case Kind.COLUMN_TO_COLUMN:
            return move.count < len(game.columns[move.source]) - game.hidden[move.source]
        case _:
            return False


def _along(
    checker: _Checker, game: Game, moves: tuple[Move, ...]
) -> tuple[int | None, int | None, int | None]:
    """Forced places, losing moves and the first loss along the list; `game` is played to its end.

    All None if a move is left undecided.
    """
    forced = total = 0
    first_loss = None
    for number, move in enumerate(moves, 1):
        losing, checked = checker.losing(game, move)
        if losing is None:
            return None, None, None
        if losing:
            total += losing
            forced += losing == checked
            first_loss = first_loss or number
        game.play(move)
    return forced, total, first_loss


def _low_cards(position: Position) -> tuple[int, int]:
    """How many aces and twos lie face down, and how many cards on each, added up."""
    hidden = depth = 0
    for column, down in zip(position.columns, position.hidden, strict=True):
        for at, card in enumerate(column):
            if rank_of(card) < LOW_RANKS:
                hidden += at < down
                depth += len(column) - 1 - at
    return hidden, depth
