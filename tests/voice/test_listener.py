"""The Listener's asynchronous edge: bytes in, events out, decoding threads, a scripted clock."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import numpy as np
import pytest

from budgets.errors import UserError
from voice.audio import Samples, to_s16
from voice.config import TurnConfig
from voice.stt.transcript import SupersededError, Transcript
from voice.turns.events import Interim, ListenerEvent, SpeechDropped, SpeechStarted, TurnEnded
from voice.turns.listener import Listener

MS = 1_000_000
START = 7_000 * MS
CONFIG = TurnConfig(silence_ms=500, short_silence_ms=400, long_silence_ms=1400)


class LoudnessVad:
    def probability(self, window: Samples) -> float:
        return 0.95 if np.abs(window).mean() > 0.05 else 0.02

    def reset(self) -> None: ...


class ScriptedStt:
    """Calls ``say`` in the decode's thread; remembers what it was given and whether threads met."""

    def __init__(self, say: Callable[[Samples, Callable[[], bool]], str]) -> None:
        self._say = say
        self._busy = threading.Lock()
        self.seconds: list[float] = []
        self.met = False

    def transcribe(
        self, samples: Samples, *, cancelled: Callable[[], bool] | None = None
    ) -> Transcript:
        if not self._busy.acquire(blocking=False):
            self.met = True
            return Transcript("")
        try:
            self.seconds.append(len(samples) / 16000)
            return Transcript(self._say(samples, cancelled or (lambda: False)))
        finally:
            self._busy.release()


