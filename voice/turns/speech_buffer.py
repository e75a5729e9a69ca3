"""The audio that may still be decoded, by position in the stream."""

from __future__ import annotations

from collections import deque

import numpy as np

from voice.audio import Samples


class SpeechBuffer:
    """A stream's latest audio: append at the end, let go at the start."""

    def __init__(self) -> None:
        self._windows: deque[Samples] = deque()
        self.start = 0
        """The position of the first sample still here."""
        self.end = 0
        """The position after the last sample."""

    def append(self, window: Samples) -> None:
        """Take the next samples."""
        self._windows.append(window)
        self.end += len(window)

    def forget_before(self, position: int) -> None:
        """Let go of whole windows that end at or before ``position``."""
        while self._windows and self.start + len(self._windows[0]) <= position:
            self.start += len(self._windows.popleft())

    def between(self, start: int, end: int) -> Samples:
        """A copy of the samples from ``start`` to ``end``, as far as they are here."""
        if not self._windows:
            return np.zeros(0, dtype=np.float32)
        samples = np.concatenate(self._windows)
        return samples[max(0, start - self.start) : max(0, end - self.start)].copy()
