"""Compiled code of the game of two loaded, or compiled, before it is needed."""

from dataclasses import replace

from .codes import EXAMPLE, VersusCode
from .contest import Arena, Entrant
from .exact import Exact
from .facts import Facts
from .fair import fairness, reach
from .game import PASS, House, Player, Table
from .live import LiveGame
from .opponent import Opponent
from .perft import perft
from .playout import CASUAL
from .race import PACE
from .record import GameRecord, Step
from .regret import Endgames
from .replay import replayed
from .review import review
from .rollouts import count_sensible, new_thinking
from .session import Session


def _record() -> GameRecord:
    code = VersusCode.parse(EXAMPLE)
    return GameRecord(code.rules, Table.start(code.deals()), code=code)


def _passed(record: GameRecord) -> GameRecord:
    return replace(record, steps=(Step(Player.A, PASS),))


def _match() -> None:
    record = _record()
    players = [Entrant(CASUAL), Entrant(CASUAL)]
    Arena().play_pair(record.rules, record.table, House(), players, 0)


def _play() -> None:
    record = _record()
    facts = Facts(record.rules)
    facts.are_both_dead(record.table)
    facts.is_dead(record.table, Player.A)
    facts.is_stuck(record.table, Player.A)
    facts.most_up(record.table)
    facts.decided_for(record.table)
    opponent = Opponent("casual", playouts=1)
    opponent.choose(record)
    opponent.advise(_passed(record))
    count_sensible(replayed(record.rules, record.table, record.house, ())[0], new_thinking()[0])
    at_once = replace(record, table=record.table.begun_by(None))
    LiveGame(Session(at_once, None), Player.B, opponent, PACE)


def _analyse() -> None:
    record = _record()
    perft(record.rules, record.table, House(), 2)
    fairness(VersusCode.parse(EXAMPLE), games=4)
    reach(VersusCode.parse(EXAMPLE))
    list(review(_passed(record)))


def _solve() -> None:
    record = _record()
    Exact(record.rules, limit=10).worth(record.table)
    # Of the first deals this has an endgame, which is found soon.
    Endgames(1).add(VersusCode.of_number(record.rules, 32), 32)
    Endgames(1, by_playouts=True).add(VersusCode.of_number(record.rules, 32), 32)


STEPS = (_match, _play, _analyse, _solve)
"""Together they call every compiled function of this folder, in any order."""
