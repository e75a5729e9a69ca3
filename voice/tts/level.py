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

_ENOUGH_MS = 150.0
"""Played first, at least: a slice takes 40 to 60 ms to make, and longer on a busy machine."""


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
    """Drops the near-silence at the start of a stream, but for 10 ms before the first sound.

    Where little is left of a slice after that, it is kept until there is enough to play while the
    next one is made: a start that stumbles is worse than one that comes 40 ms later.
    """

    def __init__(self, rate_hz: int) -> None:
        self._margin = int(_MARGIN_MS * rate_hz / 1000)
        self._enough = int(_ENOUGH_MS * rate_hz / 1000)
        self._begun = False
        self._open = False
        self._held: Samples = np.zeros(0, dtype=np.float32)

    def feed(self, samples: Samples) -> Samples:
        """What may be played of the next slice, shape (m,) with m from 0."""
        if self._open:
            return samples
        self._held = np.concatenate([self._held, samples])
        if not self._begun:
            loud = np.abs(self._held) > _ONSET
            self._begun = bool(loud.any())
            onset = int(np.argmax(loud)) if self._begun else len(self._held)
            self._held = self._held[max(0, onset - self._margin) :]
        if self._begun and len(self._held) >= self._enough:
            return self.flush()
        return self._held[:0]

    def flush(self) -> Samples:
        """The stream is over: what is still held of it, which is nothing if it was silent."""
        held, self._held = self._held, self._held[:0]
        self._open = self._begun
        return held if self._begun else held[:0]
