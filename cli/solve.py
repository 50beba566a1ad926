"""`dsol solve`: a winning list of moves, as the referee has replayed it."""

import click

from ..solver.verdict import Answer, Verdict
from .deals import SCHEME_NOTE, Asked, DealReader
from .options import SearchOptions, deal_options, search_options
from .output import answer_json, answer_text, exit_code, flush, has_signs, score_text, write
from .progress import watched
from .threads import in_order


@click.command(epilog=f"Note: {SCHEME_NOTE}.")
@deal_options
@search_options
@click.option("--taps", is_flag=True, help="Say of each move whether to tap, double tap or drag.")
def solve(reader: DealReader, search: SearchOptions, taps: bool) -> int:
    """Find a winning list of moves for each DEAL.

    The list is printed in numbered lines. It wins; it is not claimed to be the shortest
    or the best-scoring one. `dsol verify` replays it.
    """
    verdicts: set[Verdict] = set()

    def find(asked: Asked) -> tuple[Asked, Answer]:
        from ..solver.solve import solve as search_win

        return asked, search_win(asked.rules, asked.position(), search.limits)

    for asked, answer in in_order(find, watched(reader, search.limits), search.jobs):
        if search.as_json:
            write(answer_json(asked, answer) + "\n")
        else:
            write(_text(asked, answer, taps))
        verdicts.add(answer.verdict)
        flush()
    return exit_code(verdicts, reader.bad, search.with_exit_code)


def _text(asked: Asked, answer: Answer, taps: bool) -> str:
    """The verdict and, for a win, its numbered moves, a line each."""
    from ..engine.solution import printed_lines

    if answer.moves is None or answer.score is None:
        return answer_text(asked, answer) + "\n"
    count, score = len(answer.moves), score_text(asked.rules, answer.score)
    lines = printed_lines(
        asked.rules, asked.position(), answer.moves, ascii=not has_signs(), gestures=taps
    )
    return "\n".join([f"{answer_text(asked, answer)}: {count} moves, score {score}", *lines, ""])
