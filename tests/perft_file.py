"""Perft files: positions with the number of sequences of 1, 2, … legal actions from them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from double_solitaire.engine.codes import DealCode
from double_solitaire.engine.moves import Move, parse_move

PERFT_FILE = Path(__file__).parent / "perft/perft.txt"


@dataclass(frozen=True)
class Perft:
    """One position of a file: `counts[d]` sequences of d actions, after `moves` from the deal."""

    id: str
    code: DealCode
    moves: tuple[Move, ...]
    counts: dict[int, int]


def load_perft(path: Path = PERFT_FILE) -> list[Perft]:
    """Read a file of blocks of `id`, `code`, `after` (optional) and `perft` lines."""
    blocks: list[dict[str, list[str]]] = []
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        word, rest = line.split(maxsplit=1)
        if word == "id":
            blocks.append({})
        blocks[-1].setdefault(word, []).append(rest)
    return [
        Perft(
            id=block["id"][0],
            code=DealCode.parse(block["code"][0]),
            moves=tuple(parse_move(word) for word in " ".join(block.get("after", [])).split()),
            counts={
                int(depth): int(count) for depth, count in map(str.split, block.get("perft", []))
            },
        )
        for block in blocks
    ]


def check(perft: Perft, depth: int, divide: Callable[[int], dict[str, int]]) -> None:
    """Hold an engine to a count; a failure prints its counts for each first move.

    `divide(depth)` gives, for each legal action in the position, the number of sequences of
    `depth` actions that begin with it.
    """
    counts = divide(depth)
    rows = "\n".join(f"{move} {count}" for move, count in sorted(counts.items()))
    found = sum(counts.values())
    assert found == perft.counts[depth], (
        f"{perft.id}: {found} at depth {depth}, {perft.counts[depth]} expected\n{rows}"
    )
