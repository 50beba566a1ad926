"""What to play next: the moves of a win, and which of the legal moves keep one within reach."""

import time
from dataclasses import dataclass, replace

from ..engine.deal import Position
from ..engine.moves import Kind, Move
from ..engine.referee import Game
from ..engine.rules import Rules
from .solve import check, solve
from .verdict import Answer, Limits, Verdict


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A legal move, and whether the game can be won after it."""

    move: Move
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True)
class Hint:
    """Whether a position can be won, how to go on, and what each legal move would do."""

    verdict: Verdict
    reason: str
    moves: tuple[Move, ...] | None
    """A winning list from the position, replayed by the referee; None where none was found."""
    legal: tuple[LegalMove, ...]
    """The legal moves; none where the game is won."""
    nodes: int
    seconds: float

    def __repr__(self) -> str:
        """The verdict and how to go on, in a line; the legal moves by their number."""
        going_on = " ".join(map(str, self.next)) or "no move"
        return f"<Hint {self.verdict}: {going_on}; {len(self.legal)} legal moves>"

    @property
    def next(self) -> tuple[Move, ...]:
        """The first moves of the list, up to one that is neither draw nor recycle."""
        moves = self.moves or ()
        for number, move in enumerate(moves, 1):
            if move.kind not in (Kind.DRAW, Kind.RECYCLE):
                return moves[:number]
        return moves


def hint(rules: Rules, position: Position, limits: Limits) -> Hint:
    """Search a position, and each position after a legal move, all within the same limits."""
    started = time.perf_counter()
    answer = solve(rules, position, limits)
    nodes = answer.nodes
    game = Game(rules, position)
    # Where all cards are up there is nothing to go on with, though one may be taken back.
    legal = [] if game.won else game.legal_moves()
    after: dict[Move, Answer] = {}
    for move in legal:
        if answer.verdict is Verdict.UNWINNABLE or (answer.moves and move == answer.moves[0]):
            after[move] = answer
        elif not can_be_undone(rules, position, move):
            game = Game(rules, position)
            game.play(move)
            find = solve if answer.moves is None else check
            found = after[move] = find(rules, game.position(), limits)
            nodes += found.nodes
            if answer.moves is None and found.moves is not None:
                answer = replace(found, moves=(move, *found.moves))
    lost = (found.verdict is Verdict.UNWINNABLE for found in after.values())
    if answer.verdict is Verdict.UNKNOWN and len(after) == len(legal) and all(lost):
        answer = replace(answer, verdict=Verdict.UNWINNABLE, reason="every legal move loses")
    told = []
    for move in legal:
        found = after.get(move, answer)
        told.append(LegalMove(move, found.verdict, found.reason))
    seconds = time.perf_counter() - started
    return Hint(answer.verdict, answer.reason, answer.moves, tuple(told), nodes, seconds)


def can_be_undone(rules: Rules, position: Position, move: Move) -> bool:
    """Whether a legal move can bring all cards back to where they lay before this one.

    Then a win is in reach after the move just if it was before.
    """
    before = _cards(rules, position)
    game = Game(rules, position)
    game.play(move)
    for back in game.legal_moves():
        again = Game(rules, game.position())
        again.play(back)
        if _cards(rules, again.position()) == before:
            return True
    return False


def _cards(rules: Rules, position: Position) -> Position:
    """All of a position that matters for winning: not the score, nor recycles without limit."""
    recycles = 0 if rules.recycles is None else position.recycles
    return replace(position, score=0, recycles=recycles)
