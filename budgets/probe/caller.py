"""A caller who reads from a script and listens: the next clip only when the agent has spoken."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from budgets.playout import first_audible
from budgets.probe.acoustics import CallerTurn
from budgets.probe.tracks import CallTracks

Samples = npt.NDArray[np.float32]

FRAME_MS = 20


@dataclass(frozen=True)
class Clip:
    """One recorded turn of the caller, at the line's rate."""

    name: str
    samples: Samples
    speech_end: int
    """Index after the last speech sample."""


@dataclass(frozen=True)
class Manners:
    """How a caller waits. Seconds."""

    after_reply_s: float = 1.2
    """Quiet after which a reply is over: longer than the gap between two of its sentences."""
    patience_s: float = 10.0
    """How long to wait for an answer (or the greeting) before going on without one."""


class Script:
    """Decides which samples the caller sends next. Pure: told the time, asks for nothing."""

    def __init__(self, clips: Sequence[Clip], rate_hz: int, manners: Manners) -> None:
        self._clips = list(clips)
        self._rate_hz = rate_hz
        self._manners = manners
        self._sent = 0  # samples
        self._clip: Clip | None = None
        self._clip_start = 0
        self._waiting_since = 0  # sample of the end of speech, or of the call's start
        self._heard_at: int | None = None  # sample at which the agent was last audible
        self._spoken: list[tuple[Clip, int, int]] = []
        self.turns: list[CallerTurn] = []
        self.done = False

    def agent_audible(self) -> None:
        """The agent can be heard now."""
        self._heard_at = self._sent

    def next_frame(self, size: int) -> Samples:
        """The next ``size`` samples: of a clip, or silence while listening."""
        if self._clip is None and self._ready():
            self._advance()
        frame = np.zeros(size, dtype=np.float32)
        if self._clip is not None:
            at = self._sent - self._clip_start
            part = self._clip.samples[at : at + size]
            frame[: len(part)] = part
            if at + size >= len(self._clip.samples):
                self._waiting_since = self._clip_start + self._clip.speech_end
                self._clip = None
        self._sent += size
        return frame

    def _ready(self) -> bool:
        """Whether the caller is done listening."""
        heard = self._heard_at
        if heard is not None and heard >= self._waiting_since:
            return self._sent - heard >= self._manners.after_reply_s * self._rate_hz
        return self._sent - self._waiting_since >= self._manners.patience_s * self._rate_hz

    def _advance(self) -> None:
        if self._spoken:
            clip, start, end = self._spoken[-1]
            rate = self._rate_hz
            self.turns.append(CallerTurn(clip.name, start / rate, end / rate, self._sent / rate))
        if len(self._spoken) == len(self._clips):
            self.done = True
            return
        self._clip = self._clips[len(self._spoken)]
        self._clip_start = self._sent
        self._spoken.append(
            (self._clip, self._clip_start, self._clip_start + self._clip.speech_end)
        )


async def place_call(
    clips: Sequence[Clip],
    tracks: CallTracks,
    send: Callable[[Samples], Awaitable[None]],
    *,
    manners: Manners | None = None,
    clock_ns: Callable[[], int] = time.monotonic_ns,
) -> list[CallerTurn]:
    """Speak the clips into ``send`` in real time, 20 ms frames, silence in between.

    Returns the turns with their times. A frame is sent when its last sample has been spoken,
    as a microphone does; a late one is caught up with, never dropped.
    """
    rate_hz = tracks.caller_hz
    size = rate_hz * FRAME_MS // 1000
    script = Script(clips, rate_hz, manners or Manners())
    heard_upto = 0
    count = 0
    while not script.done:
        frame = script.next_frame(size)
        count += 1
        due_ns = tracks.origin_ns + count * FRAME_MS * 1_000_000
        await asyncio.sleep(max(0.0, (due_ns - clock_ns()) / 1e9))
        tracks.said(frame)
        await send(frame)
        audible, heard_upto = _audible_since(tracks, heard_upto, clock_ns())
        if audible:
            script.agent_audible()
    return script.turns


def _audible_since(tracks: CallTracks, upto: int, now_ns: int) -> tuple[bool, int]:
    now = max(upto, (now_ns - tracks.origin_ns) * tracks.agent_hz // 1_000_000_000)
    return first_audible(tracks.agent_between(upto, now)) is not None, now
