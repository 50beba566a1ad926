import pytest
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.referee import Game
from perft_file import check, load_perft

ROWS = load_perft()
SMALL = 2500
"""Counts up to this one are quick enough for the plain engine in every run."""


def game_at(row):
    rules = row.code.rules
    game = Game(rules, Position.start(rules, deal_number(rules, row.code.number)))
    for move in row.moves:
        game.play(move)
    return game


def sequences(game, depth):
    if depth == 0:
        return 1
    return sum(after(game, move, depth) for move in game.legal_moves())


def after(game, move, depth):
    game.play(move)
    count = sequences(game, depth - 1)
    game.undo()
    return count


def plain(row):
    game = game_at(row)
    return lambda depth: {str(move): after(game, move, depth) for move in game.legal_moves()}


def cases(rows):
    return [
        pytest.param(
            row,
            depth,
            id=f"{row.id}-{depth}",
            marks=[pytest.mark.long] if count > SMALL else [],
        )
        for row in rows
        for depth, count in row.counts.items()
    ]


@pytest.mark.parametrize(("row", "depth"), cases(ROWS))
def test_referee(row, depth):
    check(row, depth, plain(row))
