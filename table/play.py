"""A deal of ours at the table: the person does not see its face-down cards, the solver does."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Input, OptionList, Static

from ..engine.codes import DealCode
from ..engine.deal import Position
from ..engine.dealing import deal_number
from ..engine.errors import CodeError, MoveError
from ..engine.moves import Move
from ..engine.referee import Game
from ..engine.rules import Rules
from ..notation.solution import describe
from ..pages.words import score_text
from ..solver.verdict import Answer, Verdict
from .chance import WISHES, find_any_deal
from .marks import source_spots, target_spots
from .opening import Opened, begin, open_deal
from .picture import Scene, Spot
from .screens import Asks, Keys, TableScreen, shown, time_text
from .thinker import MOST_NODES, STEPS, Thinker, look_for_win

FINISH_STEP = 0.06
"""Seconds between two moves of the auto-finish: by hand, quick and still to be followed."""
LIGHTS = {
    Verdict.WINNABLE: ("● winnable", "bold #7ee787"),
    Verdict.UNWINNABLE: ("● lost (proof)", "bold #ff9b9b"),
    Verdict.UNKNOWN: ("○ unknown", "#d0d0d0"),
}
KEYS: Keys = (
    ("h", "hint: the next move of a win, which the solver knows all cards for"),
    (
        "l",
        "light on or off: can the game still be won? unknown is said where the search has hit "
        "its limit, and lost only where that is proved",
    ),
    ("a", "auto-finish, once no card lies face down; any key stops it"),
    ("n", "a new deal"),
    ("q", "quit; the game is kept, and the same code goes on with it"),
)


class Wins:
    """What has been found out about positions, so that it is not searched for again."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._answers: dict[Position, Answer] = {}
        self._polished: set[Position] = set()

    def note(self, position: Position, answer: Answer, polished: bool) -> None:
        """Remember what was found of a position, and whether its list is one to follow."""
        self._answers[position] = answer
        if polished:
            self._polished.add(position)

    def of(self, position: Position) -> Answer | None:
        """What is known of a position."""
        return self._answers.get(position)

    def is_enough(self, position: Position, polished: bool) -> bool:
        """Whether there is no need to search; for a list to follow, if it must be `polished`."""
        answer = self._answers.get(position)
        if answer is None or not polished:
            return answer is not None
        return answer.verdict is Verdict.UNWINNABLE or position in self._polished

    def follow(self, before: Position, move: Move, after: Position) -> None:
        """A move was made: whoever plays the first move of a win still has the rest of it."""
        answer = self._answers.get(before)
        if answer is None or after in self._answers:
            return
        if answer.verdict is Verdict.UNWINNABLE:
            self.note(after, answer, False)
        elif answer.moves and answer.moves[0] == move:
            rest = Answer(answer.verdict, answer.reason, 0, 0.0, answer.moves[1:])
            self.note(after, rest, before in self._polished)


