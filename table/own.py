"""My own cards: a game that lies on a phone or a table, of which the person says what they see.

Cards are typed as they come to light. Beside the board stands what to do, from games on samples of
what is not seen; once no card is unknown any more, the solver says how to go on.
"""

import re
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import BindingType

from ..engine.cards import RANKS, SUIT_SIGNS, SUITS, card_sign, parse_card
from ..engine.errors import DealError
from ..engine.moves import Kind, Move
from ..engine.referee import Game
from ..engine.rules import Scoring, rules_for
from ..notation.solution import describe
from ..notation.typed import STOCK
from ..pages.story import tell
from ..solver.verdict import Answer, Verdict
from .counsel import Told, tell_advice
from .marks import source_spots, target_spots
from .opening import Opened, begin
from .picture import Scene, Spot
from .play import PlayScreen
from .screens import BESIDE, Asks, Keys, shown
from .session import Session, unseen_game
from .thinker import Thinker
from .whereabouts import Card

PLACE = re.compile(r"(?P<column>[1-9])(?:\.(?P<index>\d+))?|w(?P<depth>\d*)|f(?P<home>[1-8])")
"""Where a card lies, as a person writes it."""
STEPS_LISTED = 12
SAMPLES, NODES = 200, 20_000
"""As in `dsol advise`."""
WIDE = 100
"""From so many columns on a row of advice takes one line."""
KEYS: Keys = (
    ("cards", "type what you see: 7h, 10c or tc, one after the other, without enter"),
    (
        "e",
        "a card was wrong: 3 7h the last card of column 3, 3.2 7h its second from the bottom, "
        "w 7h the top of the waste, w2 7h the one below it, f3 7h the third foundation",
    ),
    ("h", "mark what is recommended"),
    ("u", "takes a draw or a move back; cards that have been typed stay known"),
    ("q", "quit; dsol play --resume goes on (ctrl+q while a card is asked for)"),
)


