"""Pipecat's RTVI door, ``rtvi+ws://``: protobuf frames over a WebSocket, as its web clients speak.

Audio and interruptions are frames; RTVI's own messages travel as JSON inside message frames. The
caller's audio goes out at 16 kHz, which is what pipecat's clients send; 24 kHz, pipecat's default,
is the rate of the agent's track, and audio at another rate is resampled to it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from google.protobuf.message import DecodeError
from pipecat.frames.protobufs import frames_pb2

from budgets.probe.record import TargetError
from voice.audio import Samples, StreamResampler, from_s16, to_s16
from voice.probe.connection import Connection, malformed, shown
from voice.probe.ear import Ear

CALLER_HZ = 16000
AGENT_HZ = 24000
_VERSION = "2.0.0"
"""Of RTVI: the first that today's bots accept."""

# The generated module builds its classes at run time.
_Frame: Any = frames_pb2.Frame  # type: ignore[attr-defined,unused-ignore]


class RtviTarget:
    """A pipecat bot on a WebSocket with pipecat's protobuf serializer."""

    def __init__(self, url: str, *, patience_s: float = 10.0) -> None:
        self._connection = Connection(url, patience_s=patience_s)
        self._ear: Ear | None = None
        self._on_clear: Callable[[], None] = lambda: None
        self._resampler: StreamResampler | None = None

    async def open(
        self,
        caller_hz: int,
        on_audio: Callable[[Samples], None],
        on_clear: Callable[[], None],
    ) -> int:
        """Begin the call. See :class:`budgets.probe.record.Target`."""
        self._ear = Ear(AGENT_HZ, on_audio)
        self._on_clear = on_clear
        self._resampler = StreamResampler(caller_hz, CALLER_HZ)
        await self._connection.open(self._receive)
        await self._connection.send(
            _message("client-ready", {"version": _VERSION, "about": {"library": "under800"}})
        )
        return AGENT_HZ

    async def send(self, samples: Samples) -> None:
        """The caller's next samples."""
        assert self._resampler is not None
        frame = _Frame()
        frame.audio.audio = to_s16(self._resampler.feed(samples))
        frame.audio.sample_rate = CALLER_HZ
        frame.audio.num_channels = 1
        await self._connection.send(frame.SerializeToString())

    async def close(self) -> None:
        """Hang up."""
        await self._connection.close()

    def _receive(self, message: str | bytes) -> None:
        assert self._ear is not None
        frame = _parsed(message)
        match frame.WhichOneof("frame"):
            case "audio":
                audio = frame.audio
                if audio.num_channels != 1 or not 8000 <= audio.sample_rate <= 48000:
                    raise malformed(
                        f"audio of {audio.num_channels} channels at {audio.sample_rate} Hz",
                        "it must be mono, at 8000 to 48000 Hz",
                    )
                if len(audio.audio) % 2:
                    raise malformed(
                        f"{len(audio.audio)} bytes of audio", "s16le samples have two bytes each"
                    )
                self._ear.audio(from_s16(audio.audio), audio.sample_rate)
            case "interruption":
                self._on_clear()
            case "message":
                _check(frame.message.data)
            case _:
                pass  # texts and transcriptions are for a screen


def _message(kind: str, data: dict[str, Any]) -> bytes:
    frame = _Frame()
    frame.message.data = json.dumps({"label": "rtvi-ai", "type": kind, "id": "1", "data": data})
    return bytes(frame.SerializeToString())


def _parsed(message: str | bytes) -> Any:
    if isinstance(message, bytes):
        try:
            return _Frame.FromString(message)
        except DecodeError:
            pass
    raise malformed(
        f"the message {shown(message)}",
        "the bot's transport needs pipecat's ProtobufFrameSerializer for this door",
    )


def _check(data: str) -> None:
    """A fatal error of the bot ends the call; every other message is news for a screen."""
    try:
        message = json.loads(data)
    except ValueError:
        raise malformed("a message that is not JSON", "RTVI messages are JSON objects") from None
    if isinstance(message, dict) and message.get("type") == "error":
        content = message.get("data")
        if isinstance(content, dict) and content.get("fatal"):
            raise TargetError(
                "vanished",
                f"the bot reports a fatal error: {shown(content.get('error'))}; see its own log",
            )
