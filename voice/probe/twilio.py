"""Twilio's side of a Media Stream, ``twilio+ws://``: 8 kHz μ-law in 20 ms frames, as JSON.

Sent to the agent: ``connected``, ``start``, then ``media`` all the time, ``mark`` when what the
agent sent before it has been played, ``dtmf``, and ``stop``. Taken from it: ``media``, ``mark``,
``clear``. Source: Twilio's documentation of Media Streams' WebSocket messages, bidirectional.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import math
import time
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np

from budgets.playout import Playout
from budgets.probe.record import TargetError
from budgets.probe.wire import mulaw_decode, mulaw_encode
from voice.audio import Samples, StreamResampler
from voice.probe.connection import Connection, malformed, shown

HZ = 8000
_FRAME = HZ // 50


class Marks:
    """When the marks that an agent set are reached. Pure: told the time, asks for nothing."""

    def __init__(self) -> None:
        self._playout = Playout(HZ)
        self._set: list[tuple[int, str]] = []

    def media(self, samples: int, now_ns: int) -> None:
        """So much audio has come."""
        self._playout.play(samples, now_ns)

    def mark(self, name: str, now_ns: int) -> None:
        """It is reached when all audio up to here has been played."""
        self._set.append((now_ns + self._playout.waiting_ns(now_ns), name))

    def clear(self, now_ns: int) -> None:
        """The audio is dropped; Twilio then reports every mark at once."""
        self._playout.clear(now_ns)
        self._set = [(min(at_ns, now_ns), name) for at_ns, name in self._set]

    def reached(self, now_ns: int) -> list[str]:
        """The marks that are due, in order; each is reported once."""
        due = [name for at_ns, name in self._set if at_ns <= now_ns]
        self._set = self._set[len(due) :]
        return due


class TwilioTarget:
    """An agent that speaks Twilio Media Streams; ``url`` is ``ws://`` or ``wss://``."""

    def __init__(
        self,
        url: str,
        *,
        patience_s: float = 10.0,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._connection = Connection(url, patience_s=patience_s)
        self._clock_ns = clock_ns
        self._marks = Marks()
        self._on_audio: Callable[[Samples], None] = lambda _: None
        self._on_clear: Callable[[], None] = lambda: None
        self._resampler: StreamResampler | None = None
        self._pending: Samples = np.zeros(0, dtype=np.float32)
        self._ids = {"streamSid": _sid("MZ"), "callSid": _sid("CA"), "accountSid": _sid("AC")}
        self._sequence = 0
        self._chunk = 0
        self._started = False

    async def open(
        self,
        caller_hz: int,
        on_audio: Callable[[Samples], None],
        on_clear: Callable[[], None],
    ) -> int:
        """Begin the call. See :class:`budgets.probe.record.Target`."""
        self._on_audio, self._on_clear = on_audio, on_clear
        self._resampler = StreamResampler(caller_hz, HZ)
        # What the resampler holds back would make every frame wait for the caller's next one.
        self._pending = np.zeros(math.ceil(self._resampler.delay_ms * HZ / 1000), dtype=np.float32)
        await self._connection.open(self._receive)
        await self._connection.send(
            json.dumps({"event": "connected", "protocol": "Call", "version": "1.0.0"})
        )
        await self._event(
            "start",
            {
                **self._ids,
                "tracks": ["inbound"],
                "customParameters": {},
                "mediaFormat": {"encoding": "audio/x-mulaw", "sampleRate": HZ, "channels": 1},
            },
        )
        self._started = True
        return HZ

    async def send(self, samples: Samples) -> None:
        """The caller's next samples, in frames of 20 ms, and the marks reached by now."""
        assert self._resampler is not None
        self._pending = np.concatenate([self._pending, self._resampler.feed(samples)])
        while len(self._pending) >= _FRAME:
            frame, self._pending = self._pending[:_FRAME], self._pending[_FRAME:]
            self._chunk += 1
            await self._event(
                "media",
                {
                    "track": "inbound",
                    "chunk": str(self._chunk),
                    "timestamp": str(self._chunk * 20),
                    "payload": base64.b64encode(mulaw_encode(frame)).decode("ascii"),
                },
            )
        for name in self._marks.reached(self._clock_ns()):
            await self._event("mark", {"name": name})
        self._connection.check()

    async def press(self, digit: str) -> None:
        """The caller presses a key: 0 to 9, ``*``, ``#`` or A to D."""
        await self._event("dtmf", {"track": "inbound_track", "digit": digit})

    async def close(self) -> None:
        """Hang up: ``stop``, as far as the agent is still there, and the connection's end."""
        try:
            if self._started:
                async with asyncio.timeout(1.0):
                    ids = {key: self._ids[key] for key in ("accountSid", "callSid")}
                    await self._event("stop", ids)
        except (TargetError, TimeoutError):
            pass  # it is gone already, which was reported when it happened
        finally:
            await self._connection.close()

    async def _event(self, event: str, content: dict[str, Any]) -> None:
        self._sequence += 1
        message = {
            "event": event,
            "sequenceNumber": str(self._sequence),
            "streamSid": self._ids["streamSid"],
            event: content,
        }
        await self._connection.send(json.dumps(message))

    def _receive(self, message: str | bytes) -> None:
        event = _parsed(message)
        now_ns = self._clock_ns()
        match event.get("event"):
            case "media":
                self._check_stream(event)
                samples = _media(event)
                self._marks.media(len(samples), now_ns)
                self._on_audio(samples)
            case "mark":
                self._check_stream(event)
                self._marks.mark(_mark(event), now_ns)
            case "clear":
                self._check_stream(event)
                self._marks.clear(now_ns)
                self._on_clear()
            case other:
                raise malformed(
                    f"the event {shown(other)}",
                    "Twilio takes media, mark and clear in a bidirectional stream",
                )

    def _check_stream(self, event: dict[str, Any]) -> None:
        if event.get("streamSid") != self._ids["streamSid"]:
            raise malformed(
                f"a message for the stream {shown(event.get('streamSid'))}",
                "its streamSid must be the one of the 'start' message, or Twilio drops it",
            )


def _sid(kind: str) -> str:
    return kind + uuid.uuid4().hex


def _parsed(message: str | bytes) -> dict[str, Any]:
    try:
        event = json.loads(message)
    except ValueError:
        event = None
    if not isinstance(event, dict):
        raise malformed(f"the message {shown(message)}", "Twilio takes JSON objects only")
    return event


def _media(event: dict[str, Any]) -> Samples:
    try:
        return mulaw_decode(base64.b64decode(event["media"]["payload"], validate=True))
    except (KeyError, TypeError, ValueError, binascii.Error):
        raise malformed(
            "a media event whose payload cannot be read",
            'it must be {"media": {"payload": BASE64}} of μ-law at 8 kHz, without a file header',
        ) from None


def _mark(event: dict[str, Any]) -> str:
    mark = event.get("mark")
    name = mark.get("name") if isinstance(mark, dict) else None
    if not isinstance(name, str):
        raise malformed("a mark without a name", 'it must be {"mark": {"name": TEXT}}')
    return name
