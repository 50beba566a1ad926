import pytest
from double_solitaire.rating.interval import wilson


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        (0, 10, 0.0, 0.27753),
        (5, 10, 0.23659, 0.76341),
        (10, 10, 0.72247, 1.0),
        (1, 1_000_000, 1.765e-7, 5.665e-6),
    ],
)
def test_the_interval_is_that_of_wilson(count, total, low, high):
    """Values from the formula in Brown, Cai and DasGupta (2001), worked out by hand."""
    assert wilson(count, total) == pytest.approx((low, high), rel=1e-3)


def test_nothing_counted_says_nothing():
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("total", [1, 7, 100])
def test_the_share_lies_in_it(total):
    for count in range(total + 1):
        low, high = wilson(count, total)
        assert 0 <= low <= count / total <= high <= 1
