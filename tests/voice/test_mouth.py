from __future__ import annotations

import asyncio
import gc
import logging
import threading
from collections.abc import AsyncIterator, Callable, Generator
from concurrent.futures import Executor, Future
from typing import Any

import numpy as np
import pytest

from budgets.errors import UserError
from speculative.audio_store import AudioStore
from voice.audio import Samples
from voice.tts.mouth import Mouth
from voice.tts.speech import Speech, SpeechError


class Inline(Executor):
    """Runs what it is given at once, so that only the event loop decides what comes next."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as fault:
            future.set_exception(fault)
        return future


class Counting:
    """An engine whose text says how many slices of 1 s it gives: "name 3"."""

    rate_hz = 100
    fingerprint = "counting"

    def __init__(self) -> None:
        self.made: list[str] = []
        self.closed: list[str] = []

    def stream(self, text: str, *, cancelled: Callable[[], bool]) -> Generator[Samples, None, None]:
        name, count = text.split() if text else ("nothing", "0")
        try:
            for n in range(int(count)):
                self.made.append(f"{name}{n}")
                yield np.full(100, (n + 1) / 1000, dtype=np.float32)
                if cancelled():
                    return
        finally:
            self.closed.append(name)


@pytest.fixture(autouse=True)
def plain_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voice.tts.mouth.spoken", lambda text, locale: text.strip())


@pytest.fixture
def engine() -> Counting:
    return Counting()


@pytest.fixture
def store() -> AudioStore:
    return AudioStore()


@pytest.fixture
async def mouth(engine: Counting, store: AudioStore) -> AsyncIterator[Mouth]:
    mouth = Mouth(engine, store, executor=Inline(), clock_ns=lambda: 42)
    yield mouth
    mouth.close()


async def _settle(rounds: int = 300) -> None:
    for _ in range(rounds):
        await asyncio.sleep(0)


async def _seconds(speech: Speech) -> int:
    return len([samples async for samples in speech])


async def test_a_clause_is_spoken_slice_by_slice(mouth: Mouth) -> None:
    speech = mouth.speak("a 3")
    got = [round(float(samples[0]) * 1000) async for samples in speech]
    assert got == [1, 2, 3]
    assert (speech.cached, speech.asked_ns, speech.first_audio_ns) == (False, 42, 42)


async def test_nothing_to_say_is_no_audio_and_no_error(mouth: Mouth) -> None:
    speech = mouth.speak("  ")
    assert await _seconds(speech) == 0
    assert speech.first_audio_ns is None


async def test_what_was_prepared_is_not_made_again(mouth: Mouth, engine: Counting) -> None:
    await mouth.prepare("a 3")
    await mouth.prepare("a 3")
    speech = mouth.speak(" a 3 ")
    assert await _seconds(speech) == 3
    assert speech.cached
    assert engine.made == ["a0", "a1", "a2"]


async def test_what_is_being_prepared_is_spoken_while_it_grows(
    mouth: Mouth, engine: Counting
) -> None:
    preparing = asyncio.create_task(mouth.prepare("a 50"))
    while not engine.made:
        await asyncio.sleep(0)
    speech = mouth.speak("a 50")
    await anext(speech)
    assert len(engine.made) < 50
    assert await _seconds(speech) == 49
    await preparing
    assert len(engine.made) == 50


async def test_what_is_only_spoken_does_not_stay_in_the_store(
    mouth: Mouth, store: AudioStore
) -> None:
    await _seconds(mouth.speak("a 3"))
    assert len(store) == 0


async def test_clauses_are_made_in_order_and_the_second_before_the_first_is_heard(
    mouth: Mouth, engine: Counting
) -> None:
    first, second = mouth.speak("a 3"), mouth.speak("b 2")
    await _settle()
    assert engine.made == ["a0", "a1", "a2", "b0", "b1"]
    assert [await _seconds(first), await _seconds(second)] == [3, 2]


async def test_a_clause_is_made_only_so_far_ahead_and_others_get_their_turn(
    mouth: Mouth, engine: Counting
) -> None:
    long, other = mouth.speak("a 100"), mouth.speak("b 2")
    await _settle()
    assert engine.made[-3:] == ["a10", "b0", "b1"]
    await anext(long)
    await _settle()
    assert engine.made[-1] == "a11"
    assert [await _seconds(long), await _seconds(other)] == [99, 2]


async def test_what_is_spoken_goes_before_what_is_prepared(mouth: Mouth, engine: Counting) -> None:
    preparing = asyncio.create_task(mouth.prepare("a 50"))
    while not engine.made:
        await asyncio.sleep(0)
    before = len(engine.made)
    await _seconds(mouth.speak("b 5"))
    at = engine.made.index("b0")
    assert at <= before + 2
    assert engine.made[at : at + 5] == [f"b{n}" for n in range(5)]
    await preparing


async def test_closing_stops_the_engine_and_wakes_who_waits(mouth: Mouth, engine: Counting) -> None:
    speech = mouth.speak("a 100")
    await anext(speech)
    await speech.aclose()
    await _settle()
    made = len(engine.made)
    assert made < 15
    assert engine.closed == ["a"]
    assert await _seconds(speech) == 0
    assert await _seconds(mouth.speak("b 2")) == 2
    assert len(engine.made) == made + 2


async def test_closing_from_another_task_ends_the_audio(mouth: Mouth) -> None:
    await mouth._turn.acquire()  # so that the speech has to wait for its first slice
    speech = mouth.speak("a 3")
    listening = asyncio.create_task(_seconds(speech))
    await _settle()
    await speech.aclose()
    assert await listening == 0
    mouth._turn.release()
    assert await _seconds(mouth.speak("b 2")) == 2


async def test_a_speech_that_is_let_go_is_stopped(mouth: Mouth, engine: Counting) -> None:
    async for _ in mouth.speak("a 100"):
        break
    gc.collect()
    await _settle()
    assert engine.closed == ["a"]
    assert len(engine.made) < 15


async def test_closing_before_the_first_slice_never_starts_the_engine(
    mouth: Mouth, engine: Counting
) -> None:
    await mouth.speak("a 3").aclose()
    assert await _seconds(mouth.speak("b 1")) == 1
    assert engine.made == ["b0"]


async def test_a_preparation_that_is_cancelled_leaves_nothing(
    mouth: Mouth, engine: Counting, store: AudioStore
) -> None:
    preparing = asyncio.create_task(mouth.prepare("a 50"))
    while not engine.made:
        await asyncio.sleep(0)
    preparing.cancel()
    await _settle()
    assert len(engine.made) < 50
    assert (len(store), store.nbytes) == (0, 0)
    assert await _seconds(mouth.speak("a 2")) == 2


async def test_a_cancelled_preparation_goes_on_for_its_listener(
    mouth: Mouth, engine: Counting
) -> None:
    preparing = asyncio.create_task(mouth.prepare("a 50"))
    while not engine.made:
        await asyncio.sleep(0)
    speech = mouth.speak("a 50")
    await anext(speech)
    preparing.cancel()
    assert await _seconds(speech) == 49


async def test_a_failing_engine_is_a_clear_error_and_its_text_stays_off_the_log(
    mouth: Mouth, store: AudioStore, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        with pytest.raises(SpeechError, match="ValueError"):
            await _seconds(mouth.speak("secret words"))  # no number: the engine raises
        with pytest.raises(SpeechError):
            await mouth.prepare("secret words")
    assert "ValueError" in caplog.text
    assert "secret" not in caplog.text
    assert len(store) == 0
    assert await _seconds(mouth.speak("a 2")) == 2


async def test_the_first_clause_starts_without_a_wait(store: AudioStore) -> None:
    class Slow(Counting):
        def stream(
            self, text: str, *, cancelled: Callable[[], bool]
        ) -> Generator[Samples, None, None]:
            yield np.zeros(60, dtype=np.float32)
            yield np.concatenate([np.zeros(40), np.full(10, 0.5)]).astype(np.float32)

    mouth = Mouth(Slow(), store, executor=Inline())
    assert [len(samples) async for samples in mouth.speak("a")] == [60, 50]
    assert [len(samples) async for samples in mouth.speak("a", first=True)] == [11]
    await mouth.prepare("a")
    assert [len(samples) async for samples in mouth.speak("a", first=True)] == [11]
    mouth.close()


async def test_a_closed_mouth_speaks_no_more_and_hangs_nobody(
    engine: Counting, store: AudioStore
) -> None:
    mouth = Mouth(engine, store)
    speech = mouth.speak("a 100000")
    await anext(speech)
    mouth.close()
    with pytest.raises(SpeechError):
        await asyncio.wait_for(_seconds(speech), 10)
    with pytest.raises(SpeechError):
        await asyncio.wait_for(_seconds(mouth.speak("b 1")), 10)


async def test_an_unknown_locale_is_found_before_the_first_clause(
    monkeypatch: pytest.MonkeyPatch, engine: Counting, store: AudioStore
) -> None:
    monkeypatch.undo()  # the real front end
    with pytest.raises(UserError, match="xx"):
        Mouth(engine, store, locale="xx")


class Gated(Counting):
    """Makes a slice only when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.working = threading.Event()
        self.gate = threading.Event()

    def stream(self, text: str, *, cancelled: Callable[[], bool]) -> Generator[Samples, None, None]:
        for samples in super().stream(text, cancelled=cancelled):
            self.working.set()
            assert self.gate.wait(10)
            yield samples


async def test_cancelling_the_listener_while_a_slice_is_made_frees_the_thread(
    store: AudioStore,
) -> None:
    engine = Gated()
    mouth = Mouth(engine, store)
    listening = asyncio.create_task(_seconds(mouth.speak("a 100")))
    assert await asyncio.to_thread(engine.working.wait, 10)
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    following = asyncio.create_task(_seconds(mouth.speak("b 3")))
    await _settle()
    assert engine.made == ["a0"]  # the thread is still at it
    engine.gate.set()
    assert await asyncio.wait_for(following, 10) == 3
    assert engine.made == ["a0", "b0", "b1", "b2"]
    mouth.close()
