"""`dsol rate`: how hard a deal is for a person who cannot see the face-down cards."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from ..engine.rules import Rules
from ..pages.words import score_text
from ..solver.verdict import Answer, Limits, Verdict
from .deals import SCHEME_NOTE, Asked, DealReader
from .options import SearchOptions, deals_from, examples, search_from
from .output import Form, Rows, exit_code, flush, write
from .progress import watched
from .threads import in_order

if TYPE_CHECKING:
    from ..rating.figures import Figures
    from ..rating.rate import Dollars, Fared, Rating, WinRate

PLAYERS = ("casual", "careful", "fast", "expert")
COLUMNS = (
    *("deal", "verdict", "reason", "difficulty", "difficulty_low", "difficulty_high", "level"),
    *("harder_than", "win_rate_casual", "win_rate_casual_low", "win_rate_casual_high"),
    *("win_rate_careful", "win_rate_careful_low", "win_rate_careful_high"),
    *("win_rate_expert", "win_rate_expert_low", "win_rate_expert_high", "cards_up"),
    *("recycles", "low_cards_hidden", "low_cards_depth", "first_moves", "first_moves_winning"),
    *("forced_places", "losing_moves", "first_loss"),
    *("win_rate_fast", "win_rate_fast_low", "win_rate_fast_high"),
    *(
        f"{figure}_{player}{end}"
        for figure in ("dollars", "above_zero")
        for player in PLAYERS
        for end in ("", "_low", "_high")
    ),
)
"""Of CSV."""
TABLE = (
    *("deal", "verdict", "difficulty", "level", "harder_than"),
    *("win_rate_casual", "win_rate_careful", "win_rate_fast"),
    *("dollars_casual", "dollars_careful", "dollars_fast"),
)


@dataclass(frozen=True, slots=True)
class _Rated:
    """A deal, the verdict on it and, if it is winnable, how hard it is."""

    asked: Asked
    answer: Answer
    rating: "Rating | None"
    figures: "Figures | None" = None
    harder_than: float | None = None
    expert: "Fared | None" = None

    def won(self) -> "dict[str, WinRate]":
        """The games won, of each player who played."""
        if self.rating is None:
            return {}
        won = {name: getattr(self.rating, name) for name in PLAYERS[:-1]}
        return won | ({"expert": self.expert.won} if self.expert else {})

    def dollars(self) -> "dict[str, Dollars]":
        """What each player who played ends with in Vegas scoring."""
        if self.rating is None or self.rating.dollars is None:
            return {}
        of_expert = self.expert.dollars if self.expert else None
        return self.rating.dollars | ({"expert": of_expert} if of_expert else {})


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
    default=40,
    show_default=True,
    help="Games that each player plays of a deal; the fast one half as many.",
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
    help="Also let an expert play N games, who plays each move out; some seconds each.",
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

    Players who see only what lies open, a casual, a careful and a fast one, play the
    deal many times. The difficulty, 0 to 100, is in the main the percentage of games
    that the first two lose; in Vegas scoring it goes by the fast one's dollars. Its
    fifths are the levels "very easy" to "very hard". With unlimited redeals a deal that
    is not known to be winnable is not rated.
    """
    from ..rating.expert import expert_games
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
        ends = expert_games(asked.rules, position, seed, expert) if expert else None
        return _Rated(asked, answer, rating, found, above, ends)

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
    won, dollars = rated.won(), rated.dollars()
    for player in PLAYERS:
        rate = won.get(player)
        row[f"win_rate_{player}"] = rate and round(rate.rate, 4)
        row[f"win_rate_{player}_interval"] = rate and _rounded(rate.interval, 4)
    for player in PLAYERS:
        each = dollars.get(player)
        row[f"dollars_{player}"] = each and round(each.mean, 2)
        row[f"dollars_{player}_interval"] = each and _rounded(each.interval, 2)
        row[f"above_zero_{player}"] = each and round(each.above.rate, 4)
        row[f"above_zero_{player}_interval"] = each and _rounded(each.above.interval, 4)
    row["cards_up"] = rating and round(rating.cards, 4)
    row["figures"] = rated.figures and asdict(rated.figures)
    return row


def _rounded(interval: tuple[float, float], digits: int) -> list[float]:
    return [round(end, digits) for end in interval]


def _text(rated: _Rated) -> str:
    rating, found = rated.rating, rated.figures
    if rating is None:
        return f"{rated.asked.title} not rated: {rated.answer.verdict} ({rated.answer.reason})"
    mode = rated.asked.rules.mode
    parts = [f"{rated.asked.title} {rating.level}, difficulty {rating.difficulty:.0f}"]
    if rated.answer.verdict is not Verdict.WINNABLE:
        parts.append(f"verdict {rated.answer.verdict} ({rated.answer.reason})")
    won, dollars = rated.won(), rated.dollars()
    words = ", ".join(f"{name} {_of_ten(each)}" for name, each in won.items())
    if dollars:
        words = ", ".join(
            f"{name} {_money(rated.asked.rules, each)}" for name, each in dollars.items()
        )
        parts.append(f"dollars, and games above $0: {words}")
    else:
        parts.append(f"wins of ten games: {words}")
    if rated.harder_than is not None:
        parts[0] += f", harder than {rated.harder_than:.0f} % of {mode} deals"
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


def _of_ten(won: "WinRate") -> str:
    """Of ten games so many are won, with the interval."""
    low, high = won.interval
    return f"{10 * won.rate:.1f} ({10 * low:.1f}–{10 * high:.1f})"


def _money(rules: Rules, dollars: "Dollars") -> str:
    """The mean of a player's dollars, its interval, and how many games end above zero."""
    mean, low, high = (score_text(rules, round(each)) for each in (dollars.mean, *dollars.interval))
    return f"{mean} ({low} to {high}), {100 * dollars.above.rate:.0f} %"
