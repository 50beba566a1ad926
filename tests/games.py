"""Games to test with: the fixtures, straight wins, random walks."""

from pathlib import Path

from double_solitaire.engine.cards import parse_card
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.moves import DRAW_MOVE, Kind
from double_solitaire.engine.referee import Game
from double_solitaire.engine.rules import rules_for
from double_solitaire.notation.formats import read_deal
from hypothesis import strategies as st

FIXTURES = Path(__file__).parent / "fixtures"
F1 = "F1_straight_win_draw1"
F1_DRAW3 = "F1_straight_win_draw3"
F2 = "F2_reversed_stock"
F3 = "F3_dead_deal"
F6 = "F6_blocked_column"
MODES = ("D1N", "D1V", "D3N", "D3V")


def mode(text, game="DS1"):
    """The rules of a mode such as `D1N`."""
    return rules_for(game, int(text[1]), text[2])


def fixture_text(name):
    return (FIXTURES / f"{name}.json").read_text()


def fixture(name, rules):
    return Game(rules, read_deal(fixture_text(name), rules))


def cards(text):
    return tuple(map(parse_card, text.split()))


def straight(game):
    """Moves that put up what can be put up and draw otherwise; they are played on `game`."""
    moves = []
    while game.stock or not game.won:
        up = [m for m in map(game.tap, ["waste", *range(game.rules.columns)]) if m is not None]
        moves.append(up[0] if up else DRAW_MOVE)
        game.play(moves[-1])
    return moves


@st.composite
def walked(draw, modes=MODES, games=("DS1", "KL1"), most=120):
    """A game after some random legal moves, and the moves."""
    rules = mode(draw(st.sampled_from(modes)), draw(st.sampled_from(games)))
    game = Game(rules, Position.start(rules, deal_number(rules, draw(st.integers(0, 2**35 - 1)))))
    random = draw(st.randoms(use_true_random=False))
    moves = []
    for _ in range(draw(st.integers(0, most))):
        legal = game.legal_moves()
        if not legal:
            break
        up = [m for m in legal if m.kind in (Kind.COLUMN_TO_FOUNDATION, Kind.WASTE_TO_FOUNDATION)]
        moves.append(random.choice(up if up and random.random() < 0.5 else legal))
        game.play(moves[-1])
    return game, moves
