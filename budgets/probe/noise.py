"""Noise at the caller's end, at a stated level below the caller's speech."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from budgets.probe.record import Samples
from budgets.probe.scenario import Noise

_LOOP_S = 11.0
_VOICES = 6
"""Of babble: fewer are words that one follows, more are a hiss."""


def noise_loop(noise: Noise, clips: Sequence[Samples], rate_hz: int, *, seed: int) -> Samples:
    """Noise to be repeated without a seam, shape (n,); ``clips`` are all that the caller says."""
    chance = np.random.default_rng(seed)
    count = round(_LOOP_S * rate_hz)
    if noise.kind == "babble":
        loop = _babble(clips, count, chance)
    elif noise.kind == "pink":
        loop = _pink(count, rate_hz, chance)
    else:
        loop = chance.standard_normal(count)
    power = float(np.mean(loop**2))
    wanted = speech_power(clips, rate_hz) * 10 ** (-noise.snr_db / 10)
    return (loop * np.sqrt(wanted / power) if power else loop).astype(np.float32)


def speech_power(clips: Sequence[Samples], rate_hz: int) -> float:
    """Mean power where there is speech: 10 ms windows within 25 dB of the loudest one."""
    window = rate_hz // 100
    powers = [
        (clip[: len(clip) // window * window].reshape(-1, window).astype(np.float64) ** 2).mean(1)
        for clip in clips
    ]
    power = np.concatenate(powers) if powers else np.zeros(0)
    if not len(power) or not power.max():
        return 0.0
    return float(power[power > power.max() * 10 ** (-25 / 10)].mean())


def _pink(count: int, rate_hz: int, chance: np.random.Generator) -> np.ndarray:
    """Power that falls with frequency, from 50 Hz on."""
    spectrum = np.fft.rfft(chance.standard_normal(count))
    hz = np.fft.rfftfreq(count, 1.0 / rate_hz)
    return np.asarray(np.fft.irfft(spectrum * (hz > 50) / np.sqrt(np.maximum(hz, 50)), count))


def _babble(clips: Sequence[Samples], count: int, chance: np.random.Generator) -> np.ndarray:
    """The spectrum and rhythm of speech, and no words: clips backwards, from anywhere, at once."""
    speech = np.concatenate([clip[::-1] for clip in clips]).astype(np.float64)
    voice = np.resize(speech, count)
    starts = chance.integers(0, count, _VOICES)
    return np.asarray(sum(np.roll(voice, start) for start in starts))
