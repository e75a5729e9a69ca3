"""What a line does to audio: G.711 μ-law, the telephone band, frames that are late or lost."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from budgets.probe.record import Samples
from budgets.probe.scenario import LineEffects

_BIAS, _CLIP = 132, 32635
_BAND_HZ = (300.0, 3400.0)


def mulaw_encode(samples: Samples) -> bytes:
    """Float samples, shape (n,), as n bytes of G.711 μ-law."""
    linear = np.clip(np.rint(samples * np.float32(32768.0)), -_CLIP, _CLIP).astype(np.int32)
    magnitude = np.abs(linear) + _BIAS
    exponent = np.clip(np.frexp(magnitude)[1] - 8, 0, 7)
    mantissa = (magnitude >> (exponent + 3)) & 0x0F
    code = np.where(linear < 0, 0x80, 0) | (exponent << 4) | mantissa
    return bytes((~code & 0xFF).astype(np.uint8).tobytes())


def _decoded_codes() -> npt.NDArray[np.float32]:
    code = ~np.arange(256, dtype=np.int32) & 0xFF
    exponent, mantissa = (code >> 4) & 7, code & 0x0F
    magnitude = (((mantissa << 3) + _BIAS) << exponent) - _BIAS
    linear = np.where(code & 0x80, -magnitude, magnitude)
    return (linear / 32768.0).astype(np.float32)


_DECODED = _decoded_codes()


def mulaw_decode(data: bytes) -> Samples:
    """n bytes of G.711 μ-law as float samples, shape (n,)."""
    return _DECODED[np.frombuffer(data, dtype=np.uint8)]


def telephone_band(samples: Samples, rate_hz: int) -> Samples:
    """A whole recording through 300 to 3400 Hz, in time with the original. Not for streams."""
    # As much again of silence, so that the end does not wrap round to the beginning.
    padded = 2 * len(samples)
    spectrum = np.fft.rfft(samples, padded)
    hz = np.fft.rfftfreq(padded, 1.0 / rate_hz)
    low, high = _BAND_HZ
    # Slopes, not cliffs: a brick wall rings for tens of milliseconds before and after a word.
    gain = np.clip((hz - low / 2) / (low / 2), 0, 1) * np.clip((high + 400 - hz) / 400, 0, 1)
    return np.fft.irfft(spectrum * gain, padded)[: len(samples)].astype(np.float32)


class Wire:
    """One call's line from the caller to the agent, 20 ms frame by frame. Seeded: repeatable.

    The band is limited beforehand (``telephone_band``, on what the caller has to say); what is
    left for the frames is μ-law itself, which at 16 kHz spreads its quantising noise over the
    whole band.
    """

    def __init__(self, effects: LineEffects, *, seed: int) -> None:
        self._effects = effects
        self._chance = np.random.default_rng(seed)

    def carry(self, frame: Samples) -> tuple[Samples, float]:
        """The frame as it arrives, and by how many seconds it is late."""
        effects = self._effects
        late_s = float(self._chance.uniform(0, effects.jitter_ms / 1000.0))
        if self._chance.random() < effects.loss:
            return np.zeros_like(frame), late_s
        if effects.codec == "mulaw":
            return mulaw_decode(mulaw_encode(frame)), late_s
        return frame, late_s
