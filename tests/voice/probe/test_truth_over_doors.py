"""Over real sockets too, the outside caller measures what was planted, and finds nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from budgets.probe.call import place_call
from budgets.probe.caller import Move
from budgets.probe.record import CallRecord, Expect, Target
from tests.budgets.scripted_agent import said, scenario, words
from tests.voice.probe.scripted_agent import Act, Brain, pcm_agent, serving, twilio_agent
from tests.voice.probe.virtual_loop import clock_ns, run
from voice.probe.pcm import PcmTarget
from voice.probe.twilio import TwilioTarget

SPEECH_MS = 900.0
NEAR = 10
"""Milliseconds: what a measurement may be off."""

lines = pytest.mark.parametrize(
    ("door", "rate_hz"), [("pcm", 8000), ("pcm", 16000), ("twilio", 8000), ("twilio", 16000)]
)


def call(
    door: str, rate_hz: int, moves: Sequence[Move], script: Sequence[Sequence[Act]]
) -> CallRecord:
    """A call in virtual time; the agent's audio is at ``agent_hz(door, rate_hz)``."""
    brain = Brain(script, SPEECH_MS, 8000 if door == "twilio" else rate_hz)
    agent = twilio_agent(brain) if door == "twilio" else pcm_agent(brain, agent_hz=rate_hz)

    async def scene() -> CallRecord:
        async with serving(agent) as url:
            target: Target = (
                TwilioTarget(url, clock_ns=clock_ns) if door == "twilio" else PcmTarget(url)
            )
            return await place_call(scenario(moves, rate_hz), target, name=door, clock_ns=clock_ns)

    record: CallRecord = run(scene())
    assert not record.failed
    return record


def agent_hz(door: str, rate_hz: int) -> int:
    return 8000 if door == "twilio" else rate_hz


def turn(index: int, rate_hz: int, expect: Expect | None = None) -> Move:
    return Move(index, f"turn {index}", "turn", said(SPEECH_MS, rate_hz), expect=expect or Expect())


def kinds(record: CallRecord) -> list[str]:
    return [finding.kind for finding in record.findings]


@lines
def test_every_latency_is_measured(door: str, rate_hz: int) -> None:
    delays = [0, 100, 199, 350, 800, 2500]
    hz = agent_hz(door, rate_hz)
    script = [[Act(delay, words(1200, hz, n))] for n, delay in enumerate(delays)]
    record = call(door, rate_hz, [turn(n, rate_hz) for n in range(len(delays))], script)
    assert [sound.v2v_ms for sound in record.sounds] == pytest.approx(delays, abs=NEAR)
    assert kinds(record) == []


@lines
def test_every_planted_fault_is_reported(door: str, rate_hz: int) -> None:
    hz = agent_hz(door, rate_hz)
    reply = words(1600, hz, 3)
    script = [
        [Act(-50, words(1200, hz, 1))],
        [Act(350, reply), Act(2250, reply)],
        [],
        [Act(350 + 800 * n, words(500, hz, 10 + n)) for n in range(4)],
        [Act(350, words(8000, hz, 20))],
        [
            Act(200 - SPEECH_MS, None),
            Act(-250, words(1200, hz, 21)),
            Act(1700, words(1200, hz, 22)),
        ],
    ]
    moves = [turn(n, rate_hz) for n in range(5)]
    moves[3] = turn(3, rate_hz, Expect(gap_ms=250))
    moves.append(Move(5, "barge", "barge-in", said(SPEECH_MS, rate_hz), offset_s=0.7))
    record = call(door, rate_hz, moves, script)
    early, twice, silent, gaps, _, stale = record.sounds
    assert early.cutoff_ms == pytest.approx(50, abs=NEAR)
    assert twice.double_reply
    assert silent.silent
    assert gaps.gap_max_ms == pytest.approx(300, abs=NEAR)
    assert stale.stop_ms == pytest.approx(200, abs=NEAR)
    assert stale.stale_ms == pytest.approx(1200, abs=2 * NEAR)
    assert stale.v2v_ms == pytest.approx(1700, abs=NEAR)
    assert kinds(record) == ["cut-off", "double-reply", "silent", "gap", "stale"]


@pytest.mark.parametrize("door", ["pcm", "twilio"])
def test_a_hundred_clean_turns_raise_no_alarm(door: str) -> None:
    expect = Expect(v2v_ms=800, gap_ms=400)
    script = [[Act(150 + 5 * n, words(700 + 10 * n, 8000, n))] for n in range(100)]
    record = call(door, 8000, [turn(n, 8000, expect) for n in range(100)], script)
    assert len(record.sounds) == 100
    assert kinds(record) == []
    delays = [150 + 5 * n for n in range(100)]
    assert [sound.v2v_ms for sound in record.sounds] == pytest.approx(delays, abs=NEAR)
