"""A line with a scripted caller at its far end, in real time, that records both sides."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from budgets.probe.call import speak_script
from budgets.probe.caller import Clip, Script, moves_of
from budgets.probe.record import Samples, Utterance
from budgets.probe.scenario import Manners
from budgets.probe.tracks import CallTracks
from voice.audio import from_s16, to_s16
from voice.line.line import Receive

_AHEAD_NS = 20_000_000
"""The line takes this much more than it has played, as a loudspeaker's buffer would."""


class RehearsedLine:
    """Plays a script into the call and keeps the tracks of what was said and heard."""

    def __init__(
        self,
        clips: Sequence[Clip],
        *,
        manners: Manners | None = None,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._clips = clips
        self._manners = manners or Manners()
        self._clock_ns = clock_ns
        self._receive: Receive | None = None
        self._tracks: CallTracks | None = None
        self.opened = asyncio.Event()

    @property
    def tracks(self) -> CallTracks:
        """Both sides of the call so far."""
        if self._tracks is None:
            raise RuntimeError("the call has not begun")
        return self._tracks

    async def open(self, *, in_hz: int, out_hz: int, receive: Receive) -> None:
        """Begin the call's clock."""
        self._tracks = CallTracks(caller_hz=in_hz, agent_hz=out_hz, origin_ns=self._clock_ns())
        self._receive = receive
        self.opened.set()

    async def place_call(self) -> list[Utterance]:
        """Speak the whole script; returns when the last answer is over."""
        await self.opened.wait()
        script = Script(moves_of(self._clips), self.tracks.caller_hz, self._manners)
        return await speak_script(script, self.tracks, self._send, clock_ns=self._clock_ns)

    async def write(self, pcm: bytes) -> None:
        """Hear the agent, at the pace at which it is played."""
        self.tracks.heard(from_s16(pcm), self._clock_ns())
        ahead_ns = self.tracks.waiting_ns(self._clock_ns()) - _AHEAD_NS
        await asyncio.sleep(max(0, ahead_ns) / 1e9)

    def clear(self) -> None:
        """Drop what is still to be played."""
        if self._tracks is not None:
            self._tracks.clear(self._clock_ns())

    async def close(self) -> None:
        """Stop sending."""
        self._receive = None

    async def _send(self, samples: Samples) -> None:
        if self._receive is not None:
            await self._receive(to_s16(samples))
