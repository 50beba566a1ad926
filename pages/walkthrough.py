"""A list of moves as one page of HTML that needs nothing else: each position, and the next move.

The page knows no rules. It has the piles of the first position and, for each step, which cards go
from one pile to another and which are turned up, and makes or takes back just that.
"""

import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any

from jinja2 import Environment, select_autoescape

from ..engine.cards import card_of, card_text
from ..engine.deal import Position
from ..engine.moves import Kind, Move
from ..engine.referee import Game
from ..engine.rules import Rules, Scoring
from .story import Step, tell

Shift = tuple[str, str, int]
"""How many cards go from the end of one pile onto another; between stock and waste one by one."""

TEN = re.compile(r"\bT(?=[♠♥♦♣])")


def walkthrough(
    title: str, about: str, rules: Rules, position: Position, moves: Sequence[Move], first: int = 1
) -> str:
    """The page of a list of moves from a position; `about` is a line about the deal and the list.

    `first` is the number of the first move. Raises `MoveError` at a move that the referee refuses.
    """
    steps = list(tell(rules, position, moves, first))
    data = {
        "piles": dict(_piles(rules, position)),
        "down": list(position.hidden),
        "score": position.score,
        "up": sum(position.foundations),
        "cards": rules.cards,
        "money": rules.scoring is Scoring.VEGAS,
        "steps": [_step(rules, step) for step in steps],
    }
    environment = Environment(autoescape=select_autoescape(default=True))
    template = environment.from_string(
        files(__package__).joinpath("walkthrough.html").read_text(encoding="utf-8")
    )
    return template.render(
        title=title,
        about=about,
        data=data,
        steps=[(step.number, _words(step)) for step in steps],
        suits=rules.suits,
        places=rules.places,
        columns=rules.columns,
    )


def _words(step: Step) -> str:
    """What is to be done and what turns up, with ten for T, as on the cards."""
    return TEN.sub("10", step.text + step.turns)


def _piles(rules: Rules, position: Position) -> Iterator[tuple[str, list[str]]]:
    """The piles by name, each with its cards, the one that is taken first at the end."""
    yield "stock", [card_text(card) for card in reversed(position.stock)]
    yield "waste", [card_text(card) for card in position.waste]
    for place, height in enumerate(position.foundations):
        suit = place // rules.places
        yield f"f{place}", [card_text(card_of(rank, suit)) for rank in range(height)]
    for number, column in enumerate(position.columns):
        yield f"c{number}", [card_text(card) for card in column]


def _step(rules: Rules, step: Step) -> dict[str, Any]:
    game = Game(rules, step.before)
    hidden = zip(step.before.hidden, step.after.hidden, strict=True)
    return {
        "shifts": [_play(game, move) for move in step.moves],
        "turned": [number for number, (was, now) in enumerate(hidden) if now < was],
        "count": step.last,
        "score": step.after.score,
        "up": sum(step.after.foundations),
        "text": _words(step),
    }


def _play(game: Game, move: Move) -> Shift:
    """Make a move; what it does to the piles of the page."""
    stock, waste, before = len(game.stock), len(game.waste), game.position().foundations
    game.play(move)
    changed = [
        place for place, height in enumerate(before) if height != game.foundations.heights[place]
    ]
    home = f"f{changed[0]}" if changed else ""
    match move.kind:
        case Kind.DRAW:
            return "stock", "waste", stock - len(game.stock)
        case Kind.RECYCLE:
            return "waste", "stock", waste
        case Kind.WASTE_TO_FOUNDATION:
            return "waste", home, 1
        case Kind.WASTE_TO_COLUMN:
            return "waste", f"c{move.target}", 1
        case Kind.COLUMN_TO_FOUNDATION:
            return f"c{move.source}", home, 1
        case Kind.COLUMN_TO_COLUMN:
            return f"c{move.source}", f"c{move.target}", move.count
        case Kind.TAKE_BACK:
            return home, f"c{move.target}", 1
