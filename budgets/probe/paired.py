"""Tests on pairs: is B worse than A, or is it noise?

Each pair is the same turn of the same scenario, called before (A) and after (B). Under the null
hypothesis the labels of a pair could as well be swapped; that is the only assumption made, so the
heavy tails of latency do no harm. Numpy only.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

_EXACT_UP_TO = 12
"""Pairs for which all 2**n swaps are tried."""
_DRAWS = 9_999
"""Random swaps beyond that; p is then known to about a tenth of itself at 0.01."""
_SEED = 800


def signed_rank_p(differences: Values) -> float:
    """One-sided p of "the differences (shape (n,)) lie above zero": Wilcoxon's signed-rank test.

    Zeros are left out, ties share their rank, and the distribution is that of sign flips rather
    than a normal approximation. 1.0 for nothing to test.
    """
    nonzero = differences[differences != 0]
    if not len(nonzero):
        return 1.0
    signed = _ranks(np.abs(nonzero)) * np.sign(nonzero)
    signs = 1.0 - 2.0 * _swaps(len(signed))
    return _share_at_least(signs @ np.abs(signed), float(signed.sum()), len(signed))


def tail_p(before: Values, after: Values, q: float) -> float:
    """One-sided p of "the ``q``-th percentile rose", by swapping the labels within pairs.

    ``before`` and ``after`` have shape (n,), pair by pair.
    """
    if not len(before):
        return 1.0
    swapped = _swaps(len(before)).astype(bool)
    lower = np.percentile(np.where(swapped, after, before), q, axis=1)
    upper = np.percentile(np.where(swapped, before, after), q, axis=1)
    observed = float(np.percentile(after, q) - np.percentile(before, q))
    return _share_at_least(upper - lower, observed, len(before))


def sign_p(worse: int, better: int) -> float:
    """One-sided p of "more pairs got worse than better": the exact sign test (McNemar's)."""
    pairs = worse + better
    return sum(math.comb(pairs, k) for k in range(worse, pairs + 1)) / 2**pairs if pairs else 1.0


def holm(p_values: dict[str, float]) -> dict[str, float]:
    """Holm's step-down adjustment: all that is asked at once shares one risk of a false alarm."""
    adjusted: dict[str, float] = {}
    floor = 0.0
    for rank, name in enumerate(sorted(p_values, key=lambda name: p_values[name])):
        floor = max(floor, min(1.0, p_values[name] * (len(p_values) - rank)))
        adjusted[name] = floor
    return adjusted


def _ranks(values: Values) -> Values:
    """Ranks from 1; ties share their mean."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2.0)[inverse], dtype=np.float64)


def _swaps(pairs: int) -> npt.NDArray[np.int8]:
    """Which pairs are swapped, one row a way; the first way is none."""
    if pairs <= _EXACT_UP_TO:
        ways = np.arange(2**pairs)[:, None] >> np.arange(pairs) & 1
        return ways.astype(np.int8)
    drawn = np.random.default_rng(_SEED).integers(0, 2, (_DRAWS, pairs), dtype=np.int8)
    return np.concatenate([np.zeros((1, pairs), np.int8), drawn])


def _share_at_least(found: Values, observed: float, pairs: int) -> float:
    # Sums in another order differ in their last bits.
    slack = 1e-9 * max(1.0, abs(observed)) * pairs
    return float(np.mean(found >= observed - slack))
