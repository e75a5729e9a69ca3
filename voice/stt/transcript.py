"""What a transcriber returns, and what a Listener needs of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from voice.audio import Samples


@dataclass(frozen=True)
class Transcript:
    """The text of a piece of speech and how it came about."""

    text: str
    """Empty where nothing was said, also where the model made words up."""
    avg_logprob: float = 0.0
    """Mean log probability of the tokens (and of the end), the lowest of the pieces."""
    no_speech_prob: float = 0.0
    """The model's probability that nobody speaks, the highest of the pieces."""
    compression_ratio: float = 0.0
    """Of the text, by zlib; repetition makes it high."""
    window_ms: float = 0.0
    """How much audio the encoder looked at, padding included."""
    repaired: bool = False
    """The first decode repeated itself, and this is the second."""
    rejected: str | None = None
    """Why a text was taken for noise and dropped; None where it was not."""
    decode_ms: float = 0.0


class SupersededError(Exception):
    """The decode was called off before it was done."""


class Transcriber(Protocol):
    """Speech to text, synchronous: it is called in a thread of its own."""

    def transcribe(
        self, samples: Samples, *, cancelled: Callable[[], bool] | None = None
    ) -> Transcript:
        """The text of ``samples`` (16 kHz). May raise SupersededError when ``cancelled()``."""
        ...
