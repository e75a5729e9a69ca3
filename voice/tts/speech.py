"""One clause on its way to the caller."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from speculative.audio_store import AbandonedError, Recording
from voice.audio import Samples
from voice.tts.level import LeadTrim


class SpeechError(Exception):
    """This clause could not be said; the Mouth itself can go on."""


class Demand:
    """How much of a clause its listener has taken."""

    def __init__(self) -> None:
        self.taken_s = 0.0
        self._grown = asyncio.Event()

    def take(self, seconds: float) -> None:
        self.taken_s += seconds
        self._grown.set()

    async def reach(self, seconds: float) -> None:
        """Wait until that much has been taken."""
        while self.taken_s < seconds:
            self._grown.clear()
            await self._grown.wait()


class Speech:
    """The audio of one clause: an async iterator of float32 slices of shape (n,).

    Its making begins with the Mouth's ``speak``, not with the first ``anext``. Closing it, letting
    go of it, or cancelling the task that waits for it stops the engine at its next slice.
    Raises SpeechError where the engine fails.
    """

    def __init__(
        self,
        recording: Recording,
        *,
        first: bool,
        making: asyncio.Task[None] | None,
        demand: Demand,
        clock_ns: Callable[[], int],
    ) -> None:
        self.cached = making is None
        """Whether it was in the store, finished or growing."""
        self.asked_ns = clock_ns()
        """When the text was handed over."""
        self.first_audio_ns: int | None = None
        """When the first slice was handed out."""
        self._rate_hz = recording.rate_hz
        self._slices = recording.read()
        self._trim = LeadTrim(recording.rate_hz) if first else None
        self._making = making
        self._demand = demand
        self._clock_ns = clock_ns
        self._closed = False

    def __aiter__(self) -> Speech:
        return self

    async def __anext__(self) -> Samples:
        while not self._closed:
            try:
                samples = await self._next()
            except StopAsyncIteration:
                trim, self._trim = self._trim, None
                if trim is not None and len(rest := trim.flush()):
                    return self._handed(rest)
                raise
            self._demand.take(len(samples) / self._rate_hz)
            audible = self._trim.feed(samples) if self._trim else samples
            if len(audible) and not self._closed:
                return self._handed(audible)
        raise StopAsyncIteration

    def _handed(self, samples: Samples) -> Samples:
        if self.first_audio_ns is None:
            self.first_audio_ns = self._clock_ns()
        return samples

    async def _next(self) -> Samples:
        try:
            return await anext(self._slices)
        except asyncio.CancelledError:
            self._stop()
            raise
        except AbandonedError as fault:
            if self._closed:
                raise StopAsyncIteration from fault
            raise SpeechError("the Mouth was closed or the preparation given up") from fault

    async def aclose(self) -> None:
        """Stop; what has not been handed out is dropped. A task that waits for more is told."""
        self._stop()
        with contextlib.suppress(RuntimeError):  # a task waits in it, and is told all the same
            await self._slices.aclose()

    def __del__(self) -> None:
        self._stop()

    def _stop(self) -> None:
        self._closed = True
        if self._making is not None:
            self._making.cancel()
