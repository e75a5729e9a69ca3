"""The Mouth: text in, audio out, as early as it can be. The audio store is asked first.

One thread makes all audio, a slice at a time. Between slices the event loop decides whose turn
it is: what is spoken comes in the order it was asked for, and before what is only prepared.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
import traceback
from collections.abc import Callable, Generator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Protocol

from speculative.audio_store import AudioStore, Recording, State
from voice.audio import Samples
from voice.tts.speech import Demand, Speech, SpeechError
from voice.tts.spoken import spoken

logger = logging.getLogger(__name__)

_AHEAD_S = 10.0
"""How far a clause is made ahead of its listener before others get their turn. More would be
work for nothing when the caller interrupts."""


class Engine(Protocol):
    """A synthesiser. Several streams may be open at once; no two are ever run at once."""

    @property
    def rate_hz(self) -> int:
        """Of its audio."""
        ...

    @property
    def fingerprint(self) -> str:
        """Of everything that shapes the sound of a text."""
        ...

    def stream(self, text: str, *, cancelled: Callable[[], bool]) -> Generator[Samples, None, None]:
        """Audio of spoken text, shape (n,) each; ends early once ``cancelled`` says so."""
        ...


class Mouth:
    """Speaks with one engine, for any number of calls, in one event loop.

    ``respell`` is what the engine's phonemizer alone needs beyond the spoken form of a text.
    ``executor``, if given, must have one thread only. ``clock_ns`` stamps each Speech.
    Raises UserError for a ``locale`` that is not known.
    """

    def __init__(
        self,
        engine: Engine,
        store: AudioStore,
        *,
        locale: str = "en_US",
        respell: Callable[[str], str] = str,
        executor: Executor | None = None,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.rate_hz = engine.rate_hz
        self._engine = engine
        self._store = store
        self._locale = locale
        self._respell = respell
        self._worker = executor or ThreadPoolExecutor(1, thread_name_prefix="mouth")
        self._owns_worker = executor is None
        self._clock_ns = clock_ns
        spoken("42", locale)  # an unknown locale is found now, and the first caller does not wait
        self._turn = asyncio.Lock()  # which is fair: first come, first served
        self._tasks: set[asyncio.Task[None]] = set()

    def speak(self, text: str, *, first: bool = False) -> Speech:
        """The audio of a clause as people say it; its making begins at once.

        ``first`` drops the near-silence before the first sound, for which a caller would wait.
        Text with nothing to say gives no audio. Raises SpeechError if it cannot be put in words.
        """
        words = self._spoken(text)
        demand = Demand()
        recording = self._store.get(words, self._engine.fingerprint)
        making = None
        if recording is None:
            recording = Recording(self.rate_hz)
            making = self._start(words, recording, demand)
        return Speech(recording, first=first, making=making, demand=demand, clock_ns=self._clock_ns)

    async def prepare(self, text: str) -> None:
        """Make the audio of a clause beforehand, so that ``speak`` finds it in the store.

        The store's key is the spoken form, so only a ``speak`` of the same clause finds it. A
        cancelled preparation is given up, unless somebody already listens to it. Raises
        SpeechError.
        """
        words = self._spoken(text)
        recording = self._store.get(words, self._engine.fingerprint)
        if recording is None:
            recording = Recording(self.rate_hz)
            self._store.put(words, self._engine.fingerprint, recording)
            making = self._start(words, recording, None)
            try:
                await asyncio.shield(making)
            except asyncio.CancelledError:
                if not recording.readers:
                    making.cancel()
                raise
        else:
            async for _ in recording.read():  # another preparation of it is under way
                pass
        if recording.error is not None:
            raise recording.error
        if recording.state is State.ABANDONED:
            raise SpeechError("the Mouth was closed")

    def forget(self, text: str) -> None:
        """Free what was prepared for a clause; whoever is listening to it hears it out."""
        self._store.discard(self._spoken(text), self._engine.fingerprint)

    def close(self) -> None:
        """Stop everything that is being made and let the thread go."""
        for task in self._tasks:
            task.cancel()
        if self._owns_worker:
            self._worker.shutdown(wait=False)

    def _spoken(self, text: str) -> str:
        try:
            return self._respell(spoken(text, self._locale))
        except Exception as fault:
            raise _logged(fault) from fault

    def _start(self, words: str, recording: Recording, demand: Demand | None) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(self._make(words, recording, demand))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # A task that is cancelled before its first step runs no line of its own.
        task.add_done_callback(lambda _: recording.abandon())
        return task

    async def _make(self, words: str, recording: Recording, demand: Demand | None) -> None:
        """Fill the recording; without ``demand`` it is made whole, but lets others go first."""
        stop = threading.Event()
        slices = self._engine.stream(words, cancelled=stop.is_set)
        await self._turn.acquire()
        mine = True
        try:
            while (samples := await self._next(slices)) is not None:
                recording.append(samples)
                taken_s = recording.seconds - _AHEAD_S
                if demand is None or demand.taken_s < taken_s:
                    self._turn.release()
                    mine = False
                    if demand is not None:
                        await demand.reach(taken_s)
                    await self._turn.acquire()
                    mine = True
            recording.finish()
        except Exception as fault:
            recording.fail(_logged(fault))
        finally:
            stop.set()
            if mine:
                self._turn.release()
            with contextlib.suppress(RuntimeError):  # the worker was shut down
                self._worker.submit(slices.close)

    async def _next(self, slices: Generator[Samples, None, None]) -> Samples | None:
        return await asyncio.get_running_loop().run_in_executor(self._worker, next, slices, None)


def _logged(fault: Exception) -> SpeechError:
    """A fault as a SpeechError, on the log without its message, which may quote the text."""
    place = traceback.extract_tb(fault.__traceback__)[-1]
    kind = type(fault).__name__
    logger.error("a clause cannot be said: %s in %s:%s", kind, place.filename, place.lineno)
    error = SpeechError(f"a clause cannot be said ({kind})")
    error.__cause__ = fault
    return error
