"""One pass as constraints of whole numbers: which relaxation refutes a lost deal, in what time?

    pip install ortools
    python benchmarks/constraints.py --mode D3V --codes AAAAAIO,AAAAAD2 --grain 1 --seconds 60

The game with one pass is cut into *blocks* of `--grain` cards that leave their dealt places one
after another, 104 in all, with draws between them as the solution likes. Variables, 0 or 1, say of
each card as dealt by which block it has left, of each draw by which block it has been made, and
of each foundation which cards lie on it at the end of each block. Then hold, and can each be left
out (`--without`):

    waste     a card leaves the waste only after all that were drawn after it
    place     a card leaves to a card one rank up that has been uncovered, an empty column, or a
              foundation of which all lower ranks have left
    room      at the end of a block as many open cards a rank up as free cards of each level
    kings     as many columns without dealt cards as free kings
    goal      at the end all cards are home
    integer   variables are whole; without it any numbers from 0 to 1 (linear programming)

What happens within a block is not put in order, and how arrangements of what is home lead to one
another is left out, so every real game is a solution: where there is none, the deal is lost.

With `--won` the deals that the solver wins within `--seconds` are asked about instead, the order in
which cards leave their places taken from its win: all must have a solution.
"""

import time
from collections import defaultdict
from itertools import pairwise
from typing import Any

import measure
from double_solitaire.engine.codes import DealCode
from double_solitaire.engine.deal import Deal, Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.rules import Rules
from double_solitaire.solver.method import Win
from double_solitaire.solver.position import (
    BASE_DOWN,
    BASE_HOME,
    CARDS,
    LEVEL,
    TALON_DOWN,
    TALON_HOME,
    load,
)
from double_solitaire.solver.search import Search
from double_solitaire.solver.verdict import Limits
from ortools.linear_solver.python import model_builder
from ortools.sat.python import cp_model

RULES = ("waste", "place", "room", "kings", "goal", "integer")
KINGS = 24
"""The lower of the two levels of kings."""


class Model:
    """Linear constraints on variables from 0 to 1, for a solver of whole numbers or of any."""

    def __init__(self, whole: bool) -> None:
        """Begin without constraints."""
        self.whole = whole
        self.model: Any = cp_model.CpModel() if whole else model_builder.Model()

    def new(self) -> Any:
        """A variable."""
        return self.model.new_bool_var("") if self.whole else self.model.new_num_var(0, 1, "")

    def add(self, constraint: Any) -> None:
        """Add a constraint; one between plain numbers must hold."""
        if constraint is not True:
            self.model.add(constraint)

    def solve(self, seconds: float) -> str:
        """`refuted`, `solution`, or `open` at the limit."""
        if self.whole:
            whole = cp_model.CpSolver()
            whole.parameters.max_time_in_seconds = seconds
            whole.parameters.num_workers = 1
            state: Any = whole.solve(self.model)
            names = {cp_model.INFEASIBLE: "refuted", cp_model.OPTIMAL: "solution"}
        else:
            linear = model_builder.Solver("glop")
            linear.set_time_limit_in_seconds(seconds)
            state = linear.solve(self.model)
            status = model_builder.SolveStatus
            names = {status.INFEASIBLE: "refuted", status.OPTIMAL: "solution"}
        return names.get(state, "open")


def order_of_win(rules: Rules, deal: Deal, seconds: float) -> list[int] | None:
    """In which order the cards as dealt leave their places in a win, if the solver finds one.

    Cards of the columns come first, column by column, then the stock. A king at the bottom of a
    column, which need not leave it before it goes home, is in none.
    """
    start = load(rules, Position.start(rules, deal))
    result = Search(start, Limits(nodes=None, seconds=seconds)).run()
    if not isinstance(result, Win):
        return None
    placed = [len(column) for column in deal.columns]
    order = []
    for step in result.plan:
        kind, argument = step & 7, step >> 3
        if kind in (BASE_DOWN, BASE_HOME):
            placed[argument] -= 1
            order.append(sum(map(len, deal.columns[:argument])) + placed[argument])
        elif kind in (TALON_DOWN, TALON_HOME):
            order.append(sum(map(len, deal.columns)) + argument)
    return order


