"""One call: the caller's script spoken to a target in real time, and what was heard."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

import numpy as np

from budgets.playout import first_audible
from budgets.probe.acoustics import hear
from budgets.probe.caller import FRAME_MS, Script
from budgets.probe.expectations import unmet
from budgets.probe.prepare import PreparedScenario
from budgets.probe.record import CallRecord, Finding, Samples, Target, TargetError, Utterance
from budgets.probe.tracks import CallTracks
from budgets.probe.wire import Wire

ClockNs = Callable[[], int]
Sleep = Callable[[float], Awaitable[None]]
Send = Callable[[Samples], Awaitable[None]]

_ANSWERED_WITHIN_S = 30.0
"""How long a target may take to accept a call: agents that load their models are given time."""
_STUCK_S = 5.0
"""A target that does not take a frame for this long is gone."""
_LATE_S = 0.5
"""A caller this far behind its own clock no longer speaks in real time."""

_log = logging.getLogger(__name__)


async def place_call(
    prepared: PreparedScenario,
    target: Target,
    *,
    name: str,
    clock_ns: ClockNs = time.monotonic_ns,
    sleep: Sleep = asyncio.sleep,
) -> CallRecord:
    """Call ``target``, go through the scenario and hang up.

    Never raises for what the target does: a target that refuses, sends nonsense or vanishes is a
    finding, and the record holds what was heard until then. ``name`` is the target's in reports.
    """
    call = _Call(prepared, target, clock_ns, sleep)
    try:
        await call.run()
    except TargetError as fault:
        call.fail(fault.kind, fault.message)
    finally:
        await call.hang_up()
    return call.record(name)


async def speak_script(
    script: Script,
    tracks: CallTracks,
    send: Send,
    *,
    wire: Wire | None = None,
    noise: Samples | None = None,
    clock_ns: ClockNs = time.monotonic_ns,
    sleep: Sleep = asyncio.sleep,
) -> list[Utterance]:
    """Speak a script into ``send`` in real time, 20 ms frames, silence (or noise) in between.

    Returns what was said, with its times. A frame is sent when its last sample has been spoken,
    as a microphone does; a late one is caught up with, never dropped.
    """
    size = tracks.caller_hz * FRAME_MS // 1000
    heard_upto = count = 0
    while not script.done:
        frame = script.next_frame(size)
        if noise is not None and len(noise):
            frame = frame + noise[np.arange(count * size, (count + 1) * size) % len(noise)]
        frame, late_s = wire.carry(frame) if wire is not None else (frame, 0.0)
        count += 1
        due_ns = tracks.origin_ns + count * FRAME_MS * 1_000_000 + round(late_s * 1e9)
        await sleep(max(0.0, (due_ns - clock_ns()) / 1e9))
        tracks.said(frame)
        await send(frame)
        audible, heard_upto = _audible_since(tracks, heard_upto, clock_ns())
        if audible:
            script.agent_audible()
    return script.utterances


def _audible_since(tracks: CallTracks, upto: int, now_ns: int) -> tuple[bool, int]:
    now = max(upto, (now_ns - tracks.origin_ns) * tracks.agent_hz // 1_000_000_000)
    return first_audible(tracks.agent_between(upto, now)) is not None, now


class _Call:
    """A call from dialling to hanging up."""

    def __init__(
        self, prepared: PreparedScenario, target: Target, clock_ns: ClockNs, sleep: Sleep
    ) -> None:
        self._prepared = prepared
        self._target = target
        self._clock_ns = clock_ns
        self._sleep = sleep
        self._script = Script(
            prepared.moves, prepared.scenario.line.rate_hz, prepared.scenario.manners
        )
        self._tracks: CallTracks | None = None
        self._early: list[tuple[int, Samples]] = []  # what came before the target told its rate
        self._findings: list[Finding] = []
        self._failed = False
        self._behind_s = 0.0

    async def run(self) -> None:
        line = self._prepared.scenario.line
        try:
            async with asyncio.timeout(_ANSWERED_WITHIN_S):
                agent_hz = await self._target.open(line.rate_hz, self._on_audio, self._on_clear)
        except TimeoutError:
            raise TargetError(
                "slow", f"the target did not accept the call within {_ANSWERED_WITHIN_S:.0f} s"
            ) from None
        origin_ns = self._early[0][0] if self._early else self._clock_ns()
        tracks = CallTracks(caller_hz=line.rate_hz, agent_hz=agent_hz, origin_ns=origin_ns)
        for at_ns, samples in self._early:
            tracks.heard(samples, at_ns)
        self._tracks = tracks
        await speak_script(
            self._script,
            tracks,
            self._send,
            wire=Wire(line, seed=self._prepared.scenario.seed),
            noise=self._prepared.noise,
            clock_ns=self._clock_ns,
            sleep=self._sleep,
        )

    def fail(self, kind: str, message: str) -> None:
        at_s = None
        if self._tracks is not None:
            at_s = (self._clock_ns() - self._tracks.origin_ns) / 1e9
        self._findings.append(Finding(kind, None, message, at_s))
        self._failed = True

    async def hang_up(self) -> None:
        try:
            async with asyncio.timeout(_STUCK_S):
                await self._target.close()
        except (TargetError, TimeoutError) as fault:
            # The call is over: what is measured stands.
            _log.info("the target did not hang up in order: %s", fault)

    def record(self, name: str) -> CallRecord:
        tracks, line = self._tracks, self._prepared.scenario.line
        utterances = self._script.utterances
        nothing = np.zeros(0, dtype=np.float32)
        agent = nothing if tracks is None else tracks.agent
        agent_hz = line.rate_hz if tracks is None else tracks.agent_hz
        sent = [] if tracks is None else tracks.agent_spans
        sounds = [hear(utterance, agent, agent_hz, sent=sent) for utterance in utterances]
        findings = [*self._findings, *self._script.findings]
        for utterance, sound in zip(utterances, sounds, strict=True):
            findings += unmet(utterance, sound)
        if self._behind_s > _LATE_S:
            findings.append(
                Finding(
                    "caller-late",
                    None,
                    f"the caller was up to {self._behind_s * 1000:.0f} ms behind its own clock: "
                    "this machine is too busy for the figures to be trusted",
                )
            )
        return CallRecord(
            target=name,
            scenario=self._prepared.scenario.name,
            caller=nothing if tracks is None else tracks.caller,
            caller_hz=line.rate_hz,
            agent=agent,
            agent_hz=agent_hz,
            utterances=utterances,
            sounds=sounds,
            findings=findings,
            failed=self._failed,
        )

    def _on_audio(self, samples: Samples) -> None:
        now_ns = self._clock_ns()
        if self._tracks is None:
            self._early.append((now_ns, samples))
        else:
            self._tracks.heard(samples, now_ns)

    def _on_clear(self) -> None:
        if self._tracks is None:
            self._early.clear()
        else:
            self._tracks.clear(self._clock_ns())

    async def _send(self, samples: Samples) -> None:
        tracks = self._tracks
        assert tracks is not None
        on_the_clock_s = (self._clock_ns() - tracks.origin_ns) / 1e9
        self._behind_s = max(self._behind_s, on_the_clock_s - tracks.said_s)
        try:
            async with asyncio.timeout(_STUCK_S):
                await self._target.send(samples)
        except TimeoutError:
            raise TargetError(
                "slow", f"the target took no audio for {_STUCK_S:.0f} s; the call was given up"
            ) from None
