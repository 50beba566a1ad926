"""Rows of many deals in memory: those that a folder would hold, in the order of the question."""

import pytest
from double_solitaire.batch.memory import answer_list, answer_range
from double_solitaire.batch.settings import Settings
from double_solitaire.engine.codes import DealCode, Range
from double_solitaire.engine.errors import CodeError
from double_solitaire.solver.solve import check
from double_solitaire.solver.verdict import Limits
from games import mode
from walks import start_of

LIMITS = Limits(nodes=2_000)
SETTINGS = Settings(LIMITS, timing=False)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_list_keeps_its_order_over_modes_and_jobs(jobs):
    rules = [mode("D3V"), mode("D1N"), mode("D1N", "KL1")]
    codes = [str(DealCode(rules[at % 3], 100 - at)) for at in range(40)]
    table = answer_list([*codes, codes[0], "pysol:123"], SETTINGS, jobs)
    assert table["code"].to_pylist() == [*codes, codes[0], "pysol:123"]
    assert table.to_pylist()[0] == table.to_pylist()[40]
    for at, row in enumerate(table.to_pylist()[:9]):
        start = start_of(rules[at % 3], 100 - at)
        assert row["verdict"] == check(start.rules, start.position, LIMITS).verdict


def test_a_range_is_the_list_of_its_codes_whatever_the_jobs():
    deals = Range(mode("D1N"), 5, 44)
    codes = [str(DealCode(deals.rules, number)) for number in range(5, 45)]
    table = answer_range(deals, SETTINGS, 1)
    assert table.equals(answer_range(deals, SETTINGS, 4))
    assert table.equals(answer_list(codes, SETTINGS, 2))


def test_no_deals_are_an_empty_table_and_what_is_none_is_refused():
    assert len(answer_list([], SETTINGS, 2)) == 0
    with pytest.raises(CodeError):
        answer_list(["DS1-D1N-AAAAAAB", "nonsense"], SETTINGS, 1)
    with pytest.raises(TypeError, match="a code is a text"):
        answer_list([5], SETTINGS, 1)
