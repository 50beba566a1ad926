"""`dsol rate`: how hard a deal is for a person who cannot see the face-down cards."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from ..solver.verdict import Answer, Limits
from .deals import SCHEME_NOTE, Asked, DealReader
from .options import SearchOptions, deals_from, examples, search_from
from .output import Form, Rows, exit_code, flush, write
from .progress import watched
from .threads import in_order

if TYPE_CHECKING:
    from ..rating.figures import Figures
    from ..rating.rate import Rating, WinRate


COLUMNS = (
    *("deal", "verdict", "reason", "difficulty", "difficulty_low", "difficulty_high", "level"),
    *("harder_than", "win_rate_casual", "win_rate_casual_low", "win_rate_casual_high"),
    *("win_rate_careful", "win_rate_careful_low", "win_rate_careful_high"),
    *("win_rate_expert", "win_rate_expert_low", "win_rate_expert_high", "cards_up"),
    *("recycles", "low_cards_hidden", "low_cards_depth", "first_moves", "first_moves_winning"),
    *("forced_places", "losing_moves", "first_loss"),
)
"""Of CSV."""
TABLE = (
    *("deal", "verdict", "difficulty", "level", "harder_than"),
    *("win_rate_casual", "win_rate_careful"),
)


@dataclass(frozen=True, slots=True)
class _Rated:
    """A deal, the verdict on it and, if it is winnable, how hard it is."""

    asked: Asked
    answer: Answer
    rating: "Rating | None"
    figures: "Figures | None" = None
    harder_than: float | None = None
    expert: "WinRate | None" = None


@click.command(
    epilog=examples(
        "dsol rate DS1-D1N-AAAAAAB",
        "dsol rate -i deals.txt --json --games 50",
        note=SCHEME_NOTE,
    )
)
@deals_from(seed_of=" and of the games")
@search_from(Limits(), has_columns=True)
@click.option(
    "--games",
    type=click.IntRange(min=1, max=1_000_000),
    default=200,
    show_default=True,
    help="Games that each player plays of a deal.",
)
@click.option(
    "--places",
    is_flag=True,
    help="Look along the winning list for places where a move loses; a second or more a deal.",
)
@click.option(
    "--expert",
    type=click.IntRange(min=1),
    metavar="N",
    help="Also let an expert play N games, who asks the solver; up to a minute each.",
)
def rate(
    reader: DealReader,
    search: SearchOptions,
    games: int,
    seed: int,
    places: bool,
    expert: int | None,
) -> int:
    """Say how hard each DEAL is for a person, a line each.

    Two players who see only what lies open, a casual and a careful one, play the deal
    many times. The difficulty, 0 to 100, is in the main the percentage of games they
    lose; its fifths are the levels "very easy" to "very hard". A deal that is not known
    to be winnable is not rated.
    """
    from ..rating.expert import expert_rate
    from ..rating.figures import figures
    from ..rating.percentiles import harder_than
    from ..rating.rate import rate_if
    from ..solver.solve import solve

    def find(asked: Asked) -> _Rated:
        position = asked.position()
        answer = solve(asked.rules, position, search.limits)
        rating = rate_if(answer.verdict, asked.rules, position, seed, games)
        if rating is None:
            return _Rated(asked, answer, None)
        found = figures(asked.rules, position, answer.moves, places) if answer.moves else None
        above = harder_than(asked.rules, rating.difficulty)
        wins = expert_rate(asked.rules, position, seed, expert) if expert else None
        return _Rated(asked, answer, rating, found, above, wins)

    verdicts = set()
    with Rows(search.form, COLUMNS, TABLE) as rows:
        for rated in in_order(find, watched(reader, search.limits), search.jobs):
            verdicts.add(rated.answer.verdict)
            if search.form is Form.TEXT:
                write(_text(rated) + "\n")
            else:
                rows.add(rated.asked, _row(rated))
            flush()
    return exit_code(verdicts, reader.bad, search.with_exit_code)


def _row(rated: _Rated) -> dict[str, Any]:
    """A row for programs; null for all that is not known of the deal."""
    rating = rated.rating
    row: dict[str, Any] = {
        "code": rated.asked.code,
        "verdict": rated.answer.verdict.value,
        "reason": rated.answer.reason,
        "difficulty": rating and rating.difficulty,
        "difficulty_interval": rating and _rounded(rating.interval, 1),
        "level": rating and rating.level.value,
        "harder_than": rated.harder_than,
    }
    rates = {
        "casual": rating and rating.casual,
        "careful": rating and rating.careful,
        "expert": rated.expert,
    }
    for player, won in rates.items():
        row[f"win_rate_{player}"] = won and round(won.rate, 4)
        row[f"win_rate_{player}_interval"] = won and _rounded(won.interval, 4)
    row["cards_up"] = rating and round(rating.cards, 4)
    row["figures"] = rated.figures and asdict(rated.figures)
    return row


def _rounded(interval: tuple[float, float], digits: int) -> list[float]:
    return [round(end, digits) for end in interval]


def _text(rated: _Rated) -> str:
    rating, found = rated.rating, rated.figures
    if rating is None:
        return f"{rated.asked.title} not rated: {rated.answer.verdict} ({rated.answer.reason})"
    parts = [
        f"{rated.asked.title} {rating.level}, difficulty {rating.difficulty:.0f}",
        f"casual players win {_percent(rating.casual)}, careful ones {_percent(rating.careful)}",
    ]
    if rated.expert is not None:
        parts[1] += f", the expert {_percent(rated.expert)}"
    if rated.harder_than is not None:
        parts[0] += f", harder than {rated.harder_than:.0f} % of {rated.asked.rules.mode} deals"
    if found is not None:
        parts.append(
            f"recycles {found.recycles}, aces and twos face down {found.low_cards_hidden}, "
            f"cards on aces and twos {found.low_cards_depth}"
        )
        if found.first_moves_winning is not None:
            parts.append(
                f"first moves that keep it {found.first_moves_winning}/{found.first_moves}"
            )
        if found.losing_moves is not None:
            loss = "" if found.first_loss is None else f", the first at move {found.first_loss}"
            parts.append(
                f"forced places {found.forced_places}, losing moves {found.losing_moves}{loss}"
            )
    return "; ".join(parts)


def _percent(won: "WinRate") -> str:
    low, high = won.interval
    return f"{100 * won.rate:.0f} % ({100 * low:.0f}–{100 * high:.0f})"
