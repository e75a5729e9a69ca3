"""What a door hands to the caller: the agent's audio, at one rate."""

from __future__ import annotations

from collections.abc import Callable

from voice.audio import Samples, StreamResampler


class Ear:
    """Stands between a door and the caller's ``on_audio``.

    The agent's track has one rate, which is named before the first audio; an agent that changes
    its own in mid-call is resampled (delay: 1.5 ms at 8 kHz).
    """

    def __init__(self, rate_hz: int, on_audio: Callable[[Samples], None]) -> None:
        self.rate_hz = rate_hz
        self._on_audio = on_audio
        self._resampler: StreamResampler | None = None

    def audio(self, samples: Samples, rate_hz: int) -> None:
        """The agent has sent ``samples``, shape (n,), at ``rate_hz``."""
        if rate_hz != self.rate_hz:
            if self._resampler is None or self._resampler.from_hz != rate_hz:
                self._resampler = StreamResampler(rate_hz, self.rate_hz)
            samples = self._resampler.feed(samples)
        if len(samples):
            self._on_audio(samples)
