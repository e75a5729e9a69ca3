"""A line to the microphone and loudspeaker of this machine (extra ``mic``)."""

from __future__ import annotations

import asyncio
from types import ModuleType
from typing import Any

from budgets.errors import UserError
from voice.line.line import Receive

_BLOCK_MS = 20


class DeviceLine:
    """Speaks and listens through the default devices. Wear headphones: nothing cancels echo."""

    def __init__(self) -> None:
        self._sounddevice = _sounddevice()
        self._streams: list[Any] = []
        self._pending = bytearray()
        self._block_bytes = 0
        self._drained = asyncio.Event()

    async def open(self, *, in_hz: int, out_hz: int, receive: Receive) -> None:
        """Open both devices. UserError names the one that cannot be opened, and why."""
        loop = asyncio.get_running_loop()

        async def deliver(pcm: bytes) -> None:
            await receive(pcm)

        def captured(data: Any, frames: int, at: Any, status: Any) -> None:
            asyncio.run_coroutine_threadsafe(deliver(bytes(data)), loop)

        def wanted(data: Any, frames: int, at: Any, status: Any) -> None:
            chunk = bytes(self._pending[: len(data)])
            del self._pending[: len(data)]
            data[:] = chunk + bytes(len(data) - len(chunk))
            loop.call_soon_threadsafe(self._drained.set)

        self._block_bytes = out_hz * _BLOCK_MS // 1000 * 2
        self._start("microphone", self._sounddevice.RawInputStream, in_hz, captured)
        self._start("loudspeaker", self._sounddevice.RawOutputStream, out_hz, wanted)

    async def write(self, pcm: bytes) -> None:
        """Queue for the loudspeaker; waits while more than two blocks are queued."""
        self._pending += pcm
        while len(self._pending) > 2 * self._block_bytes:
            self._drained.clear()
            await self._drained.wait()

    def clear(self) -> None:
        """Fall silent with the next block."""
        self._pending.clear()

    async def close(self) -> None:
        """Release the devices."""
        for stream in self._streams:
            stream.close()
        self._streams.clear()

    def _start(self, what: str, kind: Any, rate_hz: int, callback: Any) -> None:
        try:
            stream = kind(
                samplerate=rate_hz,
                blocksize=rate_hz * _BLOCK_MS // 1000,
                channels=1,
                dtype="int16",
                callback=callback,
            )
            stream.start()
        except (self._sounddevice.PortAudioError, ValueError) as fault:
            raise UserError(
                f"the {what} cannot be opened at {rate_hz} Hz ({fault}); choose another default "
                "device, or set line.in_hz / line.out_hz to a rate that it has"
            ) from fault
        self._streams.append(stream)


def _sounddevice() -> ModuleType:
    """The library, if it, PortAudio and both devices are here."""
    try:
        import sounddevice
    except ImportError as fault:
        raise UserError(
            "talking needs the microphone library: pip install 'under800[mic]'"
        ) from fault
    except OSError as fault:
        raise UserError(
            "talking needs PortAudio, which is not on this machine "
            "(on Debian and Ubuntu: apt install libportaudio2)"
        ) from fault
    for kind, what in (("input", "microphone"), ("output", "loudspeaker")):
        try:
            sounddevice.query_devices(kind=kind)
        except (sounddevice.PortAudioError, ValueError) as fault:
            raise UserError(
                f"there is no {what} on this machine; `under800 demo --wav FILE` talks to the "
                "agent with a recording"
            ) from fault
    return sounddevice  # type: ignore[no-any-return]
