"""Whether an agent says the same thing twice, heard from its sound alone."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from budgets.playout import AUDIBLE
from budgets.probe.record import Samples

_HOP_S = 0.02
_BANDS = 24
_TOP_HZ = 3400.0  # what a telephone line leaves
_LEAST_S = 0.4
"""A shorter stretch may come twice by chance ("no, no")."""
_SHARE = 0.75
"""Of a reply, how much the two must make up: a phrase that recurs is not a reply that does."""
_ALIKE = 0.82
"""The correlation from which two stretches are the same words in the same voice. Measured: the
same sentences spoken twice by a Piper voice, at its usual randomness, 0.84 to 0.97; sixty
recordings of people who do not repeat themselves, up to 0.5; "It costs five pounds. It costs nine
pounds." 0.78."""
_WORTH_A_LOOK = 0.4
_BLOCK_S, _DRIFT_S = 0.6, 0.08
"""A voice does not keep time exactly: stretches are matched block by block, each block at most
this much earlier or later than the one before it."""

Features = npt.NDArray[np.float64]


def says_twice(reply: Samples, rate_hz: int) -> bool:
    """Whether ``reply`` (shape (n,), trimmed to what is audible) is one thing said twice.

    The spectrum of its first part is compared with that of what follows, at every distance.
    Compared are differences from the reply's mean spectrum, so that a voice, or a steady tone,
    is not taken for its words.
    """
    features, voiced = _features(reply, rate_hz)
    frames = len(features)
    least = round(_LEAST_S / _HOP_S)
    total = int(voiced.sum())
    for lag in range(least, frames - least + 1):
        # The second saying is what follows at this distance, up to the length of the first.
        length = min(lag, frames - lag)
        both = voiced[:length] & voiced[lag : lag + length]
        either = voiced[:length] | voiced[lag : lag + length]
        shared = int(both.sum())
        if shared < least or shared < 0.85 * int(either.sum()) or 2 * shared < _SHARE * total:
            continue
        alike = _correlation(features[:length][both], features[lag : lag + length][both])
        if _WORTH_A_LOOK < alike <= _ALIKE:
            alike = _alike_in_blocks(features, voiced, lag, length)
        if alike > _ALIKE:
            return True
    return False


def _alike_in_blocks(
    features: Features, voiced: npt.NDArray[np.bool_], lag: int, length: int
) -> float:
    """The mean correlation of blocks with their best match near ``lag``, weighted by length."""
    block, reach = round(_BLOCK_S / _HOP_S), round(_DRIFT_S / _HOP_S)
    total = weight = 0.0
    drift = 0
    for at in range(0, length, block):
        first = voiced[at : min(at + block, length)]
        best = (-1.0, drift, 0)
        for moved in range(drift - reach, drift + reach + 1):
            begin = max(0, at + lag + moved)
            second = voiced[begin : begin + len(first)]
            both = first[: len(second)] & second
            a, b = features[at : at + len(both)][both], features[begin : begin + len(both)][both]
            best = max(best, (_correlation(a, b), moved, int(both.sum())))
        alike, drift, frames = best
        total += alike * frames
        weight += frames
    return total / weight if weight else 0.0


def _features(reply: Samples, rate_hz: int) -> tuple[Features, npt.NDArray[np.bool_]]:
    """Log spectrum in bands, shape (frames, bands), and which frames are audible."""
    hop = round(_HOP_S * rate_hz)
    width = 2 * hop
    frames = max(0, (len(reply) - width) // hop + 1)
    if not frames:
        return np.zeros((0, _BANDS)), np.zeros(0, dtype=bool)
    windows = np.lib.stride_tricks.sliding_window_view(reply, width)[::hop][:frames]
    power = np.abs(np.fft.rfft(windows * np.hanning(width), axis=1)) ** 2
    hz = np.fft.rfftfreq(width, 1.0 / rate_hz)
    edges = np.geomspace(150.0, _TOP_HZ, _BANDS + 1)
    band = np.digitize(hz, edges) - 1
    sums = np.stack([power[:, band == index].sum(axis=1) for index in range(_BANDS)], axis=1)
    voiced = np.abs(windows).max(axis=1) > AUDIBLE
    # A floor 50 dB below the loudest: noise in empty bands must not look like structure.
    log = np.log(sums + max(1e-12, float(sums.max()) * 1e-5))
    mean = log[voiced].mean(axis=0) if voiced.any() else 0.0
    return log - mean, voiced


def _correlation(first: Features, second: Features) -> float:
    """Of two stretches, frame by frame; 0 where there is too little to compare."""
    energy = float(np.sqrt((first**2).sum() * (second**2).sum()))
    if energy <= 0.1 * first.size:
        return 0.0
    return float((first * second).sum()) / energy
