"""The scripts in learning/, on a few deals, and the file of weights."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from double_solitaire.solver import evaluate
from double_solitaire.solver.beam import is_over
from double_solitaire.solver.position import NODE
from double_solitaire.solver.priorities import NAMES as PRIORITY_NAMES
from double_solitaire.solver.priorities import read_priorities
from double_solitaire.solver.weights import FEATURES, FILE, NAMES, SETS, read_set
from games import mode

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from learning import compare, fit, layers, policy, priorities, stages, weights  # noqa: E402


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a script in this process; the lines it prints after its head."""

    def call(script, *arguments):
        monkeypatch.setattr(sys, "argv", [script.__file__, *map(str, arguments)])
        script.main()
        return capsys.readouterr().out.splitlines()[1:]

    return call


def test_the_names_are_those_of_the_places():
    groups = {
        "placed": evaluate.PLACED,
        "parents": evaluate.PARENTS,
        "more_parents": evaluate.MORE_PARENTS,
        "waste_gap": evaluate.WASTE_GAP,
        "waste_depth": evaluate.WASTE_DEPTH,
        "placed_gap": evaluate.PLACED_GAP,
        "placed_depth": evaluate.PLACED_DEPTH,
    }
    first = {}
    for at, name in enumerate(FEATURES):
        if at < evaluate.WASTE:
            first.setdefault(name.rpartition("_")[0], at)
        else:
            assert getattr(evaluate, name.upper()) == at
    assert first == groups
    assert len(set(FEATURES)) == len(FEATURES)


def test_the_file_holds_the_sets_and_who_made_them():
    sets = json.loads(FILE.read_text(encoding="utf-8"))
    assert tuple(sets) == NAMES
    for one in sets.values():
        assert one["made_by"] and tuple(one["weights"]) == FEATURES
    assert all(weights.shape == (2, len(FEATURES)) for weights in SETS)


def test_a_feature_that_the_file_lacks_is_missed(tmp_path):
    sets = json.loads(FILE.read_text(encoding="utf-8"))
    del sets["usual"]["weights"]["spread"]
    path = tmp_path / "weights.json"
    path.write_text(json.dumps(sets))
    with pytest.raises(KeyError, match="spread"):
        read_set("usual", path)


@pytest.fixture(params=["components", "lazy"])
def won(request):
    """A beam that wins, and what it tells of the win."""
    for number in range(layers.FIRST_DEAL, layers.FIRST_DEAL + 20):
        beam = layers.METHODS[request.param](mode("D1V"), number, 60, SETS[0])
        told = beam.layers(5, 10, np.random.default_rng(1))
        if told is not None:
            return beam, told
    raise AssertionError("no deal won")


def test_the_way_to_a_win_ends_in_the_win(won):
    beam, told = won
    path = beam.path()
    assert is_over(beam.tools.game, path[-1]) and not is_over(beam.tools.game, path[-2])
    assert len(told.features) == (len(path) - 1) // 10
    drawn = told.drawn[:, 0]
    assert (np.diff(drawn) >= 0).all() and 0 <= drawn[0] < drawn[-1] <= 1


def test_the_value_is_the_product_of_features_and_weights(won):
    beam, _ = won
    path, record = beam.path(), evaluate.evaluation_record(SETS[1])
    features = np.zeros((len(path), len(FEATURES)))
    layers.list_features(beam.tools.game, path, beam.tools.evaluation, features)
    evaluate.prepare(beam.tools.game, record)
    mixed = evaluate.by_drawn(SETS[1])
    for node, row in zip(path, features, strict=True):
        value = evaluate.evaluate(beam.tools.game, node, record)
        assert value == pytest.approx(row @ mixed[node["border"]])
    assert path.dtype == NODE


def test_the_slope_is_that_of_the_loss():
    source = np.random.default_rng(2)
    x, theta = source.normal(size=(7, 4, 6)), source.normal(size=6)
    _, slope = fit.loss_and_slope(x, theta)
    for at in range(6):
        step = np.zeros(6)
        step[at] = 1e-6
        ends = [fit.loss_and_slope(x, theta + sign * step)[0] for sign in (1, -1)]
        assert slope[at] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-6)


def test_what_told_the_way_to_a_win_is_found_again():
    source = np.random.default_rng(3)
    true = source.normal(size=(2, len(FEATURES)))
    features = source.normal(size=(400, 9, len(FEATURES))).astype(np.float32)
    drawn = source.random((400, 9)).astype(np.float32)
    share = drawn[..., None]
    values = features * (1 - share) @ true[0] + features * share @ true[1]
    best = values.argmax(1)
    for array in (features, drawn):
        array[np.arange(400), 0], array[np.arange(400), best] = (
            array[np.arange(400), best].copy(),
            array[np.arange(400), 0].copy(),
        )
    found, loss = fit.fit([layers.Layers(features, drawn)], source)
    assert np.corrcoef(found.ravel(), true.ravel())[0, 1] > 0.8
    assert loss < 0.3


