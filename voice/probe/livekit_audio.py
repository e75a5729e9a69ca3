"""A LiveKit session's audio input and output, with the outside caller at the far end."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from time import time as wall_s  # LiveKit's events carry wall time; nothing here is measured by it

import numpy as np
from livekit import rtc
from livekit.agents.voice.io import AudioInput, AudioOutput, AudioOutputCapabilities

from budgets.playout import Playout
from voice.audio import Samples, StreamResampler, from_s16, to_s16
from voice.probe.ear import Ear

AGENT_HZ = 24000
"""The rate at which LiveKit publishes an agent's audio in a room."""
_CALLER_HZ = 16000
_CHUNK = AGENT_HZ // 50
_AHEAD_NS = 60_000_000
"""Handed over ahead of its time, so that a late wake-up leaves no gap."""


class CalledInput(AudioInput):
    """What the caller says, frame by frame."""

    def __init__(self, caller_hz: int) -> None:
        super().__init__(label="under800 caller")
        self._resampler = StreamResampler(caller_hz, _CALLER_HZ)
        self._frames: asyncio.Queue[Samples] = asyncio.Queue()

    def say(self, samples: Samples) -> None:
        """The caller's next samples."""
        if len(samples := self._resampler.feed(samples)):
            self._frames.put_nowait(samples)

    async def __anext__(self) -> rtc.AudioFrame:
        samples = await self._frames.get()
        return rtc.AudioFrame(to_s16(samples), _CALLER_HZ, 1, len(samples))


class CalledOutput(AudioOutput):
    """Plays what the session says to the caller, in real time, as a room does: it can be paused,
    and reports how much of each segment was heard."""

    def __init__(
        self,
        ear: Ear,
        on_clear: Callable[[], None],
        *,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        super().__init__(
            label="under800 caller",
            capabilities=AudioOutputCapabilities(pause=True),
            sample_rate=AGENT_HZ,
        )
        self._ear = ear
        self._on_clear = on_clear
        self._clock_ns = clock_ns
        self._playout = Playout(AGENT_HZ)
        self._queue: deque[Samples] = deque()
        self._captured = 0  # samples of the open segment
        self._played = 0
        self._flushed = False
        self._ended = asyncio.Event()
        self._hung_up = False
        self._unpaused = asyncio.Event()
        self._unpaused.set()
        self._player: asyncio.Task[None] | None = None

    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        """Takes audio of the open segment; it comes faster than it is played."""
        if self._flushed:
            await self._ended.wait()  # one segment at a time, as each is reported apart
        await super().capture_frame(frame)
        samples = from_s16(bytes(frame.data))
        if frame.num_channels > 1:
            samples = samples.reshape(-1, frame.num_channels).mean(axis=1, dtype=np.float32)
        self._captured += len(samples)
        self._queue.append(samples)
        self._ended.clear()
        self._play()

    def flush(self) -> None:
        """The open segment is complete."""
        super().flush()
        if self._captured:
            self._flushed = True
            self._play()

    def clear_buffer(self) -> None:
        """The open segment stops at once."""
        if not self._captured:
            return
        now_ns = self._clock_ns()
        waiting = self._playout.waiting_ns(now_ns) * AGENT_HZ // 1_000_000_000
        self._playout.clear(now_ns)
        self._on_clear()
        self._finish(self._played - min(waiting, self._played), interrupted=True)

    def pause(self) -> None:
        """Hold what is not played yet."""
        super().pause()
        self._unpaused.clear()

    def resume(self) -> None:
        """Go on where it was held."""
        super().resume()
        self._unpaused.set()

    def hang_up(self) -> None:
        """Nobody listens any more; what is left counts as played."""
        self._hung_up = True
        self._unpaused.set()

    def _play(self) -> None:
        if self._player is None or self._player.done():
            self._player = asyncio.create_task(self._play_queue())

    async def _play_queue(self) -> None:
        while self._queue:
            await self._unpaused.wait()
            if not self._queue:
                break
            samples = self._queue.popleft()
            if len(samples) > _CHUNK:
                samples, rest = samples[:_CHUNK], samples[_CHUNK:]
                self._queue.appendleft(rest)
            if not self._played:
                self.on_playback_started(created_at=wall_s())
            self._played += len(samples)
            if not self._hung_up:
                self._ear.audio(samples, AGENT_HZ)
                self._playout.play(len(samples), self._clock_ns())
                await self._until_left(_AHEAD_NS)
        if self._flushed:
            await self._until_left(0)
            if self._flushed and not self._queue:
                self._finish(self._played, interrupted=False)

    async def _until_left(self, ahead_ns: int) -> None:
        left_ns = self._playout.waiting_ns(self._clock_ns()) - ahead_ns
        await asyncio.sleep(0 if self._hung_up else max(0, left_ns) / 1e9)

    def _finish(self, played: int, *, interrupted: bool) -> None:
        if self._player is not None and self._player is not asyncio.current_task():
            self._player.cancel()
            self._player = None
        self._queue.clear()
        self._captured = self._played = 0
        self._flushed = False
        self._ended.set()
        self.on_playback_finished(playback_position=played / AGENT_HZ, interrupted=interrupted)
