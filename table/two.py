"""The game for two at the table, in turns: against a computer player, or a second person."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets import Footer, Static

from ..engine.cards import card_sign
from ..engine.errors import MoveError
from ..engine.moves import Move
from ..engine.referee import Game
from ..versus.game import PASS, Action, Player
from ..versus.record import GameRecord
from ..versus.session import Session
from .board import STYLES, Board
from .both import HINTS_OFF, PERSON, Proofs, advise, choose, hint_lines, left, over, put_up
from .files import set_aside
from .folded import folded
from .marks import source_spots, target_spots
from .picture import Row, Scene, Spot
from .screens import MOUSE, MOVE_KEYS, Asks, Keys, TableScreen, Told, shown
from .thinker import Thinker

if TYPE_CHECKING:
    from ..versus.opponent import Tried

BOTH_BESIDE = 110
"""From so many columns on both layouts stand beside one another; by hand."""
PAUSE = 0.4
"""Seconds between two moves of a computer player, so that they can be followed; by hand."""
NOT_HERE = ("f h 3", "u, backspace", "v")
"""Keys of the table that this game has not, or has otherwise."""
KEYS: Keys = (
    ("p", "pass: end the turn without a draw; a draw ends it too"),
    ("a", "put up all that fits"),
    ("o", "the other's layout, or one's own again; a wide window shows both"),
    ("s", "what has been seen of the own stock"),
    ("u, backspace", "take back a move of this turn that turned no card up"),
    ("h", "hint, in a game begun with --hints; it is marked in the record"),
    (
        "l",
        "show or hide what is proved: who wins whatever is played, who is dead or stuck. "
        "But for stuck it is proved with all cards known",
    ),
    ("q", "quit; the game is kept"),
    *(each for each in MOVE_KEYS if each[0] not in NOT_HERE),
)


class TwoScreen(TableScreen):
    """A layout with the common foundations, and the other's, folded or beside it.

    In front is the person who plays against a computer player, of two persons who is in turn.
    """

    DEFAULT_CSS = """
    TwoScreen #folded { height: auto; background: #0d3a20; color: #e8efe9; }
    TwoScreen #panel, TwoScreen.-narrow #panel { width: 1fr; height: auto; max-height: 3;
        padding: 0; color: #8ecbff; }
    """
    BINDINGS: ClassVar[list[BindingType]] = shown(p="Pass", o="Other", h="Hint", a="Up")

    def __init__(
        self,
        thinker: Thinker,
        session: Session,
        playouts: int,
        fresh: GameRecord | None = None,
        adjudicates: bool = True,
        shows_proofs: bool = True,
    ) -> None:
        """Sit down to the game of a session; with `fresh` it is asked whether to begin that anew.

        `playouts` are those of the strong player, or of a hint.
        """
        super().__init__(thinker)
        self.session = session
        self._playouts, self._fresh, self._adjudicates = playouts, fresh, adjudicates
        self.shows_proofs = shows_proofs
        self._proofs = Proofs(session.record)
        self.computers: Mapping[Player, str] = {
            player: name
            for player, name in zip(Player, session.record.players, strict=True)
            if name is not None and name != PERSON
        }
        self._front = next(player for player in Player if player not in self.computers)
        self._shows_other = False
        self._hinted: Action | None = None
        self._words: list[str] = []
        """What the computer player in turn has done in this turn."""
        self._waits = False
        """Whether its search has failed, and is to be tried once more."""

    # What stands on the screen

    def compose(self) -> ComposeResult:
        """The lines and both boards."""
        yield Static(id="head")
        yield Static(id="folded")
        with Horizontal():
            yield Board()
            yield Board(id="other", disabled=True)
        yield Static(id="panel")
        yield Static(id="say")
        yield Footer()

    @property
    def player(self) -> Player:
        """Whose layout is in front."""
        turn = self.session.game.turn
        if not self.computers and turn is not None:
            self._front = turn
        return self._front

    @property
    def game(self) -> Game:
        """The layout in front as it stands; whose turn it is, it does not know."""
        layout = self.session.game.layouts[self.player]
        return Game(layout.rules, layout.position())

    @property
    def shows_both(self) -> bool:
        """Whether there is room for both layouts."""
        return self.size.width >= BOTH_BESIDE

    def title_of(self, player: Player) -> str:
        """A player and who that is."""
        name = dict(zip(Player, self.session.record.players, strict=True))[player]
        return f"{player} {'you' if player is self.player and self.computers else name}"

    def head(self) -> Text:
        """The deal, the turn and the cards up of both."""
        session, game = self.session, self.session.game
        a, b = (game.up(player) for player in Player)
        name = str(session.record.code or "deal")
        text = Text(f"{name}  draw {self.game.rules.draw}  ", no_wrap=True)
        text.append(f"turn {game.turns + 1}: ")
        text.append("over" if game.end else self.title_of(game.turn or self.player), "bold #ffd75e")
        text.append(f"   A {a} : {b} B   last up: {game.last or '–'}")
        return text

    def panel(self) -> Text:
        """What is proved, in a line below the boards."""
        return Text(self._proofs.of(self.session.game))

    def scene(self) -> Scene:
        """The layout in front, with the move of a hint marked."""
        game = self.game
        marked: frozenset[Spot] = frozenset()
        if isinstance(self._hinted, Move) and game.refusal(self._hinted) is None:
            marked = source_spots(game, self._hinted) | target_spots(game, self._hinted)
        return Scene(game.rules, game.position(), True, next=marked)

    def on_resize(self, event: events.Resize) -> None:
        """Show both layouts where there is room."""
        super().on_resize(event)
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        """Draw both layouts, or one and the other in two lines."""
        if not self.query("#other"):
            return
        is_proved = self.shows_proofs and bool(self._proofs.of(self.session.game))
        self.set_class(is_proved, "-panel")
        super().redraw()
        front, other = self.query_one(Board), self.query_one("#other", Board)
        front.display = self.shows_both or not self._shows_other
        other.display = self.shows_both or self._shows_other
        layout = self.session.game.layouts[self.player.other]
        position = layout.position()
        if self.shows_both:
            # The foundations stand in front already.
            position = replace(position, foundations=())
        other.show(Scene(layout.rules, position))
        self.query_one("#folded", Static).update(self._names() if self.shows_both else self._fold())

    def _names(self) -> Text:
        """Whose layouts stand below."""
        here, there = map(self._title_with_count, (self.player, self.player.other))
        return Text(f"{here:<{self.size.width // 2}}{there}", no_wrap=True)

    def _fold(self) -> Text:
        """The layout that is not shown, in two lines."""
        player = self.player if self._shows_other else self.player.other
        layout = self.session.game.layouts[player]
        title = self._title_with_count(player)
        rows = folded(layout.rules, layout.position(), title, self.size.width)
        return Text("\n").join(map(_text, rows))

    def _title_with_count(self, player: Player) -> str:
        return f"{self.title_of(player)}  up {self.session.game.up(player)}"

    # The course of the game

    def begin(self) -> None:
        """Ask whether to go on with a game that was left."""
        if self._fresh is None:
            self.after_change()
            return
        game = self.session.game
        self.app.push_screen(
            Asks(
                f"You left this game after {game.turns} turns, with {game.up(Player.A)} cards of A "
                f"and {game.up(Player.B)} of B up.\n\n"
                "y or enter: go on with it      n: begin anew",
                {"y": "on", "enter": "on", "n": "anew"},
            ),
            self._settle,
        )

    def _settle(self, answer: str | None) -> None:
        if answer == "anew" and self._fresh is not None:
            path = self.session.path
            if path is not None:
                self.keep(partial(set_aside, path))
            self.session = Session(self._fresh, path, self._adjudicates)
        self.after_change()

    def do(self, move: Move) -> None:
        """Make a move of the player in front."""
        self._act(move)

    def make(self, move: Move) -> None:
        """Make a move and say what it did, or why it is refused."""
        self._begun = ""
        self._act(move)

    def _act(self, action: Action) -> None:
        """Let the player in front do it, and say it; or say why it is refused."""
        player, words = self.player, str(action)

        def act() -> None:
            nonlocal words
            words = self.session.play(action, player)

        try:
            self.keep(act)
        except MoveError as error:
            self.say(f"{action}: {error}")
            self.redraw()
            return
        self.query_one(Board).forget_tap()
        self.say(f"{player}: {words}")
        self.after_change()

    def changed(self) -> None:
        """Say that it is over, or let the next player play."""
        self._hinted, self._shows_other = None, False
        game = self.session.game
        if game.end is not None:
            self.say(over(self.session))
        elif game.turn in self.computers:
            self._let_play()

    def _let_play(self) -> None:
        """Have the computer player in turn decide."""
        turn = self.session.game.turn
        assert turn is not None
        work = partial(choose, self.computers[turn], self._playouts, self.session.record)
        self.think(work, self._take_action)

    def _take_action(self, action: Action) -> None:
        """Do what the computer player has decided; say its turn when it has ended."""
        game = self.session.game
        player, turns = game.turn, game.turns

        def act() -> None:
            self._words.append(self.session.play(action))

        self.keep(act)
        is_over = game.end is not None
        self.say(f"{player}: {', '.join(self._words)}{f'. {over(self.session)}' * is_over}")
        if is_over or game.turns > turns:
            self._words = []
        self.redraw()
        if not is_over and game.turn in self.computers:
            self.set_timer(PAUSE, self._let_play)

    def _tell_failure(self, error: Exception) -> None:
        super()._tell_failure(error)
        self._waits = self.session.game.turn in self.computers

    # What keys do

    def commands(self) -> dict[str, Callable[[], None]]:
        """Those of the table and of the game for two."""
        others = {key: does for key, does in super().commands().items() if key != "v"}
        return others | {
            "p": partial(self._act, PASS),
            "a": self.put_up,
            "o": self.turn_round,
            "s": self.tell_stock,
            "h": self.hint,
            "l": self.light,
        }

    def key_pressed(self) -> None:
        """After a search that has failed any key has it tried again."""
        if self._waits:
            self._waits = False
            self._let_play()

    @property
    def _has_turn(self) -> bool:
        """Whether the player in front is in turn; if not, that is said."""
        game = self.session.game
        why = game.refusal(self.player, PASS)
        if why is not None:
            self.say(why)
        return why is None

    def undo(self) -> None:
        """Take the last move back, if it is one of this turn that showed nothing."""
        if not self._has_turn:
            return
        taken: list[Action] = []
        try:
            self.keep(lambda: taken.append(self.session.undo()))
        except MoveError as error:
            self.say(str(error))
            return
        self.after_change()
        self.say(f"taken back: {', '.join(map(str, taken))}")

    def put_up(self) -> None:
        """Put up all that fits."""
        if not self._has_turn:
            return
        player, words = self.player, list[str]()
        self.keep(lambda: words.extend(put_up(self.session)))
        self.say(f"{player}: {', '.join(words)}" if words else "nothing fits")
        self.after_change()

    def turn_round(self) -> None:
        """Show the other layout, or that in front again."""
        self._shows_other = not self._shows_other and not self.shows_both
        self.redraw()

    def tell_stock(self) -> None:
        """Say what has been seen of the stock in front."""
        layout = self.session.game.layouts[self.player]
        cards = " ".join(map(card_sign, layout.stock))
        if not layout.stock:
            self.say("the stock is empty")
        elif layout.recycles:
            self.say(f"stock, next first: {cards}")
        else:
            self.say(f"none of the {len(layout.stock)} cards of the stock has been seen yet")

    def light(self) -> None:
        """Show or hide what is proved."""
        self.shows_proofs = not self.shows_proofs
        self.redraw()

    def hint(self) -> None:
        """Say and mark what the strong player would do."""
        if not self._has_turn:
            return
        if self.session.record.hints is None:
            self.say(HINTS_OFF)
            return
        self.forget()
        self.say("looking for the best move …")
        self.keep(self.session.note_hint)
        self.think(partial(advise, self._playouts, self.session.record), self._hint)

    def _hint(self, tried: "list[Tried]") -> None:
        self._hinted = tried[0].action
        self.say("; ".join(" ".join(line.split()) for line in hint_lines(tried)))
        self.redraw()

    def leave(self) -> None:
        """Leave the table, and say how the game ended or where it is kept."""
        is_over = self.session.game.end is not None
        self.app.exit(message=over(self.session) if is_over else left(self.session))

    def help(self) -> None:
        """Show the keys."""
        self.app.push_screen(Told(KEYS, MOUSE))


def _text(row: Row) -> Text:
    """A row of a picture as text."""
    text = Text(no_wrap=True)
    for piece, look in row:
        text.append(piece, STYLES[look])
    return text


def sit_down_for_two(
    session: Session,
    playouts: int,
    fresh: GameRecord | None = None,
    adjudicates: bool = True,
    shows_proofs: bool = True,
) -> Callable[[Thinker], TwoScreen]:
    """What makes the screen of a game for two."""
    return lambda thinker: TwoScreen(thinker, session, playouts, fresh, adjudicates, shows_proofs)
