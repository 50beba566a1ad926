import numpy as np
import pytest
from double_solitaire.engine import jit


@pytest.fixture(autouse=True)
def own_place(tmp_path, monkeypatch):
    """A place of compiled code for each test."""
    from double_solitaire.engine.cache import cache_place

    monkeypatch.setenv("DSOL_CACHE_DIR", str(tmp_path / "place"))
    cache_place.cache_clear()
    yield tmp_path / "place"
    cache_place.cache_clear()


@jit.kernel
def add(x, y):
    return x + y


@jit.kernel
def add_three(x):
    return add(add(x, 1), add(1, 1))


@jit.kernel
def add_to_flag(x, flag):
    if flag:
        return add_three(x)
    return add(x, 0)


def test_a_function_is_called_once_when_something_is_compiled():
    calls = []
    jit.when_compiling(lambda: calls.append(1))

    def one_more(x):
        return x + 1

    def two_more(x):
        return x + 2

    first, second = jit.kernel(one_more), jit.kernel(two_more)
    assert not calls
    assert first(1) == 2 and second(1) == 3
    assert calls == [1]


def test_only_what_python_calls_is_an_entry_and_kept(own_place):
    assert add_to_flag(4, True) == 7
    assert [path.name.split("-")[0] for path in own_place.glob("*/*.code")] == [
        "test_jit.add_to_flag"
    ]
    assert add_three(1) == 4 and add(1, 2) == 3
    assert len(list(own_place.glob("*/*.code"))) == 3


def test_a_kernel_that_was_called_by_another_takes_other_types_from_python():
    assert add_three(1) == 4
    assert add(0.5, 0.25) == 0.75
    assert add_three(np.float64(0.5)) == 3.5


def test_values_of_an_argument_share_one_part():
    assert add_to_flag(1, False) == 1 and add_to_flag(1, True) == 4
    kernels = [add_to_flag, add_three, add]
    literal = [sig for each in kernels for sig in each._part.overloads if "Literal" in str(sig)]
    assert literal == []
