"""The public functions and types of the package; `double_solitaire` hands them on."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .engine.codes import DealCode
from .engine.deal import Deal, Position
from .engine.errors import CodeError, DealError, MoveError
from .engine.moves import Move, parse_move
from .engine.referee import Game, Replay
from .engine.rules import Rules, Scoring, rules_for
from .solver.verdict import HINT_LIMITS, SCORE_LIMITS, Answer, Limits, Verdict

if TYPE_CHECKING:
    from .solver.hint import Hint
    from .solver.score import ScoreAnswer

__all__ = [
    "Answer",
    "CodeError",
    "Deal",
    "DealCode",
    "DealError",
    "Game",
    "Limits",
    "Move",
    "MoveError",
    "Position",
    "Replay",
    "Rules",
    "Scoring",
    "Verdict",
    "check",
    "hint",
    "new_game",
    "parse_move",
    "replay",
    "rules_for",
    "score",
    "solve",
]

_LIMITS = Limits()


def new_game(code: str) -> Game:
    """The game that a code (`DS1-D1N-AAAAAAB`) or a PySolFC number (`pysol:1`) names, just dealt.

    Raises `CodeError` if it names none. Its `rules` and `position()` are what `solve` takes.
    """
    from .engine.dealing import resolve

    named = resolve(code)
    return Game(named.rules, Position.start(named.rules, named.deal))


def solve(code: str | Game, limits: Limits = _LIMITS) -> Answer:
    """Search for a win from a deal or from a game under way; a win comes with its moves.

    `unwinnable` is a proof; a limit that was hit gives `unknown`.
    """
    from .solver.solve import solve as search

    game = _game(code)
    _get_ready(limits)
    return search(game.rules, game.position(), limits)


def score(code: str | Game, limits: Limits = SCORE_LIMITS) -> "ScoreAnswer":
    """Bounds on the best score of a deal or a game under way, and a list that reaches the lower.

    The best over all games in which no card is taken back from a foundation (from here on),
    won or not.
    """
    from .solver.score import score as search

    game = _game(code)
    _get_ready(limits)
    return search(game.rules, game.position(), limits)


def hint(code: str | Game, limits: Limits = HINT_LIMITS) -> "Hint":
    """How to go on in a deal or a game under way, and which of the legal moves keep a win.

    The limits hold for the position and for each move.
    """
    from .solver.hint import hint as search

    game = _game(code)
    _get_ready(limits)
    return search(game.rules, game.position(), limits)


def check(codes: Iterable[str], limits: Limits = _LIMITS) -> list[Answer]:
    """Verdicts without moves, in the order of the codes; much faster than `solve` for many."""
    from .solver.solve import check as search

    games = [new_game(code) for code in codes]
    _get_ready(limits)
    return [search(game.rules, [game.position()], limits)[0] for game in games]


def replay(code: str, moves: Iterable[Move | str]) -> Replay:
    """Replay a list of moves such as `5>3x4`; `MoveError` says which one is illegal and why."""
    from .engine.referee import replay as play

    game = new_game(code)
    parsed = (parse_move(move) if isinstance(move, str) else move for move in moves)
    return play(game.rules, game.position(), parsed)


def _game(code: str | Game) -> Game:
    """The game that is meant; `DealError` if it stands where no game of these rules can."""
    if isinstance(code, str):
        return new_game(code)
    code.position().check(code.rules)
    return code


def _get_ready(limits: Limits) -> None:
    """Load or compile the search first where the time that it takes is limited."""
    if limits.seconds is not None:
        from .solver.warm import load

        load()
