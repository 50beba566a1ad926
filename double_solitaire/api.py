"""The public functions and types of the package; `double_solitaire` hands them on.

Of wrong arguments all say the same: `TypeError` for what is of another type, and for what is
of the right one but no code, deal, move, limit or number a `ValueError` (`CodeError`, `DealError`
and `MoveError` are such), each with one line that says what would be right.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

from .engine.codes import DEAL_NUMBERS, DealCode, Range
from .engine.deal import Deal, Position
from .engine.errors import CodeError, DealError, MoveError
from .engine.moves import Move, parse_move
from .engine.referee import Game, Replay
from .engine.rules import Rules, Scoring, rules_for
from .notebook import show_in_notebook
from .solver.verdict import HINT_LIMITS, SCORE_LIMITS, Answer, Limits, Verdict, check_whole

if TYPE_CHECKING:
    import pyarrow as pa

    from .rating.advise import Counsel
    from .rating.rate import Rating
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
    "advise",
    "answer_many",
    "check",
    "hint",
    "new_game",
    "parse_move",
    "rate",
    "read_deal",
    "replay",
    "rules_for",
    "score",
    "solve",
]

show_in_notebook()

_T = TypeVar("_T")
_LIMITS = Limits()
_RULES = rules_for("DS1", 1, Scoring.NORMAL)
_ADVICE_NODES = 20_000
"""As in `dsol advise`."""
_LARGEST_COUNT = 1_000_000
"""Of games, of samples and of threads."""
_LARGEST_SEED = 2**63 - 1


def new_game(code: str) -> Game:
    """The game that a code (`DS1-D1N-AAAAAAB`) or a PySolFC number (`pysol:1`) names, just dealt.

    Raises `CodeError` if it names none. Its `rules` and `position()` are what `Game` takes.
    """
    from .engine.dealing import resolve

    _expect("a code such as 'DS1-D1N-AAAAAAB'", code, str)
    named = resolve(code)
    return Game(named.rules, Position.start(named.rules, named.deal))


def read_deal(text: str, rules: Rules = _RULES) -> Game:
    """The game in a text that has the cards, in any of the formats of docs/manual.md.

    It is played by the rules that the text states; what it leaves open is as in `rules`, by
    default Double Solitaire, draw 1, Normal scoring. Raises `DealError` if the text is no deal.
    """
    from .notation.formats import object_in, stated_rules
    from .notation.formats import read_deal as read

    _expect("the text of a deal", text, str)
    _expect("a Rules such as rules_for('DS1', 1, 'N')", rules, Rules)
    rules = stated_rules(object_in(text), rules)
    return Game(rules, read(text, rules))


def solve(code: str | Game, limits: Limits = _LIMITS, *, shorter: float | None = None) -> Answer:
    """Search for a win from a deal or from a game under way; a win comes with its moves.

    `unwinnable` is a proof; a limit that was hit gives `unknown`. `shorter` seconds more are for a
    list with fewer moves; `fewest` of the answer then says how few there can be.
    """
    from .solver.solve import solve as search

    game = _game(code, limits)
    if shorter is not None:
        # Refuses what is no time, and has the search ready before it is counted.
        _get_ready(Limits(seconds=shorter))
    return search(game.rules, game.position(), limits, shorter=shorter)


def score(code: str | Game, limits: Limits = SCORE_LIMITS) -> "ScoreAnswer":
    """Bounds on the best score of a deal or a game under way, and a list that reaches the lower.

    The best over all games in which no card is taken back from a foundation (from here on),
    won or not.
    """
    from .solver.score import score as search

    game = _game(code, limits)
    return search(game.rules, game.position(), limits)


def hint(code: str | Game, limits: Limits = HINT_LIMITS) -> "Hint":
    """How to go on in a deal or a game under way, and which of the legal moves keep a win.

    The limits hold for the position and for each move.
    """
    from .solver.hint import hint as search

    game = _game(code, limits)
    return search(game.rules, game.position(), limits)


def rate(
    code: str | Game, limits: Limits = _LIMITS, games: int = 200, seed: int = 0
) -> "Rating | None":
    """How hard a deal or a game under way is for a person, who does not see the hidden cards.

    Two players play it `games` times each (1 … 1,000,000; seeded by `seed`, 0 or more). None
    unless it is known to be winnable within the limits.
    """
    from .rating.rate import rate_if
    from .solver.solve import check as search

    check_whole("games", games, 1, _LARGEST_COUNT)
    check_whole("seed", seed, 0, _LARGEST_SEED)
    game = _game(code, limits)
    position = game.position()
    verdict = search(game.rules, position, limits).verdict
    return rate_if(verdict, game.rules, position, int(seed), int(games))


def advise(code: str | Game, samples: int = 200, seed: int = 0) -> "Counsel":
    """What to do for a player who does not see the hidden cards.

    Its `advice` has what each move came to, the best first, and `why()` says why that is best.

    A game under way is taken as its player sees it, who does not know the face-down cards, nor
    the stock in the first pass. A text in JSON is a position with `"??"` for unknown cards, as
    `dsol advise` reads it; any other text is a code. The hidden cards are dealt anew `samples`
    times (1 … 1,000,000; seeded by `seed`, 0 or more), and each way on is tried on all of them.
    """
    from .notation.formats import object_in, stated_rules
    from .rating.advise import advise as search
    from .rating.view import View, read_view

    check_whole("samples", samples, 1, _LARGEST_COUNT)
    check_whole("seed", seed, 0, _LARGEST_SEED)
    if isinstance(code, str) and (data := object_in(code)):
        rules = stated_rules(data, _RULES)
        view = read_view(code, rules)
    else:
        game = _game(code, _LIMITS)
        rules, view = game.rules, View.of(game.position())
    return search(rules, view, int(samples), _ADVICE_NODES, int(seed))


def check(codes: Iterable[str | Game], limits: Limits = _LIMITS) -> list[Answer]:
    """Verdicts without moves, in the order of the codes; much faster than `solve` for many."""
    from .solver.solve import check as search

    games = [_game(code, limits) for code in _several("codes", codes)]
    return [search(game.rules, game.position(), limits) for game in games]


def answer_many(
    codes: str | Iterable[str],
    count: int | None = None,
    limits: Limits = _LIMITS,
    *,
    moves: bool = False,
    rate: bool = False,
    score: bool = False,
    jobs: int = 1,
) -> "pa.Table":
    """The rows that `dsol batch` writes of so many deals, as a table of pyarrow.

    `answer_many("DS1-D1N-AAAAAAA", 1000)` is a range: `count` deals from this code on. Without
    a count, `codes` are the deals, in their order. `moves`, `rate` and `score` ask for what the
    options of `dsol batch` with these names do; docs/manual.md has the columns. `jobs` threads
    (1 or more) share the work; the rows do not depend on them, but for `seconds`.
    """
    from .batch.memory import answer_list, answer_range
    from .batch.settings import Settings

    check_whole("jobs", jobs, 1, _LARGEST_COUNT)
    _expect("a Limits such as Limits(nodes=1000)", limits, Limits)
    _get_ready(limits)
    settings = Settings(limits, bool(moves), True, bool(rate), bool(score))
    if count is None:
        return answer_list(_several("codes without a count", codes), settings, int(jobs))
    _expect("the first code of a range, such as 'DS1-D1N-AAAAAAA'", codes, str)
    check_whole("count", count, 1, DEAL_NUMBERS)
    assert isinstance(codes, str)
    first = DealCode.parse(codes)
    last = first.number + int(count) - 1
    return answer_range(Range(first.rules, first.number, last), settings, int(jobs))


def replay(code: str, moves: Iterable[Move | str]) -> Replay:
    """Replay a list of moves such as `5>3x4`; `MoveError` says which one is illegal and why."""
    from .engine.referee import replay as play

    game = new_game(code)
    parsed = (
        move if isinstance(move, Move) else parse_move(move) for move in _several("moves", moves)
    )
    return play(game.rules, game.position(), parsed)


def _game(code: str | Game, limits: Limits) -> Game:
    """The game that is meant, once the search in these limits is ready.

    `DealError` if it stands where no game of these rules can.
    """
    _expect("a code such as 'DS1-D1N-AAAAAAB' or a Game", code, str, Game)
    _expect("a Limits such as Limits(nodes=1000)", limits, Limits)
    if isinstance(code, str):
        game = new_game(code)
    else:
        game = code
        game.position().check(game.rules)
    _get_ready(limits)
    return game


def _several(what: str, values: str | Iterable[_T]) -> list[_T]:
    """The values of an iterable; `TypeError` for a text, which is an iterable of letters."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{what} come in a list, as [...], not as {values!r:.40}")
    return list(values)


def _expect(what: str, value: object, *types: type) -> None:
    """Raise `TypeError`, which says what is needed, unless the value is of one of the types."""
    if not isinstance(value, types):
        raise TypeError(f"{what} is needed, not {value!r:.40}")


def _get_ready(limits: Limits) -> None:
    """Load or compile the search first where the time that it takes is limited."""
    if limits.seconds is not None:
        from .solver.warm import load

        load()