def build(deal: Deal, draw: int, rules: list[str], grain: int, order: list[int]) -> Model:
    """The constraints of a deal, in which these cards leave in this order."""
    model = Model("integer" in rules)
    cards = [card for column in deal.columns for card in column] + list(deal.stock)
    dealt, blocks = len(cards) - len(deal.stock), range(-(-len(cards) // grain))
    on_it, bottoms, at = {}, [], 0
    for column in deal.columns:
        bottoms.append(at)
        on_it |= {row: row + 1 for row in range(at, at + len(column) - 1)}
        at += len(column)
    of_level, copies = defaultdict(list), defaultdict(list)
    for place, card in enumerate(cards):
        of_level[int(LEVEL[card])].append(place)
        copies[card].append(place)
    # Index -1 is before the first block.
    left = [[model.new() for _ in blocks] + [0] for _ in cards]
    drawn = [[model.new() for _ in blocks] + [0] for _ in range(-(-len(deal.stock) // draw))]
    higher = [[model.new() for _ in blocks] + [0] for _ in range(CARDS)]
    lower = [[model.new() for _ in blocks] + [0] for _ in range(CARDS)]

    def uncovered(place: int, block: int) -> Any:
        if place >= dealt:
            return left[place][block]
        return left[on_it[place]][block] if place in on_it else 1

    for block in blocks:
        # What has left before a step is known where blocks are single steps.
        seen = block if grain > 1 else block - 1
        model.add(sum(one[block] for one in left) == min((block + 1) * grain, len(cards)))
        for number, one in enumerate(drawn):
            model.add(one[block] >= one[block - 1])
            if number:
                model.add(one[block] <= drawn[number - 1][block])
        for place, one in enumerate(left):
            model.add(one[block] >= one[block - 1])
            if place in on_it:
                model.add(one[block] <= left[on_it[place]][seen])
            if place >= dealt:
                model.add(one[block] <= drawn[(place - dealt) // draw][block])
        for card in range(CARDS):
            first, second = copies[card]
            up = higher[card][block] + lower[card][block]
            model.add(up <= left[first][block] + left[second][block])
            model.add(lower[card][block] <= higher[card][block])
            if card >= 4:
                model.add(higher[card][block] <= higher[card - 4][block])
                model.add(lower[card][block] <= lower[card - 4][block])
        free, open_cards = {}, {}
        for level, places in of_level.items():
            home = [card for card in range(CARDS) if LEVEL[card] == level]
            up = sum(higher[card][block] + lower[card][block] for card in home)
            free[level] = sum(left[place][block] for place in places) - up
            bases = [place for place in places if place < dealt]
            shown = sum(uncovered(place, block) - left[place][block] for place in bases)
            open_cards[level] = free[level] + shown
            model.add(free[level] >= 0)
        if "room" in rules:
            for level in range(KINGS):
                model.add(free[level] <= open_cards[level + 2])
        if "kings" in rules:
            cleared = sum(left[place][block] for place in bottoms)
            model.add(free[KINGS] + free[KINGS + 1] <= cleared)
        if "place" in rules:
            reached = [model.new() for _ in range(CARDS)]
            for card, one in enumerate(reached):
                model.add(one <= sum(left[place][seen] for place in copies[card]))
                if card >= 4:
                    model.add(one <= reached[card - 4])
            for place, one in enumerate(left):
                above = of_level.get(int(LEVEL[cards[place]]) + 2)
                if above is None:
                    lands = sum(left[bottom][seen] for bottom in bottoms)
                else:
                    lands = sum(uncovered(parent, seen) for parent in above)
                goes = reached[cards[place] - 4] if cards[place] >= 4 else 1
                model.add(one[block] - one[block - 1] <= lands + goes)
        if "waste" in rules:
            all_left: Any = 1
            for place in range(len(cards) - 1, dealt - 1, -1):
                model.add(left[place][block] - left[place][block - 1] <= all_left)
                below = model.new()
                was_drawn = drawn[(place - dealt) // draw][block if grain == 1 else block - 1]
                model.add(below <= 1 - was_drawn + left[place][block])
                model.add(below <= all_left)
                all_left = below
    for earlier, later in pairwise(order):
        for block in blocks:
            model.add(left[earlier][block] >= left[later][block])
    if "goal" in rules:
        for card in range(CARDS):
            model.add(lower[card][blocks[-1]] >= 1)
    return model


def main() -> None:
    """Measure and print."""
    words = measure.parser(__doc__, "D3V", 10)
    words.add_argument("--codes", default="", help="deals by their letters, instead of numbers")
    words.add_argument("--seconds", type=float, default=60, help="for each deal; default 60")
    words.add_argument(
        "--grain", type=int, default=1, help="cards that leave in a block; default 1"
    )
    words.add_argument("--won", action="store_true", help="hold the constraints against wins")
    words.add_argument("--without", default="", help=f"leave out any of {','.join(RULES)}")
    options = words.parse_args()
    measure.print_head()
    kept = [rule for rule in RULES if rule not in options.without.split(",")]
    numbers = range(options.first, options.first + options.count)
    codes = [
        DealCode.parse(f"DS1-{options.mode}-{code}") for code in options.codes.split(",") if code
    ]
    rules = measure.rules_of(options.mode)
    print("| deal | what is found | seconds |")
    print("|---|---|---|")
    for number in [code.number for code in codes] or numbers:
        deal, order = deal_number(rules, number), []
        if options.won:
            win = order_of_win(rules, deal, options.seconds)
            if win is None:
                continue
            order = win
        model = build(deal, rules.draw, kept, options.grain, order)
        started = time.perf_counter()
        found = model.solve(options.seconds)
        spent = time.perf_counter() - started
        print(f"| {DealCode(rules, number)} | {found} | {spent:.1f} |", flush=True)
        if options.won and found == "refuted":
            raise SystemExit("a deal that is won has been refuted: the constraints are wrong")


if __name__ == "__main__":
    main()
