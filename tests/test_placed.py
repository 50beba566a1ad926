import json

import pytest
from double_solitaire.engine.cards import parse_card
from double_solitaire.engine.errors import DealError
from double_solitaire.notation.placed import Placed, load_json, parsed, place, words

TEXT = "7H  TC\n  QX 2S\n"


def test_places_are_counted_as_an_editor_does():
    assert place(TEXT, 0) == "line 1, character 1"
    assert place(TEXT, TEXT.index("TC")) == "line 1, character 5"
    assert place(TEXT, TEXT.index("QX")) == "line 2, character 3"


def test_words_know_where_they_stand():
    found = words(TEXT)
    assert found == ["7H", "TC", "QX", "2S"]
    assert all(TEXT[word.at : word.at + len(word)] == word for word in found)
    assert words(TEXT, 3, 7) == ["TC"]
    part = found[1].part(1, 2)
    assert part == "C" and TEXT[part.at] == "C"


def test_a_bad_word_is_told_with_its_place():
    assert [parsed(parse_card, word) for word in words("7H TC")] == [25, 39]
    with pytest.raises(DealError, match="line 2, character 3: 'QX' is no card"):
        [parsed(parse_card, word) for word in words(TEXT)]
    with pytest.raises(DealError, match=r"^'QX' is no card"):
        parsed(parse_card, "QX")


def test_json_has_the_same_values_and_its_strings_know_their_places():
    text = '{"a": ["7H", "\\u2660", 3, null, {"b": true}],\n "c": "x"}'
    data = load_json(text)
    assert data == json.loads(text)
    assert isinstance(data["c"], Placed) and place(text, data["c"].at) == "line 2, character 8"
    with pytest.raises(json.JSONDecodeError):
        load_json('{"a": }')
