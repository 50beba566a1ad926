"""Deals and positions as text: as typed, our JSON, Solvitaire's JSON, board text and digits.

`read_deal` tells the formats apart by what stands in them. Board text (of PySol and fc-solve)
and digits (of ShootMe's solvers) are formats for one deck, stretched here to two.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from ..engine.cards import (
    RANKS,
    SUIT_SIGNS,
    SUITS,
    card_of,
    card_text,
    fits,
    parse_card,
    rank_of,
    suit_of,
)
from ..engine.codes import PYSOL_PREFIX
from ..engine.deal import Deal, Pile, Position, check_cards, check_heights, there
from ..engine.dealing import resolve
from ..engine.errors import DealError
from ..engine.rules import DOLLARS_HOME, GAMES, Rules, Scoring, rules_for
from .placed import Placed, load_json, parsed, place, words
from .typed import (
    STOCK,
    UNKNOWN,
    Places,
    is_typed,
    layout_lines,
    missing_columns,
    tops_line,
    typed_object,
)

DIGIT_SUITS = "CDHS"
"""Suit 1 … 4 of the digits."""
DIGITS_A_CARD = 3
"""Two of the rank and one of the suit."""
_STATED = {"game": GAMES, "draw": (1, 3), "scoring": tuple(map(str, Scoring))}
"""The parts of rules that a solution file states, and what each can be."""
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|#[^\n]*')
_SOLVITAIRE_CARD = re.compile(r"(A|[1-9]|1[0-3]|[TJQK])([SHDC])", re.IGNORECASE)
_SOLVITAIRE_RANKS = {str(number): RANKS[number - 1] for number in range(1, 14)}
_SOLVITAIRE_KEYS = ("tableau piles", "stock", "waste", "foundations")
_FACE_DOWN = re.compile(r"<(.+)>")
_BOARD = re.compile(r"^[^\S\n]*(?:talon\s*)?:|<", re.IGNORECASE | re.MULTILINE)
"""What no text has but a board."""
_HEADING = re.compile(r"([A-Za-z]+)\s*:")
_FOUNDATION = re.compile(
    rf"F?([{SUITS}{SUIT_SIGNS}])[12]?|(SPADE|HEART|DIAMOND|CLUB)S?", re.IGNORECASE
)
"""A suit, or one of its foundations, as keys name them."""
_NOTHING: tuple[Any, ...] = (None, "", [])
"""What a JSON may have for a foundation without cards."""
_RANK = re.compile(r"[2-9ATJQK]|10", re.IGNORECASE)
_FEW = 6
"""So many cards a message names."""


def read_deal(text: str, rules: Rules) -> Position:
    """The position in a text of any format: a deal before its first move, or a game under way.

    A text that marks no card as hidden is a deal: only the last card of each column is open.
    Of a solution file the deal is read, and `rules` say draw and scoring, not the file (see
    `stated_rules`). Where the score is not given, it is that of the start, in Vegas scoring with
    what is up added. Raises `DealError` for what is no position of the game, naming surplus and
    missing cards.
    """
    text = clean(text)
    if not text:
        raise DealError(f"0 cards found, the text is empty; {rules.title} has {rules.cards} cards")
    if is_json(text):
        return _read_json(json_object(text), rules)
    if re.fullmatch(r"[0-9\s]+", text):
        return _read_digits(text, rules)
    if _BOARD.search(text):
        return _read_board(text, rules)
    return _read_typed(typed_object(text), rules)


def write_deal(position: Position, rules: Rules, format: str = "json", unknown: Places = ()) -> str:
    """The position in one of `FORMATS`, ended by a newline.

    Only JSON and text hold the score, the number of recycles and cards that are not known, those
    at the places `unknown`. Raises `DealError` where the format cannot hold where the cards lie.
    """
    if format not in FORMATS:
        raise DealError(f"no format is called {format!r}; formats are {', '.join(FORMATS)}")
    if format == "json":
        return json_text(position_json(position, rules, unknown))
    if format == "text":
        return _write_text(position, rules, unknown)
    if unknown:
        raise DealError(
            f"{len(unknown)} cards are unknown; the formats that hold such are json and text"
        )
    return _OTHERS[format](position, rules)


def clean(text: str) -> str:
    """The text without byte order mark, comments (`#` to the end of a line) and white space after.

    What is left stands in the line and at the character where it stood.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return _COMMENT.sub(lambda match: match[1] or "", text).rstrip()


