"""An agent that answers by the clock, behind each of the doors over a socket."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from websockets.asyncio.server import ServerConnection, serve

from budgets.playout import first_audible
from budgets.probe.wire import mulaw_decode, mulaw_encode
from voice.audio import Samples, from_s16, resample, to_s16

Send = Callable[[Samples], Awaitable[None]]
Clear = Callable[[], Awaitable[None]]


@dataclass(frozen=True)
class Act:
    """``at_ms`` after the caller's end of speech, say ``samples`` (or clear, without any)."""

    at_ms: float
    samples: Samples | None


def tone(ms: float, rate_hz: int, *, level: float = 0.3, hz: float = 220) -> Samples:
    count = round(ms * rate_hz / 1000)
    phase = np.arange(count) * 2 * np.pi * hz / rate_hz + 0.5
    return (level * np.sin(phase)).astype(np.float32)


@dataclass
class Brain:
    """Hears when the caller begins, knows how long the caller speaks, and acts on schedule.

    ``turns`` has the acts of each turn; ``speech_ms`` is the length of each turn's speech.
    """

    turns: Sequence[Sequence[Act]]
    speech_ms: float
    rate_hz: int
    heard: list[Samples] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    digits: list[str] = field(default_factory=list)
    _count: int = 0
    _origin: float | None = None
    _turn: int = 0
    _deaf_until: float = 0.0
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def hear(self, samples: Samples, send: Send, clear: Clear) -> None:
        now = asyncio.get_running_loop().time()
        if self._origin is None:
            self._origin = now - len(samples) / self.rate_hz
        at = self._origin + self._count / self.rate_hz
        self.heard.append(samples)
        self._count += len(samples)
        onset = first_audible(samples)
        if onset is None or at < self._deaf_until or self._turn == len(self.turns):
            return
        end = at + onset / self.rate_hz + self.speech_ms / 1000
        self._deaf_until = end + 0.05
        acts, self._turn = self.turns[self._turn], self._turn + 1
        self._tasks.append(asyncio.create_task(self._act(acts, end, send, clear)))

    async def _act(self, acts: Sequence[Act], end: float, send: Send, clear: Clear) -> None:
        loop = asyncio.get_running_loop()
        for act in acts:
            await asyncio.sleep(max(0.0, end + act.at_ms / 1000 - loop.time()))
            if act.samples is None:
                await clear()
            else:
                await send(act.samples)


Handler = Callable[[ServerConnection], Awaitable[None]]


@contextlib.asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[str]:
    """The address of a WebSocket server on loopback."""
    async with serve(handler, "127.0.0.1", 0, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}/call"


def pcm_agent(brain: Brain, *, agent_hz: int) -> Handler:
    """The raw door, from the agent's side."""

    async def handler(socket: ServerConnection) -> None:
        hello = json.loads(await socket.recv())
        assert hello == {"type": "hello", "rate": brain.rate_hz}
        await socket.send(json.dumps({"type": "format", "rate": agent_hz}))

        async def send(samples: Samples) -> None:
            await socket.send(to_s16(samples))

        async def clear() -> None:
            await socket.send(json.dumps({"type": "clear"}))

        async for message in socket:
            assert isinstance(message, bytes)
            brain.hear(from_s16(message), send, clear)

    return handler


def twilio_agent(brain: Brain, *, agent_hz: int = 8000) -> Handler:
    """A Media Streams server: takes the start, answers with media, sets a mark after each."""

    async def handler(socket: ServerConnection) -> None:
        assert json.loads(await socket.recv())["event"] == "connected"
        start = json.loads(await socket.recv())
        assert start["event"] == "start"
        assert start["start"]["mediaFormat"]["encoding"] == "audio/x-mulaw"
        stream = start["start"]["streamSid"]

        async def event(name: str, **content: Any) -> None:
            await socket.send(json.dumps({"event": name, "streamSid": stream, **content}))

        async def send(samples: Samples) -> None:
            payload = mulaw_encode(resample(samples, agent_hz, 8000))
            await event("media", media={"payload": base64.b64encode(payload).decode()})
            await event("mark", mark={"name": f"said {len(samples)}"})

        async def clear() -> None:
            await event("clear")

        async for message in socket:
            received = json.loads(message)
            match received["event"]:
                case "media":
                    payload = base64.b64decode(received["media"]["payload"])
                    assert len(payload) == 160
                    brain.hear(mulaw_decode(payload), send, clear)
                case "mark":
                    brain.marks.append(received["mark"]["name"])
                case "dtmf":
                    brain.digits.append(received["dtmf"]["digit"])
                case "stop":
                    return

    return handler
