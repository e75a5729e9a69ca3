"""Where speech ended, to a few milliseconds: voice activity says roughly, the level exactly.

A VAD window is 32 ms long and its probability falls late after a vowel and early before a soft
consonant. The true end is where the level falls to the noise, or so far below the speech that
what follows is the room.
"""

from __future__ import annotations

from collections import deque

import numpy as np
import numpy.typing as npt

from voice.audio import Samples

FRAME = 64
"""Samples of a level frame: 4 ms at 16 kHz, eight to a VAD window."""

_MEMORY = 750  # frames: 3 s
_LOOK_BACK = 500  # frames: how loud the speech was in its last 2 s
_AROUND = 40  # frames: 160 ms each side of where the VAD saw the end
_NOISE_FRAMES = 25  # 100 ms of what is heard now
# On clean speech with a known end (141 clips): median error 7 ms, 95 % within 35 ms, against 36
# and 72 ms of the VAD alone; in white noise 20 dB below the speech, median -6 ms.
_ABOVE_NOISE_DB = 5.0
_BELOW_SPEECH_DB = 34.0
_QUIETEST_DB = -100.0


class SpeechEnd:
    """Keeps the levels of the last three seconds and finds the last sample of speech in them."""

    def __init__(self) -> None:
        self._powers: deque[float] = deque(maxlen=_MEMORY)
        self._frames = 0

    def add(self, window: Samples) -> None:
        """Take the next samples; their number is a multiple of 64."""
        powers = np.mean(window.reshape(-1, FRAME) ** 2, axis=1)
        self._powers.extend(powers.tolist())
        self._frames += len(powers)

    def near(self, voiced_end: int) -> int:
        """The position just after the last speech sample, near where the VAD puts it."""
        first = self._frames - len(self._powers)
        levels = _decibels(self._powers)
        middle = voiced_end // FRAME - first
        loudness = levels[max(0, middle - _LOOK_BACK) : max(1, middle)]
        noise = min(float(np.median(levels[-_NOISE_FRAMES:])), float(np.percentile(levels, 10)))
        speech = float(np.percentile(loudness, 98))
        threshold = max(noise + _ABOVE_NOISE_DB, speech - _BELOW_SPEECH_DB)
        start = max(0, middle - _AROUND)
        loud = np.flatnonzero(levels[start : middle + _AROUND] >= threshold)
        if not len(loud):
            return voiced_end
        return (first + start + int(loud[-1]) + 1) * FRAME


def _decibels(powers: deque[float]) -> npt.NDArray[np.float64]:
    smooth = np.convolve(np.asarray(powers), [0.25, 0.5, 0.25], mode="same")
    return np.asarray(10.0 * np.log10(smooth + 10.0 ** (_QUIETEST_DB / 10.0)))
