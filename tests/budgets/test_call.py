"""A call and the ways in which the other end can fail it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from budgets.probe import call as call_module
from budgets.probe.call import place_call
from budgets.probe.caller import Move, moves_of
from budgets.probe.record import CallRecord, Samples, TargetError
from tests.budgets.scripted_agent import (
    MS,
    Act,
    ScriptedAgent,
    VirtualTime,
    said,
    scenario,
    words,
)

HZ = 16000


async def placed(agent: ScriptedAgent, time: VirtualTime, **manners: float) -> CallRecord:
    moves = moves_of([said(900, HZ)])
    return await place_call(
        scenario(moves, HZ, **manners), agent, name="it", clock_ns=time.clock, sleep=time.sleep
    )


def an_agent(time: VirtualTime, kind: type[ScriptedAgent] = ScriptedAgent) -> ScriptedAgent:
    return kind(time, [[Act(350, words(900, HZ, 1))]], speech_ms=900)


async def test_a_target_that_refuses_is_a_finding() -> None:
    class Refuses(ScriptedAgent):
        async def open(self, *arguments: object) -> int:  # type: ignore[override]
            raise TargetError("refused", "nobody listens on port 9")

    time = VirtualTime()
    agent = an_agent(time, Refuses)
    record = await placed(agent, time)
    [finding] = record.findings
    assert (finding.kind, finding.turn) == ("refused", None)
    assert record.failed
    assert record.utterances == []
    assert len(record.agent) == 0
    assert agent.closed == 1


async def test_a_target_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hangs(ScriptedAgent):
        async def send(self, samples: Samples) -> None:
            await asyncio.Event().wait()

    class NeverAnswers(ScriptedAgent):
        async def open(self, *arguments: object) -> int:  # type: ignore[override]
            await asyncio.Event().wait()
            raise AssertionError

    monkeypatch.setattr(call_module, "_STUCK_S", 0.0)
    monkeypatch.setattr(call_module, "_ANSWERED_WITHIN_S", 0.0)
    for kind in (Hangs, NeverAnswers):
        time = VirtualTime()
        record = await placed(an_agent(time, kind), time)
        assert [finding.kind for finding in record.findings] == ["slow"]
        assert record.failed


async def test_a_target_that_fails_to_hang_up_does_not_spoil_the_call() -> None:
    class Clings(ScriptedAgent):
        async def close(self) -> None:
            raise TargetError("vanished", "gone before the goodbye")

    time = VirtualTime()
    record = await placed(an_agent(time, Clings), time)
    assert record.findings == []
    assert record.sounds[0].v2v_ms == pytest.approx(350, abs=2)


async def test_audio_that_comes_before_the_target_is_open_begins_the_call() -> None:
    class Hasty(ScriptedAgent):
        async def open(
            self,
            caller_hz: int,
            on_audio: Callable[[Samples], None],
            on_clear: Callable[[], None],
        ) -> int:
            rate = await super().open(caller_hz, on_audio, on_clear)
            on_audio(words(1000, HZ, 9))
            time.now_ns += 300 * MS
            return rate

    time = VirtualTime()
    record = await placed(an_agent(time, Hasty), time)
    assert record.utterances[0].start_s == pytest.approx(1.0 + 1.2, abs=0.05)
    assert record.sounds[0].v2v_ms == pytest.approx(350, abs=2)


async def test_a_caller_that_cannot_keep_up_says_so() -> None:
    class Blocks(ScriptedAgent):
        async def send(self, samples: Samples) -> None:
            await super().send(samples)
            if 6000 * MS < time.now_ns < 6100 * MS:
                time.now_ns += 700 * MS

    time = VirtualTime()
    record = await placed(an_agent(time, Blocks), time)
    assert "caller-late" in [finding.kind for finding in record.findings]
    assert not record.failed


async def test_an_agent_that_never_stops_is_not_listened_to_for_ever() -> None:
    time = VirtualTime()
    agent = ScriptedAgent(time, [[Act(350, words(60_000, HZ, 1))], []], speech_ms=900)
    moves: list[Move] = moves_of([said(900, HZ), said(900, HZ)])
    prepared = scenario(moves, HZ, longest_reply_s=5.0)
    record = await place_call(prepared, agent, name="it", clock_ns=time.clock, sleep=time.sleep)
    first, second = record.utterances
    assert first.until_s - first.speech_end_s == pytest.approx(5.35, abs=0.05)
    assert record.sounds[1].cutoff
    assert second.until_s - second.speech_end_s < 6
