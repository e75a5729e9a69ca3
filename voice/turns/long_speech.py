"""When a caller talks for long: where to cut off what will be decoded for good.

The cost of a decode grows with what it looks at, and Whisper looks at no more than half a minute.
"""

from __future__ import annotations

from collections import deque
from itertools import islice

from voice.turns.vad import WINDOW

_PER_S = 16000
_LONG_ENOUGH = 10 * _PER_S  # decoded in a pause: as good as it gets, no need to look again
_TOO_LONG = 22 * _PER_S
_CUT_AFTER = 10 * _PER_S
_KEEP = 1 * _PER_S  # the word that is being spoken stays whole
_ACROSS = 5  # windows: the cut lies in the middle of the least voiced 160 ms


class LongSpeech:
    """The voice probabilities of the piece of speech that is not yet committed."""

    def __init__(self) -> None:
        self._piece = 0
        self._first = 0
        self._probabilities: deque[float] = deque()

    def begin(self, piece: int, position: int) -> None:
        """A new piece begins at ``piece``; the stream is at ``position``."""
        known = (position - piece) // WINDOW
        kept = list(self._probabilities)[-known:] if known > 0 else []
        self._piece, self._first = piece, position - len(kept) * WINDOW
        self._probabilities = deque(kept)

    def add(self, probability: float) -> None:
        """The next window."""
        self._probabilities.append(probability)

    def long_enough(self, upto: int) -> bool:
        """Whether a piece that was decoded up to ``upto`` in a pause may be committed."""
        return upto - self._piece >= _LONG_ENOUGH

    def cut(self) -> int | None:
        """The position to commit up to: the least voiced one, once the piece is too long."""
        end = self._first + len(self._probabilities) * WINDOW
        if end - self._piece < _TOO_LONG:
            return None
        start = max(0, (self._piece + _CUT_AFTER - self._first) // WINDOW)
        stop = len(self._probabilities) - _KEEP // WINDOW
        window = list(islice(self._probabilities, start, stop))
        sums = [sum(window[i : i + _ACROSS]) for i in range(len(window) - _ACROSS + 1)]
        least = min(range(len(sums)), key=sums.__getitem__)
        return self._first + (start + least) * WINDOW + _ACROSS * WINDOW // 2
