"""How many calls at once keep the budget, and who may be loaded."""

from __future__ import annotations

import asyncio
import json

import numpy as np
import pytest
from websockets.asyncio.server import ServerConnection

from budgets.errors import UserError
from budgets.playout import first_audible
from budgets.probe.budget_file import CallBudget
from budgets.probe.caller import Clip, moves_of
from budgets.probe.prepare import PreparedScenario
from budgets.probe.record import CallRecord
from budgets.probe.scenario import LineEffects, Manners, Scenario
from tests.voice.probe.scripted_agent import serving, tone
from tests.voice.probe.virtual_loop import clock_ns, run
from voice.audio import from_s16, to_s16
from voice.probe.load import Ramp, check_may_load, holds, place_calls
from voice.probe.pcm import PcmTarget
from voice.probe.targets import parse_target

HZ = 8000


def searched(most: int, holding: int) -> tuple[int, list[int]]:
    """What a ramp finds where up to ``holding`` calls hold, and what it tried."""
    ramp, tried = Ramp(most), list[int]()
    while (calls := ramp.next_calls()) is not None:
        tried.append(calls)
        ramp.told(calls, held=calls <= holding)
    return ramp.largest, tried


@pytest.mark.parametrize("most", [1, 2, 3, 7, 16, 200])
@pytest.mark.parametrize("holding", [0, 1, 2, 3, 5, 11, 16, 199, 300])
def test_a_ramp_finds_the_largest_number(most: int, holding: int) -> None:
    largest, tried = searched(most, holding)
    assert largest == min(most, holding)
    assert len(tried) == len(set(tried)) <= 16
    assert max(tried) <= most


def test_a_ramp_doubles_and_then_halves() -> None:
    assert searched(16, 5) == (5, [1, 2, 4, 8, 6, 5])


def the_scenario() -> PreparedScenario:
    clip = Clip("tone", np.concatenate([tone(500, HZ), np.zeros(HZ // 10, np.float32)]), HZ // 2, 0)
    scenario = Scenario(
        "tones", (), line=LineEffects(HZ), manners=Manners(after_reply_s=0.5, patience_s=1.5)
    )
    return PreparedScenario(scenario, tuple(moves_of([clip] * 3)), np.zeros(0, np.float32))


class BusyAgent:
    """Needs 100 ms for an answer, for every call that is open."""

    def __init__(self) -> None:
        self.calls = 0
        self.most = 0

    async def __call__(self, socket: ServerConnection) -> None:
        self.calls += 1
        self.most = max(self.most, self.calls)
        try:
            await self._answer(socket)
        finally:
            self.calls -= 1

    async def _answer(self, socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(json.dumps({"type": "format", "rate": HZ}))
        speaking = False
        async for message in socket:
            loud = first_audible(from_s16(message)) is not None  # type: ignore[arg-type]
            if speaking and not loud:
                await asyncio.sleep(0.1 * self.calls)
                await socket.send(to_s16(tone(300, HZ)))
            speaking = loud


def placed(calls: int) -> tuple[list[CallRecord], BusyAgent]:
    agent = BusyAgent()

    async def scene() -> list[CallRecord]:
        async with serving(agent) as url:
            return await place_calls(
                the_scenario(), lambda: PcmTarget(url), name="busy", calls=calls, clock_ns=clock_ns
            )

    return run(scene()), agent


@pytest.mark.parametrize("calls", [1, 4])
def test_calls_at_once_are_calls_at_once(calls: int) -> None:
    records, agent = placed(calls)
    assert agent.most == calls
    assert len(records) == calls
    slowest = max(s.v2v_ms or 0 for record in records for s in record.sounds)
    assert slowest == pytest.approx(100 * calls, abs=30)
    assert holds(records, CallBudget(p95_ms=250)) is (calls == 1)
    assert holds(records, CallBudget())


def test_what_was_lost_or_silent_does_not_hold() -> None:
    [record], _ = placed(1)
    assert holds([record], CallBudget())
    record.failed = True
    assert not holds([record], CallBudget())
    assert not holds([], CallBudget())


@pytest.mark.parametrize(
    "target", ["pcm+ws://127.0.0.1:1/", "pcm+ws://[::1]:1/", "rtvi+ws://localhost:1", "config:x"]
)
def test_this_machine_may_be_loaded(target: str) -> None:
    check_may_load(parse_target(target), [])


def test_another_machine_may_be_loaded_only_if_it_is_named() -> None:
    target = parse_target("twilio+wss://voice.example.com/media")
    with pytest.raises(UserError, match=r"--allow-host voice\.example\.com"):
        check_may_load(target, ["example.com"])
    check_may_load(target, ["voice.example.com"])
