"""The turn in virtual time, with scripted voice activity and scripted texts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.voice.virtual_call import MS, VirtualCall
from voice.audio import Samples
from voice.config import TurnConfig
from voice.stt.transcript import Transcript
from voice.turns.decodes import Decode

LOUD = 0.3
CONFIG = TurnConfig(silence_ms=500, short_silence_ms=400, long_silence_ms=1400)


def speech(ms: float) -> Samples:
    """A square wave: a level to measure, and to the scripted detector a voice."""
    return np.tile(np.float32([LOUD, -LOUD]), int(ms * 8))


def silence(ms: float) -> Samples:
    return np.tile(np.float32([1e-4, -1e-4]), int(ms * 8))


def loudness_is_voice(window: Samples) -> float:
    return 0.95 if np.abs(window).mean() > LOUD / 4 else 0.02


def call(text: str | Callable[[Decode], Transcript | None] = "That is all.", **options: object):  # type: ignore[no-untyped-def]
    decode = text if callable(text) else lambda job: Transcript(text)
    return VirtualCall(decode, loudness_is_voice, **{"config": CONFIG, **options})  # type: ignore[arg-type]


def end_ms(ns: int) -> float:
    return ns / MS


def test_a_complete_sentence_is_a_turn_after_its_silence() -> None:
    line = call()
    line.hear(silence(480))
    line.hear(speech(1024))
    line.hear(silence(800))
    (turn,) = line.turns
    assert turn.text == "That is all."
    assert end_ms(turn.speech_started_ns) == pytest.approx(480, abs=33)
    assert end_ms(turn.speech_ended_ns) == pytest.approx(1504, abs=12)
    assert end_ms(turn.silence_met_ns - turn.speech_ended_ns) == pytest.approx(500, abs=1)
    assert 0 <= end_ms(turn.ended_ns - turn.silence_met_ns) <= 2
    assert turn.text_ready_ns < turn.silence_met_ns  # decoded while waiting, not after


@pytest.mark.parametrize(
    ("text", "needed_ms"),
    [("Yes.", 400), ("I need a second key.", 500), ("My number is 415", 1400)],
)
def test_the_silence_depends_on_the_text(text: str, needed_ms: float) -> None:
    line = call(text)
    line.hear(speech(640))
    line.hear(silence(2000))
    (turn,) = line.turns
    assert end_ms(turn.ended_ns - turn.speech_ended_ns) == pytest.approx(needed_ms, abs=3)


def test_a_late_text_ends_the_turn_when_it_comes() -> None:
    line = call(decode_ms=900)
    line.hear(speech(640))
    line.hear(silence(2000))
    (turn,) = line.turns
    assert turn.ended_ns == turn.text_ready_ns > turn.silence_met_ns
    assert end_ms(turn.ended_ns - turn.speech_ended_ns) == pytest.approx(160 + 900, abs=40)


def test_a_pause_shorter_than_the_silence_is_inside_the_turn() -> None:
    texts = iter(["I want a flat", "I want a flat on floor five."])
    line = call(lambda job: Transcript(next(texts)))
    line.hear(speech(640))
    line.hear(silence(448))
    line.hear(speech(640))
    line.hear(silence(800))
    (turn,) = line.turns
    assert turn.text == "I want a flat on floor five."
    assert [event.text for event in line.interims] == ["I want a flat"]
    assert len(line.starts) == 1
    first, second = line.jobs
    assert len(second.samples) > len(first.samples) + 16 * 640  # from the start, not from the pause


def test_a_text_that_comes_after_the_caller_went_on_is_only_an_interim() -> None:
    line = call(decode_ms=300)
    line.hear(speech(640))
    line.hear(silence(224))  # decoding begins at 160
    line.hear(speech(960))
    assert [event.text for event in line.interims] == ["That is all."]
    assert not line.turns


def test_speech_after_a_turn_is_a_new_turn_that_hears_nothing_twice() -> None:
    line = call()
    line.hear(speech(640))
    line.hear(silence(544))
    line.hear(speech(640))
    line.hear(silence(800))
    assert len(line.turns) == len(line.starts) == 2
    first, second = line.jobs
    assert second.upto - len(second.samples) >= first.upto


@pytest.mark.parametrize("click_ms", [32, 64])
def test_a_click_starts_nothing(click_ms: float) -> None:
    line = call()
    for _ in range(6):
        line.hear(speech(click_ms))
        line.hear(silence(640))
    assert line.events == []


def test_a_click_in_the_silence_does_not_put_off_the_end() -> None:
    line = call()
    line.hear(speech(640))
    line.hear(silence(320))
    line.hear(speech(32))
    line.hear(silence(320))
    (turn,) = line.turns
    assert end_ms(turn.speech_ended_ns) == pytest.approx(640, abs=12)


def test_noise_is_dropped_with_its_reason_and_the_next_turn_is_heard() -> None:
    answers = iter([Transcript("", rejected="noise"), Transcript("Hello.")])
    line = call(lambda job: next(answers))
    line.hear(speech(400))
    line.hear(silence(800))
    line.hear(speech(400))
    line.hear(silence(800))
    (drop,) = line.drops
    assert drop.reason == "noise"
    assert end_ms(drop.speech_ended_ns) == pytest.approx(400, abs=12)
    assert [turn.text for turn in line.turns] == ["Hello."]


def test_a_failed_decode_is_a_drop_and_not_a_silence() -> None:
    answers = iter([None, Transcript("Hello.")])
    line = call(lambda job: next(answers))
    for _ in range(2):
        line.hear(speech(400))
        line.hear(silence(800))
    assert [drop.reason for drop in line.drops] == ["the transcription failed"]
    assert [turn.text for turn in line.turns] == ["Hello."]


def test_a_decode_that_hangs_is_given_up_and_the_call_goes_on() -> None:
    line = call(decode_ms=1e6)
    line.hear(speech(400))
    line.hear(silence(9000))
    (drop,) = line.drops
    assert drop.reason == "the transcription failed"
    assert line.called_off == [line.jobs[0].id]
    line.decode_ms = 50
    line.hear(speech(400))
    line.hear(silence(800))
    assert len(line.turns) == 1


def test_interims_come_while_speaking_and_never_pile_up() -> None:
    count = iter(range(1000))
    line = call(lambda job: Transcript(f"word {next(count)} and"), interim_every_ms=400)
    line.decode_ms = 900
    line.hear(speech(8000))
    assert 3 <= len(line.interims) <= 8000 / 900
    assert all(job.kind == "interim" for job in line.jobs)
    assert len(line.jobs) <= len(line.interims) + 1


def test_the_final_decode_calls_off_an_interim() -> None:
    line = call(interim_every_ms=400, decode_ms=600)
    line.hear(speech(544))  # an interim is under way when the pause begins
    line.hear(silence(1400))
    assert [job.kind for job in line.jobs] == ["interim", "final"]
    assert line.called_off == [line.jobs[0].id]
    assert not line.interims
    assert len(line.turns) == 1


def test_a_long_turn_is_decoded_in_bounded_pieces_and_kept_whole() -> None:
    """Three minutes with short dips in the voice and a pause now and then."""
    line = call(lambda job: Transcript(f"{job.kind}{job.id}"), config=CONFIG)
    for minute in range(3):
        for _ in range(5):
            line.hear(speech(11000))
            line.hear(silence(64))
        line.hear(silence(320 if minute < 2 else 0))
    line.hear(silence(2000))
    (turn,) = line.turns
    committed = [job for job in line.jobs if job.kind == "commit"]
    assert max(len(job.samples) for job in line.jobs) / 16000 <= 25
    assert sum(len(job.samples) for job in committed) / 16000 > 100
    for job in committed:
        assert f"commit{job.id}" in turn.text.split()
        dip = job.upto / 16 % 11064  # a cut lies where the voice dips
        assert dip > 10900 or dip < 1200
    starts = [job.upto - len(job.samples) for job in committed]
    assert all(begin >= job.upto - 1 for job, begin in zip(committed, starts[1:], strict=False))


def test_a_line_that_falls_silent_in_mid_word_still_ends_the_turn() -> None:
    line = call()
    line.hear(speech(640))
    line.wait(1399)
    assert not line.jobs
    line.wait(200)
    assert len(line.turns) == 1


def test_a_stall_of_the_line_is_not_a_pause_of_the_caller() -> None:
    line = call()
    line.hear(speech(640))
    line.hear(silence(224))
    line.wait(700)
    assert not line.turns
    line.hear(speech(320))
    line.hear(silence(800))
    assert len(line.turns) == len(line.starts) == 1


def test_speech_is_not_forgotten_when_the_line_closes() -> None:
    line = call()
    line.hear(speech(640))
    (drop,) = line.turn.give_up(line.now_ns)
    assert drop.reason == "the line closed"  # type: ignore[union-attr]


def test_idle_memory_is_bounded() -> None:
    line = call()
    line.hear(silence(60_000))
    buffer = line.turn._buffer
    assert (buffer.end - buffer.start) / 16 < 1000
