"""In which order the searches of one pass are worth asking, measured on deals.

    python -m learning.stages --mode D1V --count 100 --stages lazy:300,components:300,exhaust:50000

A stage is METHOD:AMOUNT[:SET]: a beam of lazy play or over components so wide, by a set of
data/weights.json, or an exhaustive search of so many positions. Each is asked of each deal by
itself; then the one that decides most of the deals left in a second comes first, and so on. The
schedules of solver/search.py are such orders, with room for ever wider beams.
"""

import time
from typing import NamedTuple

from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.rules import Rules
from double_solitaire.solver.method import Budget, Proof, Win
from double_solitaire.solver.position import load
from double_solitaire.solver.verdict import Limits
from double_solitaire.solver.weights import read_set
from double_solitaire.solver.workspace import methods

from benchmarks.measure import parser, print_head, rules_of
from learning.layers import FIRST_DEAL, METHODS


class Asked(NamedTuple):
    """What a stage alone came to on each deal, in the order of the deals."""

    stage: str
    decided: list[bool]
    seconds: list[float]

    def new(self, left: list[int]) -> int:
        """How many of the deals left it decides."""
        return sum(self.decided[at] for at in left)

    def cost(self, left: list[int]) -> float:
        """Seconds that it takes on the deals left."""
        return sum(self.seconds[at] for at in left)


def decides(rules: Rules, number: int, stage: str) -> bool:
    """Whether a stage alone wins a deal or proves it lost."""
    method, amount, *name = stage.split(":")
    if method == "exhaust":
        start = load(rules, Position.start(rules, deal_number(rules, number)))
        methods.exhaust.begin(start, Budget(Limits(nodes=None)))
        return isinstance(methods.exhaust.run(int(amount)), Win | Proof)
    weights = read_set(name[0] if name else "usual")
    return METHODS[method](rules, number, int(amount), weights).run()


def ask(rules: Rules, numbers: range, stage: str) -> Asked:
    """Ask a stage of each deal."""
    decided, seconds = [], []
    for number in numbers:
        started = time.process_time()
        decided.append(decides(rules, number, stage))
        seconds.append(time.process_time() - started)
    return Asked(stage, decided, seconds)


def best_order(asked: list[Asked]) -> list[tuple[Asked, list[int]]]:
    """The stages, each with the deals that those before have left, the most worth first.

    A stage that decides nothing more is left out.
    """
    left, order = list(range(len(asked[0].decided))), []
    rest = list(asked)
    while rest:
        first = max(rest, key=lambda each: each.new(left) / max(each.cost(left), 1e-9))
        rest.remove(first)
        if first.new(left) == 0:
            break
        order.append((first, left))
        left = [at for at in left if not first.decided[at]]
    return order


def main() -> None:
    """Ask and print."""
    words = parser(__doc__, "D1V", 100)
    words.set_defaults(first=FIRST_DEAL)
    words.add_argument("--stages", default="lazy:300,components:300,exhaust:50000")
    options = words.parse_args()
    if options.first < FIRST_DEAL:
        words.error(f"deals below {FIRST_DEAL} are for measuring")
    print_head()
    rules = rules_of(options.mode)
    numbers = range(options.first, options.first + options.count)
    asked = [ask(rules, numbers, stage) for stage in options.stages.split(",")]
    print("| stage | decides | of those left | seconds a deal left |")
    print("|---|---|---|---|")
    for each, left in best_order(asked):
        cost = each.cost(left) / len(left)
        row = (each.stage, sum(each.decided), f"{each.new(left)} of {len(left)}", f"{cost:.3f}")
        print("|", " | ".join(map(str, row)), "|", flush=True)


if __name__ == "__main__":
    main()
