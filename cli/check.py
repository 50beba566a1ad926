"""`dsol check`: the verdict on many deals, many of them in one compiled call."""

import time
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice

import click

from ..engine.rules import Rules
from ..solver.verdict import Answer, Limits, Verdict
from .deals import SCHEME_NOTE, Asked, DealReader
from .options import SearchOptions, deal_options, examples, search_from
from .output import Form, Rows, answer_row, answer_text, exit_code, flush, write
from .progress import watched
from .threads import apart, in_order

LARGEST_CHUNK = 1000
"""Deals in a compiled call at most, for each core."""
CHUNK_SECONDS = 0.25
"""A call should take about this long, so that answers flow and Ctrl-C is heard."""
COLUMNS = ("deal", "verdict", "reason", "winnable_without_take_back", "nodes", "seconds")
"""Of CSV."""
TABLE = ("deal", "verdict", "nodes", "seconds", "reason")


@click.command(
    epilog=examples(
        "dsol check DS1-D1N-AAAAAAB DS1-D3V-AAAAAAF --max-nodes 50000",
        "dsol check -i deals.txt --json",
        "dsol check --deal cards.json --draw 3 --exit-code",
        note=SCHEME_NOTE,
    )
)
@deal_options
@search_from(Limits(), has_columns=True)
def check(reader: DealReader, search: SearchOptions) -> int:
    """Say of each DEAL whether it is winnable, a line each.

    A deal that is given twice is answered twice. "unwinnable" is a proof; "unknown"
    says which limit was hit. With `dsol check -` the deals come from standard input.
    """
    verdicts: set[Verdict] = set()
    with Rows(search.form, COLUMNS, TABLE) as rows:
        for chunk in _answer(watched(reader, search.limits), search.limits, search.jobs):
            for asked, answer in chunk:
                verdicts.add(answer.verdict)
                if search.form is Form.TEXT:
                    write(answer_text(asked, answer) + "\n")
                else:
                    rows.add(asked, answer_row(asked, answer))
            flush()
    return exit_code(verdicts, reader.bad, search.with_exit_code)


def _answer(
    deals: Iterable[Asked], limits: Limits, jobs: int
) -> Iterator[list[tuple[Asked, Answer]]]:
    """Answer deals in chunks, which grow and shrink until one takes about `CHUNK_SECONDS`."""
    source = iter(deals)
    size = jobs
    while chunk := list(islice(source, size)):
        started = time.perf_counter()
        answers = apart(partial(_answer_chunk, chunk, limits, jobs))
        seconds = time.perf_counter() - started
        if seconds < CHUNK_SECONDS / 2:
            size = min(2 * size, LARGEST_CHUNK * jobs)
        elif seconds > CHUNK_SECONDS:
            size = max(size // 2, jobs)
        yield list(zip(chunk, answers, strict=True))


def _answer_chunk(chunk: list[Asked], limits: Limits, jobs: int) -> list[Answer]:
    """The answers to a chunk, in its order; deals of one kind and game go into one call."""
    groups: dict[tuple[Rules, bool], list[int]] = {}
    for place, asked in enumerate(chunk):
        groups.setdefault((asked.rules, asked.number is None), []).append(place)
    answers: dict[int, Answer] = {}
    for (rules, _), places in groups.items():
        found = _answer_alike(rules, [chunk[place] for place in places], limits, jobs)
        answers.update(zip(places, found, strict=True))
    return [answers[place] for place in range(len(chunk))]


def _answer_alike(rules: Rules, deals: list[Asked], limits: Limits, jobs: int) -> list[Answer]:
    """Answers to deals of one game that are all numbers of our scheme, or all cards."""
    from ..solver import solve as solver

    numbers = [asked.number for asked in deals if asked.number is not None]
    if numbers:
        return solver.check_numbers(rules, numbers, limits, jobs)
    return list(in_order(lambda asked: solver.check(rules, asked.position(), limits), deals, jobs))
