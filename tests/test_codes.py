import pytest
from double_solitaire.engine.cards import SUIT_SIGNS, card_sign, card_text, parse_card
from double_solitaire.engine.codes import DEAL_NUMBERS, DealCode, decode_number, encode_number
from double_solitaire.engine.errors import CodeError, DealError, MoveError
from double_solitaire.engine.moves import Kind, Move, parse_move
from double_solitaire.engine.rules import REGISTRY, rules_for
from hypothesis import given
from hypothesis import strategies as st

CODES = st.builds(
    DealCode,
    st.sampled_from(list([rules for rules in REGISTRY.values() if rules.players == 1])),
    st.integers(0, DEAL_NUMBERS - 1),
)
COLUMN = st.integers(0, 8)
MOVES = st.one_of(
    st.sampled_from([Move(Kind.DRAW), Move(Kind.RECYCLE), Move(Kind.WASTE_TO_FOUNDATION)]),
    st.builds(Move, st.just(Kind.WASTE_TO_COLUMN), st.just(0), COLUMN, st.just(1)),
    st.builds(Move, st.just(Kind.COLUMN_TO_FOUNDATION), COLUMN, st.just(0), st.just(1)),
    st.builds(Move, st.just(Kind.COLUMN_TO_COLUMN), COLUMN, COLUMN, st.integers(1, 13)),
    st.builds(Move, st.just(Kind.TAKE_BACK), st.integers(0, 3), COLUMN, st.integers(1, 2)),
)
NOTATION = ["draw", "recycle", "W>F", "W>3", "5>F", "5>3", "5>3x4", "FH1>3", "1>9x13"]


@given(CODES)
def test_codes_are_read_as_written(code):
    assert DealCode.parse(str(code)) == code
    assert DealCode.parse(f"  {str(code).lower()}\r\n") == code


def test_first_numbers():
    assert str(DealCode(rules_for("DS1", 1, "N"), 1)) == "DS1-D1N-AAAAAAB"
    assert decode_number("AAAAAAB") == 1
    assert decode_number("7777777") == DEAL_NUMBERS - 1
    assert encode_number(32) == "AAAAABA"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("DS1-D2N-AAAAAAB", "draw is 1 or 3"),
        ("DS9-D1N-AAAAAAB", "no game is called 'DS9'"),
        ("DS2-D1N-AAAAAAB", "is a deal of Double Solitaire for two"),
        ("DS1-D1Q-AAAAAAB", "scoring is N"),
        ("DS1-D1N-AAAAAB", "6 symbols instead of 7"),
        ("DS1-D1N-AAAAAAAB", "8 symbols instead of 7"),
        ("DS1-D1N-AAAAAA1", "'1' in 'AAAAAA1'"),
        ("DS1-D1N", "no deal code"),
        ("", "no deal code"),
    ],
)
def test_bad_codes_get_one_line(text, words):
    with pytest.raises(CodeError, match=words) as error:
        DealCode.parse(text)
    assert "\n" not in str(error.value)


@given(st.integers(0, 51))
def test_cards_are_read_as_written(card):
    text = card_text(card)
    spellings = {text, text.lower(), card_sign(card), text.replace("T", "10"), f" {text} "}
    assert {parse_card(spelling) for spelling in spellings} == {card}
    assert card_sign(card)[1] in SUIT_SIGNS


@pytest.mark.parametrize("text", ["", "H7", "1H", "7", "7X", "77H", "110H"])
def test_what_is_no_card(text):
    with pytest.raises(DealError, match="is no card"):
        parse_card(text)


@given(MOVES)
def test_moves_are_read_as_written(move):
    assert parse_move(str(move)) == move
    assert parse_move(f" {str(move).lower()} ") == move
    assert Move.decode(move.encode()) == move


@pytest.mark.parametrize("text", NOTATION)
def test_notation(text):
    assert str(parse_move(text)) == text


@pytest.mark.parametrize("text", ["", "0>1", "10>1", "W>Fx2", "5>Fx2", "W>3x2", "FX1>3", "FH3>3"])
def test_what_is_no_move(text):
    with pytest.raises(MoveError, match="is no move"):
        parse_move(text)
