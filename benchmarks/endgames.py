"""What the strong player of the game for two loses in exactly solved endgames, in cards a decision.

    python benchmarks/endgames.py --mode DS2-D1N --count 1000 --playouts 1000

Deals are taken from `--first` on until so many have come to an endgame. With `--by-playouts` the
player does without the exact search.
"""

import measure
from double_solitaire.versus.codes import VersusCode
from double_solitaire.versus.regret import Endgames


def main() -> None:
    """Measure and print."""
    words = measure.parser(__doc__, "DS2-D1N", 1000)
    words.add_argument("--playouts", type=int, default=1000, help="for a decision; default 1000")
    words.add_argument("--seed", type=int, default=0, help="chance; default 0")
    words.add_argument("--by-playouts", action="store_true", help="without the exact search")
    options = words.parse_args()
    measure.print_head()
    rules = measure.rules_of(options.mode)
    endgames = Endgames(options.playouts, options.by_playouts)
    found, number = 0, options.first
    while found < options.count:
        code = VersusCode.of_number(rules, number)
        found += endgames.add(code, options.seed + number)
        number += 1
    regret = endgames.regret
    print(
        f"{options.mode}: {regret.endgames} endgames of {number - options.first} deals, "
        f"{regret.unfinished} left out, {regret.decisions} decisions; "
        f"lost {regret.mean:.4f} cards a decision, {regret.wrong / max(regret.decisions, 1):.2%} "
        "of them wrong"
    )


if __name__ == "__main__":
    main()
