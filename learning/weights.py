"""Learn a set of the beams' weights from wins, and write it to data/weights.json.

    python -m learning.weights of_components_1 --mode D1V --rounds 2000:115:1:32,300:2094:3:16

Each round is WIDTH:WINS:EVERY:OTHERS: beams so wide win so many deals, from --first on; of every
so many layers of a win the position that it came from is told from so many others. The first
round plays by the set that the file has, or by the one that --by names, and begins to learn from
nothing; each later one plays by what the one before has learned, and goes on from there.
"""

import datetime
import json
import time
from pathlib import Path

import numpy as np
from double_solitaire.solver.weights import FEATURES, FILE, NAMES, read_set

from benchmarks.measure import parser, print_head, rules_of
from learning.fit import fit
from learning.layers import FIRST_DEAL, METHODS, Layers


def main() -> None:
    """Learn and write."""
    words = parser(__doc__, "D1V", 0)
    words.set_defaults(first=FIRST_DEAL)
    words.add_argument("name", choices=NAMES, help="the set to learn")
    words.add_argument("--by", choices=NAMES, help="the set to play by at first")
    words.add_argument("--method", choices=METHODS, default="components")
    words.add_argument("--rounds", default="2000:115:1:32,300:2094:3:16")
    words.add_argument("--seed", type=int, default=0, help="of the others and of their order")
    words.add_argument("--file", type=Path, default=FILE, help="default data/weights.json")
    options = words.parse_args()
    if options.first < FIRST_DEAL:
        words.error(f"deals below {FIRST_DEAL} are for measuring")
    print_head()
    rules, source = rules_of(options.mode), np.random.default_rng(options.seed)
    weights, learned = read_set(options.by or options.name), None
    number, started, made = options.first, time.process_time(), []
    for text in options.rounds.split(","):
        width, count, every, others = map(int, text.split(":"))
        wins: list[Layers] = []
        first = number
        while len(wins) < count:
            beam = METHODS[options.method](rules, number, width, weights)
            win = beam.layers(others, every, source)
            wins += [] if win is None else [win]
            number += 1
        weights, loss = fit(wins, source, learned)
        learned = weights
        made.append(
            f"{count} wins at width {width} of deals {first} to {number - 1}, loss {loss:.3f}"
        )
        print(made[-1], flush=True)
    seconds = time.process_time() - started
    asked = {
        key: getattr(options, key) for key in ("by", "mode", "method", "first", "rounds", "seed")
    }
    line = f"python -m learning.weights {options.name}"
    line += "".join(f" --{key} {value}" for key, value in asked.items() if value is not None)
    line += f" ({datetime.date.today()}; {'; '.join(made)}; {seconds:.0f} s)"
    write_set(options.file, options.name, line, weights)


def write_set(path: Path, name: str, made_by: str, weights: np.ndarray) -> None:
    """Put a set into the file, a feature a line."""
    sets = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    pairs = {
        feature: [round(float(w), 3) for w in weights[:, at]] for at, feature in enumerate(FEATURES)
    }
    sets[name] = {"made_by": made_by, "weights": pairs}
    texts = []
    for key, one in sets.items():
        rows = ",\n".join(f"   {json.dumps(f)}: {json.dumps(w)}" for f, w in one["weights"].items())
        head = (
            f' {json.dumps(key)}: {{\n  "made_by": {json.dumps(one["made_by"])},\n  "weights": {{\n'
        )
        texts.append(f"{head}{rows}\n  }}\n }}")
    path.write_text("{\n" + ",\n".join(texts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