class Line:
    """A Listener whose clock is the audio that it was fed."""

    def __init__(self, stt: ScriptedStt, *, rate_hz: int = 16000, **options: object) -> None:
        self.now_ns = START
        self.rate_hz = rate_hz
        self.patient = True
        self.events: list[ListenerEvent] = []
        self.listener = Listener(
            CONFIG,
            stt=stt,
            vad=LoudnessVad(),
            rate_hz=rate_hz,
            clock_ns=lambda: self.now_ns,
            **{"interim_every_ms": 1e9, **options},  # type: ignore[arg-type]
        )
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for event in self.listener.events():
            self.events.append(event)

    async def hear(self, level: float, ms: int, *, chunk_bytes: int | None = None) -> None:
        wave = np.tile(np.float32([level, level, -level, -level]), ms * self.rate_hz // 4000)
        pcm = to_s16(wave)
        step = chunk_bytes or self.rate_hz * 20 // 1000 * 2
        for start in range(0, len(pcm), step):
            chunk = pcm[start : start + step]
            self.now_ns += len(chunk) * 1_000_000_000 // (2 * self.rate_hz)
            await self.listener.feed(chunk)
            await self.settle()

    async def settle(self) -> None:
        """Let the decodes finish and be delivered, unless they hang; the clock does not move."""
        while self.patient and any(t.name == "decode" for t in threading.enumerate()):
            await asyncio.sleep(0)
        for _ in range(3):
            await asyncio.sleep(0)

    async def close(self) -> list[ListenerEvent]:
        await self.listener.close()
        await self._reader
        return self.events

    def of(self, kind: type) -> list[ListenerEvent]:
        return [event for event in self.events if isinstance(event, kind)]


@pytest.mark.parametrize("rate_hz", [8000, 16000])
@pytest.mark.parametrize("chunk_bytes", [None, 2, 333, 6400])
async def test_any_chunk_size_at_either_rate(rate_hz: int, chunk_bytes: int | None) -> None:
    line = Line(ScriptedStt(lambda samples, cancelled: "That is all."), rate_hz=rate_hz)
    await line.hear(0.0, 500, chunk_bytes=chunk_bytes)
    await line.hear(0.3, 1000, chunk_bytes=chunk_bytes)
    await line.hear(0.0, 1000, chunk_bytes=chunk_bytes)
    events = await line.close()
    started, turn = (
        next(e for e in events if isinstance(e, k)) for k in (SpeechStarted, TurnEnded)
    )
    assert turn.text == "That is all."
    # A chunk of 200 ms or more arrives as a whole: times are those of arrival.
    slack = 10 if chunk_bytes != 6400 else 10 + 6400 / 2 / rate_hz * 1000
    assert (turn.speech_ended_ns - START) / MS == pytest.approx(1500, abs=slack)
    assert (started.speech_started_ns - START) / MS == pytest.approx(500, abs=32 + slack)
    assert turn.speech_ended_ns < turn.silence_met_ns <= turn.ended_ns
    assert turn.text_ready_ns <= turn.ended_ns


async def test_the_first_word_is_decoded_from_before_it_was_noticed() -> None:
    stt = ScriptedStt(lambda samples, cancelled: "Hello there.")
    line = Line(stt)
    await line.hear(0.0, 1000)
    await line.hear(0.3, 600)
    await line.hear(0.0, 800)
    await line.close()
    assert 0.6 + 0.2 <= stt.seconds[0] <= 0.6 + 0.2 + 0.3


async def test_one_decode_at_a_time_and_interims_give_way() -> None:
    called_off = threading.Event()

    def say(samples: Samples, cancelled: Callable[[], bool]) -> str:
        if called_off.is_set():
            return "That is all."
        while not cancelled():  # the first one, an interim, takes until it is called off
            called_off.wait(0.001)
        called_off.set()
        raise SupersededError

    stt = ScriptedStt(say)
    line = Line(stt, interim_every_ms=300)
    line.patient = False
    await line.hear(0.3, 600)
    await line.hear(0.0, 300)
    line.patient = True
    await line.hear(0.0, 1000)
    await line.close()
    assert called_off.is_set()
    assert len(line.of(TurnEnded)) == 1
    assert not stt.met


async def test_interims_carry_the_text_so_far() -> None:
    count = iter(range(100))
    line = Line(ScriptedStt(lambda samples, c: f"words {next(count)}."), interim_every_ms=400)
    await line.hear(0.3, 2500)
    await line.close()
    assert len(line.of(Interim)) >= 3


async def test_an_engine_that_raises_loses_a_turn_but_not_the_call(
    caplog: pytest.LogCaptureFixture,
) -> None:
    outcomes = iter([RuntimeError("broken"), "Hello again."])

    def say(samples: Samples, cancelled: Callable[[], bool]) -> str:
        outcome = next(outcomes)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    line = Line(ScriptedStt(say))
    for _ in range(2):
        await line.hear(0.3, 600)
        await line.hear(0.0, 800)
    await line.close()
    (drop,) = line.of(SpeechDropped)
    assert drop.reason == "the transcription failed"  # type: ignore[union-attr]
    assert [turn.text for turn in line.of(TurnEnded)] == ["Hello again."]  # type: ignore[union-attr]
    assert "transcription of" in caplog.text


async def test_an_engine_that_hangs_is_given_up() -> None:
    release = threading.Event()

    def say(samples: Samples, cancelled: Callable[[], bool]) -> str:
        if not release.is_set():
            release.wait(20)
            return "too late"
        return "Hello again."

    stt = ScriptedStt(say)
    line = Line(stt, decode_timeout_ms=1000)
    line.patient = False
    await line.hear(0.3, 600)
    await line.hear(0.0, 1600)
    assert [drop.reason for drop in line.of(SpeechDropped)] == ["the transcription failed"]  # type: ignore[union-attr]
    release.set()
    line.patient = True
    await line.hear(0.3, 600)
    await line.hear(0.0, 800)
    await line.close()
    assert [turn.text for turn in line.of(TurnEnded)] == ["Hello again."]  # type: ignore[union-attr]


async def test_closing_ends_the_events_and_drops_what_was_open() -> None:
    line = Line(ScriptedStt(lambda samples, cancelled: "never asked"))
    await line.hear(0.3, 600)
    events = await line.close()
    assert [type(event) for event in events] == [SpeechStarted, SpeechDropped]
    await line.listener.close()
    await line.listener.feed(to_s16(np.full(320, 0.3, dtype=np.float32)))
    assert len(line.events) == 2


@pytest.mark.parametrize("rate_hz", [11025, 44100, 48000, 0])
async def test_another_rate_is_refused(rate_hz: int) -> None:
    with pytest.raises(UserError, match=r"8000 or 16000"):
        Listener(CONFIG, stt=ScriptedStt(lambda s, c: ""), vad=LoudnessVad(), rate_hz=rate_hz)
