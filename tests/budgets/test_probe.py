"""The caller's script and ears, in virtual time."""

from __future__ import annotations

import numpy as np
import pytest

from budgets.playout import Playout, first_audible
from budgets.probe.acoustics import hear
from budgets.probe.caller import Clip, Script, moves_of
from budgets.probe.record import Utterance
from budgets.probe.scenario import Manners
from budgets.probe.speech_bounds import speech_end, speech_start
from budgets.probe.tracks import CallTracks

HZ = 16000
MS = 1_000_000
FRAME = HZ // 50
A_TURN = Utterance(0, "t", "turn", start_s=0.2, speech_end_s=1.0, until_s=6.0)


def tone(ms: float, rate_hz: int = HZ, level: float = 0.3) -> np.ndarray:
    count = round(ms * rate_hz / 1000)
    return (level * np.sin(np.arange(count) * 2 * np.pi * 220 / rate_hz + 0.5)).astype(np.float32)


def silence(ms: float, rate_hz: int = HZ) -> np.ndarray:
    return np.zeros(round(ms * rate_hz / 1000), dtype=np.float32)


def test_the_player_plays_back_to_back_and_never_early() -> None:
    player = Playout(1000)
    assert player.play(100, 50 * MS) == 50 * MS
    assert player.play(100, 60 * MS) == 150 * MS
    assert player.waiting_ns(200 * MS) == 50 * MS
    player.clear(200 * MS)
    assert player.play(10, 210 * MS) == 210 * MS


def test_near_silence_is_not_audible() -> None:
    assert first_audible(tone(20, level=0.009)) is None
    assert first_audible(np.concatenate([silence(5), tone(20)])) == 80


def test_tracks_hold_what_was_played_and_not_what_was_taken_back() -> None:
    tracks = CallTracks(caller_hz=HZ, agent_hz=HZ, origin_ns=1000 * MS)
    tracks.heard(tone(100), 1200 * MS)
    tracks.heard(tone(100), 1210 * MS)  # waits for the first
    tracks.clear(1350 * MS)
    track = tracks.agent
    assert len(track) == round(0.350 * HZ)
    assert first_audible(track) == round(0.200 * HZ)
    assert np.array_equal(tracks.agent_between(3000, 5000), track[3000:5000])


def test_tracks_know_where_the_agent_sent_anything_at_all() -> None:
    tracks = CallTracks(caller_hz=HZ, agent_hz=HZ, origin_ns=0)
    tracks.heard(silence(100), 200 * MS)
    tracks.heard(tone(100), 350 * MS)  # late, but of the same reply
    tracks.heard(tone(100), 900 * MS)
    assert tracks.agent_spans == [(3200, 7200), (14400, 16000)]


@pytest.mark.parametrize("v2v_ms", [0, 100, 199, 350, 800, 2500])
def test_a_planted_delay_is_measured(v2v_ms: int) -> None:
    agent = np.concatenate([silence(1000 + v2v_ms), tone(400)])
    sound = hear(A_TURN, agent, HZ)
    assert sound.v2v_ms == pytest.approx(v2v_ms, abs=1)
    assert not sound.cutoff


def test_an_agent_that_talks_over_the_caller_is_a_cutoff_and_measured_by_what_follows() -> None:
    agent = np.concatenate([silence(900), tone(300), silence(500), tone(300)])
    sound = hear(A_TURN, agent, HZ)
    assert sound.cutoff
    assert sound.v2v_ms == pytest.approx(700, abs=1)


def test_silence_is_silence() -> None:
    sound = hear(A_TURN, silence(500), HZ)
    assert (sound.v2v_ms, sound.cutoff, sound.reply_ms) == (None, False, 0)


def test_the_end_of_speech_is_found_before_the_room() -> None:
    room = np.random.default_rng(1).normal(0, 0.0006, round(0.5 * HZ)).astype(np.float32)
    samples = np.concatenate([silence(200), tone(700), room])
    assert speech_end(samples, HZ) / HZ == pytest.approx(0.9, abs=0.011)
    assert speech_start(samples, HZ) / HZ == pytest.approx(0.2, abs=0.011)


def run(script: Script, *, agent_ms: list[tuple[int, int]], limit_ms: int = 60_000) -> np.ndarray:
    """Drive the script in virtual time with an agent that is audible in the given spans."""
    frames = []
    for at_ms in range(0, limit_ms, 20):
        if script.done:
            break
        frames.append(script.next_frame(FRAME))
        if any(start <= at_ms < end for start, end in agent_ms):
            script.agent_audible()
    return np.concatenate(frames)


def a_clip(ms: int) -> Clip:
    samples = np.concatenate([tone(ms), silence(200)])
    return Clip("clip", samples, round(ms * HZ / 1000))


def test_the_caller_listens_before_speaking_and_hears_each_reply_out() -> None:
    script = Script(
        moves_of([a_clip(500), a_clip(500)]), HZ, Manners(after_reply_s=1.0, patience_s=5.0)
    )
    run(script, agent_ms=[(300, 1500), (3500, 4000), (4600, 6000), (8000, 9000)])
    first, second = script.utterances
    assert first.start_s == pytest.approx(2.5, abs=0.05)  # a second after the greeting
    assert first.speech_end_s == pytest.approx(first.start_s + 0.5)
    assert second.start_s == pytest.approx(7.0, abs=0.05)  # the gap in the reply is not its end
    assert second.until_s == pytest.approx(10.0, abs=0.05)


def test_a_caller_whom_nobody_answers_goes_on_after_a_while() -> None:
    script = Script(moves_of([a_clip(500)]), HZ, Manners(after_reply_s=1.0, patience_s=5.0))
    sent = run(script, agent_ms=[])
    assert script.done
    [turn] = script.utterances
    assert turn.start_s == pytest.approx(5.0, abs=0.05)
    assert turn.until_s == pytest.approx(10.5, abs=0.05)
    start = round(turn.start_s * HZ)
    assert np.array_equal(sent[start : start + HZ // 2], tone(500))


def test_talking_over_the_caller_is_not_an_answer() -> None:
    script = Script(moves_of([a_clip(1000)]), HZ, Manners(after_reply_s=1.0, patience_s=5.0))
    run(script, agent_ms=[(0, 100), (1500, 1700)])
    [turn] = script.utterances
    assert turn.until_s - turn.speech_end_s == pytest.approx(5.0, abs=0.05)
