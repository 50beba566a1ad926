"""Where the search for dead players has no room it claims nothing; what it finds is in
`test_facts.py`, against exhaustive play."""

import pytest
from double_solitaire.engine.rules import rules_for
from double_solitaire.versus.dead import MOST_HIDDEN
from double_solitaire.versus.facts import Facts
from double_solitaire.versus.game import Player
from tables import table


@pytest.mark.parametrize("hidden", [MOST_HIDDEN, MOST_HIDDEN + 1])
def test_a_column_of_too_many_hidden_cards_proves_nothing(hidden):
    # Under the king lie spades down to the one that is wanted next, and nothing takes the queen.
    spades = " ".join(f"({rank}S)" for rank in "A23456789TJQ"[-hidden:])
    facts = Facts(rules_for("DS2", 1, "N"))
    position = table(f"1 {spades} KS", "1 KH")
    assert facts.is_dead(position, Player.A) == (hidden == MOST_HIDDEN)
    assert not facts.is_dead(position, Player.B)
