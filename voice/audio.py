"""Audio at the edges: files, sample formats, levels, and resampling that holds nothing back."""

from __future__ import annotations

from math import gcd
from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile
import soxr

from budgets.errors import UserError

Samples = npt.NDArray[np.float32]
"""Mono audio, shape (n,), float32 within [-1, 1]."""


def from_s16(pcm: bytes) -> Samples:
    """Little-endian signed 16-bit PCM as float samples."""
    return np.frombuffer(pcm, dtype="<i2").astype(np.float32) / np.float32(32768.0)


def to_s16(samples: Samples) -> bytes:
    """Float samples as little-endian signed 16-bit PCM, clipped, never wrapped."""
    scaled = np.clip(np.rint(samples * np.float32(32768.0)), -32768, 32767)
    return bytes(scaled.astype("<i2").tobytes())


def read_audio(path: Path) -> tuple[Samples, int]:
    """Samples (mono, channels averaged) and rate in Hz of a WAV, FLAC, OGG or MP3 file.

    Raises UserError for a missing, empty or unreadable file.
    """
    if not path.is_file():
        raise UserError(f"{path}: no such audio file")
    try:
        data, rate_hz = soundfile.read(str(path), dtype="float32", always_2d=True)
    except (soundfile.LibsndfileError, OSError) as fault:
        raise UserError(f"{path}: not a readable audio file ({fault})") from fault
    if not len(data):
        raise UserError(f"{path}: holds no audio")
    return np.ascontiguousarray(data.mean(axis=1, dtype=np.float32)), int(rate_hz)


def write_audio(path: Path, channels: list[Samples], rate_hz: int) -> None:
    """Write 16-bit PCM, one column per channel; shorter channels end in silence."""
    frames = np.zeros((max(map(len, channels)), len(channels)), dtype=np.float32)
    for column, samples in enumerate(channels):
        frames[: len(samples), column] = samples
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(str(path), frames, rate_hz, subtype="PCM_16")
    except (soundfile.LibsndfileError, OSError) as fault:
        raise UserError(f"cannot write {path}: {fault}") from fault


def resample(samples: Samples, from_hz: int, to_hz: int) -> Samples:
    """A whole recording at another rate, in time with the original. Not for streams."""
    if from_hz == to_hz:
        return samples
    return np.asarray(soxr.resample(samples, from_hz, to_hz, quality="HQ"), dtype=np.float32)


class StreamResampler:
    """A windowed-sinc polyphase resampler for streams, whose delay is short, constant and known.

    soxr's streaming modes either hold back up to 115 ms of a 20 ms stream (LQ and better) or do
    not filter at all (QQ). This one gives every output sample as soon as its ``delay_ms`` has
    passed, with an image and alias rejection of about 60 dB.
    """

    _ZEROS = 12  # zero crossings each side: 1.5 ms at 8 kHz; fewer let images of speech through

    def __init__(self, from_hz: int, to_hz: int) -> None:
        common = gcd(from_hz, to_hz)
        self.from_hz, self.to_hz = from_hz, to_hz
        self._up, self._down = to_hz // common, from_hz // common
        stretch = max(1.0, self._down / self._up)
        self._half = int(np.ceil(self._ZEROS * stretch))  # input samples each side
        offsets = np.arange(-self._half + 1, self._half + 1, dtype=np.float64)
        phases = np.arange(self._up, dtype=np.float64)[:, None] / self._up
        distance = (offsets[None, :] - phases) / stretch
        cutoff = 0.94
        window = np.kaiser(4097, 7.0)
        shape = np.interp(np.abs(distance) / self._ZEROS, np.linspace(0, 1, 2049), window[2048:])
        shape[np.abs(distance) > self._ZEROS] = 0.0
        kernel = np.sinc(cutoff * distance) * shape
        self._kernel = (kernel / kernel.sum(axis=1, keepdims=True)).astype(np.float32)
        self._buffer = np.zeros(self._half - 1, dtype=np.float32)
        self._start = -(self._half - 1)  # input index of the buffer's first sample
        self._next = 0  # index of the next output sample

    @property
    def delay_ms(self) -> float:
        """How much of the input's end is held back, at most, in milliseconds."""
        return 0.0 if self._up == self._down else self._half / self.from_hz * 1000.0

    def feed(self, samples: Samples) -> Samples:
        """The output that ``samples`` (shape (n,), any n) makes possible, shape (m,)."""
        if self._up == self._down:
            return samples
        self._buffer = np.concatenate([self._buffer, samples])
        end = self._start + len(self._buffer)
        # Output k sits at input position k*down/up and needs `half` samples beyond its floor.
        last = ((end - self._half) * self._up - 1) // self._down
        if last < self._next:
            return np.zeros(0, dtype=np.float32)
        index = np.arange(self._next, last + 1, dtype=np.int64) * self._down
        floor, phase = index // self._up, index % self._up
        taps = floor[:, None] + np.arange(-self._half + 1, self._half + 1) - self._start
        out = np.einsum("ij,ij->i", self._buffer[taps], self._kernel[phase])
        self._next = last + 1
        keep = (self._next * self._down) // self._up - self._half + 1
        self._buffer = self._buffer[max(0, keep - self._start) :]
        self._start = max(self._start, keep)
        return np.asarray(out, dtype=np.float32)

    def flush(self) -> Samples:
        """The samples still held back, followed by nothing: the stream has ended."""
        return self.feed(np.zeros(self._half, dtype=np.float32)) if self.delay_ms else _NOTHING


_NOTHING: Samples = np.zeros(0, dtype=np.float32)
