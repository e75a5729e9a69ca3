"""The level of synthesised speech, slice by slice: a constant gain, and no wait before it."""

from __future__ import annotations

import numpy as np

from voice.audio import Samples

_KNEE = 0.8
"""Samples up to here pass untouched; beyond, they bend towards full scale and never reach it."""

_ONSET = 10 ** (-50 / 20)
"""Speech may begin where a sample passes this: Piper's silence lies at -57 to -68 dBFS, and its
softest onsets (s, h) start at -50."""

_MARGIN_MS = 10.0
"""Kept before the onset."""


def levelled(samples: Samples, gain: float) -> Samples:
    """Samples at ``gain`` with a soft limit, shape (n,).

    Without memory, so that slices may be levelled one by one.
    """
    louder = samples * np.float32(gain)
    over = np.abs(louder) - np.float32(_KNEE)
    if over.max(initial=-1.0) <= 0:
        return louder
    room = np.float32(1 - _KNEE)
    bent = np.sign(louder) * (np.float32(_KNEE) + room * np.tanh(over / room))
    return np.where(over > 0, bent, louder).astype(np.float32)


class LeadTrim:
    """Drops the near-silence at the start of a stream, but for 10 ms before the first sound."""

    def __init__(self, rate_hz: int) -> None:
        self._margin = int(_MARGIN_MS * rate_hz / 1000)
        self._held: Samples | None = np.zeros(0, dtype=np.float32)

    def feed(self, samples: Samples) -> Samples:
        """What may be played of the next slice, shape (m,) with m from 0."""
        if self._held is None:
            return samples
        heard = np.concatenate([self._held, samples])
        loud = np.abs(heard) > _ONSET
        if loud.any():
            self._held = None
            return heard[max(0, int(np.argmax(loud)) - self._margin) :]
        self._held = heard[max(0, len(heard) - self._margin) :]
        return heard[:0]
