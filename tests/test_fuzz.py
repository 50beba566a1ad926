"""Random and mutated inputs against every command: no traceback, no silence, no other exit code."""

import pytest
from fuzz import fuzz


def complaints(count, seed):
    return [(arguments, wrong) for arguments, _, wrong in fuzz(count, seed) if wrong is not None]


def test_a_few_hundred_inputs():
    assert complaints(400, 0) == []


@pytest.mark.long
@pytest.mark.parametrize("part", range(100))
def test_a_hundred_thousand_inputs(part):
    assert complaints(1000, 1 + part) == []
