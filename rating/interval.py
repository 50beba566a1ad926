"""The interval of a share that was counted."""

import math

CONFIDENCE_95 = 1.959963984540054
"""Quantile of the normal distribution for an interval of 95 %."""


def wilson(count: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927); it is sensible for shares near 0 and 1 too."""
    if total == 0:
        return 0.0, 1.0
    z2 = CONFIDENCE_95**2
    share = count / total
    middle = (share + z2 / (2 * total)) / (1 + z2 / total)
    half = (
        CONFIDENCE_95
        * math.sqrt(share * (1 - share) / total + z2 / (4 * total * total))
        / (1 + z2 / total)
    )
    # Rounding must not leave the ends of the scale outside.
    low = 0.0 if count == 0 else middle - half
    high = 1.0 if count == total else middle + half
    return low, high
