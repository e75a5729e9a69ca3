"""Cutting long speech into pieces that fit Whisper's window, where it is quietest."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from voice.audio import Samples

_LONGEST_S = 28.0  # of the 30 s that the model looks at; the end needs a margin
_SEARCH_S = 12.0
_HOP_S = 0.05
_SMOOTH = 5  # hops: a cut needs a quarter of a second of quiet around it


def pieces(samples: Samples, rate_hz: int) -> Iterator[Samples]:
    """``samples`` in pieces of at most 28 s, each cut at the quietest point of its last 12 s."""
    longest = int(_LONGEST_S * rate_hz)
    while len(samples) > longest:
        cut = _quietest(samples, longest - int(_SEARCH_S * rate_hz), longest, int(_HOP_S * rate_hz))
        yield samples[:cut]
        samples = samples[cut:]
    if len(samples):
        yield samples


def _quietest(samples: Samples, start: int, end: int, hop: int) -> int:
    count = (end - start) // hop
    frames = samples[start : start + count * hop].reshape(count, hop)
    energy = np.mean(frames**2, axis=1, dtype=np.float64)
    smooth = np.convolve(energy, np.ones(_SMOOTH) / _SMOOTH, mode="valid")
    middle = int(np.argmin(smooth)) + _SMOOTH // 2
    return start + middle * hop + hop // 2
