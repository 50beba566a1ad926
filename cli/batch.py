"""`dsol batch`: answers on many deals, kept in a folder of Parquet files."""

import json
import re
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from ..engine.codes import DealCode, Range
from ..engine.rules import Rules, Scoring, rules_for
from ..solver.verdict import Limits
from .deals import SCHEME_NOTE, Asked, DealReader, Sample, Source, note, sources_in
from .main import INTERRUPTED
from .needs import missing
from .options import (
    DEALS,
    deal_file_option,
    examples,
    jobs_option,
    limit_options,
    list_option,
    quiet_option,
    rules_options,
    sample_options,
)
from .output import FAILED, write

if TYPE_CHECKING:
    from ..batch.events import Crew
    from ..batch.jobs import Counts
    from ..batch.run import Outcome
    from ..batch.settings import Settings
    from ..batch.shards import Item

MODES = [f"D{draw}{scoring}" for scoring in Scoring for draw in (1, 3)]


def _modes(context: click.Context, option: click.Parameter, text: str | None) -> list[str] | None:
    """The modes in a text such as `D1N,D3V`."""
    if text is None:
        return None
    modes = list(dict.fromkeys(text.upper().split(",")))
    for mode in modes:
        if mode not in MODES:
            raise click.BadParameter(f"{mode!r} is no mode; modes are D1N, D3N, D1V and D3V")
    return modes


def _complete_modes(
    context: click.Context, option: click.Parameter, begun: str
) -> list[CompletionItem]:
    """The lists of modes that begin in this way: with one mode more than are written in full."""
    *written, last = begun.upper().split(",")
    more = [mode for mode in MODES if mode not in written and mode.startswith(last)]
    return [CompletionItem(",".join([*written, mode])) for mode in more]


def _part(context: click.Context, option: click.Parameter, text: str | None) -> tuple[int, int]:
    """The numbers in a text such as `2/5`."""
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text or "1/1")
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise click.BadParameter(f"{text!r}; one looks like 2/5, the second of five parts")
    return int(match[1]), int(match[2])


@click.command(
    epilog=examples(
        "dsol batch DS1-D1N-AAAAAAA +200 -o results",
        "dsol batch -i deals.txt -o listed --modes D1N,D3N --moves",
        note=SCHEME_NOTE,
    )
)
@click.argument("words", nargs=-1, metavar=DEALS)
@list_option
@deal_file_option
@rules_options
@sample_options()
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder of the results; it holds nothing else.",
)
@click.option(
    "--modes",
    callback=_modes,
    metavar="MODES",
    shell_complete=_complete_modes,
    help="Play each deal in these modes, whatever its code says: D1N,D3N,D1V,D3V.",
)
@limit_options
@jobs_option(0, "Worker processes")
@click.option("--moves/--no-moves", default=False, help="Keep the list of moves of each win.")
@click.option(
    "--rate/--no-rate",
    default=False,
    help="Rate how hard each winnable deal is for a person, as `dsol rate` does.",
)
@click.option(
    "--score/--no-score",
    default=False,
    help="Bound the best score of each deal, as `dsol score` does, within the same limits again.",
)
@click.option(
    "--timing/--no-timing",
    default=True,
    help="Keep the seconds of each deal; without, the same run gives the same bytes.",
)
@click.option(
    "--shard-size",
    type=click.IntRange(min=1, max=9_999_999),
    metavar="N",
    help="Deals in a file.  [default: 5000; 500 with --moves, --rate, --score; 100 in Vegas]",
)
@click.option("--shard", "part", callback=_part, metavar="I/N", help="Do part I of N of the files.")
@click.option(
    "--retry-unknown",
    is_flag=True,
    help="Search the undecided deals of the folder again, by larger limits.",
)
@click.option(
    "--force", is_flag=True, help="Go on in a folder made with other limits or by another version."
)
@click.option("--scheduler", metavar="ADDRESS", help="Use the workers of a dask scheduler.")
@quiet_option
def batch(
    words: tuple[str, ...],
    lists: tuple[str, ...],
    files: tuple[str, ...],
    sample: Sample | None,
    rules: Rules,
    output: Path,
    modes: list[str] | None,
    limits: Limits,
    jobs: int,
    moves: bool,
    rate: bool,
    score: bool,
    timing: bool,
    shard_size: int | None,
    part: tuple[int, int],
    retry_unknown: bool,
    force: bool,
    scheduler: str | None,
    quiet: bool,
) -> int:
    """Answer many deals and keep the rows in Parquet files.

    Deals are codes or numbers of PySolFC, ranges of them (CODE +COUNT, or CODE..CODE),
    lists with -i, or - for standard input. Files that are there are not made again, so
    that the same command goes on after Ctrl-C or a crash. A deal that a list has twice
    gets two rows; one that several ranges of codes have gets one.
    """
    sources = [*sources_in(words, rules), *([sample] if sample else [])]
    asked = _Asked(sources, lists, files, rules, modes, quiet)
    if retry_unknown and asked.given:
        raise click.UsageError("--retry-unknown searches the deals of the folder; name no deals")
    if not (retry_unknown or asked.given):
        raise click.UsageError("no deal given; give codes, CODE +COUNT, CODE..CODE or -i FILE")

    from ..batch.folder import folder_to_write
    from ..batch.run import Batch
    from ..batch.settings import BUT_LIMITS, FOR_ROWS, Settings
    from ..batch.shards import mine
    from ..batch.watch import Watch

    settings = Settings(limits, moves, timing, rate, score)
    if retry_unknown and not output.is_dir():
        raise click.UsageError(f"{output} is no folder; --retry-unknown takes one with results")
    crew = _crew(scheduler, jobs, settings)
    shown = not quiet and sys.stderr.isatty()
    watch = Watch(None if retry_unknown else asked.total(part), shown, quiet)
    folder = folder_to_write(output, watch.say)
    if not force:
        folder.check(settings, BUT_LIMITS if retry_unknown else FOR_ROWS)
    run = Batch(folder, watch)
    if retry_unknown:
        todo = run.undecided(settings)
    else:
        shards = asked.shards(shard_size, moves or rate or score)
        todo = run.missing(mine(shards, *part), settings)
    started = time.monotonic()
    with crew as at_work:
        outcome = run.run(at_work, todo)
    if retry_unknown and not outcome.counts.deals:
        note("no undecided deal of the folder was searched by smaller limits than these")
    return _report(output, outcome, time.monotonic() - started, asked.bad())


