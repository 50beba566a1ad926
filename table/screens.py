"""What every way to sit at the table has: the board, a line about the game, one that is said."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, TypeVar

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer, Static

from ..engine.cards import SUIT_SIGNS, SUITS
from ..engine.errors import MoveError
from ..engine.moves import Move, parse_move
from ..engine.referee import Game
from ..notation.solution import describe
from .board import Board
from .entry import HOME, WASTE, move_between, place_of, stock_move, taken_back
from .picture import Pile, Scene, Spot
from .thinker import Thinker, Ticket, Work

Result = TypeVar("Result")
BESIDE = 80
"""From so many columns on there is room beside the board; by hand."""
Keys = tuple[tuple[str, str], ...]
"""Keys and what they do, for the help."""
MOVE_KEYS: Keys = (
    ("5 3", "from column 5 to column 3, as many cards as fit"),
    ("w 3, w f", "from the waste (w or 0) to column 3, to a foundation"),
    ("5 f", "from column 5 to a foundation"),
    ("5 5, w w", "where a double tap would send the card"),
    ("f h 3", "take a heart back from its foundation to column 3"),
    ("d, space", "draw; turn the waste over when the stock is empty"),
    ("m", "type a move: 5>3x4, W>F, FH1>3, draw"),
    ("u, backspace", "undo, up to 200 actions"),
    ("escape", "drop what was begun"),
    ("v", "show or hide the face-down cards that are known"),
)
MOUSE = (
    "A tap on the stock draws; on a top card it sends the card to a foundation. A second quick "
    "tap on "
    "a card that stayed sends it to the longest column that takes it. Anything else is dragged."
)


def time_text(seconds: float) -> str:
    """`3:05`, `1:02:07`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def shown(**keys: str) -> list[BindingType]:
    """Keys as the line at the bottom shows them.

    The program would carry out the action of a key at once, before the keys that were typed ahead
    of it have been taken by the screen; so these have none, and all keys come to `on_key`.
    """
    return [Binding(key, f"shown('{key}')", words) for key, words in keys.items()]


class Found(Message):
    """Something was found out beside the game; `take` takes it in."""

    def __init__(self, ticket: Ticket, take: Callable[[], None]) -> None:
        """What to call in the thread of the screen if the ticket has not been given up."""
        super().__init__()
        self.ticket, self.take = ticket, take


