"""The part of a call that belongs to one turn: to be heard and to be seen."""

from __future__ import annotations

import base64
import io
import wave
from dataclasses import dataclass

import numpy as np

from budgets.playout import AUDIBLE
from budgets.probe.record import CallRecord, Samples, Utterance

_BEFORE_S = 0.4
_BEFORE_BARGE_IN_S = 1.6
"""Enough of the agent's speech to hear what was interrupted."""
_AFTER_S = 0.6
_LONGEST_S = 30.0
_BINS = 420
"""Columns of a waveform: one for every two pixels of a wide window."""


@dataclass(frozen=True)
class Excerpt:
    """What both ends said around one utterance, from ``start_s`` on the call's clock."""

    start_s: float
    length_s: float
    caller: Samples
    caller_hz: int
    agent: Samples
    agent_hz: int

    def share(self, at_s: float) -> float:
        """Where a moment of the call lies in the excerpt, 0 to 1."""
        return min(1.0, max(0.0, (at_s - self.start_s) / self.length_s))


def excerpt(record: CallRecord, utterance: Utterance) -> Excerpt:
    """The utterance, the wait and the reply, without the quiet after it."""
    before_s = _BEFORE_S if utterance.kind != "barge-in" else _BEFORE_BARGE_IN_S
    start_s = max(0.0, utterance.start_s - before_s)
    until_s = max(utterance.until_s, utterance.speech_end_s + 0.2)
    reply = _cut(record.agent, record.agent_hz, utterance.speech_end_s, until_s)
    loud = np.flatnonzero(np.abs(reply) > AUDIBLE)
    if len(loud):
        heard_until_s = utterance.speech_end_s + int(loud[-1]) / record.agent_hz
        until_s = min(until_s, heard_until_s + _AFTER_S)
    until_s = min(until_s, start_s + _LONGEST_S)
    return Excerpt(
        start_s,
        until_s - start_s,
        _cut(record.caller, record.caller_hz, start_s, until_s),
        record.caller_hz,
        _cut(record.agent, record.agent_hz, start_s, until_s),
        record.agent_hz,
    )


def wav_uri(cut: Excerpt, rate_hz: int) -> str:
    """Both ends mixed to mono as a ``data:`` URI of a 16-bit WAV."""
    count = round(cut.length_s * rate_hz)
    mixed = _resampled(cut.caller, count) + _resampled(cut.agent, count)
    peak = float(np.abs(mixed).max(initial=0.0))
    pcm = np.rint(mixed / max(1.0, peak) * 32767.0).astype("<i2")
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(pcm.tobytes())
    return "data:audio/wav;base64," + base64.b64encode(content.getvalue()).decode("ascii")


def wave_path(samples: Samples, middle: float, half: float, loudest: float) -> str:
    """An SVG path of the envelope, ``_BINS`` units wide around ``middle``, ``half`` high.

    The height is the square root of the level: speech that is quiet can be seen beside loud.
    """
    peaks = [float(np.abs(part).max(initial=0.0)) for part in np.array_split(samples, _BINS)]
    heights = [half * min(1.0, (peak / max(loudest, 1e-6)) ** 0.5) for peak in peaks]
    heights = [height if height > half * 0.06 else half * 0.015 for height in heights]
    upper = [f"{at} {middle - height:.1f}" for at, height in enumerate(heights)]
    lower = [f"{at} {middle + height:.1f}" for at, height in enumerate(heights)]
    return "M" + "L".join([*upper, *reversed(lower)]) + "Z"


WAVE_WIDTH = _BINS - 1


def _cut(samples: Samples, rate_hz: int, start_s: float, until_s: float) -> Samples:
    """Exactly the span asked for; silence where the track is over."""
    start, until = round(start_s * rate_hz), round(until_s * rate_hz)
    found = np.zeros(max(0, until - start), dtype=np.float32)
    part = samples[start:until]
    found[: len(part)] = part
    return found


def _resampled(samples: Samples, count: int) -> Samples:
    """The same span in ``count`` samples, by its spectrum: for listening, not for measuring."""
    if not len(samples) or len(samples) == count:
        return samples if len(samples) else np.zeros(count, np.float32)
    spectrum = np.fft.rfft(samples)[: count // 2 + 1]
    shape = np.fft.irfft(spectrum, count) * (count / len(samples))
    return np.asarray(shape, dtype=np.float32)
