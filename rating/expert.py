"""The expert: a player who asks the solver what the face-down cards may be (determinization).

Before each move they deal the cards that they cannot see anew, `SAMPLES` times, and try each
move on these samples. A move is worth the share of samples that the solver still wins after
it, plus the share of `GAMES` games on each that the careful player, who sees no more than they do,
wins from there; they play the one worth most, of equal ones the first listed. The
solver alone would not do: it sees all cards of a sample, and so thinks nearly every move as good as
any other. After Bjarnason, Fern and Tadepalli, "Lower Bounding Klondike Solitaire with Monte-Carlo
Planning" (ICAPS 2009), who plan by samples for one deck.

They consider what may bring the game on: all moves to a foundation or from the waste, a run that
uncovers a card or empties a column, a part of a run if the card under it can then go up, and
turning the stock. They give up after two passes in a row without a move.
"""

from ..engine.cards import rank_of
from ..engine.deal import Position
from ..engine.dealing import splitmix64
from ..engine.moves import Kind, Move
from ..engine.referee import Game
from ..engine.rules import Rules
from ..solver.verdict import Verdict
from .advise import Judge
from .rate import WinRate, seed_of
from .view import View

SAMPLES = 8
GAMES = 4
EACH_NODES = 500
"""What a verdict on a sample may cost."""
PATIENCE = 2
TURNS = (Kind.DRAW, Kind.RECYCLE)


def expert_rate(rules: Rules, position: Position, seed: int, games: int) -> WinRate:
    """How many of some games of a deal the expert wins; seconds a game."""
    base = seed_of(position, seed)
    wins = sum(expert_wins(rules, position, base + number) for number in range(games))
    return WinRate(wins, games)


def expert_wins(rules: Rules, position: Position, seed: int) -> bool:
    """Whether the expert wins a game, which depends on the position and the seed only."""
    words = splitmix64(seed)
    judge = Judge(rules, EACH_NODES)
    game = Game(rules, position)
    fruitless, moved = 0, False
    while not _is_sure(game):
        moves = _candidates(game)
        if not moves:
            return game.won
        move = moves[0]
        if len(moves) > 1:
            worth = [0.0] * len(moves)
            view = View.of(game.position())
            for _ in range(SAMPLES):
                judge.take(view.sample(words))
                number = next(words) >> 2
                for at, each in enumerate(moves):
                    wins, _ = judge.games((each,), number, GAMES)
                    is_won = wins > 0 or judge.verdict((each,)) is Verdict.WINNABLE
                    worth[at] += is_won + wins / GAMES
            move = moves[worth.index(max(worth))]
        game.play(move)
        if move.kind is Kind.RECYCLE:
            fruitless = 0 if moved else fruitless + 1
            moved = False
            if fruitless == PATIENCE:
                return False
        elif move.kind is not Kind.DRAW:
            moved, fruitless = True, 0
    return True


def _is_sure(game: Game) -> bool:
    """As `players.is_sure`."""
    reachable = game.rules.draw == 1 and game.rules.recycles is None
    return not any(game.hidden) and (reachable or not (game.stock or game.waste))


def _candidates(game: Game) -> list[Move]:
    """The moves that may bring the game on; turning the stock is the last of them."""
    moves = [move for move in game.legal_moves() if _counts(game, move)]
    return sorted(moves, key=lambda move: move.kind in TURNS)


def _counts(game: Game, move: Move) -> bool:
    if move.kind is Kind.TAKE_BACK:
        return False
    if move.kind is not Kind.COLUMN_TO_COLUMN:
        return True
    column, hidden = game.columns[move.source], game.hidden[move.source]
    if move.count == len(column) - hidden:
        return hidden > 0 or rank_of(column[0]) < game.rules.ranks - 1
    under = column[-move.count - 1]
    return game.foundations.accepting(under) is not None
