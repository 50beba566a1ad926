"""What is proved about a table: dead, both dead, stuck, decided, and the most a player can get."""

from ..engine.rules import Rules
from .bound import decided_for, find_reach, new_reach
from .dead import are_both_dead, is_dead, is_stuck, new_probe
from .game import House, Player, Table
from .playout import NOBODY, pack_table

_ORDER = tuple(Player)


class Facts:
    """The memory of the proofs. They know all cards, but for `is_stuck`."""

    def __init__(self, rules: Rules, house: House | None = None) -> None:
        """Reserve it, for tables of one game."""
        self._rules, self._house = rules, house or House()
        self._probe, self._reach = new_probe(), new_reach()

    def is_dead(self, table: Table, player: Player) -> bool:
        """Whether no own play of the player can reach the foundations as they stand."""
        packed = pack_table(self._rules, table, self._house)[0]
        return bool(is_dead(packed, _ORDER.index(player), self._probe[0]))

    def are_both_dead(self, table: Table) -> bool:
        """Whether no card can ever go up again, so that the count and the last play are final."""
        return bool(are_both_dead(pack_table(self._rules, table, self._house)[0], self._probe[0]))

    def is_stuck(self, table: Table, player: Player) -> bool:
        """Whether the player can know that nothing brings them on while the other does nothing."""
        packed = pack_table(self._rules, table, self._house)[0]
        return bool(is_stuck(packed, _ORDER.index(player), self._probe[0]))

    def most_up(self, table: Table) -> tuple[int, int]:
        """How many cards A and B can have up at most, whatever both do."""
        find_reach(pack_table(self._rules, table, self._house)[0], self._reach[0])
        a, b = (int(cards).bit_count() for cards in self._reach[0].can_be_up)
        return a, b

    def decided_for(self, table: Table) -> Player | None:
        """Who wins however it goes on, if the counts prove it."""
        packed = pack_table(self._rules, table, self._house)[0]
        player = int(decided_for(packed, self._reach[0]))
        return None if player == NOBODY else _ORDER[player]
