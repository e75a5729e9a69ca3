from __future__ import annotations

import asyncio

import numpy as np
import pytest

from speculative.audio_store import AbandonedError, AudioStore, Recording, Samples, State


def _audio(value: float, samples: int = 100) -> Samples:
    return np.full(samples, value, dtype=np.float32)


def _finished(samples: int = 100) -> Recording:
    recording = Recording(1000)
    recording.append(_audio(0.5, samples))
    recording.finish()
    return recording


async def _values(recording: Recording) -> list[float]:
    return [float(samples[0]) async for samples in recording.read()]


async def _settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_finished_recording_is_read_from_its_start_again_and_again() -> None:
    recording = _finished()
    assert await _values(recording) == await _values(recording) == [0.5]
    assert recording.seconds == 0.1


async def test_readers_that_come_at_any_time_get_all_of_a_growing_recording() -> None:
    recording = Recording(1000)
    early = asyncio.create_task(_values(recording))
    recording.append(_audio(0.1))
    await _settle()
    middle = asyncio.create_task(_values(recording))
    recording.append(_audio(0.2))
    recording.append(_audio(0.3))
    await _settle()
    assert recording.readers == 2
    recording.finish()
    late = asyncio.create_task(_values(recording))
    expected = pytest.approx([0.1, 0.2, 0.3])
    assert [await early, await middle, await late] == [expected] * 3
    assert recording.readers == 0


async def test_a_reader_of_a_failing_recording_gets_what_there_is_and_then_the_error() -> None:
    recording = Recording(1000)
    recording.append(_audio(0.1))
    recording.fail(ValueError("no voice"))
    got = []
    with pytest.raises(ValueError, match="no voice"):
        async for samples in recording.read():
            got.append(samples)
    assert len(got) == 1


async def test_abandoning_frees_the_audio_and_wakes_who_waits() -> None:
    recording = Recording(1000)
    reader = asyncio.create_task(_values(recording))
    recording.append(_audio(0.1))
    await _settle()
    recording.abandon()
    with pytest.raises(AbandonedError):
        await reader
    assert recording.nbytes == 0


def test_a_recording_ends_once_and_takes_nothing_after() -> None:
    recording = _finished()
    recording.abandon()
    recording.fail(ValueError())
    assert recording.state is State.FINISHED
    with pytest.raises(RuntimeError, match="finished"):
        recording.append(_audio(0.1))


def test_only_the_same_text_in_the_same_voice_is_found() -> None:
    store, recording = AudioStore(), _finished()
    store.put("Hello.", "joe", recording)
    assert store.get("Hello.", "joe") is recording
    assert store.get("Hello", "joe") is None
    assert store.get("Hello.", "amy") is None


def test_the_least_recently_used_leaves_when_there_is_no_room() -> None:
    store = AudioStore(max_bytes=1000)  # two of 400 bytes
    store.put("a", "joe", _finished())
    store.put("b", "joe", _finished())
    store.get("a", "joe")
    store.put("c", "joe", _finished())
    assert [store.get(text, "joe") is not None for text in "abc"] == [True, False, True]
    assert store.nbytes == 800


def test_growth_counts_too() -> None:
    store = AudioStore(max_bytes=1000)
    store.put("old", "joe", _finished())
    growing = Recording(1000)
    store.put("new", "joe", growing)
    growing.append(_audio(0.1, 200))
    assert store.get("old", "joe") is None
    assert store.get("new", "joe") is growing


async def test_what_is_larger_than_the_store_is_not_kept_but_can_be_heard_to_its_end() -> None:
    store = AudioStore(max_bytes=500)
    growing = Recording(1000)
    store.put("long", "joe", growing)
    for _ in range(3):
        growing.append(_audio(0.1))
    growing.finish()
    assert (len(store), store.nbytes) == (0, 0)
    assert len(await _values(growing)) == 3


@pytest.mark.parametrize("end", [Recording.abandon, lambda r: r.fail(ValueError())])
def test_what_will_never_be_finished_is_no_longer_found(end: object) -> None:
    store, recording = AudioStore(), Recording(1000)
    store.put("a", "joe", recording)
    recording.append(_audio(0.1))
    end(recording)  # type: ignore[operator]
    assert store.get("a", "joe") is None
    assert store.nbytes == 0


def test_putting_again_replaces_and_the_replaced_one_no_longer_counts() -> None:
    store, old = AudioStore(), Recording(1000)
    store.put("a", "joe", old)
    new = _finished()
    store.put("a", "joe", new)
    old.append(_audio(0.1))
    old.abandon()
    assert store.get("a", "joe") is new
    assert store.nbytes == new.nbytes
    store.discard("a", "joe")
    store.discard("a", "joe")
    assert len(store) == 0