def _crew(scheduler: str | None, jobs: int, settings: "Settings") -> "AbstractContextManager[Crew]":
    """The workers: those of a cluster, or of this machine."""
    if scheduler is None:
        from ..batch.local import LocalCrew

        return LocalCrew(jobs, settings)
    try:
        from ..batch.cluster import AddressError, ClusterCrew
    except ImportError as error:
        raise missing("--scheduler", "cluster", error) from None
    try:
        return ClusterCrew(scheduler, settings)
    except AddressError as error:
        raise click.UsageError(f"--scheduler {error}") from None


def _report(output: Path, outcome: "Outcome", seconds: float, bad: int) -> int:
    """Say how far the run came; the exit code."""
    from ..batch.report import counted

    counts, found = outcome.counts, outcome.found
    line = f"{output}: {counted(outcome.written, 'file')} written"
    if outcome.present:
        line += f", {outcome.present} were there"
    if counts.deals or not found.deals:
        line += f"; {_counts_text(counts)}; {seconds:.1f} s, "
        line += f"{counts.deals / max(seconds, 1e-9):.0f} deals/s"
    if found.deals:
        line += f"; there already: {_counts_text(found)}"
    write(line + "\n")
    if outcome.interrupted:
        note("interrupted; finished deals stay, and the same command goes on with the rest")
        return INTERRUPTED
    if outcome.failed:
        note(f"{outcome.failed} files are missing; the same command tries them again")
    return FAILED if outcome.failed or bad else 0


def _counts_text(counts: "Counts") -> str:
    return (
        f"{counts.deals} deals: {counts.winnable} winnable, "
        f"{counts.unwinnable} unwinnable, {counts.unknown} unknown"
    )


class _Asked:
    """The deals that a batch was asked for: ranges, and those of lists and files."""

    def __init__(
        self,
        sources: list[Source],
        lists: tuple[str, ...],
        files: tuple[str, ...],
        rules: Rules,
        modes: list[str] | None,
        quiet: bool,
    ) -> None:
        """Part the ranges of codes, which are cut into shards unread, from what has to be read."""
        self._rules, self._modes = rules, modes
        ranges = [source for source in sources if isinstance(source, Range)]
        others = [source for source in sources if not isinstance(source, Range)]
        self._reader: DealReader | None = None
        if others or lists or files:
            self._reader = DealReader(others, lists, files, rules, quiet or bool(ranges))
        if ranges and not quiet:
            note(f"note: {SCHEME_NOTE}")
        self._ranges = [
            replace(source, rules=each)
            for source in ranges
            for each in self._variants(source.rules)
        ]

    @property
    def given(self) -> bool:
        """Whether any deal was named."""
        return bool(self._ranges) or self._reader is not None

    def total(self, part: tuple[int, int]) -> int | None:
        """How many deals there will be, about, if that can be told."""
        total = sum(each.last - each.first + 1 for each in self._ranges)
        if self._reader is not None:
            listed = self._reader.total()
            if listed is None:
                return None
            total += listed * len(self._modes or [None])
        return total // part[1]

    def bad(self) -> int:
        """Number of lines and files that could not be read, so far."""
        return self._reader.bad if self._reader else 0

    def shards(self, size: int | None, moves: bool) -> Iterator[Any]:
        """What to do, read as it is needed."""
        from ..batch.shards import cut_lists, cut_ranges

        yield from cut_ranges(self._ranges, size, moves)
        if self._reader is not None:
            yield from cut_lists(self._items(), self._variants(self._rules), size, moves)

    def _variants(self, rules: Rules) -> list[Rules]:
        """The rules by which a deal of a game is played, as the modes say."""
        if self._modes is None:
            return [rules]
        return [rules_for(rules.game, int(mode[1]), mode[2]) for mode in self._modes]

    def _items(self) -> "Iterator[tuple[Rules, Item]]":
        assert self._reader is not None
        for asked in self._reader:
            for rules in self._variants(asked.rules):
                yield rules, _item(asked, rules)


def _item(asked: Asked, rules: Rules) -> "Item":
    """A deal that was asked for, as it is played by these rules."""
    from ..batch.shards import Item
    from ..notation.formats import position_json

    if asked.number is not None:
        return Item(str(DealCode(rules, asked.number)), asked.number)
    if asked.code is not None:
        return Item(asked.code)
    data = position_json(asked.position(), asked.rules)
    if rules.scoring is not asked.rules.scoring:
        # Points are no dollars, and passes of one scoring are none of the other.
        for name in ("score", "recycles"):
            data.pop(name, None)
    return Item(None, cards=json.dumps(data))
