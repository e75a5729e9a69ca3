from __future__ import annotations

import random

import pytest

from voice.turns.audio_clock import AudioClock

MS = 1_000_000
RATE = 16000
START = 5_000 * MS
CHUNK = 320  # 20 ms


def stream(clock: AudioClock, chunks: int, *, first: int = 0, at_ns: int = START, late=None) -> int:  # type: ignore[no-untyped-def]
    """Feed ``chunks`` of 20 ms; ``late(i)`` is a chunk's lateness in ms. The position after."""
    for i in range(chunks):
        position = (first + i + 1) * CHUNK
        lateness = late(i) if late else 0
        clock.arrived(position, at_ns + (i + 1) * 20 * MS + int(lateness * MS))
    return (first + chunks) * CHUNK


def test_a_steady_line_is_a_straight_line() -> None:
    clock = AudioClock(RATE)
    position = stream(clock, 100)
    assert clock.ns(position) == START + 2000 * MS
    assert clock.ns(0) == START
    assert clock.ns(position + 160) == START + 2010 * MS  # not here yet


def test_late_chunks_shift_nothing() -> None:
    dice = random.Random(1)
    clock = AudioClock(RATE)
    position = stream(clock, 500, late=lambda i: 0 if i % 5 == 0 else dice.uniform(0, 80))
    assert clock.ns(position) == pytest.approx(START + 10_000 * MS, abs=1 * MS)


def test_a_burst_after_a_stall_shifts_nothing() -> None:
    clock = AudioClock(RATE)
    # A second of audio is held up and then comes all at once.
    position = stream(clock, 150, late=lambda i: max(0, 1000 - 20 * (i - 50)) if i >= 50 else 0)
    assert clock.ns(position) == pytest.approx(START + 3000 * MS, abs=1 * MS)


@pytest.mark.parametrize("gap_ms", [200, 1000, 60_000])
def test_behind_a_gap_the_stream_is_anchored_anew(gap_ms: int) -> None:
    clock = AudioClock(RATE)
    before = stream(clock, 100)
    after = stream(clock, 50, first=100, at_ns=START + (2000 + gap_ms) * MS)
    assert clock.ns(after) == pytest.approx(START + (3000 + gap_ms) * MS, abs=1 * MS)
    assert clock.ns(before + CHUNK) == pytest.approx(START + (2020 + gap_ms) * MS, abs=1 * MS)
    assert clock.ns(before - CHUNK) == pytest.approx(START + 1980 * MS, abs=1 * MS)


@pytest.mark.parametrize("ppm", [-100, 100])
def test_it_follows_a_sound_card_that_drifts(ppm: int) -> None:
    clock = AudioClock(RATE)
    ten_minutes = 30_000
    position = stream(clock, ten_minutes, late=lambda i: i * 20 * ppm / 1e6)
    true_ns = START + int(ten_minutes * 20 * MS * (1 + ppm / 1e6))
    assert clock.ns(position) == pytest.approx(true_ns, abs=5 * MS)


def test_many_gaps_keep_bounded_memory() -> None:
    clock = AudioClock(RATE)
    for call in range(50):
        stream(clock, 40, first=40 * call, at_ns=START + call * 5000 * MS)
    assert len(clock._anchors) <= 4


def test_before_any_audio_there_is_no_time() -> None:
    with pytest.raises(ValueError, match="no audio"):
        AudioClock(RATE).ns(0)