class OwnScreen(PlayScreen, inherit_bindings=False):
    """The board, the cards that are asked for, and what to do."""

    BINDINGS: ClassVar[list[BindingType]] = shown(
        d="Draw", u="Undo", e="Correct", h="Hint", question_mark="Keys", q="Quit"
    )

    def __init__(self, thinker: Thinker, opened: Opened, asks_rules: bool = False) -> None:
        """Sit down; with `asks_rules` draw and scoring are asked for first."""
        super().__init__(thinker, opened)
        self._asks_rules = asks_rules
        self._letters = ""
        """What has been typed of a card."""
        self._counsel: Text | None = None
        self.advised: tuple[Move, ...] | None = None
        """The moves that are recommended, none where the game is over; None while thinking."""

    @property
    def title_text(self) -> str:
        """The rules and how many cards are unknown."""
        rules = self.session.rules
        scoring = "Vegas" if rules.scoring is Scoring.VEGAS else "Normal"
        unknown = len(self.session.seen.places) + len(self.session.asked)
        return f"draw {rules.draw} {scoring}, {unknown} unknown"

    @property
    def shows_light(self) -> bool:
        """Of a game with unknown cards nobody knows whether it can be won."""
        return super().shows_light and not (self.session.view.places and self.session.seen.places)

    def begin(self) -> None:
        """Ask for the rules, then for the cards."""
        self.set_class(True, "-panel")
        if not self._asks_rules:
            super().begin()
            return
        self.app.push_screen(
            Asks("How many cards does a draw turn?\n\n1: one      3: three", {"1": "1", "3": "3"}),
            self._take_draw,
        )

    def _take_draw(self, draw: str | None) -> None:
        self.app.push_screen(
            Asks("How is it scored?\n\nn: Normal      v: Vegas", {"n": "N", "v": "V"}),
            lambda scoring: self._take_rules(int(draw or 1), scoring or "N"),
        )

    def _take_rules(self, draw: int, scoring: str) -> None:
        rules = rules_for(self.session.rules.game, draw, scoring)
        self.session = Session(rules, unseen_game(rules), None, self.session.path, own=True)
        self.keep(partial(begin, self.session))
        self.after_change()

    # What is shown

    @property
    def spells(self) -> bool:
        """While a card is asked for, letters are those of cards."""
        return bool(self.session.asked) or super().spells

    def scene(self) -> Scene:
        """The board, with question marks for the cards that are asked for."""
        game, seen = self.game, self.session.seen
        asked = self.session.asked
        unknown = {place for place in (*seen.places, *asked) if place[0] != STOCK}
        marked: frozenset[Spot] = frozenset()
        if self.hinted is not None and game.refusal(self.hinted) is None:
            marked = source_spots(game, self.hinted) | target_spots(game, self.hinted)
        return Scene(
            game.rules,
            game.position(),
            self.hides,
            frozenset(unknown),
            sum(pile == STOCK for pile, _ in asked),
            next=marked,
        )

    def panel(self) -> Text:
        """What to do, as far as that is known."""
        if self.session.asked:
            return Text("Type the cards that you see.\n\nA card is rank and suit:\n7h, 10c or tc.")
        return self._counsel or Text("thinking …")

    def changed(self) -> None:
        """Ask for the next card, or think about what to do."""
        self.hinted, self._counsel, self.advised = None, None, None
        if self.session.asked:
            self._ask()
        elif self.game.won:
            super().changed()
        elif self.session.seen.places:
            work = partial(tell_advice, self.game.rules, self.session.seen, SAMPLES, NODES)
            self.think(work, self._show_last, self._show)
        else:
            self._look(polish=True, then=self._take_over)

    def _ask(self) -> None:
        asked = self.session.asked
        more = f"  ({len(asked)} cards to name)" if len(asked) > 1 else ""
        self.say(f"{self.session.name_asked(asked[0])}: {self._letters}▏{more}")

    # Advice

    def _show_last(self, told: Told) -> None:
        self.advised = told.moves
        self._show(told)

    def _show(self, told: Told) -> None:
        """Show the advice beside the board, and the recommended move in the line below."""
        is_wide = self.size.width >= WIDE or self.size.width < BESIDE
        self._counsel = told.wide if is_wide else told.narrow
        if told.moves and self._prompt is None and not self._begun:
            self.hinted = told.moves[0]
            words = describe(self.hinted, self.game)
            if self.hinted.kind is Kind.DRAW:
                words = "draw"
            self.say(f"recommended: {words}: {told.why}")
        elif not told.moves:
            self.say(told.why)
        self.redraw()

    def _take_over(self, answer: Answer) -> None:
        """All cards are known: show how to go on."""
        self.advised = answer.moves or ()
        if answer.moves:
            self._counsel = _list_text(self.game, answer.moves)
        else:
            words = {
                Verdict.UNWINNABLE: f"It cannot be won any more:\n{answer.reason}.",
                Verdict.UNKNOWN: "No win was found;\nit may be won or lost.",
            }
            self._counsel = Text(words[answer.verdict])
        self._hint(answer)

    def hint(self) -> None:
        """Mark what is recommended, or the next move of the win."""
        if self.session.seen.places:
            self.redraw()
        else:
            super().hint()

    def commands(self) -> dict[str, Callable[[], None]]:
        """Those of a game that is played but for what only a deal of ours has."""
        others = {key: does for key, does in super().commands().items() if key not in "aln"}
        return others | {"e": self.correct}

    # Cards

    def take_letter(self, character: str) -> None:
        """Take a sign of a card that is asked for."""
        sign = character.upper()
        if sign.isspace() or sign in ",;":
            return
        letters = self._letters + sign
        if sign in SUITS or sign in SUIT_SIGNS:
            self._take_card(letters)
        elif letters == "1" or (letters == "10" and self._letters) or letters in tuple(RANKS):
            self._letters = letters
            self._ask()
        else:
            self._letters = ""
            self._ask()
            self.say(f"{letters} is no card; a card is rank and suit, as in 7h, 10c or tc")

    def _take_card(self, letters: str) -> None:
        self._letters = ""
        try:
            card = parse_card(letters)
            self.keep(partial(self.session.learn, card))
        except DealError as error:
            self.say(str(error))
        else:
            self.after_change()

    def on_paste(self, event: events.Paste) -> None:
        """Cards may be pasted, or typed faster than they are shown."""
        for character in event.text:
            if self.session.asked:
                self.take_letter(character)

    def take_key(self, event: events.Key) -> bool:
        """Take the signs of a card that is asked for; what is none may be a command."""
        character = event.character or ""
        if not self.session.asked or not character.isprintable() or character in "eEuU?":
            return False
        self.take_letter(character)
        return True

    def undo(self) -> None:
        """Take back what was typed of a card, else the last action."""
        if self._letters:
            self._letters = ""
            self._ask()
        else:
            super().undo()

    def correct(self) -> None:
        """Ask which card was wrong."""
        self.ask_line("which card is it really? 3 7h, 3.2 7h, w 7h, w2 7h, f3 7h", self._correct)

    def _correct(self, text: str) -> None:
        words = text.split()
        if len(words) != 2:
            raise DealError("the place and the card: 3 7h, 3.2 7h, w 7h, w2 7h or f3 7h")
        card = parse_card(words[1])
        place = self._place(words[0].lower())
        self.keep(partial(self.session.correct, place, card))
        self.after_change()
        self.say(f"{words[0]} is {card_sign(card)} now")

    def _place(self, word: str) -> Card:
        """The place before the first move of a card that is named by where it lies now."""
        where = self.session.whereabouts()
        pile: list[Card] = []
        depth = 1
        match = PLACE.fullmatch(word)
        if match is not None and match["column"]:
            number = int(match["column"]) - 1
            pile = where.columns[number] if number < len(where.columns) else []
            depth = len(pile) + 1 - int(match["index"] or len(pile))
        elif match is not None and match["home"]:
            number = int(match["home"]) - 1
            pile = where.foundations[number] if number < len(where.foundations) else []
        elif match is not None:
            pile, depth = where.waste, int(match["depth"] or 1)
        if match is None or not 1 <= depth <= len(pile):
            raise DealError(f"no card lies at {word!r}; a place is 3, 3.2, w, w2 or f3")
        place = pile[-depth]
        if place in self.session.view.places or place[0] < STOCK:
            raise DealError(f"the card at {word} has not been typed here")
        return place

    def more_keys(self) -> Keys:
        """The keys of a game of one's own."""
        return KEYS


def _list_text(game: Game, moves: tuple[Move, ...]) -> Text:
    """The next steps of a win."""
    text = Text("All cards are known:\nit can be won.\n")
    for step in islice(tell(game.rules, game.position(), moves), STEPS_LISTED):
        text.append(f"{step.text}\n")
    return text


def sit_down_own(opened: Opened, asks_rules: bool = False) -> Callable[[Thinker], OwnScreen]:
    """What makes the screen of a game of one's own."""
    return lambda thinker: OwnScreen(thinker, opened, asks_rules)
