"""The board as a widget: it draws a scene, and says where it was tapped and what was dragged."""

from dataclasses import replace

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from .picture import Look, Picture, Pile, Row, Scene, Spot, draw

QUICK = 0.5
"""Seconds between two taps that are quick; what systems take for a double click."""
STYLES = {
    Look.PLAIN: Style(),
    Look.CAPTION: Style(color="#c8d8cc"),
    Look.RED: Style(color="#b00020", bgcolor="#f4f1e8", bold=True),
    Look.BLACK: Style(color="#14181c", bgcolor="#f4f1e8", bold=True),
    Look.BACK: Style(color="#8fb4d9", bgcolor="#27496d"),
    Look.EMPTY: Style(color="#9fb8a6", bgcolor="#1d4a33"),
    Look.CHOSEN: Style(color="#14181c", bgcolor="#8ecbff", bold=True),
    Look.NEXT: Style(color="#14181c", bgcolor="#ffd75e", bold=True),
}
TABLE = Style(bgcolor="#14532d")
ON_TABLE = {look: TABLE + style for look, style in STYLES.items()}


class Board(Widget):
    """Draws a scene; mouse events become `Tapped` and `Dragged`."""

    DEFAULT_CSS = "Board { height: 1fr; width: 1fr; background: #14532d; }"

    class Tapped(Message):
        """A tap; `is_second` says that it quickly followed another one in the same place."""

        def __init__(self, spot: Spot, is_second: bool) -> None:
            """Where it was."""
            super().__init__()
            self.spot, self.is_second = spot, is_second

    class Dragged(Message):
        """A card was dragged from its pile onto another."""

        def __init__(self, spot: Spot, target: Pile) -> None:
            """From where and to where."""
            super().__init__()
            self.spot, self.target = spot, target

    def __init__(self, id: str | None = None, disabled: bool = False) -> None:
        """A board without cards until `show` has been called; a disabled one takes no taps."""
        super().__init__(id=id, disabled=disabled)
        self._scene: Scene | None = None
        self._picture = Picture(0)
        self._strips: list[Strip] = []
        self._drawn_for = 0, 0
        """The size that the picture was drawn for."""
        self._pressed: Spot | None = None
        self._is_dragged = False
        self._tapped: tuple[Pile | None, float] = None, 0.0

    @property
    def picture(self) -> Picture:
        """What is drawn now."""
        return self._picture

    def show(self, scene: Scene) -> None:
        """Draw this from now on."""
        self._scene = scene
        self._draw()

    def on_resize(self, event: events.Resize) -> None:
        """Draw for the new size."""
        self._draw(event.size)

    def _draw(self, size: Size | None = None) -> None:
        width, height = size or self.size
        if self._scene is None or not width:
            return
        scene = self._scene
        if self._is_dragged and self._pressed is not None:
            scene = replace(scene, chosen=scene.chosen | _run(scene, self._pressed))
        before = self._picture.rows[:height] if self._drawn_for == (width, height) else []
        self._picture, self._drawn_for = draw(scene, width, height), (width, height)
        rows = self._picture.rows[:height]
        if len(rows) != len(before):
            self._strips = [_strip(row, width) for row in rows]
            self.refresh()
            return
        # With a move few lines change, and to draw all of them takes longer than all else.
        changed = [y for y in range(len(rows)) if rows[y] != before[y]]
        for y in changed:
            self._strips[y] = _strip(rows[y], width)
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def render_line(self, y: int) -> Strip:
        """A line of the picture."""
        if y < len(self._strips):
            return self._strips[y]
        return Strip.blank(self.size.width, TABLE)

    def forget_tap(self) -> None:
        """Let the next tap be no second one: the card of the last has gone."""
        self._tapped = None, 0.0

    # The mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of a card."""
        if event.button != 1:
            return
        self._pressed = self._picture.at(event.x, event.y)
        self._is_dragged = False
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show what is being dragged once the pointer has left the card."""
        if self._pressed is None or self._is_dragged:
            return
        if self._picture.at(event.x, event.y) != self._pressed:
            self._is_dragged = True
            self._draw()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """A tap where the button was pressed, or a drag to another pile."""
        self.release_mouse()
        pressed, self._pressed = self._pressed, None
        was_dragged, self._is_dragged = self._is_dragged, False
        released = self._picture.at(event.x, event.y)
        if was_dragged:
            self._draw()
        if pressed is None or released is None:
            return
        if pressed[0] != released[0]:
            self._tapped = None, 0.0
            self.post_message(self.Dragged(pressed, released[0]))
            return
        # When it was, not when this busy program comes to it.
        now = event.time
        pile, before = self._tapped
        is_second = pile == pressed[0] and now - before <= QUICK
        self._tapped = (None if is_second else pressed[0]), now
        self.post_message(self.Tapped(pressed, is_second))


def _strip(row: Row, width: int) -> Strip:
    """A row of the picture as Textual shows it."""
    pieces = [Segment(text, ON_TABLE[look]) for text, look in row]
    return Strip(pieces).adjust_cell_length(width, TABLE)


def _run(scene: Scene, spot: Spot) -> frozenset[Spot]:
    """The cards that go along when this one is dragged."""
    pile, index = spot
    if not isinstance(pile, int):
        return frozenset({spot})
    return frozenset((pile, each) for each in range(index, len(scene.position.columns[pile])))
