"""A line of ours whose far end is the outside caller."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from budgets.playout import Playout
from budgets.probe.record import TargetError
from voice.audio import Samples, StreamResampler, from_s16, to_s16
from voice.line.line import Receive

_AHEAD_NS = 60_000_000
"""The line takes this much more than it has played, as a jitter buffer would: a late wake-up of
this process must not be heard as a gap in the agent's speech."""


class CalledLine:
    """A :class:`voice.line.line.Line` that hands the agent's audio to a caller, and the caller's
    to the agent, at the rates that each has."""

    def __init__(
        self,
        caller_hz: int,
        on_audio: Callable[[Samples], None],
        on_clear: Callable[[], None],
        *,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._caller_hz = caller_hz
        self._on_audio, self._on_clear = on_audio, on_clear
        self._clock_ns = clock_ns
        self._receive: Receive | None = None
        self._resampler: StreamResampler | None = None
        self._playout: Playout | None = None
        self._hung_up = False
        self.opened = asyncio.Event()

    @property
    def agent_hz(self) -> int:
        """The rate of the agent's audio."""
        if self._playout is None:
            raise RuntimeError("the call has not begun")
        return self._playout.rate_hz

    async def open(self, *, in_hz: int, out_hz: int, receive: Receive) -> None:
        """The agent is ready."""
        self._receive = receive
        self._resampler = StreamResampler(self._caller_hz, in_hz)
        self._playout = Playout(out_hz)
        self.opened.set()

    async def write(self, pcm: bytes) -> None:
        """The agent speaks; returns at the pace at which it is played, to a caller who is gone
        at once."""
        if self._hung_up or self._playout is None:
            return
        samples = from_s16(pcm)
        self._on_audio(samples)
        self._playout.play(len(samples), self._clock_ns())
        ahead_ns = self._playout.waiting_ns(self._clock_ns()) - _AHEAD_NS
        await asyncio.sleep(max(0, ahead_ns) / 1e9)

    def clear(self) -> None:
        """The agent takes back what has not been played."""
        if self._playout is not None:
            self._playout.clear(self._clock_ns())
            self._on_clear()

    async def close(self) -> None:
        """The agent has ended the call."""
        self._receive = None

    async def say(self, samples: Samples) -> None:
        """The caller's next samples. TargetError if the agent is no longer there."""
        if self._receive is None or self._resampler is None:
            raise TargetError(
                "vanished", "the agent ended the call in mid-call; see its own log for the reason"
            )
        if len(samples := self._resampler.feed(samples)):
            await self._receive(to_s16(samples))

    def hang_up(self) -> None:
        """Nobody listens any more."""
        self._hung_up = True
