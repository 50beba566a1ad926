"""The table as a picture: SVG that needs nothing else and follows the reader's theme."""

from collections.abc import Iterator
from html import escape

from ..engine.cards import SUIT_SIGNS, card_of, card_sign, is_red
from ..engine.deal import Position
from ..engine.rules import Rules

WIDTH, HEIGHT, GAP = 60, 84, 10
"""Of a card, and between two, in units of the picture."""
OPEN_STEP, DOWN_STEP = 24, 12
"""How far a card of a column lies below the one under it that is open, or face down."""
HEAD = 18
"""Height of a line of text over a pile."""

STYLE = """
svg{color-scheme:light dark}
.c{fill:#fff;stroke:#8d8878}.d{fill:#3f6c8f;stroke:#2b4c66}
.e{fill:none;stroke:#8d8878;stroke-dasharray:3 3}
text{font:600 18px system-ui,sans-serif;fill:#1c1f24}.r{fill:#b3122a}.w{fill:#fff}
.s{font-size:12px;font-weight:400;fill:#575d65;text-anchor:middle}
@media(prefers-color-scheme:dark){.c{fill:#262b31}text{fill:#eceae4}.r{fill:#ff8d98}.s{fill:#a9b0b8}}
""".replace("\n", "")


def svg(
    title: str, rules: Rules, position: Position, unknown: frozenset[tuple[int, int]] = frozenset()
) -> str:
    """The table of a position as one SVG element.

    Cards that lie face down are dark. Those at the `unknown` places (column and index from the
    bottom) are drawn as backs without a name.
    """
    piles = max(rules.columns, rules.foundations + 2)
    width = piles * (WIDTH + GAP) + GAP
    body = [*_top_row(rules, position), *_columns(rules, position, unknown)]
    lowest = max(map(len, position.columns), default=0)
    height = 2 * (HEAD + GAP) + 2 * HEIGHT + GAP + lowest * OPEN_STEP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(title)}"><title>{escape(title)}</title><style>{STYLE}</style>'
        f"{''.join(body)}</svg>\n"
    )


def _top_row(rules: Rules, position: Position) -> Iterator[str]:
    yield _text(GAP + WIDTH / 2, HEAD - 4, "s", f"stock {len(position.stock)}")
    yield _place(GAP, HEAD, "d" if position.stock else "e")
    at = 2 * GAP + WIDTH
    yield _text(at + WIDTH / 2, HEAD - 4, "s", f"waste {len(position.waste)}")
    yield _card(at, HEAD, position.waste[-1]) if position.waste else _place(at, HEAD, "e")
    for place, height in enumerate(position.foundations):
        at += WIDTH + GAP
        suit = place // rules.places
        if height:
            yield _card(at, HEAD, card_of(height - 1, suit))
        else:
            yield _place(at, HEAD, "e")
            yield _text(at + WIDTH / 2, HEAD + HEIGHT / 2 + 4, "s", SUIT_SIGNS[suit])


def _columns(
    rules: Rules, position: Position, unknown: frozenset[tuple[int, int]]
) -> Iterator[str]:
    top = HEAD + HEIGHT + GAP
    for number, (column, hidden) in enumerate(zip(position.columns, position.hidden, strict=True)):
        x, y = GAP + number * (WIDTH + GAP), top + HEAD
        yield _text(x + WIDTH / 2, y - 4, "s", str(number + 1))
        if not column:
            yield _place(x, y, "e")
        for index, card in enumerate(column):
            if index >= hidden:
                yield _card(x, y, card)
                y += OPEN_STEP
            elif (number, index) in unknown:
                yield _place(x, y, "d")
                y += DOWN_STEP
            else:
                yield _place(x, y, "d") + _text(x + 5, y + 18, "w", card_sign(card))
                y += OPEN_STEP


def _place(x: float, y: float, kind: str) -> str:
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5"/>'


def _card(x: float, y: float, card: int) -> str:
    return _place(x, y, "c") + _text(x + 5, y + 18, "r" if is_red(card) else "b", card_sign(card))


def _text(x: float, y: float, kind: str, text: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{text.replace("T", "10")}</text>'
