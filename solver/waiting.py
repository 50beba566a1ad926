"""Cards that wait: of two orders of play that come to the same, a search tries one.

Say a search has tried to lay a card c down in a column, where it had a place, and with that all
that can follow. Then it goes on with another step. From there on c *waits* as long as it stays
where it is and there is a place to spare for it at every moment. When the card leaves while it
waits, no win is found that the first try would have missed. And a position can be left alone if in
all play from there some card that waits must go on waiting until it leaves.

Proof. Take a line of play T that wins from where c was tried, and in which there is a place to
spare for c at every moment before c leaves. Play the same with c laid down first. c then takes one
place of those for its level, of which T has one to spare; the card that was under c, and c itself,
can be played upon all the earlier; so each step of T can be taken. When T lays c down, both games
are the same; when T sends c home, c goes home here too. So the step that was tried leads to a win.
Now order the lines of play that the search would follow if no card ever waited as it comes to them,
and take the first of those that win. If it lets a card leave while it waits, or goes through a
position where one can only leave so, then it has the steps of such a T after the position where
that card was tried; so the step tried there leads to a win, and a line that goes on with it is one
that comes earlier: a contradiction. Nor has the search been at any position of that line before,
for the line that led there, too, would come earlier. So the search follows this line to its end.
The same holds for a line that brings so many cards home at once, in which c may also stay to the
end.

"A place to spare at every moment" includes the way between the members of a component, and the
moment between a base's leaving and its column's next card being open, which may itself be a place.
A card of the stock can only have been tried with draws before its time. It waits on while cards of
the stock are drawn past it; but no card that lies before it may be taken until it is drawn itself,
unless it is the next card and drawn alone. Cards of the talon wait only in the last pass.

Whether a place can ever lack is asked of the relaxation (`relax.py`), with all that wait held where
they are: so it is until the first of them is woken. Places are the open cards a rank up, fewer
those that can go home; they are wanted by all the others of c's level that are out of their places
now or can leave. Kings want columns without dealt cards. Those that can be woken are then let
go, and it is asked again of the rest, until none remain or none can be woken.
"""

from ..engine.bits import lowest_bit
from ..engine.jit import Record, int64, kernel
from .position import (
    BASE_DOWN,
    BASE_HOME,
    LEVEL,
    base_of,
    room,
    waste_top,
)
from .relax import begin, go_on


@kernel
def is_next(game: Record, node: Record, index: int) -> bool:
    """Whether a card of the talon can be taken at once, and all others be had as before."""
    if index < node.border:
        return index == waste_top(node)
    stock = node.talon >> node.border
    alone = game.draw == 1 or stock & (stock - 1) == 0
    return alone and index == int64(node.border) + lowest_bit(stock)


@kernel
def shares_places(game: Record, card: int, other: int) -> bool:
    """Whether the other card can lie where the card can."""
    kings = 2 * game.ranks - 2
    level, at = LEVEL[card], LEVEL[other]
    return bool(at == level or (at >= kings and level >= kings))


@kernel
def may_lack(game: Record, node: Record, relaxed: Record, card: int) -> bool:
    """Whether a place for a card that stays may lack, as far as the relaxation tells."""
    level, rank = int64(LEVEL[card]), card >> 2
    wanted, places = int64(node.free_level[level]), int64(game.columns)
    if rank == game.ranks - 1:
        wanted += int64(node.free_level[level ^ 1])
        for column in range(game.columns):
            places -= node.placed[column] > 0
    else:
        places = int64(node.open_level[level + 2])
    for suit in range(game.suits):
        for place in range(2 * suit, 2 * suit + game.decks):
            if shares_places(game, card, rank << 2 | suit):
                wanted += node.home[place] > rank
            elif rank + 1 < game.ranks:
                up = relaxed.home[place] > rank + 1 and node.home[place] <= rank + 1
                places -= up and LEVEL[(rank + 1) << 2 | suit] == level + 2
    if wanted >= places:
        return True
    for column in range(game.columns):
        for row in range(int64(relaxed.placed[column]), int64(node.placed[column])):
            wanted += shares_places(game, card, int64(game.dealt[column, row]))
    if wanted >= places:
        return True
    gone = node.talon & ~relaxed.talon
    while gone:
        wanted += shares_places(game, card, int64(game.talon_card[lowest_bit(gone)]))
        gone &= gone - 1
    return bool(wanted >= places)


@kernel
def waits_on(game: Record, node: Record, relaxed: Record, columns: int, talon: int) -> bool:
    """Whether some of those that wait, bases of these columns and talon cards, can only wait.

    If not, the relaxation has come as far as to the last of them.
    """
    begin(game, node, relaxed)
    while columns | talon:
        go_on(game, node, relaxed, False, columns, talon)
        gone = node.talon & ~relaxed.talon
        woken_columns = woken_talon = int64(0)
        for column in range(game.columns):
            if columns >> column & 1 and may_lack(game, node, relaxed, base_of(game, node, column)):
                woken_columns |= int64(1) << column
        left = talon
        while left:
            bit = left & -left
            left ^= bit
            index = lowest_bit(bit)
            is_before = index >= node.border and not is_next(game, node, index)
            if (is_before and gone & (bit - 1) != 0) or may_lack(
                game, node, relaxed, int64(game.talon_card[index])
            ):
                woken_talon |= bit
        if woken_columns | woken_talon == 0:
            return True
        columns ^= woken_columns
        talon ^= woken_talon
    return False


@kernel
def has_spare(game: Record, after: Record, then: Record, card: int, uncovered: int) -> bool:
    """Whether there was a place to spare for a card at and after a step, up to `then`.

    `after` is just after the step, which uncovered a card of this level, -1 for none, and `then`
    when free cards have gone home.
    """
    places = int64(room(game, after, card))
    if card >> 2 < game.ranks - 1:
        level = int64(LEVEL[card]) + 2
        places -= int64(after.free_level[level]) - int64(then.free_level[level])
        places -= uncovered == level
    return places > 0


@kernel
def still_waiting(
    game: Record,
    before: Record,
    after: Record,
    then: Record,
    spare: int,
    step: int,
    columns: int,
    talon: int,
) -> tuple[int, int]:
    """Which of those that wait in `before` do so after a step.

    `spare` are the cards for which there was a place on the whole way to where the step was
    taken; `after` is just after the step, `then` when free cards have gone home.
    """
    kind, argument, uncovered = step & 7, step >> 3, int64(-1)
    is_base = kind in (BASE_DOWN, BASE_HOME)
    if is_base and before.placed[argument] > 1:
        uncovered = int64(LEVEL[game.dealt[argument, int64(before.placed[argument]) - 2]])
    for column in range(game.columns):
        if columns >> column & 1:
            card = base_of(game, before, column)
            if (
                (is_base and argument == column)
                or spare >> card & 1 == 0
                or not has_spare(game, after, then, card, uncovered)
            ):
                columns ^= int64(1) << column
    left = talon
    while left:
        bit = left & -left
        left ^= bit
        index = lowest_bit(bit)
        card = int64(game.talon_card[index])
        # A card that lies before one not yet drawn has been taken.
        is_early = argument < index and index >= before.border and not is_next(game, before, index)
        if (
            (not is_base and (argument == index or is_early))
            or spare >> card & 1 == 0
            or not has_spare(game, after, then, card, uncovered)
        ):
            talon ^= bit
    return columns, talon
