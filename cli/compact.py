"""`dsol compact`: the files of a batch merged into few large ones."""

from pathlib import Path

import click

from .deals import note
from .options import examples
from .output import write

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command(
    epilog=examples(
        "dsol compact results -o large",
    )
)
@click.argument("folder", type=FOLDER)
@click.option(
    "-o", "--output", required=True, type=FOLDER, metavar="FOLDER", help="Folder for large files."
)
@click.option(
    "--file-rows",
    type=click.IntRange(min=1),
    default=5_000_000,
    show_default=True,
    help="Rows in a file at most, unless a single file has more.",
)
def compact(folder: Path, output: Path, file_rows: int) -> None:
    """Merge the files of a batch into few large ones.

    FOLDER is what `dsol batch` wrote; it stays as it is, and the new folder holds the
    same rows in the same order. A batch of ranges can go on in the new one.
    """
    from ..batch.compact import compact as merge
    from ..batch.report import counted

    merged = merge(folder, output, file_rows, note)
    files = f"{counted(merged.files_read, 'file')} into {merged.files_written:,}"
    write(f"{output}: {counted(merged.rows, 'row')}, {files}\n")
