"""The Listener: a call's audio in, the caller's turns out. The asynchronous edge of Turn."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable

import numpy as np

from budgets.errors import UserError
from voice.audio import Samples, StreamResampler, from_s16
from voice.config import TurnConfig
from voice.stt.transcript import SupersededError, Transcriber, Transcript
from voice.turns.audio_clock import AudioClock
from voice.turns.decodes import CallOff, Decode
from voice.turns.events import ListenerEvent
from voice.turns.turn import RATE_HZ, Act, Turn
from voice.turns.vad import WINDOW, Vad

_log = logging.getLogger(__name__)


class Listener:
    """One call's ears. Make it, use it and close it in one event loop.

    Args:
        config: thresholds and silences.
        stt: decodes in a thread of its own, one decode at a time.
        vad: this stream's detector; its state belongs to this Listener.
        rate_hz: 8000 or 16000; UserError for any other.
        interim_every_ms: the least time between two interim texts.
        language: of the rules for how long to wait after a text.
        decode_timeout_ms: after which a decode is given up and its speech dropped.
        clock_ns: the monotonic clock of all events' times.
    """

    def __init__(
        self,
        config: TurnConfig,
        *,
        stt: Transcriber,
        vad: Vad,
        rate_hz: int = RATE_HZ,
        interim_every_ms: float = 400,
        language: str = "en",
        decode_timeout_ms: float = 8000,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        if rate_hz not in (8000, 16000):
            raise UserError(
                f"the line runs at {rate_hz} Hz; the ears take 8000 or 16000 (line.in_hz)"
            )
        self._stt, self._vad, self._clock_ns = stt, vad, clock_ns
        self._scale = RATE_HZ // rate_hz
        self._resampler = StreamResampler(rate_hz, RATE_HZ)
        self._clock = AudioClock(RATE_HZ)
        self._turn = Turn(
            config,
            clock=self._clock,
            interim_every_ms=interim_every_ms,
            language=language,
            decode_timeout_ms=decode_timeout_ms,
        )
        self._arrived = 0  # positions at 16 kHz, whatever the line's rate
        self._odd_byte = b""
        self._samples: Samples = np.zeros(0, dtype=np.float32)
        self._events: asyncio.Queue[ListenerEvent | None] = asyncio.Queue()
        self._called_off: dict[int, threading.Event] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    async def feed(self, pcm: bytes) -> None:
        """Take a chunk of any size: s16le, mono, at the line's rate. Returns without decoding."""
        if self._closed:
            return
        now_ns = self._clock_ns()
        pcm = self._odd_byte + pcm
        whole = len(pcm) - len(pcm) % 2
        self._odd_byte = pcm[whole:]
        self._arrived += whole // 2 * self._scale
        self._clock.arrived(self._arrived, now_ns)
        fresh = self._resampler.feed(from_s16(pcm[:whole]))
        self._samples = np.concatenate([self._samples, fresh])
        while len(self._samples) >= WINDOW:
            window, self._samples = self._samples[:WINDOW], self._samples[WINDOW:]
            self._do(self._turn.hear(window, self._vad.probability(window), now_ns))
        self._arm()

    async def events(self) -> AsyncIterator[ListenerEvent]:
        """What is heard, as it is heard, until the Listener is closed. For one consumer."""
        while (event := await self._events.get()) is not None:
            yield event

    async def close(self) -> None:
        """The call is over: speech that no turn has come of is dropped, and events() ends."""
        if self._closed:
            return
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        self._do(self._turn.give_up(self._clock_ns()))
        for called_off in self._called_off.values():
            called_off.set()
        self._events.put_nowait(None)

    def _do(self, acts: list[Act]) -> None:
        for act in acts:
            if isinstance(act, Decode):
                self._start(act)
            elif isinstance(act, CallOff):
                if act.id in self._called_off:
                    self._called_off[act.id].set()
            else:
                self._events.put_nowait(act)

    def _arm(self) -> None:
        """See to it that time is noticed to pass when the line sends nothing."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now_ns = self._clock_ns()
        due_ns = self._turn.deadline_ns(now_ns)
        if due_ns is not None and not self._closed:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later((due_ns - now_ns) / 1e9, self._tick)

    def _tick(self) -> None:
        self._do(self._turn.tick(self._clock_ns()))
        self._arm()

    def _start(self, decode: Decode) -> None:
        # A thread of its own, and not an executor's: one that hangs is left behind, and keeps
        # neither the next decode nor the end of the program waiting. Turn starts one at a time.
        called_off = self._called_off[decode.id] = threading.Event()
        loop = asyncio.get_running_loop()
        threading.Thread(
            target=self._decode, args=(decode, called_off, loop), name="decode", daemon=True
        ).start()

    def _decode(
        self, decode: Decode, called_off: threading.Event, loop: asyncio.AbstractEventLoop
    ) -> None:
        result: Transcript | None = None
        try:
            result = self._stt.transcribe(decode.samples, cancelled=called_off.is_set)
        except SupersededError:
            pass
        except Exception:
            _log.exception("the transcription of %.1f s failed", len(decode.samples) / RATE_HZ)
        try:
            loop.call_soon_threadsafe(self._decoded, decode.id, result)
        except RuntimeError:  # the loop was closed meanwhile: nobody waits for this any more
            _log.debug("a decode ended after its event loop")

    def _decoded(self, decode_id: int, result: Transcript | None) -> None:
        self._called_off.pop(decode_id, None)
        if not self._closed:
            self._do(self._turn.decoded(decode_id, result, self._clock_ns()))
            self._arm()