def test_a_set_is_learned_and_written(run, tmp_path):
    path = tmp_path / "weights.json"
    path.write_text(FILE.read_text(encoding="utf-8"))
    words = ("of_components_1", "--rounds", "60:2:10:4,40:1:10:4", "--file", path)
    assert [line[:18] for line in run(weights, *words)] == [
        "2 wins at width 60",
        "1 wins at width 40",
    ]
    sets, old = (json.loads(p.read_text(encoding="utf-8")) for p in (path, FILE))
    assert tuple(sets) == NAMES
    made_by = sets["of_components_1"]["made_by"]
    assert made_by.startswith("python -m learning.weights of_components_1 --mode D1V")
    assert "deals 100000 to" in made_by
    assert {name for name in NAMES if sets[name] != old[name]} == {"of_components_1"}
    lines = run(compare, "of_components_1", f"{path}:of_components_1", "--count", 3, "--width", 40)
    assert [" of 3 won" in line for line in lines] == [True, True]
    assert "against the one before" in lines[1]


def test_nothing_is_learned_from_deals_that_measure(run, capsys):
    with pytest.raises(SystemExit):
        run(weights, "usual", "--first", layers.FIRST_DEAL - 1)
    assert "deals below 100000 are for measuring" in capsys.readouterr().err


def test_ranks_are_learned_and_written(run, tmp_path):
    path = tmp_path / "priorities.json"
    words = ("--count", 40, "--tries", 6, "--held", 20, "--file", path, "--seed", 3)
    lines = run(priorities, *words)
    assert lines[-1].startswith("positions a deal of D1N and D3N: ")
    made = json.loads(path.read_text(encoding="utf-8"))
    assert made["made_by"].startswith(
        "python -m learning.priorities --first 300000 --count 40 --tries 6"
    )
    new = read_priorities(path)
    assert tuple(new) == tuple(PRIORITY_NAMES)
    numbers = range(300_000, 300_040)
    assert priorities.count_positions(new, numbers) <= priorities.count_positions(
        read_priorities(), numbers
    )


def test_a_climb_only_goes_down():
    numbers = range(300_000, 300_030)
    begin = read_priorities() | {"base_down_ready": 0, "talon_down_ready": 9000}
    before = priorities.count_positions(begin, numbers)
    found, best = priorities.climb(begin, numbers, 8, np.random.default_rng(1))
    assert best < before and found != begin
    assert priorities.count_positions(found, numbers) == best


def test_learning_priorities_leaves_the_search_as_it_was():
    numbers = range(300_000, 300_020)
    before = priorities.count_positions(read_priorities(), numbers)
    priorities.count_positions(read_priorities() | {"base_home_ready": 0}, numbers)
    assert priorities.count_positions(read_priorities(), numbers) == before


@pytest.mark.parametrize("first", [0, 99_999])
def test_no_rank_is_learned_from_deals_that_measure(run, first):
    for script in (priorities, stages):
        with pytest.raises(SystemExit):
            run(script, "--first", first)


def test_stages_are_asked_of_deals(run):
    words = ("--count", 5, "--stages", "lazy:60,components:60:usual,exhaust:5000")
    head, _, *rows = run(stages, *words)
    assert head == "| stage | decides | of those left | seconds a deal left |"
    assert rows and all(" of " in row for row in rows)


def test_the_stage_that_decides_most_in_a_second_comes_first():
    asked = [
        stages.Asked("slow", [True, True, True, False], [3.0] * 4),
        stages.Asked("quick", [True, False, False, False], [0.1] * 4),
        stages.Asked("none", [True, True, False, False], [0.2] * 4),
        stages.Asked("never", [False] * 4, [0.0] * 4),
    ]
    order = [(each.stage, len(left)) for each, left in stages.best_order(asked)]
    assert order == [("quick", 4), ("none", 3), ("slow", 2)]


def test_the_weights_of_the_fast_player_are_learned_by_play(run, tmp_path, monkeypatch):
    path = tmp_path / "policy.json"
    path.write_text(policy.policy.FILE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(policy.policy, "FILE", path)
    lines = run(policy, "KL1-D3V", "--like", "DS1-D3V", "--count", 2, "--rounds", 2, "--held", 3)
    assert lines[0].startswith("round 0: best ")
    made = json.loads(path.read_text(encoding="utf-8"))["KL1-D3V"]
    assert made["made_by"].startswith("python -m learning.policy KL1-D3V --like DS1-D3V --first ")
    assert tuple(made["weights"]) == policy.policy.NAMES
    with pytest.raises(SystemExit):
        run(policy, "KL1-D3V", "--first", 99_999)
