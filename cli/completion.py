"""`dsol completion`: the script that completes commands and options in a shell."""

import click
from click.shell_completion import get_completion_class

from .one_of import OneOf
from .options import examples
from .output import write


@click.command(epilog=examples("dsol completion bash"))
@click.argument("shell", type=OneOf(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    In bash: eval "$(dsol completion bash)"
    """
    complete = get_completion_class(shell)
    assert complete is not None
    group = context.find_root().command
    write(complete(group, {}, "dsol", "_DSOL_COMPLETE").source() + "\n")
