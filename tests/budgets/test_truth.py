"""What an agent is told to do, the outside caller measures: planted faults, and no others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from budgets.probe.call import place_call
from budgets.probe.caller import Move, Script
from budgets.probe.record import CallRecord, Expect
from budgets.probe.scenario import Manners
from tests.budgets.scripted_agent import (
    Act,
    ScriptedAgent,
    VirtualTime,
    said,
    scenario,
    silence,
    words,
)

SPEECH_MS = 900.0
RATES = [(8000, 8000), (16000, 16000), (16000, 24000)]


async def call(
    moves: Sequence[Move],
    script: Sequence[Sequence[Act]],
    rates: tuple[int, int] = (16000, 16000),
    *,
    vanishes_after: int | None = None,
) -> CallRecord:
    time = VirtualTime()
    agent = ScriptedAgent(
        time,
        script,
        speech_ms=SPEECH_MS,
        agent_hz=rates[1],
        vanishes_after=vanishes_after,
    )
    record = await place_call(
        scenario(moves, rates[0]), agent, name="scripted", clock_ns=time.clock, sleep=time.sleep
    )
    assert agent.closed == 1
    return record


def turn(index: int = 0, *, rate_hz: int, expect: Expect | None = None) -> Move:
    return Move(index, f"turn {index}", "turn", said(SPEECH_MS, rate_hz), expect=expect or Expect())


def barge_in(index: int, *, rate_hz: int, expect: Expect | None = None) -> Move:
    clip = said(SPEECH_MS, rate_hz)
    return Move(index, f"barge {index}", "barge-in", clip, offset_s=0.7, expect=expect or Expect())


def backchannel(index: int, *, rate_hz: int) -> Move:
    clip = said(SPEECH_MS, rate_hz)
    expect = Expect(keep_talking=True, gap_ms=900)
    return Move(index, f"mhm {index}", "backchannel", clip, offset_s=0.5, expect=expect)


def kinds(record: CallRecord) -> list[str]:
    return [finding.kind for finding in record.findings]


@pytest.mark.parametrize("rates", RATES)
@pytest.mark.parametrize("v2v_ms", [0, 100, 199, 350, 800, 2500])
async def test_latency_is_measured(v2v_ms: int, rates: tuple[int, int]) -> None:
    reply = words(1500, rates[1], 1)
    record = await call([turn(rate_hz=rates[0])], [[Act(v2v_ms, reply)]], rates)
    [sound] = record.sounds
    assert sound.v2v_ms == pytest.approx(v2v_ms, abs=2)
    assert sound.reply_ms == pytest.approx(1500, abs=2)
    assert sound.leading_silence_ms in (None, pytest.approx(0, abs=2))
    assert kinds(record) == []


@pytest.mark.parametrize("rates", RATES)
async def test_an_answer_in_pieces_that_come_faster_than_they_play(rates: tuple[int, int]) -> None:
    reply = words(2000, rates[1], 1)
    pieces = [Act(350 + 3 * n, piece) for n, piece in enumerate(np.array_split(reply, 100))]
    record = await call([turn(rate_hz=rates[0])], [pieces], rates)
    [sound] = record.sounds
    assert sound.v2v_ms == pytest.approx(350, abs=2)
    assert sound.gap_max_ms < 30
    assert sound.reply_ms == pytest.approx(2000, abs=2)


async def test_silence_that_is_sent_is_told_from_waiting() -> None:
    reply = np.concatenate([silence(180, 16000), words(1000, 16000, 1)])
    record = await call([turn(rate_hz=16000)], [[Act(300, reply)]])
    assert record.sounds[0].v2v_ms == pytest.approx(480, abs=2)
    assert record.sounds[0].leading_silence_ms == pytest.approx(180, abs=2)


@pytest.mark.parametrize("rates", RATES)
async def test_talking_early_is_a_cutoff(rates: tuple[int, int]) -> None:
    record = await call([turn(rate_hz=rates[0])], [[Act(-50, words(1500, rates[1], 1))]], rates)
    [sound] = record.sounds
    assert sound.cutoff
    assert sound.cutoff_ms == pytest.approx(50, abs=2)
    assert sound.talk_over_ms == pytest.approx(50, abs=2)
    assert (sound.v2v_ms, sound.silent) == (None, False)
    assert kinds(record) == ["cut-off"]


async def test_an_answer_right_after_an_early_word_is_still_the_answer() -> None:
    acts = [Act(-600, words(200, 16000, 1)), Act(120, words(1500, 16000, 2))]
    record = await call([turn(rate_hz=16000)], [acts])
    assert record.sounds[0].cutoff_ms == pytest.approx(600, abs=2)
    assert record.sounds[0].v2v_ms == pytest.approx(120, abs=2)


@pytest.mark.parametrize("rates", RATES)
@pytest.mark.parametrize("pause_ms", [0, 300, 900])
async def test_a_reply_that_comes_twice(pause_ms: int, rates: tuple[int, int]) -> None:
    reply = words(1600, rates[1], 3)
    second = Act(350 + 1600 + pause_ms, reply)
    record = await call([turn(rate_hz=rates[0])], [[Act(350, reply), second]], rates)
    assert record.sounds[0].double_reply
    assert kinds(record) == ["double-reply"]


async def test_silence_is_a_finding() -> None:
    record = await call([turn(rate_hz=8000)], [[]], (8000, 8000))
    assert record.sounds[0].silent
    assert record.sounds[0].v2v_ms is None
    assert kinds(record) == ["silent"]


@pytest.mark.parametrize("rates", RATES)
async def test_gaps_inside_a_reply(rates: tuple[int, int]) -> None:
    acts = [Act(350 + n * 800, words(500, rates[1], 10 + n)) for n in range(4)]
    move = turn(rate_hz=rates[0], expect=Expect(gap_ms=250))
    record = await call([move], [acts], rates)
    assert record.sounds[0].gap_max_ms == pytest.approx(300, abs=2)
    assert kinds(record) == ["gap"]


def interrupted(hz: int, *, stops_ms: float, then: Sequence[Act]) -> list[list[Act]]:
    """A long reply, and a barge-in at whose onset + ``stops_ms`` the agent stops."""
    return [
        [Act(350, words(8000, hz, 1))],
        [Act(stops_ms - SPEECH_MS, None), *then],
    ]


@pytest.mark.parametrize("rates", RATES)
async def test_a_barge_in_that_the_agent_obeys(rates: tuple[int, int]) -> None:
    moves = [
        turn(0, rate_hz=rates[0]),
        barge_in(1, rate_hz=rates[0], expect=Expect(stop_ms=400, v2v_ms=600)),
    ]
    script = interrupted(rates[1], stops_ms=320, then=[Act(550, words(1500, rates[1], 2))])
    record = await call(moves, script, rates)
    first, second = record.sounds
    assert first.v2v_ms == pytest.approx(350, abs=2)
    assert second.stop_ms == pytest.approx(320, abs=2)
    assert second.v2v_ms == pytest.approx(550, abs=2)
    assert second.stale_ms == 0
    assert second.talk_over_ms == pytest.approx(320, abs=2)
    assert kinds(record) == []
    barge = record.utterances[1]
    reply_onset = record.utterances[0].speech_end_s + 0.35
    assert barge.onset_s - reply_onset == pytest.approx(0.7, abs=0.045)


@pytest.mark.parametrize("rates", RATES)
async def test_stale_audio_after_a_barge_in(rates: tuple[int, int]) -> None:
    hz = rates[1]
    then = [Act(-250, words(1200, hz, 5)), Act(1700, words(1500, hz, 2))]
    moves = [turn(0, rate_hz=rates[0]), barge_in(1, rate_hz=rates[0])]
    record = await call(moves, interrupted(hz, stops_ms=200, then=then), rates)
    sound = record.sounds[1]
    assert sound.stop_ms == pytest.approx(200, abs=2)
    assert sound.stale_ms == pytest.approx(1200, abs=2)
    assert sound.v2v_ms == pytest.approx(1700, abs=2)
    assert kinds(record) == ["stale"]


async def test_an_agent_that_does_not_stop() -> None:
    moves = [
        turn(0, rate_hz=16000),
        barge_in(1, rate_hz=16000, expect=Expect(stop_ms=400)),
    ]
    script = interrupted(16000, stops_ms=1500, then=[Act(2000, words(1500, 16000, 2))])
    record = await call(moves, script)
    assert record.sounds[1].stop_ms == pytest.approx(1500, abs=2)
    assert record.sounds[1].v2v_ms == pytest.approx(2000, abs=2)
    assert kinds(record) == ["slow-stop"]


async def test_a_barge_in_that_comes_too_late_is_left_out_and_said() -> None:
    moves = [turn(0, rate_hz=16000), barge_in(1, rate_hz=16000), turn(2, rate_hz=16000)]
    script = [[Act(350, words(400, 16000, 1))], [Act(350, words(900, 16000, 2))]]
    record = await call(moves, script)
    assert [utterance.index for utterance in record.utterances] == [0, 2]
    assert kinds(record) == ["skipped"]


async def test_a_backchannel_does_not_end_the_reply() -> None:
    moves = [turn(0, rate_hz=16000), backchannel(1, rate_hz=16000)]
    goes_on = await call(moves, [[Act(350, words(5000, 16000, 1))], []])
    assert kinds(goes_on) == []
    assert goes_on.sounds[0].reply_ms == pytest.approx(5000, abs=2)
    yields = await call(moves, [[Act(350, words(5000, 16000, 1))], [Act(-300, None)]])
    assert kinds(yields) == ["yielded"]


async def test_who_must_be_silent_and_is_not() -> None:
    quiet = Move(1, "quiet", "silence", None, silence_s=3.0, expect=Expect(silent=True))
    moves = [turn(0, rate_hz=16000), quiet]
    clean = await call(moves, [[Act(350, words(900, 16000, 1))]])
    assert kinds(clean) == []
    # 3 s after a reply of 0.9 s: in the middle of the silence.
    speaks = await call(moves, [[Act(350, words(900, 16000, 1)), Act(3500, words(400, 16000, 2))]])
    assert kinds(speaks) == ["spoke"]
    assert speaks.utterances[1].until_s - speaks.utterances[1].start_s == pytest.approx(3.0)


async def test_an_agent_that_talks_through_a_silence_is_left_in_the_end() -> None:
    quiet = Move(0, "quiet", "silence", None, silence_s=1.0, expect=Expect(silent=True))
    script = Script([quiet], 16000, Manners(patience_s=1.0, longest_reply_s=5.0))
    frames = 0
    while not script.done:
        script.next_frame(320)
        frames += 1
        if frames > 60:
            script.agent_audible()
    assert frames * 0.02 == pytest.approx(1.0 + 1.0 + 5.0, abs=0.1)


async def test_a_target_that_vanishes_leaves_what_was_heard() -> None:
    moves = [turn(0, rate_hz=16000), turn(1, rate_hz=16000)]
    script = [[Act(350, words(900, 16000, 1))], []]
    record = await call(moves, script, vanishes_after=2)
    assert record.failed
    assert "vanished" in kinds(record)
    assert record.sounds[0].v2v_ms == pytest.approx(350, abs=2)
    assert len(record.caller) > 0


@pytest.mark.parametrize("rates", RATES)
async def test_a_hundred_clean_turns_raise_no_alarm(rates: tuple[int, int]) -> None:
    chance = np.random.default_rng(5)
    hz = rates[1]
    moves: list[Move] = []
    script: list[list[Act]] = []
    expected: list[float | None] = []
    while len(moves) < 100:
        kind = chance.choice(["turn", "barge-in", "backchannel"], p=[0.6, 0.2, 0.2])
        if not moves or moves[-1].kind != "turn":
            kind = "turn"
        index = len(moves)
        if kind == "backchannel":
            moves.append(backchannel(index, rate_hz=rates[0]))
            script.append([])
            expected.append(None)
            continue
        expect = Expect(v2v_ms=920, stop_ms=420, gap_ms=700)
        make = turn if kind == "turn" else barge_in
        moves.append(make(index, rate_hz=rates[0], expect=expect))
        delay = float(chance.uniform(110, 900))
        acts = [] if kind == "turn" else [Act(chance.uniform(80, 400) - SPEECH_MS, None)]
        script.append([*acts, Act(delay, sentences(hz, chance))])
        expected.append(delay)
    record = await call(moves, script, rates)
    assert record.findings == []
    assert len(record.sounds) == 100
    for sound, delay in zip(record.sounds, expected, strict=True):
        assert sound.v2v_ms == (None if delay is None else pytest.approx(delay, abs=2))


def sentences(hz: int, chance: np.random.Generator) -> np.ndarray:
    """A reply long enough to be interrupted: sentences with pauses for breath between them."""
    parts = []
    for _ in range(chance.integers(2, 4)):
        parts.append(words(chance.uniform(1800, 2600), hz, int(chance.integers(1 << 30))))
        parts.append(silence(chance.uniform(60, 600), hz))
    return np.concatenate(parts)
