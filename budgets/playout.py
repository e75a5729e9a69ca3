"""When the other end of a line hears what is handed to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

AUDIBLE = 10 ** (-40 / 20)
"""The level from which a sample counts as heard: −40 dB of full scale."""


def first_audible(samples: npt.NDArray[np.float32]) -> int | None:
    """Index of the first sample over −40 dBFS in mono float audio; None if there is none."""
    loud = np.abs(samples) > AUDIBLE
    return int(np.argmax(loud)) if loud.any() else None


@dataclass
class Playout:
    """The player at the far end: it plays chunks back to back, each no earlier than it came."""

    rate_hz: int
    _free_ns: int = 0

    def play(self, samples: int, now_ns: int) -> int:
        """When the first sample of a chunk handed over at ``now_ns`` is heard."""
        start_ns = max(now_ns, self._free_ns)
        self._free_ns = start_ns + samples * 1_000_000_000 // self.rate_hz
        return start_ns

    def waiting_ns(self, now_ns: int) -> int:
        """How much audio has been handed over and not yet played."""
        return max(0, self._free_ns - now_ns)

    def clear(self, now_ns: int) -> None:
        """Drop what has not been played."""
        self._free_ns = min(self._free_ns, now_ns)
