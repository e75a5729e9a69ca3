"""From the probability of speech in each window to: has begun, goes on, has paused."""

from __future__ import annotations

from collections import deque

_HYSTERESIS = 0.15  # Silero's own: speech goes on at a lower probability than it begins with
_PAUSED_AFTER = 2  # windows; after these, going on needs what beginning again needs
_AGAIN_OF = 3  # windows, two of which must be voiced: one alone is a click


class Voicing:
    """A pure state machine over VAD windows.

    Args:
        threshold: the probability from which a window is speech.
        start_windows: voiced windows that make a beginning, among the last twice as many.
    """

    def __init__(self, *, threshold: float, start_windows: int) -> None:
        self._threshold = threshold
        self._start_windows = start_windows
        self._recent: deque[bool] = deque(maxlen=2 * start_windows)
        self._again: deque[bool] = deque(maxlen=_AGAIN_OF)
        self._unvoiced = 0

    def begins(self, probability: float) -> int | None:
        """Out of speech: how many windows ago it began, this one counted; None if it has not."""
        self._recent.append(probability >= self._threshold)
        if sum(self._recent) < self._start_windows:
            return None
        began = len(self._recent) - self._recent.index(True)
        self._settle()
        return began

    def goes_on(self, probability: float) -> bool:
        """In speech: whether the speech lasts at least to the end of this window."""
        self._again.append(probability >= self._threshold)
        if self._unvoiced < _PAUSED_AFTER:
            voiced = probability >= self._threshold - _HYSTERESIS
        else:
            voiced = sum(self._again) >= 2 and self._again[-1]
        self._unvoiced = 0 if voiced else self._unvoiced + 1
        return voiced

    def reset(self) -> None:
        """The speech is over; another may begin."""
        self._settle()

    def _settle(self) -> None:
        self._recent.clear()
        self._again.clear()
        self._unvoiced = 0