class Told(ModalScreen[None]):
    """The keys over the table, until one is pressed."""

    DEFAULT_CSS = """
    Told { align: center middle; }
    Told > VerticalScroll { width: 78; max-width: 100%; height: auto; max-height: 100%;
        padding: 0 1; border: round $accent; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space,question_mark", "dismiss", "Close")
    ]

    def __init__(self, keys: Keys, text: str) -> None:
        """The keys, and a text below them."""
        super().__init__()
        self._keys, self._text = keys, text

    def compose(self) -> ComposeResult:
        """All in a box that wraps and scrolls."""
        grid = Table.grid(padding=(0, 2))
        for keys, words in self._keys:
            grid.add_row(Text(keys, "bold"), words)
        with VerticalScroll():
            yield Static(grid)
            yield Static(Text(f"\n{self._text}"))


class Asks(ModalScreen[str]):
    """A question over the table that a key answers."""

    DEFAULT_CSS = Told.DEFAULT_CSS.replace("Told", "Asks")

    def __init__(self, text: str, keys: dict[str, str]) -> None:
        """What each key is called in the answer."""
        super().__init__()
        self.text, self._keys = text, keys

    def compose(self) -> ComposeResult:
        """The question in a box."""
        with VerticalScroll():
            yield Static(Text(self.text))

    def on_key(self, event: events.Key) -> None:
        """Answer with what the key is called, if it is one of those that answer."""
        event.stop()
        answer = self._keys.get(event.key)
        if answer is not None:
            self.dismiss(answer)


class TableScreen(Screen[None]):
    """The table; what sits at it says what a move does and what is known of the game."""

    DEFAULT_CSS = """
    TableScreen { background: #14532d; }
    TableScreen #head { height: 1; background: #0d3a20; color: #e8efe9; }
    TableScreen #say { height: auto; min-height: 1; max-height: 3; background: #0d3a20;
        color: #ffe9a8; }
    TableScreen #panel { width: 26; padding: 0 0 0 1; background: #0d3a20; color: #e8efe9;
        display: none; }
    TableScreen.-panel #panel { display: block; }
    TableScreen.-narrow Horizontal { layout: vertical; }
    TableScreen.-narrow #panel { width: 1fr; height: 4; }
    """
    BINDINGS: ClassVar[list[BindingType]] = shown(
        d="Draw", u="Undo", question_mark="Keys", q="Quit"
    )

    def __init__(self, thinker: Thinker) -> None:
        """Sit down; the thinker is that of the program."""
        super().__init__()
        self.thinker = thinker
        self.hides = True
        self._begun = ""
        """Keys of a move that is not yet whole."""
        self._prompt: tuple[str, Callable[[str], None]] | None = None
        """What is asked for in the line below the board, and what takes the answer."""
        self._typed = ""
        self._spelled = False
        self._asked: list[Ticket] = []
        """What this table has asked the thinker for; it gives up nothing else."""

    # What a way to sit down says

    @property
    def game(self) -> Game:
        """The game as it stands."""
        raise NotImplementedError

    def do(self, move: Move) -> None:
        """Make a move; raises `MoveError` if it is refused."""
        raise NotImplementedError

    def head(self) -> Text:
        """The line above the board."""
        raise NotImplementedError

    def panel(self) -> Text:
        """What stands beside the board, if that is shown."""
        return Text()

    def scene(self) -> Scene:
        """What the board shows, but for what is chosen."""
        return Scene(self.game.rules, self.game.position(), self.hides)

    def changed(self) -> None:
        """Called when the position has changed, before it is drawn."""

    # The screen

    def compose(self) -> ComposeResult:
        """The lines and the board."""
        yield Static(id="head")
        with Horizontal():
            yield Board()
            yield Static(id="panel")
        yield Static(id="say")
        yield Footer()

    def on_mount(self) -> None:
        """Draw, and let the clock tick."""
        self.set_interval(1, self.tick)
        self.redraw()
        # Before any key is taken: nothing that is done at the table comes before its beginning.
        self.begin()

    def begin(self) -> None:
        """Called once, as the table is there."""
        self.after_change()

    def on_unmount(self) -> None:
        """Leave nothing behind."""
        self.put_away()

    def put_away(self) -> None:
        """Called as the table is left, for another one too; may be called once more."""
        self.forget()

    def on_resize(self, event: events.Resize) -> None:
        """Let the panel stand below the board where there is no room beside it."""
        self.set_class(event.size.width < BESIDE, "-narrow")

    def tick(self) -> None:
        """Draw what goes with time."""
        # Its height is fixed, so nothing else has to be put elsewhere.
        self.query_one("#head", Static).update(self.head(), layout=False)

    def redraw(self) -> None:
        """Draw everything as it stands; nothing where the program is just ending."""
        if not self.query(Board):
            return
        scene = self.scene()
        chosen = self._chosen_spots()
        if chosen:
            scene = Scene(
                scene.rules,
                scene.position,
                scene.hides,
                scene.unknown,
                scene.waste_unknown,
                chosen,
                scene.next,
            )
        self.query_one(Board).show(scene)
        self.tick()
        # A panel that is not shown costs as much as one that is.
        if self.has_class("-panel"):
            self.query_one("#panel", Static).update(self.panel())
        # The footer is made anew by this, which costs more than all the rest.
        if self.spells != self._spelled:
            self._spelled = self.spells
            self.refresh_bindings()

    @property
    def spells(self) -> bool:
        """Whether letters are part of something that is typed, and no commands."""
        return self._begun == HOME or self._prompt is not None

    def say(self, text: str) -> None:
        """Say something in the line below the board."""
        shorter = self.size.width - 1
        fits = "\n" not in text and cell_len(text) < shorter and cell_len(self.said) < shorter
        # Where it takes one line as before, all else stays in its place.
        self.query_one("#say", Static).update(Text(text), layout=not fits)

    @property
    def said(self) -> str:
        """What the line below the board says."""
        return str(self.query_one("#say", Static).content)

    def think(
        self,
        work: Work[Result],
        take: Callable[[Result], None],
        take_so_far: Callable[[Any], None] = lambda _: None,
    ) -> None:
        """Have something worked out beside the game, and take it in if it is still wanted then.

        `take_so_far` takes in what `work` reports before its end.
        """

        def post(take: Callable[[Any], None], found: object) -> None:
            self.post_message(Found(ticket, partial(take, found)))

        ticket = Ticket()
        self.thinker.ask(
            ticket,
            work,
            partial(post, take),
            partial(post, self._tell_failure),
            partial(post, take_so_far),
        )
        self._asked.append(ticket)

    def forget(self) -> None:
        """Give up what this table has asked for."""
        for ticket in self._asked:
            self.thinker.give_up(ticket)
        self._asked.clear()

    def _tell_failure(self, error: Exception) -> None:
        self.say(f"the search failed: {error}")

    def on_found(self, message: Found) -> None:
        """Take in what was found out, unless it has been given up meanwhile."""
        if message.ticket.is_wanted:
            message.take()

    # Moves

    def make(self, move: Move) -> None:
        """Make a move of the person and say what it did, or why it is refused."""
        self._begun = ""
        game = self.game
        try:
            told = describe(move, game) if game.refusal(move) is None else ""
            self.do(move)
        except MoveError as error:
            self.say(f"{move}: {error}")
        else:
            self.say(told)
            self.query_one(Board).forget_tap()
            self.after_change()
            return
        self.redraw()

    def keep(self, act: Callable[[], object]) -> None:
        """Do something that is written to the record; if it cannot be, say so and go on."""
        try:
            act()
        except OSError as error:
            self.notify(f"not kept: {error.strerror or error}", severity="error")

    def after_change(self) -> None:
        """Have the new position drawn, and thought about."""
        self._begun = ""
        self.forget()
        self.changed()
        self.redraw()

    def draw(self) -> None:
        """Draw, or turn the waste over."""
        self.make(stock_move(self.game))

    def drop(self) -> None:
        """Drop what was begun."""
        self._begun, self._prompt = "", None
        self.say("")
        self.redraw()

    def reveal(self) -> None:
        """Show or hide the face-down cards."""
        self.hides = not self.hides
        self.redraw()

    def type_move(self) -> None:
        """Let a move be typed."""
        self.ask_line("move", lambda text: self.make(parse_move(text)))

    def leave(self) -> None:
        """Leave the table."""
        self.app.exit()

    def help(self) -> None:
        """Show the keys."""
        self.app.push_screen(Told(self.more_keys() + MOVE_KEYS, MOUSE))

    def more_keys(self) -> Keys:
        """The keys of this way to sit down."""
        return ()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Commands are not shown while letters are part of something that is typed."""
        return not self.spells

    def commands(self) -> dict[str, Callable[[], None]]:
        """What keys do, unless they are part of something that is typed."""
        return {
            "d": self.draw,
            "space": self.draw,
            "u": self.undo,
            "backspace": self.undo,
            "ctrl+z": self.undo,
            "m": self.type_move,
            "v": self.reveal,
            "question_mark": self.help,
            "f1": self.help,
            "q": self.leave,
        }

    def undo(self) -> None:
        """Take the last action back."""
        raise NotImplementedError

    def on_key(self, event: events.Key) -> None:
        """Take the keys of moves."""
        self.key_pressed()
        key = event.character or ""
        command = self.commands().get(event.key)
        if event.key == "escape":
            self.drop()
        elif self._prompt is not None:
            self._type(event.key, key)
        elif self.take_key(event):
            pass
        elif self._begun == HOME and key.upper() in tuple(SUITS):
            self._begin(HOME + key.lower())
        elif key in ("f", "w", "0") or (key.isdigit() and key != "0"):
            self._take_pile(WASTE if key == "0" else key)
        elif command is not None:
            command()
        else:
            return
        event.stop()

    def key_pressed(self) -> None:
        """Called at each key that is no command."""

    def take_key(self, event: events.Key) -> bool:
        """Take a key that has a meaning of its own now; whether it has one."""
        return False

    def _begin(self, keys: str) -> None:
        self._begun = keys
        if keys == HOME:
            self.say("take back from a foundation: which suit? s h d c")
        elif keys.startswith(HOME):
            self.say(f"{SUIT_SIGNS['shdc'.index(keys[1])]} to which column?")
        else:
            named = "the waste" if keys == WASTE else f"column {keys}"
            self.say(f"from {named} to? a column, f up, {keys} once more for the best place")
        self.redraw()

    def ask_line(self, asked: str, take: Callable[[str], None]) -> None:
        """Ask for a line of text; `take` gets it, and what it raises is said."""
        self._begun, self._prompt, self._typed = "", (asked, take), ""
        self._show_prompt()
        self.redraw()

    def _show_prompt(self) -> None:
        assert self._prompt is not None
        self.say(f"{self._prompt[0]}: {self._typed}▏  (enter; escape drops it)")

    def _type(self, key: str, character: str) -> None:
        assert self._prompt is not None
        if key == "enter":
            _, take = self._prompt
            self._prompt = None
            self.say("")
            try:
                take(self._typed)
            except ValueError as error:
                self.say(str(error))
            self.redraw()
            return
        if key == "backspace":
            self._typed = self._typed[:-1]
        elif character and character.isprintable():
            self._typed += character
        self._show_prompt()

    def _take_pile(self, key: str) -> None:
        """Take a key that names a pile: the source of a move, or its target."""
        begun, game = self._begun, self.game
        if not begun:
            self._begin(key)
            return
        if key == begun and key != HOME:
            self._double_tap(_pile(key))
            return
        try:
            if begun.startswith(HOME):
                if len(begun) < 2 or not key.isdigit():
                    raise MoveError("f, then the suit, then the column: f h 3")
                self.make(taken_back(game, begun[1], int(key) - 1))
            else:
                target: Pile = "f" if key == HOME else _pile(key)
                self.make(move_between(game, _pile(begun), target))
        except MoveError as error:
            self._begun = ""
            self.say(str(error))
            self.redraw()

    def _chosen_spots(self) -> frozenset[Spot]:
        """The card that a move under way begins with."""
        if not self._begun or self._begun.startswith(HOME):
            return frozenset()
        pile = _pile(self._begun)
        if isinstance(pile, int):
            if pile >= len(self.game.columns):
                return frozenset()
            return frozenset({(pile, len(self.game.columns[pile]) - 1)})
        return frozenset({(pile, -1)})

    # The mouse

    def on_board_tapped(self, message: Board.Tapped) -> None:
        """A tap, or the second of two quick ones."""
        pile, index = message.spot
        if isinstance(pile, int) and index != len(self.game.columns[pile]) - 1:
            return
        if pile == "stock":
            self.make(stock_move(self.game))
        elif message.is_second:
            self._double_tap(pile)
        else:
            place = place_of(pile)
            move = None if place is None else self.game.tap(place)
            if move is not None:
                self.make(move)

    def _double_tap(self, pile: Pile) -> None:
        self._begun = ""
        place = place_of(pile)
        if place is None or (isinstance(place, int) and place >= len(self.game.columns)):
            self.redraw()
            return
        move = self.game.double_tap(place)
        if move is not None:
            self.make(move)
        else:
            self.say("the card fits nowhere")
            self.redraw()

    def on_board_dragged(self, message: Board.Dragged) -> None:
        """A card was dragged somewhere."""
        pile, index = message.spot
        depth = len(self.game.columns[pile]) - index if isinstance(pile, int) else None
        if isinstance(pile, int) and depth != 1 and not isinstance(message.target, int):
            self.say("only one card at a time goes up")
            return
        try:
            self.make(move_between(self.game, pile, message.target, depth))
        except MoveError as error:
            self.say(str(error))


def _pile(key: str) -> Pile:
    """The pile of a key."""
    return "waste" if key == WASTE else int(key) - 1
