"""Following a list of moves at the table, step by step."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType

from ..engine.cards import card_sign
from ..engine.errors import MoveError
from ..engine.moves import Move
from ..engine.referee import Game
from ..pages.story import Step
from ..pages.words import score_text
from ..solver.verdict import Answer, Verdict
from .follow import Follow
from .marks import source_spots, target_spots
from .picture import Scene, Spot
from .screens import Keys, TableScreen, shown
from .thinker import MOST_NODES, STEPS, Thinker, look_for_win

LISTED_BEFORE = 4
"""Steps of the list beside the board that are done."""
LIST_WIDTH = 92
"""From so many columns on the list stands beside the board; by hand."""
KEYS: Keys = (
    ("right, space, enter", "the next step is done"),
    ("left, u", "back one step"),
    ("home, end", "to the beginning, to the end of what is known"),
    ("g", "go to a move by its number"),
    (
        "d, 5 3, w f, m …",
        "I did something else: make the move here as well; the solver goes on from there, and "
        "going back before it returns to the list",
    ),
)


class FollowScreen(TableScreen):
    """The board with the next move marked, and the list."""

    DEFAULT_CSS = "FollowScreen #panel { width: 38; }"
    BINDINGS: ClassVar[list[BindingType]] = shown(right="Next", left="Back", g="Go to")

    def __init__(self, thinker: Thinker, follow: Follow) -> None:
        """Sit down before the list; one without moves is looked for."""
        super().__init__(thinker)
        self.follow = follow

    @property
    def game(self) -> Game:
        """The game where the person is."""
        return Game(self.follow.rules, self.follow.position)

    def head(self) -> Text:
        """Name, place in the list and score."""
        follow = self.follow
        score = score_text(follow.rules, follow.position.score)
        text = Text(
            f"{follow.code or 'deal'}  move {follow.done} of {len(follow.moves)}  "
            f"step {follow.at} of {len(follow.steps)}  score {score}  ",
            no_wrap=True,
        )
        if follow.has_left:
            text.append("another way", "bold #ffe9a8")
        return text

    def scene(self) -> Scene:
        """The board with the next move marked."""
        step, game = self.follow.next, self.game
        marked: frozenset[Spot] = frozenset()
        if step is not None:
            marked = source_spots(game, step.moves[0]) | target_spots(game, step.moves[0])
        return Scene(game.rules, game.position(), self.hides, next=marked)

    def panel(self) -> Text:
        """The list around the next step."""
        follow, text = self.follow, Text()
        first = max(follow.at - LISTED_BEFORE, 0)
        for number, step in enumerate(follow.steps[first : first + 40], first):
            style = "bold #ffd75e" if number == follow.at else "dim" if number < follow.at else ""
            text.append(f"{'»' if number == follow.at else ' '}{step.number} {step.text}\n", style)
        return text

    def do(self, move: Move) -> None:
        """Make the move where the person is."""
        self.keep(partial(self.follow.play, move))

    def changed(self) -> None:
        """Say what is next, and look for it if that is not known."""
        self.set_class(self.size.width >= LIST_WIDTH, "-panel")
        follow = self.follow
        step = follow.next
        if step is not None:
            self.say(self._words(step))
        elif self.game.won:
            self.say(f"all {self.game.rules.cards} cards are up")
        else:
            self.say("the list ends here; looking for how to go on …")
            tries = (*STEPS, MOST_NODES)
            work = partial(look_for_win, follow.rules, follow.position, tries, True)
            self.think(work, self._go_on)

    def _words(self, step: Step) -> str:
        """A step with what it turns up and how it is done in the app."""
        turned = "" if step.turned_up is None else f"; turns up {card_sign(step.turned_up)}"
        return f"next {step.number}: {step.text}{turned}, {self.game.gesture(step.moves[0])}"

    def _go_on(self, answer: Answer | None) -> None:
        if answer is None:
            return
        if answer.moves:
            self.keep(partial(self.follow.go_on, answer.moves))
            self.after_change()
        elif answer.verdict is Verdict.UNWINNABLE:
            self.say(f"from here it cannot be won: {answer.reason}; ← goes back")
        else:
            self.say(f"no win found within {MOST_NODES:,} positions; it may be won or lost")

    # What keys do

    def commands(self) -> dict[str, Callable[[], None]]:
        """Those of the table and of a list."""
        return super().commands() | {
            **dict.fromkeys(("right", "space", "enter"), self.forward),
            "left": self.undo,
            "home": partial(self.jump, 0),
            "end": lambda: self.jump(len(self.follow.moves)),
            "g": self.go,
        }

    def forward(self) -> None:
        """The next step is done."""
        if self.follow.next is not None:
            self._move(self.follow.forward)

    def undo(self) -> None:
        """Go back a step."""
        self._move(self.follow.back)

    def jump(self, done: int) -> None:
        """Have so many moves done."""
        self._move(lambda: self.follow.jump(done))

    def go(self) -> None:
        """Ask for the number of a move."""
        self.ask_line(f"go to before move (1–{len(self.follow.moves)})", self._go)

    def _go(self, text: str) -> None:
        if not text.strip().isdigit():
            raise MoveError(f"{text!r} is no number of a move")
        self._move(lambda: self.follow.jump(int(text) - 1))

    def _move(self, act: Callable[[], None]) -> None:
        """Go somewhere in the list."""
        self.keep(act)
        self.after_change()

    def more_keys(self) -> Keys:
        """The keys of a list."""
        return KEYS


def sit_down_to_follow(follow: Follow) -> Callable[[Thinker], FollowScreen]:
    """What makes the screen of a list."""
    return lambda thinker: FollowScreen(thinker, follow)