def is_json(text: str) -> bool:
    """Whether a clean text can only be JSON."""
    return text.lstrip()[:1] in ("{", "[")


def json_object(text: str) -> dict[str, Any]:
    """The JSON object in a text, its strings `Placed`; `DealError` says where it cannot be read."""
    try:
        data = load_json(text)
    except json.JSONDecodeError as error:
        raise DealError(f"{place(text, error.pos)}: no JSON: {error.msg}") from None
    except RecursionError:
        raise DealError("no JSON of a deal: it is nested too deep") from None
    except ValueError:
        raise DealError("no JSON of a deal: a number has thousands of digits") from None
    if not isinstance(data, dict):
        raise DealError('the JSON holds no object; a deal is {"columns": …, "stock": …}')
    return data


def object_in(text: str) -> dict[str, Any]:
    """The JSON object that a text is, or that a typed position means; an empty one for others."""
    text = clean(text)
    if text.lstrip().startswith("{"):
        return json_object(text)
    if is_json(text) or _BOARD.search(text) or not is_typed(text):
        return {}
    return typed_object(text)


def stated_code(data: dict[str, Any]) -> str | None:
    """The code or PySolFC number that a solution file states, as we write it; None for none."""
    code = data.get("code")
    return None if code is None else resolve(str(code)).name


def stated_rules(data: dict[str, Any], rules: Rules) -> Rules:
    """The rules that a solution file states: those of its code, its `game`, `draw`, `scoring`.

    What it leaves open is as in `rules`. Raises `DealError` for what is no rule of a game, and
    if the file contradicts its code.
    """
    parts = {"game": rules.game, "draw": rules.draw, "scoring": rules.scoring}
    of_code: dict[str, Any] = {}
    name = stated_code(data)
    if name is not None:
        named = resolve(name).rules
        of_code = {"game": named.game}
        if not name.startswith(PYSOL_PREFIX):
            of_code |= {"draw": named.draw, "scoring": named.scoring}
    for part, choices in _STATED.items():
        if part not in data:
            continue
        value = data[part]
        if isinstance(value, bool) or not isinstance(value, int | str) or value not in choices:
            one_of = " or ".join(map(str, choices))
            raise DealError(f'"{part}" is {json.dumps(value)}; {part} is {one_of}')
        if of_code.get(part, value) != value:
            raise DealError(
                f"the file contradicts itself: it is for {name} and says {part} {value}"
            )
        parts[part] = value
    return rules_for(**(parts | of_code))


def json_text(data: dict[str, Any]) -> str:
    """An object as JSON, a line for each of its keys."""
    lines = ",\n ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in data.items())
    return f"{{{lines}}}\n"


def position_json(position: Position, rules: Rules, unknown: Places = ()) -> dict[str, Any]:
    """The position as our JSON: `columns` and `stock`, and what else a game under way needs.

    Cards at the places `unknown` are `"??"`.
    """
    columns = [texts(column) for column in position.columns]
    data: dict[str, Any] = {"columns": columns, "stock": texts(position.stock)}
    for pile, at in unknown:
        (data["stock"] if pile == STOCK else columns[pile])[at] = UNKNOWN
    if unknown or _start(position, rules) != position:
        data |= {
            "hidden": list(position.hidden),
            "waste": texts(position.waste),
            "foundations": list(position.foundations),
            "score": position.score,
            "recycles": position.recycles,
        }
    return data


