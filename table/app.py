"""The program at the table: one screen, and the thinker beside it."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from .screens import TableScreen
from .thinker import THINKER, Thinker


class TableApp(App[None]):
    """Shows the table until the person leaves it."""

    TITLE = "Double Solitaire"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", "Quit", show=False, priority=True)
    ]

    def __init__(self, sit_down: Callable[[Thinker], TableScreen]) -> None:
        """The screen is made once the program runs."""
        super().__init__()
        self.thinker = THINKER
        THINKER.announce = partial(self.notify, timeout=60)
        self._sit_down = sit_down

    def on_mount(self) -> None:
        """Sit down."""
        self.push_screen(self._sit_down(self.thinker))

    @property
    def table(self) -> TableScreen:
        """The table, whatever lies over it."""
        for screen in reversed(self.screen_stack):
            if isinstance(screen, TableScreen):
                return screen
        raise LookupError("nobody sits at the table")
