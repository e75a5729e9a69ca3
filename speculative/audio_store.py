"""Audio that was made before it was asked for, or is still being made.

An :class:`AudioStore` maps (text, voice fingerprint) to a :class:`Recording`. The fingerprint
covers everything that shapes the sound, so that any change of voice or setting is a miss.

Both belong to one event loop: call them from its thread only. A finished recording may be read
from anywhere.
"""

from __future__ import annotations

import asyncio
import enum
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.float32]
"""Mono audio, shape (n,), float32 within [-1, 1]."""


class AbandonedError(Exception):
    """The audio that was being read will never be finished: its maker was stopped."""


class State(enum.Enum):
    """What may still happen to a recording."""

    MAKING = "making"
    FINISHED = "finished"
    FAILED = "failed"
    ABANDONED = "abandoned"


class Recording:
    """Audio with one writer and any number of readers, each of which gets it from its start.

    The writer appends, then ends it once: ``finish``, ``fail`` or ``abandon``. A reader that has
    caught up waits for more.
    """

    def __init__(self, rate_hz: int) -> None:
        self.rate_hz = rate_hz
        self.state = State.MAKING
        self.nbytes = 0
        self.readers = 0
        """How many are reading now: while there are any, somebody still wants it."""
        self.on_change: Callable[[Recording], None] | None = None
        """Called after each append and at the end; the store that keeps it sets this."""
        self.error: Exception | None = None
        """Why it failed."""
        self._slices: list[Samples] = []
        self._samples = 0
        self._changed = asyncio.Event()

    @property
    def seconds(self) -> float:
        """Duration of what has been made so far."""
        return self._samples / self.rate_hz

    def append(self, samples: Samples) -> None:
        """Add audio, shape (n,). Raises RuntimeError once the recording has ended."""
        if self.state is not State.MAKING:
            raise RuntimeError(f"the recording is {self.state.value}")
        self._slices.append(samples)
        self._samples += len(samples)
        self.nbytes += samples.nbytes
        self._notify()

    def finish(self) -> None:
        """It is complete."""
        self._end(State.FINISHED)

    def fail(self, error: Exception) -> None:
        """It could not be made: readers get what there is, then ``error``."""
        self.error = error
        self._end(State.FAILED)

    def abandon(self) -> None:
        """Nobody wants it any more: its audio is freed and readers get AbandonedError."""
        if self.state is State.MAKING:
            self._slices = []
            self._samples = self.nbytes = 0
            self._end(State.ABANDONED)

    async def read(self) -> AsyncGenerator[Samples, None]:
        """The slices from the first on, each as soon as it is there.

        Raises what ``fail`` was given, or AbandonedError.
        """
        self.readers += 1
        try:
            at = 0
            while True:
                while at < len(self._slices):
                    yield self._slices[at]
                    at += 1
                if self.state is State.FINISHED:
                    return
                if self.error is not None:
                    raise self.error
                if self.state is State.ABANDONED:
                    raise AbandonedError
                await self._changed.wait()
        finally:
            self.readers -= 1

    def _end(self, state: State) -> None:
        if self.state is State.MAKING:
            self.state = state
            self._notify()

    def _notify(self) -> None:
        # Each change has its own event, so that a reader that is slow to wake misses none.
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
        if self.on_change is not None:
            self.on_change(self)


class AudioStore:
    """The memory tier: at most ``max_bytes`` of audio, the least recently used dropped first.

    A recording that fails or is abandoned leaves by itself. Dropping one that is being read or
    made disturbs neither; it is only no longer found.
    """

    def __init__(self, *, max_bytes: int = 64 * 2**20) -> None:
        self.max_bytes = max_bytes
        self._kept: OrderedDict[tuple[str, str], Recording] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def nbytes(self) -> int:
        """Audio kept now, in bytes."""
        return sum(recording.nbytes for recording in self._kept.values())

    def get(self, text: str, fingerprint: str) -> Recording | None:
        """The recording of exactly this text in exactly this voice, finished or growing."""
        key = (text, fingerprint)
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, text: str, fingerprint: str, recording: Recording) -> None:
        """Keep a recording, which may still be growing; it replaces one under the same key."""
        self.discard(text, fingerprint)
        self._kept[text, fingerprint] = recording
        recording.on_change = self._changed
        self._changed(recording)

    def discard(self, text: str, fingerprint: str) -> None:
        """Forget a recording; no error if there is none."""
        if dropped := self._kept.pop((text, fingerprint), None):
            dropped.on_change = None

    def _changed(self, recording: Recording) -> None:
        if recording.state in (State.FAILED, State.ABANDONED):
            for key in [key for key, kept in self._kept.items() if kept is recording]:
                self.discard(*key)
        # Recounted each time: entries grow, and a few hundred sums cost less than a slice.
        excess = self.nbytes - self.max_bytes
        while excess > 0:
            oldest = next(iter(self._kept))
            excess -= self._kept[oldest].nbytes
            self.discard(*oldest)
