import random

import numpy as np
import pytest
from double_solitaire.solver.table import (
    FULL,
    MAX_PROBES,
    NEW,
    SEEN,
    TAGS,
    copy_into,
    insert,
    new_table,
)


def keys(count, seed=1):
    source = random.Random(seed)
    return [(source.getrandbits(59), source.getrandbits(63)) for _ in range(count)]


def test_a_key_is_new_once():
    table, seen = new_table(1 << 10), set()
    for key in keys(400) + keys(400) + keys(100, seed=2):
        assert insert(table, len(table) - 1, 1, *key) == (SEEN if key in seen else NEW)
        seen.add(key)


def test_one_word_alone_does_not_make_a_key():
    table = new_table(1 << 4)
    assert [insert(table, 15, 1, *key) for key in ((5, 6), (5, 7), (4, 6))] == [NEW] * 3


def test_rows_of_another_tag_count_as_empty():
    table = new_table(1 << 4)
    for tag in range(1, TAGS + 1):
        assert [insert(table, 15, tag, *key) for key in keys(12)] == [NEW] * 12


def test_a_table_without_room_says_so():
    table = new_table(MAX_PROBES)
    found = [insert(table, len(table) - 1, 1, *key) for key in keys(MAX_PROBES + 1)]
    assert found == [NEW] * MAX_PROBES + [FULL]
    assert insert(table, len(table) - 1, 1, *keys(1)[0]) == SEEN


@pytest.mark.parametrize("rows", [1 << 9, 1 << 11])
def test_a_larger_table_has_all_rows_of_the_tag(rows):
    table, larger = new_table(1 << 9), new_table(rows)
    for tag, seed in ((2, 1), (3, 2)):
        for key in keys(200, seed):
            insert(table, len(table) - 1, tag, *key)
    before = table.copy()
    assert copy_into(table, larger, 3) == NEW
    assert np.array_equal(table, before)
    assert all(insert(larger, rows - 1, 3, *key) == SEEN for key in keys(200, 2))
    assert insert(larger, rows - 1, 3, *keys(1)[0]) == NEW


def test_rows_that_find_no_room_are_not_lost_unsaid():
    table = new_table(1 << 10)
    for key in keys(2 * MAX_PROBES):
        insert(table, len(table) - 1, 1, *key)
    assert copy_into(table, new_table(MAX_PROBES), 1) == FULL
