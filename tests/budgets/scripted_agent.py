"""Virtual time, and an agent in it that does at exact moments what a test tells it to."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from budgets.playout import first_audible
from budgets.probe.caller import Clip, Move
from budgets.probe.prepare import PreparedScenario
from budgets.probe.record import Samples, TargetError
from budgets.probe.scenario import LineEffects, Manners, Scenario

MS = 1_000_000


class VirtualTime:
    """A clock that jumps: to sleep is to be there, after whatever was due before."""

    def __init__(self) -> None:
        self.now_ns = 5_000 * MS
        self._due: list[tuple[int, int, Callable[[], None]]] = []

    def clock(self) -> int:
        return self.now_ns

    def at(self, at_ns: int, act: Callable[[], None]) -> None:
        heapq.heappush(self._due, (max(at_ns, self.now_ns), len(self._due), act))

    async def sleep(self, seconds: float) -> None:
        until = self.now_ns + round(seconds * 1e9)
        while self._due and self._due[0][0] <= until:
            self.now_ns, _, act = heapq.heappop(self._due)
            act()
        self.now_ns = until


def words(ms: float, rate_hz: int, seed: int) -> Samples:
    """Something like speech: audible from its first to its last sample, different by seed."""
    chance = np.random.default_rng(seed)
    count = round(ms * rate_hz / 1000)
    out = np.zeros(count, dtype=np.float32)
    at = 0
    while at < count:
        length = min(count - at, round(chance.uniform(0.12, 0.22) * rate_hz))
        t = np.arange(length) / rate_hz
        syllable = 0.25 * np.cos(2 * np.pi * chance.uniform(100, 140) * t)
        for low, high in ((250, 800), (900, 1800), (2000, 3200)):
            level = chance.uniform(0.02, 0.15)
            syllable += level * np.cos(2 * np.pi * chance.uniform(low, high) * t)
        out[at : at + length] = syllable
        at += length
    out[0] = out[-1] = 0.2
    return out


def silence(ms: float, rate_hz: int) -> Samples:
    return np.zeros(round(ms * rate_hz / 1000), dtype=np.float32)


@dataclass(frozen=True)
class Act:
    """``at_ms`` after the caller's end of speech: say something, or clear what is queued."""

    at_ms: float
    samples: Samples | None


class ScriptedAgent:
    """A Target. The acts of utterance n begin when the caller's n-th speech is heard.

    ``speech_ms`` is how long each speech of the caller is: so that the agent may act at its end
    exactly, or before it.
    """

    def __init__(
        self,
        time: VirtualTime,
        script: Sequence[Sequence[Act]],
        *,
        speech_ms: float,
        agent_hz: int = 16000,
        vanishes_after: int | None = None,
    ) -> None:
        self._time = time
        self._script = list(script)
        self._speech_ns = round(speech_ms * MS)
        self._agent_hz = agent_hz
        self._vanishes_after = vanishes_after
        self._next = 0
        self._deaf_until = 0
        self._caller_hz = 0
        self.closed = 0

    async def open(
        self,
        caller_hz: int,
        on_audio: Callable[[Samples], None],
        on_clear: Callable[[], None],
    ) -> int:
        self._caller_hz, self._on_audio, self._on_clear = caller_hz, on_audio, on_clear
        return self._agent_hz

    async def send(self, samples: Samples) -> None:
        if self._vanishes_after is not None and self._next >= self._vanishes_after:
            raise TargetError("vanished", "the target closed the connection in mid-call")
        onset = first_audible(samples)
        began = self._time.now_ns - len(samples) * 1_000_000_000 // self._caller_hz
        if onset is None or began < self._deaf_until or self._next == len(self._script):
            return
        end = began + onset * 1_000_000_000 // self._caller_hz + self._speech_ns
        self._deaf_until = end + 20 * MS
        for act in self._script[self._next]:
            self._time.at(end + round(act.at_ms * MS), lambda act=act: self._do(act))  # type: ignore[misc]
        self._next += 1

    async def close(self) -> None:
        self.closed += 1

    def _do(self, act: Act) -> None:
        if act.samples is None:
            self._on_clear()
        else:
            self._on_audio(act.samples)


def scenario(moves: Sequence[Move], rate_hz: int, **manners: float) -> PreparedScenario:
    """Moves as a scenario whose caller does not wait for a greeting."""
    waits = {"after_reply_s": 1.2, "patience_s": 4.0} | manners
    line = LineEffects(rate_hz=rate_hz)
    return PreparedScenario(
        Scenario("test", (), line=line, manners=Manners(**waits)),
        tuple(moves),
        np.zeros(0, np.float32),
    )


def said(ms: float, rate_hz: int, *, lead_ms: float = 130, tail_ms: float = 90) -> Clip:
    """A clip of the caller with quiet before and after the words."""
    samples = np.concatenate(
        [silence(lead_ms, rate_hz), words(ms, rate_hz, 7), silence(tail_ms, rate_hz)]
    )
    first = round(lead_ms * rate_hz / 1000)
    return Clip("words", samples, first + round(ms * rate_hz / 1000), first)