def position_from_json(data: Any, rules: Rules) -> Position:
    """Undo `position_json` of known cards; `foundations` in any form of `foundations_from_json`."""
    if not isinstance(data, dict) or "columns" not in data:
        raise DealError('no deal in the JSON; a deal is {"columns": …, "stock": …}')
    columns = piles_from_json(data["columns"], "columns")
    hidden = numbers_from_json(data["hidden"], "hidden") if "hidden" in data else None
    score = number_from_json(data["score"], "score") if "score" in data else None
    recycles = number_from_json(data.get("recycles", 0), "recycles")
    if hidden is not None and len(hidden) != len(columns):
        raise DealError(f'"hidden" has {len(hidden)} numbers for {len(columns)} columns')
    return _position(
        rules,
        columns,
        hidden,
        stock=cards_from_json(data.get("stock", []), "stock"),
        waste=cards_from_json(data.get("waste", []), "waste"),
        foundations=foundations_from_json(data.get("foundations", []), rules),
        score=score,
        recycles=recycles,
    )


def texts(cards: Iterable[int]) -> list[str]:
    """The cards in the notation of deals."""
    return [card_text(card) for card in cards]


# What every format ends in


def _position(
    rules: Rules,
    columns: Sequence[Pile],
    hidden: Sequence[int] | None,
    stock: Pile,
    waste: Pile = (),
    foundations: Pile = (),
    score: int | None = None,
    recycles: int = 0,
) -> Position:
    """The checked position; `hidden` is None where no card is marked as face down."""
    foundations = foundations or (0,) * rules.foundations
    up = [
        card_of(rank, at // rules.places)
        for at, height in enumerate(foundations)
        for rank in range(height)
    ]
    # Before all else, for a card that was mistyped makes other faults, which hide it.
    check_cards(rules, [card for pile in (*columns, stock, waste, up) for card in pile])
    dealt = Deal(tuple(columns), stock)
    sizes_as_dealt = [len(column) for column in columns] == list(range(1, rules.columns + 1))
    if hidden is None and not waste and not any(foundations):
        if sizes_as_dealt or not all(map(is_run, columns)):
            dealt.check(rules)
            hidden = Position.start(rules, dealt).hidden
    elif hidden is None and not all(map(is_run, columns)):
        raise DealError(
            'a game under way must mark its face-down cards: text as (7H), JSON by "hidden", '
            "Solvitaire's by a lower-case suit, board text as <7H>"
        )
    position = Position(
        dealt.columns,
        tuple(hidden if hidden is not None else [0] * len(columns)),
        stock,
        waste,
        foundations,
        _score_of(rules, foundations) if score is None else score,
        recycles,
    )
    position.check(rules)
    return position


def _score_of(rules: Rules, foundations: Pile) -> int:
    """The score where none is said: that of the start, in Vegas scoring with what is up."""
    up = DOLLARS_HOME * sum(foundations) if rules.scoring is Scoring.VEGAS else 0
    return rules.start_score + up


def is_run(column: Pile) -> bool:
    """Whether each card of a column lies on one that it fits."""
    return all(fits(card, parent) for parent, card in pairwise(column))


def _start(position: Position, rules: Rules) -> Position | None:
    """The start of the deal that the columns and the stock would make; None if they make none."""
    deal = Deal(position.columns, position.stock)
    try:
        deal.check(rules)
    except DealError:
        return None
    return Position.start(rules, deal)


def _is_dealt(position: Position, rules: Rules) -> bool:
    """Whether every card lies where it was dealt, whatever the score."""
    start = _start(position, rules)
    return start is not None and start == replace(
        position, score=rules.start_score, recycles=start.recycles
    )


def _refuse_if_unmarked(position: Position, rules: Rules, title: str) -> None:
    """Refuse a position without hidden cards that would be read as a deal with hidden ones."""
    if _start(position, rules) is not None and not any(position.hidden):
        raise DealError(f"{title} would show this position as a deal before its first move")


def _hidden(marks: list[bool], number: int) -> int:
    """Number of face-down cards of a column, from a mark for each card, bottom to top."""
    count = sum(marks)
    if not all(marks[:count]):
        raise DealError(f"column {number}: a face-down card lies on an open one")
    return count


# As typed, with cards that are not known


def not_seen(data: dict[str, Any], rules: Rules) -> list[int]:
    """The cards that lie in no pile of an object of our JSON, in the order of the deck.

    A stock of None, as a typed one that was left out, becomes that many unknown cards as there are
    others. `DealError` says which card is there too often and where, and how many unknown cards
    there must be where that is not how many there are.
    """
    columns = data["columns"]
    if len(columns) < rules.columns and data["stock"] is None:
        missing = missing_columns(range(len(columns) + 1, rules.columns + 1))
        klondike = rules_for("KL1", 1, "N")
        other = len(columns) == klondike.columns and rules.game != klondike.game
        raise DealError(
            f"{missing}; {rules.title} has {rules.columns} columns"
            + f" ({klondike.title} is game: {klondike.game})" * other
        )
    piles = [*columns, data["stock"] or [], data.get("waste", [])]
    seen: dict[int, list[str]] = {}
    for word in (word for pile in piles for word in pile if word != UNKNOWN):
        seen.setdefault(parsed(parse_card, word), []).append(word)
    up = [
        card_of(rank, at // rules.places)
        for at, height in enumerate(foundations_from_json(data.get("foundations", []), rules))
        for rank in range(height)
    ]
    unknown = sum(pile.count(UNKNOWN) for pile in piles)
    check_cards(
        rules,
        [*(card for card, words in seen.items() for _ in words), *up],
        some_unknown=bool(unknown) or data["stock"] is None,
        where={card: _places_of(words) for card, words in seen.items()},
    )
    deck = Counter(
        {card_of(r, s): rules.copies for r in range(rules.ranks) for s in range(rules.suits)}
    )
    deck.subtract({card: len(words) for card, words in seen.items()})
    deck.subtract(up)
    missing_cards = list(deck.elements())
    if data["stock"] is None:
        _fill_stock(data, rules, len(missing_cards) - unknown)
    elif unknown and len(missing_cards) != unknown:
        few, gap = len(missing_cards) <= _FEW, len(missing_cards) - unknown
        raise DealError(
            f"{unknown} cards are unknown, but {len(missing_cards)} of the {rules.cards} cards "
            f"are not seen{': ' * few}{', '.join(texts(missing_cards)) if few else ''}; "
            f"{abs(gap)} {'more' if gap > 0 else 'fewer'} must be unknown, or another is misread"
        )
    return missing_cards


def _places_of(words: Sequence[str]) -> str:
    """Where words stand in a text, to be added to a list; nothing where that is not known."""
    told = [place(word.text, word.at) for word in words if isinstance(word, Placed)]
    return "".join(f"; {where}" for where in told)


def _fill_stock(data: dict[str, Any], rules: Rules, count: int) -> None:
    """Let the stock hold so many unknown cards, if it can."""
    most = rules.stock - len(data.get("waste", []))
    if count > most:
        raise DealError(
            f"{count} cards would be left for the stock, which holds {most} at most here; "
            "a card is missing in a column (?x3 stands for three face-down ones), or in up:"
        )
    if count < 0:
        raise DealError(
            f"{-count} unknown cards more than there can be: {rules.title} has {rules.cards} cards"
        )
    data["stock"] = [UNKNOWN] * count


def _read_typed(data: dict[str, Any], rules: Rules) -> Position:
    if "deal" in data:
        raise DealError(
            f"two layouts, A: and B:, are a position of another game than {rules.title}"
        )
    not_seen(data, rules)
    unknown = sum(pile.count(UNKNOWN) for pile in (*data["columns"], data["stock"]))
    if unknown:
        raise DealError(f"{unknown} cards are unknown; here all must be known")
    return position_from_json(data, rules)


def _write_text(position: Position, rules: Rules, unknown: Places = ()) -> str:
    lines = [
        *layout_lines(position.columns, position.hidden, position.waste, position.stock, unknown)
    ]
    up = tops_line(rules, position.foundations)
    lines += [up] if up else []
    if position.score != _score_of(rules, position.foundations):
        lines.append(f"score: {position.score}")
    if position.recycles:
        lines.append(f"recycles: {position.recycles}")
    lines += [f"game: {rules.game}", f"draw: {rules.draw}", f"scoring: {rules.scoring}"]
    return "\n".join([*lines, ""])


# JSON: ours and Solvitaire's


def _read_json(data: dict[str, Any], rules: Rules) -> Position:
    if "tableau piles" in data:
        return _read_solvitaire(data, rules)
    if data.get("code") is not None and "deal" not in data:
        named = resolve(str(data["code"]))
        if named.rules.game != rules.game:
            raise DealError(f"{named.name} is a deal of {named.rules.title}, not of {rules.title}")
        return Position.start(rules, named.deal)
    return position_from_json(data.get("deal", data), rules)


def cards_from_json(value: Any, name: str, parse: Callable[[str], int] = parse_card) -> Pile:
    """The cards of a pile; `DealError` names the key where there are none."""
    if not isinstance(value, list):
        raise DealError(f'"{name}" must be a list of cards such as "7H"')
    for number, card in enumerate(value, 1):
        if not isinstance(card, str):
            raise DealError(
                f'"{name}" must be a list of cards such as "7H"; '
                f"number {number} of it is {json.dumps(card)}"
            )
    return tuple(parsed(parse, card) for card in value)


def piles_from_json(value: Any, name: str, parse: Callable[[str], int] = parse_card) -> list[Pile]:
    """As `cards_from_json`, for a list of piles."""
    if not isinstance(value, list):
        raise DealError(f'"{name}" must be a list of lists of cards')
    return [cards_from_json(pile, name, parse) for pile in value]


def number_from_json(value: Any, name: str) -> int:
    """A whole number; `DealError` names the key where there is none."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise DealError(f'"{name}" must be a whole number')
    return value


def numbers_from_json(value: Any, name: str) -> list[int]:
    """As `number_from_json`, for a list of numbers."""
    if not isinstance(value, list):
        raise DealError(f'"{name}" must be a list of whole numbers')
    return [number_from_json(item, name) for item in value]


def foundations_from_json(
    value: Any, rules: Rules, parse: Callable[[str], int] = parse_card
) -> Pile:
    """Heights of the places, from what a JSON calls its foundations.

    That is a list of heights, one for each place; or of cards, flat or a list for each place; or
    an object of such with suits as keys. Cards are all that are up, or just the top ones: a card
    without those under it says that they are up. `None` and empty strings or lists are places
    without cards. Raises `DealError` for anything else.
    """
    if isinstance(value, dict):
        return _heights_by_suit(value, rules, parse)
    if not isinstance(value, list):
        raise DealError('"foundations" must be a list of heights or of cards')
    if value and all(isinstance(item, int) for item in value):
        heights = tuple(numbers_from_json(value, "foundations"))
        check_heights(rules, heights)
        return heights
    piles = [
        cards_from_json(item if isinstance(item, list) else [item], "foundations", parse)
        for item in value
        if item not in _NOTHING
    ]
    by_suit: list[list[int]] = [[] for _ in range(rules.suits)]
    if any(isinstance(item, list) for item in value) and all(map(_is_place, piles)):
        for pile in piles:
            by_suit[suit_of(pile[0])].append(max(map(rank_of, pile)) + 1)
        for heights_of_suit in by_suit:
            heights_of_suit.sort(reverse=True)
    else:
        cards = [card for pile in piles for card in pile]
        by_suit = [
            _heights([card for card in cards if suit_of(card) == suit], rules)
            for suit in range(rules.suits)
        ]
    return _places(by_suit, rules)


def _is_place(pile: Pile) -> bool:
    """Whether a pile of cards is one foundation: its top card, or all from the ace on."""
    ranks = sorted(map(rank_of, pile))
    return len({*map(suit_of, pile)}) == 1 and (len(pile) == 1 or ranks == [*range(len(pile))])


def _heights_by_suit(value: dict[str, Any], rules: Rules, parse: Callable[[str], int]) -> Pile:
    """Heights of the places, from an object with suits or places as keys."""
    by_suit: list[list[int]] = [[] for _ in range(rules.suits)]
    for key, item in value.items():
        match = _FOUNDATION.fullmatch(key.strip())
        if match is None:
            raise DealError(f'"foundations" has the key {key!r}; keys are {", ".join(SUITS)}')
        name = match[1] or match[2][0]
        suit = (SUITS if name.upper() in SUITS else SUIT_SIGNS).index(name.upper())
        items = item if isinstance(item, list) else [item]
        items = [each for each in items if each not in _NOTHING]
        if all(isinstance(each, int) for each in items):
            by_suit[suit] += numbers_from_json(items, "foundations")
            continue
        named = [
            each + SUITS[suit] if isinstance(each, str) and _RANK.fullmatch(each) else each
            for each in items
        ]
        own = cards_from_json(named, "foundations", parse)
        if any(suit_of(card) != suit for card in own):
            raise DealError(f'"foundations" has a card of another suit under {key!r}')
        by_suit[suit] += _heights(own, rules)
    return _places(by_suit, rules)


def _heights(cards: Sequence[int], rules: Rules) -> list[int]:
    """Heights, the largest first, of the foundations of a suit on which these cards lie.

    The cards are all that are up, or the top ones.
    """
    count = Counter(map(rank_of, cards))
    for card in cards:
        if count[rank_of(card)] > rules.places:
            words = there(card, count[rank_of(card)])
            raise DealError(f"{words}, on the foundations alone")
    for card in cards:
        rank = rank_of(card)
        if rank and count[rank - 1] < count[rank]:
            if len(cards) <= rules.places:
                return sorted((rank_of(card) + 1 for card in cards), reverse=True)
            under = card_text(card_of(rank - 1, suit_of(card)))
            raise DealError(f"{card_text(card)} is up without {under} under it")
    heights = (sum(count[rank] > at for rank in count) for at in range(rules.places))
    return [height for height in heights if height]


def _places(by_suit: Sequence[Sequence[int]], rules: Rules) -> Pile:
    """The heights of all places, from those of each suit that are known."""
    for suit, heights in enumerate(by_suit):
        if len(heights) > rules.places:
            sign = SUIT_SIGNS[suit]
            raise DealError(
                f"{len(heights)} foundations of {sign}; {rules.title} has {rules.places}"
            )
    places = tuple(
        height
        for heights in by_suit
        for height in (*heights, *(0,) * (rules.places - len(heights)))
    )
    check_heights(rules, places)
    return places


def _read_solvitaire(data: dict[str, Any], rules: Rules) -> Position:
    """Solvitaire's JSON: a lower-case suit is face down, the last card of the stock is next."""
    for key in data:
        if key not in _SOLVITAIRE_KEYS:
            raise DealError(f'"{key}" is not known here; keys are {", ".join(_SOLVITAIRE_KEYS)}')
    piles = data["tableau piles"]
    columns = piles_from_json(piles, "tableau piles", _solvitaire_card)
    marks = [[card[-1:].islower() for card in pile] for pile in piles]
    hidden = [_hidden(column, number) for number, column in enumerate(marks, 1)]
    return _position(
        rules,
        columns,
        hidden if any(hidden) else None,
        stock=cards_from_json(data.get("stock", []), "stock", _solvitaire_card)[::-1],
        waste=cards_from_json(data.get("waste", []), "waste", _solvitaire_card),
        foundations=foundations_from_json(data.get("foundations", []), rules, _solvitaire_card),
    )


def _solvitaire_card(text: str) -> int:
    """A card whose rank may be a number from 1 to 13."""
    match = _SOLVITAIRE_CARD.fullmatch(text.strip())
    return parse_card(_SOLVITAIRE_RANKS.get(match[1], match[1]) + match[2] if match else text)


def _write_solvitaire(position: Position, rules: Rules) -> str:
    _refuse_if_unmarked(position, rules, "Solvitaire's format")
    suits = [
        position.foundations[suit * rules.places : (suit + 1) * rules.places]
        for suit in range(rules.suits)
    ]
    if any(sum(height > 0 for height in places) > 1 for places in suits):
        raise DealError(
            "Solvitaire's format has one foundation place for each suit; "
            "here both places of a suit hold cards"
        )
    up = [card_of(rank, suit) for suit in range(rules.suits) for rank in range(sum(suits[suit]))]
    piles = [
        [_solvitaire_text(card, index < hidden) for index, card in enumerate(column)]
        for column, hidden in zip(position.columns, position.hidden, strict=True)
    ]
    return json_text(
        {
            "tableau piles": piles,
            "stock": [_solvitaire_text(card) for card in reversed(position.stock)],
            "waste": [_solvitaire_text(card) for card in position.waste],
            "foundations": [_solvitaire_text(card) for card in up],
        }
    )


def _solvitaire_text(card: int, hidden: bool = False) -> str:
    rank, suit = card_text(card).replace("T", "10")[:-1], SUITS[suit_of(card)]
    return rank + (suit.lower() if hidden else suit)


# Board text of PySol and fc-solve, stretched to two decks


def _read_board(text: str, rules: Rules) -> Position:
    stock: Pile | None = None
    columns: list[Pile] = []
    hidden: list[int] = []
    for line in re.finditer(r"\S[^\n]*", text):
        heading = _HEADING.match(line[0])
        if heading is None:
            column = words(text, line.start() + line[0].startswith(":"), line.end())
            faces = [_FACE_DOWN.fullmatch(word) for word in column]
            cards = [
                word.part(*face.span(1)) if face else word
                for face, word in zip(faces, column, strict=True)
            ]
            columns.append(tuple(parsed(parse_card, card) for card in cards))
            hidden.append(_hidden([face is not None for face in faces], len(columns)))
        elif heading[1].lower() == "talon" and stock is None:
            cards = words(text, line.start() + heading.end(), line.end())
            stock = tuple(parsed(parse_card, card) for card in cards)
        else:
            raise DealError(
                f"{place(text, line.start())}: {line[0][:20]!r} does not belong here; a board is "
                "one line 'Talon: 7H …' and then a line for each column"
            )
    return _position(rules, columns, hidden if any(hidden) else None, stock or ())


def _write_board(position: Position, rules: Rules) -> str:
    _refuse_if_unmarked(position, rules, "board text")
    if position.waste or any(position.foundations):
        raise DealError("board text holds neither waste nor foundations; here they hold cards")
    lines = [" ".join(["Talon:", *texts(position.stock)])]
    for column, hidden in zip(position.columns, position.hidden, strict=True):
        words = [f"<{word}>" for word in texts(column[:hidden])] + texts(column[hidden:])
        lines.append(" ".join(words) or ":")
    return "\n".join(lines) + "\n"


# ShootMe's digits, stretched to two decks


def _read_digits(text: str, rules: Rules) -> Position:
    """Three digits a card, rank 01 … 13 and suit 1 … 4, in the order of the deal."""
    at = [match.start() for match in re.finditer("[0-9]", text)]
    digits = "".join(text[each] for each in at)
    if len(digits) % DIGITS_A_CARD:
        raise DealError(
            f"{len(digits)} digits; {rules.cards} cards of three digits "
            f"make {rules.cards * DIGITS_A_CARD}"
        )
    order = []
    for start in range(0, len(digits), DIGITS_A_CARD):
        rank, suit = int(digits[start : start + 2]), int(digits[start + 2])
        if not (1 <= rank <= len(RANKS) and 1 <= suit <= len(DIGIT_SUITS)):
            raise DealError(
                f"{place(text, at[start])}: {digits[start : start + DIGITS_A_CARD]} is no card; "
                "a card is its rank, 01 … 13, and its suit, 1 … 4"
            )
        order.append(card_of(rank - 1, SUITS.index(DIGIT_SUITS[suit - 1])))
    check_cards(rules, order)
    return Position.start(rules, Deal.from_order(rules, order))


def _write_digits(position: Position, rules: Rules) -> str:
    if not _is_dealt(position, rules):
        raise DealError("digits hold a deal before its first move only, not a game under way")
    order = Deal(position.columns, position.stock).order()
    return (
        "".join(
            f"{rank_of(card) + 1:02}{DIGIT_SUITS.index(SUITS[suit_of(card)]) + 1}" for card in order
        )
        + "\n"
    )


_OTHERS: dict[str, Callable[[Position, Rules], str]] = {
    "solvitaire": _write_solvitaire,
    "pysol": _write_board,
    "digits": _write_digits,
}
"""How the formats of other programs are written, which hold known cards only."""
FORMATS = ("json", "text", *_OTHERS)
