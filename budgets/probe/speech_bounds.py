"""Where speech begins and ends in a recording that does not say."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from budgets.probe.record import Samples


def speech_end(samples: Samples, rate_hz: int) -> int:
    """Index after the last speech sample of a recording whose end of speech is not known.

    The last 10 ms window within 35 dB of the loudest one, and over −55 dBFS: room sound and
    breath after the words lie below that.
    """
    window, speech = _speech_windows(samples, rate_hz)
    return (int(speech[-1]) + 1) * window if len(speech) else len(samples)


def speech_start(samples: Samples, rate_hz: int) -> int:
    """Index of the first speech sample, by the same measure; 0 where there is none."""
    window, speech = _speech_windows(samples, rate_hz)
    return int(speech[0]) * window if len(speech) else 0


def _speech_windows(samples: Samples, rate_hz: int) -> tuple[int, npt.NDArray[np.intp]]:
    window = max(1, rate_hz // 100)
    count = len(samples) // window
    if not count:
        return window, np.zeros(0, dtype=np.intp)
    power = (samples[: count * window].reshape(count, window).astype(np.float64) ** 2).mean(axis=1)
    floor = max(power.max() * 10 ** (-35 / 10), 10 ** (-55 / 10))
    return window, np.flatnonzero(power > floor)