class PlayScreen(TableScreen):
    """A game of one deal."""

    BINDINGS: ClassVar[list[BindingType]] = shown(h="Hint", l="Light", a="Finish", n="New")

    def __init__(self, thinker: Thinker, opened: Opened, has_light: bool = True) -> None:
        """Sit down to a new game; asks first where one was left."""
        super().__init__(thinker)
        self.session = opened.left or opened.fresh
        self._opened = opened
        self.has_light = has_light
        self.wins = Wins()
        self.hinted: Move | None = None
        """The move of a hint, which the board shows."""
        self._finishing: tuple[list[Move], Timer] | None = None
        self._is_put_away = False

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.session.game

    @property
    def title_text(self) -> str:
        """What the game is called."""
        return self.session.code or f"{self.session.rules.game}-{self.session.rules.mode}"

    def begin(self) -> None:
        """Begin the record, or ask whether to go on with a game that was left."""
        left = self._opened.left
        if left is None:
            if self._opened.begins:
                self.keep(partial(begin, self.session))
            self.after_change()
            return
        self.app.push_screen(
            Asks(
                f"You left this game after {left.counter} moves, with "
                f"{left.game.cards_up} cards up.\n\n"
                "y or enter: go on with it      n: begin anew",
                {"y": "on", "enter": "on", "n": "anew"},
            ),
            self._settle,
        )

    def _settle(self, answer: str | None) -> None:
        if answer == "anew":
            self.session = self._opened.fresh
            self.keep(partial(begin, self.session))
        self.after_change()

    def put_away(self) -> None:
        """Keep the time that was played."""
        super().put_away()
        if not self._is_put_away:
            self._is_put_away = True
            self.session.stop_clock()
            self.keep(self.session.save)

    def head(self) -> Text:
        """Name, score, counter, time and light."""
        session = self.session
        rules = session.rules
        text = Text(
            f"{self.title_text}  {score_text(rules, session.game.score)}"
            f"{' points' if self.size.width >= 80 and rules.points.floor is not None else ''}  "
            f"{session.counter} moves  {time_text(session.seconds)}  ",
            no_wrap=True,
        )
        if self.game.won:
            text.append("won", "bold #7ee787")
        elif self.shows_light:
            answer = self.wins.of(self.game.position())
            text.append(*LIGHTS[answer.verdict] if answer else ("… thinking", "#d0d0d0"))
        return text

    @property
    def shows_light(self) -> bool:
        """Whether the line above the board says if the game can still be won."""
        return self.has_light

    def scene(self) -> Scene:
        """The board with the move of a hint marked."""
        marked: frozenset[Spot] = frozenset()
        if self.hinted is not None:
            marked = source_spots(self.game, self.hinted) | target_spots(self.game, self.hinted)
        return Scene(self.game.rules, self.game.position(), self.hides, next=marked)

    def do(self, move: Move) -> None:
        """Make a move, and go on in the win that is known if it is the next of it."""
        before = self.game.position()
        self.keep(partial(self.session.play, move))
        self.wins.follow(before, move, self.game.position())

    def changed(self) -> None:
        """Look whether the game can still be won."""
        self.hinted = None
        if self.game.won:
            self.stop_finishing()
            self.say(
                f"Won! {score_text(self.game.rules, self.game.score)} in {self.session.counter} "
                f"moves, {time_text(self.session.seconds)}. n: a new deal"
            )
        elif self.has_light and self._finishing is None:
            self._look(polish=False, then=None)

    def _look(self, polish: bool, then: Callable[[Answer], None] | None) -> None:
        """Search the position, and have what is found shown, or given to `then`."""
        rules, position = self.game.rules, self.game.position()
        if self.wins.is_enough(position, polish):
            known = self.wins.of(position)
            if then is not None and known is not None:
                then(known)
            return

        def take(answer: Answer | None) -> None:
            if answer is None:
                return
            self.wins.note(position, answer, polish)
            self.redraw()
            if then is not None:
                then(answer)

        tries = (*STEPS, MOST_NODES) if polish else STEPS
        self.think(partial(look_for_win, rules, position, tries, polish), take)

    # What keys do

    def commands(self) -> dict[str, Callable[[], None]]:
        """Those of the table and of a game that is played."""
        return super().commands() | {
            "h": self.hint,
            "l": self.light,
            "a": self.finish,
            "n": self.new,
        }

    def undo(self) -> None:
        """Take the last action back."""
        last = self.session.moves[-1:]
        try:
            self.keep(self.session.undo)
        except MoveError as error:
            self.say(str(error))
            return
        self.after_change()
        self.say(f"taken back: {last[0]}")

    def light(self) -> None:
        """Turn the light on or off."""
        self.has_light = not self.has_light
        self.forget()
        if self.has_light:
            self.changed()
        self.redraw()

    def hint(self) -> None:
        """Say and mark the next move of a win."""
        if self.game.won:
            return
        self.forget()
        self.say("looking for a win …")
        self.keep(self.session.note_hint)
        self._look(polish=True, then=self._hint)

    def _hint(self, answer: Answer) -> None:
        if answer.moves:
            self.hinted = answer.moves[0]
            self.say(f"hint: {describe(self.hinted, self.game)}  ({self.hinted})")
        elif answer.verdict is Verdict.UNWINNABLE:
            self.say(f"this cannot be won any more: {answer.reason}; u takes moves back")
        else:
            self.say(f"no win found within {MOST_NODES:,} positions; it may be won or lost")
        self.redraw()

    def finish(self) -> None:
        """Play a win out, once no card lies face down."""
        if self._finishing is not None:
            self.stop_finishing()
        elif any(self.game.hidden):
            self.say("auto-finish is for when no card lies face down")
        elif not self.game.won:
            self.forget()
            self.say("looking for a win …")
            self._look(polish=True, then=self._finish)

    def _finish(self, answer: Answer) -> None:
        if not answer.moves:
            self._hint(answer)
            return
        self._finishing = list(answer.moves), self.set_interval(FINISH_STEP, self._finish_step)

    def _finish_step(self) -> None:
        if self._finishing is None:
            return
        moves, _ = self._finishing
        self.make(moves.pop(0))
        if not moves:
            self.stop_finishing()

    def stop_finishing(self) -> None:
        """Let the auto-finish end."""
        if self._finishing is not None:
            self._finishing[1].stop()
            self._finishing = None

    def key_pressed(self) -> None:
        """Any key ends the auto-finish."""
        self.stop_finishing()

    def more_keys(self) -> Keys:
        """The keys of a game of ours."""
        return KEYS

    # A new deal

    def new(self) -> None:
        """Ask which deal to play next."""
        self.app.push_screen(NewDeal(), self._deal)

    def _deal(self, wish: str | None) -> None:
        if not wish:
            return
        self.forget()
        rules = self.game.rules
        if wish in WISHES:
            self.say(f"looking for a deal that is {wish} …")
            self.think(partial(find_any_deal, rules, wish), self._sit_down_to)
            return
        try:
            self._sit_down_to(parse_code(wish, rules))
        except CodeError as error:
            self.say(str(error))

    def _sit_down_to(self, code: DealCode | None) -> None:
        if code is None:
            return
        # It may be the same deal once more, and then the next table reads and writes this record.
        self.put_away()
        position = Position.start(code.rules, deal_number(code.rules, code.number))
        opened = open_deal(code.rules, position, str(code))
        self.app.switch_screen(PlayScreen(self.thinker, opened, self.has_light))


def parse_code(text: str, rules: Rules) -> DealCode:
    """A code, or its seven letters under the rules of the game before; `CodeError` for neither."""
    text = text.strip()
    return DealCode.parse(text if "-" in text else f"{rules.game}-{rules.mode}-{text}")


class NewDeal(ModalScreen[str]):
    """Asks for a code or for a kind of deal."""

    DEFAULT_CSS = """
    NewDeal { align: center middle; }
    NewDeal > Vertical { width: 44; max-width: 100%; height: auto; max-height: 100%;
        padding: 0 1; border: round $accent; background: $surface; }
    NewDeal OptionList { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Stay")]

    def compose(self) -> ComposeResult:
        """A field for a code and the kinds of deals."""
        with Vertical():
            yield Static("A new deal: choose, or tab and type a code.")
            yield OptionList(*WISHES)
            yield Input(placeholder="DS1-D1N-AAAAAAB or its last seven letters")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A kind of deal."""
        self.dismiss(WISHES[event.option_index])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A code."""
        self.dismiss(event.value)


def sit_down(opened: Opened, has_light: bool = True) -> Callable[[Thinker], PlayScreen]:
    """What makes the screen of a game."""
    return lambda thinker: PlayScreen(thinker, opened, has_light)
