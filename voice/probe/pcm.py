"""The raw door, ``pcm+ws://``: s16le PCM over one WebSocket a call.

Caller to agent: the text message ``{"type": "hello", "rate": 16000}`` (or 8000) first, then binary
frames of 20 ms, s16le mono at that rate. Agent to caller: ``{"type": "format", "rate": N}`` before
its first audio, best at once; then binary s16le mono of any length, at any pace;
``{"type": "clear"}`` drops what the caller has not played. Other text messages are events, which
this caller ignores. ``docs/doors.md`` has it for those who write the other end.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from voice.audio import Samples, from_s16, to_s16
from voice.probe.connection import Connection, malformed, shown
from voice.probe.ear import Ear

_FORMAT_WITHIN_S = 1.0
"""How long the door waits for the agent's rate; one that names it later is resampled."""
_RATES = range(8000, 48001)


class PcmTarget:
    """An agent behind the raw door; ``url`` is ``ws://`` or ``wss://``."""

    def __init__(self, url: str, *, patience_s: float = 10.0) -> None:
        self._connection = Connection(url, patience_s=patience_s)
        self._format = asyncio.Event()
        self._rate_hz: int | None = None
        self._early: list[str | bytes] = []
        self._ear: Ear | None = None
        self._on_clear: Callable[[], None] = lambda: None

    async def open(
        self,
        caller_hz: int,
        on_audio: Callable[[Samples], None],
        on_clear: Callable[[], None],
    ) -> int:
        """Begin the call. See :class:`budgets.probe.record.Target`."""
        await self._connection.open(self._receive)
        await self._connection.send(json.dumps({"type": "hello", "rate": caller_hz}))
        await self._connection.until(self._format, within_s=_FORMAT_WITHIN_S)
        self._ear = Ear(self._rate_hz or caller_hz, on_audio)
        self._on_clear = on_clear
        early, self._early = self._early, []
        for message in early:
            self._hear(self._ear, message)
        return self._ear.rate_hz

    async def send(self, samples: Samples) -> None:
        """The caller's next samples."""
        await self._connection.send(to_s16(samples))

    async def close(self) -> None:
        """Hang up."""
        await self._connection.close()

    def _receive(self, message: str | bytes) -> None:
        if isinstance(message, str) and self._rate_hz is None:
            event = _event(message)
            if event.get("type") == "format":
                self._rate_hz = _rate_hz(event)
                self._format.set()
                return
        if self._ear is None:
            self._early.append(message)
        else:
            self._hear(self._ear, message)

    def _hear(self, ear: Ear, message: str | bytes) -> None:
        if isinstance(message, str):
            event = _event(message)
            if event.get("type") == "clear":
                self._on_clear()
            elif event.get("type") == "format":
                self._rate_hz = _rate_hz(event)
            return
        if self._rate_hz is None:
            raise malformed(
                f"{shown(message)} of audio before it had named its rate",
                'it must send {"type": "format", "rate": N} first',
            )
        if len(message) % 2:
            raise malformed(f"{shown(message)} of audio", "s16le samples have two bytes each")
        ear.audio(from_s16(message), self._rate_hz)


def _event(message: str) -> dict[str, object]:
    try:
        event = json.loads(message)
    except ValueError:
        event = None
    if not isinstance(event, dict):
        raise malformed(
            f"the text {shown(message)}", 'text messages are JSON objects such as {"type": "clear"}'
        )
    return event


def _rate_hz(event: dict[str, object]) -> int:
    rate = event.get("rate")
    if type(rate) is not int or rate not in _RATES:
        raise malformed(
            f"the rate {shown(rate)}", "it must be a whole number of Hz from 8000 to 48000"
        )
    return rate
