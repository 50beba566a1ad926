"""Weights that tell the position that a win came from from others of its layer."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from learning.layers import Layers

RATE, EPOCHS, BATCH = 0.05, 6, 64
DECAY_1, DECAY_2, TINY = 0.9, 0.999, 1e-8
"""Adam (Kingma and Ba 2015), with its usual constants."""


def fit(
    wins: Sequence[Layers], source: np.random.Generator, weights: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.float64], float]:
    """A set of weights, (2, features), and the mean loss.

    The loss of a layer is softplus(log of the sum of exp(value) of the others - value of the one
    that the win came from). `weights` are those to begin with, else 0.
    """
    features = np.concatenate([win.features for win in wins]).astype(np.float64)
    drawn = np.concatenate([win.drawn for win in wins]).astype(np.float64)[..., None]
    # All features differ as much within a layer then, so that one rate suits them.
    scale = np.sqrt(np.mean((features - features.mean(1, keepdims=True)) ** 2, axis=(0, 1)))
    scale[scale == 0] = 1.0
    features /= scale
    start = np.zeros((2, features.shape[-1])) if weights is None else weights
    theta = (start * scale).ravel()
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    step, losses = 0, []
    for _ in range(EPOCHS):
        losses = []
        order = source.permutation(len(features))
        for at in range(0, len(order), BATCH):
            batch = order[at : at + BATCH]
            x = np.concatenate(
                [features[batch] * (1 - drawn[batch]), features[batch] * drawn[batch]], 2
            )
            loss, slope = loss_and_slope(x, theta)
            losses.append(loss)
            step += 1
            first = DECAY_1 * first + (1 - DECAY_1) * slope
            second = DECAY_2 * second + (1 - DECAY_2) * slope**2
            mean, spread = first / (1 - DECAY_1**step), second / (1 - DECAY_2**step)
            theta = theta - RATE * mean / (np.sqrt(spread) + TINY)
    return theta.reshape(2, -1) / scale, float(np.mean(losses))


def loss_and_slope(
    x: NDArray[np.float64], theta: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """Mean loss of layers x, (layers, 1 + others, weights), and its gradient."""
    values = x @ theta
    others = values[:, 1:]
    top = others.max(1)
    total = top + np.log(np.exp(others - top[:, None]).sum(1))
    margin = total - values[:, 0]
    share = 1 / (1 + np.exp(-margin))
    by_value = np.empty_like(values)
    by_value[:, 0] = -share
    by_value[:, 1:] = share[:, None] * np.exp(others - total[:, None])
    return float(np.mean(np.logaddexp(0, margin))), np.einsum("lv,lvw->w", by_value, x) / len(x)
