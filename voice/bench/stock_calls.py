"""A call to a stock LiveKit agent, with the times at which its model was asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from budgets.errors import UserError
from budgets.probe.call import place_call
from budgets.probe.caller import Clip, moves_of
from budgets.probe.prepare import PreparedScenario
from budgets.probe.record import CallRecord, Target
from budgets.probe.scenario import LineEffects, Scenario
from voice.audio import Samples
from voice.bench.stock_livekit import StockLiveKit
from voice.probe.livekit_target import LiveKitTarget


class _Clocked:
    """A target that remembers when its call's clock began."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self.origin_ns: int | None = None

    async def open(
        self,
        caller_hz: int,
        on_audio: Callable[[Samples], None],
        on_clear: Callable[[], None],
    ) -> int:
        def first_audio(samples: Samples) -> None:
            self._begun()
            on_audio(samples)

        agent_hz = await self._target.open(caller_hz, first_audio, on_clear)
        self._begun()
        return agent_hz

    async def send(self, samples: Samples) -> None:
        await self._target.send(samples)

    async def close(self) -> None:
        await self._target.close()

    def _begun(self) -> None:
        if self.origin_ns is None:
            self.origin_ns = time.monotonic_ns()


async def call_livekit(
    agent: StockLiveKit, clips: Sequence[Clip], rate_hz: int, *, name: str
) -> tuple[CallRecord, list[int], int]:
    """Call it with ``clips``: the record, when the model was asked, and the call's start (ns).

    Raises UserError if the call could not be placed: a benchmark of a broken agent is none.
    """
    asked_ns: list[int] = []

    def entry() -> object:
        return agent.session(lambda: asked_ns.append(time.monotonic_ns()))

    scenario = Scenario("bench", (), line=LineEffects(rate_hz))
    prepared = PreparedScenario(scenario, tuple(moves_of(clips)), np.zeros(0, np.float32))
    target = _Clocked(LiveKitTarget(entry))
    record = await place_call(prepared, target, name=name)
    if record.failed:
        raise UserError(f"{name}: {record.findings[0].message}")
    assert target.origin_ns is not None
    return record, asked_ns, target.origin_ns
