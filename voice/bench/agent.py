"""Whole agents against each other: the same clips, the same line, heard from outside."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import ctranslate2
import numpy as np
import numpy.typing as npt
from pipecat.frames.frames import LLMContextFrame
from pipecat.observers.base_observer import BaseObserver, FramePushed

from budgets.errors import UserError
from budgets.figures import percentile
from budgets.ledger import Ledger
from budgets.probe.caller import Clip
from budgets.probe.record import Utterance, UtteranceSound
from voice.bench.stock_pipecat import build_stock_pipecat
from voice.demo.rehearsal import hear_out, rehearse
from voice.engines import Engines
from voice.line.rehearsed import RehearsedLine
from voice.models import model_path
from voice.pipecat.agent import greeting
from voice.pipecat.line import LineTransport

# The stock services load Whisper as it is stored, and CTranslate2 would say so at every call.
ctranslate2.set_log_level(logging.ERROR)


class RequestWatch(BaseObserver):
    """Notes when the model is asked: an answer asked for before the end of speech is to a half."""

    def __init__(self) -> None:
        super().__init__()
        self.requests_ns: list[int] = []
        self._seen: set[int] = set()

    async def on_push_frame(self, data: FramePushed) -> None:
        """See a frame pass; each request is counted where it first appears."""
        if isinstance(data.frame, LLMContextFrame) and data.frame.id not in self._seen:
            self._seen.add(data.frame.id)
            self.requests_ns.append(time.monotonic_ns())


@dataclass(frozen=True)
class TurnResult:
    """One turn of one agent."""

    agent: str
    sound: UtteranceSound
    half_turn: bool
    """What the caller heard was asked for before the caller's end of speech."""


@dataclass
class AgentResults:
    """All turns of one agent."""

    name: str
    turns: list[TurnResult] = field(default_factory=list)

    def v2v_ms(self) -> list[float]:
        """The latencies of the answered turns."""
        return [t.sound.v2v_ms for t in self.turns if t.sound.v2v_ms is not None]

    def summary(self) -> dict[str, float]:
        """The figures of this agent, each under its name."""
        count = max(1, len(self.turns))
        values = {
            "v2v_p50_ms": percentile(self.v2v_ms(), 50),
            "v2v_p95_ms": percentile(self.v2v_ms(), 95),
            "cutoff_rate": sum(t.sound.cutoff for t in self.turns) / count,
            "half_turn_rate": sum(t.half_turn for t in self.turns) / count,
            "silent": float(sum(t.sound.v2v_ms is None for t in self.turns)),
            "turns": float(len(self.turns)),
        }
        return {f"{self.name}.{key}": value for key, value in values.items()}


Caller = Callable[[Sequence[Clip]], Awaitable[list[TurnResult]]]


def agents(engines: Engines, names: Sequence[str]) -> dict[str, Caller]:
    """A caller for each agent by name; ``ours`` is always among them.

    Raises UserError for a name that is none.
    """

    async def ours(clips: Sequence[Clip]) -> list[TurnResult]:
        watch = RequestWatch()
        ledger = Ledger(call="bench", budget_ms=engines.config.budget.v2v_ms)
        call = await rehearse(engines, clips, ledger, observers=[watch])
        return _results("ours", call.turns, call.sounds, watch.requests_ns, call.tracks.origin_ns)

    known: dict[str, Callable[[str], Caller]] = {
        "ours": lambda _: ours,
        "stock-pipecat": lambda name: _stock_pipecat(engines, name),
        "stock-pipecat-tuned": lambda name: _stock_pipecat(engines, name, tuned=True),
        "stock-livekit": lambda name: _stock_livekit(engines, name),
        "stock-livekit-tuned": lambda name: _stock_livekit(engines, name, tuned=True),
    }
    for name in names:
        if name not in known:
            raise UserError(f"no agent '{name}' to compare with; there are: {', '.join(known)}")
    return {name: known[name](name) for name in dict.fromkeys(["ours", *names])}


def _stock_pipecat(engines: Engines, name: str, *, tuned: bool = False) -> Caller:
    config, backend = engines.config, engines.backends[0]

    async def call(clips: Sequence[Clip]) -> list[TurnResult]:
        await engines.prepare_call()  # as ours: the agents are compared, not cold prompt caches
        line, watch = RehearsedLine(clips), RequestWatch()
        worker = build_stock_pipecat(
            LineTransport(line),
            desk=engines.desk,
            whisper=model_path(config.stt.model),
            piper=model_path(config.tts.voice),
            backend=backend.config,
            base_url=backend.base_url,
            tuned=tuned,
        )
        worker.add_observer(watch)
        turns, sounds = await hear_out(worker, line, first=greeting(engines))
        return _results(name, turns, sounds, watch.requests_ns, line.tracks.origin_ns)

    return call


def _stock_livekit(engines: Engines, name: str, *, tuned: bool = False) -> Caller:
    try:
        from voice.bench.stock_calls import call_livekit
        from voice.bench.stock_livekit import StockLiveKit
    except ImportError as fault:
        raise UserError(f"'{name}' needs LiveKit: pip install 'under800[livekit]'") from fault
    config, backend = engines.config, engines.backends[0]
    agent = StockLiveKit(
        desk=engines.desk,
        whisper=model_path(config.stt.model),
        piper=model_path(config.tts.voice),
        language=config.stt.language,
        backend=backend.config,
        base_url=backend.base_url,
        tuned=tuned,
    )

    async def call(clips: Sequence[Clip]) -> list[TurnResult]:
        await engines.prepare_call()
        record, asked_ns, origin_ns = await call_livekit(agent, clips, config.line.in_hz, name=name)
        return _results(name, record.utterances, record.sounds, asked_ns, origin_ns)

    return call


def _results(
    agent: str,
    turns: Sequence[Utterance],
    sounds: Sequence[UtteranceSound],
    requests_ns: Sequence[int],
    origin_ns: int,
) -> list[TurnResult]:
    asked_s = [(at_ns - origin_ns) / 1e9 for at_ns in requests_ns]
    return [
        TurnResult(agent, sound, _is_half_turn(turn, sound, asked_s))
        for turn, sound in zip(turns, sounds, strict=True)
    ]


def _is_half_turn(turn: Utterance, sound: UtteranceSound, asked_s: Sequence[float]) -> bool:
    """Whether the answer heard after the end of speech was asked for before it."""
    if sound.v2v_ms is None:
        return sound.cutoff and sound.reply_ms > 0
    onset_s = turn.speech_end_s + sound.v2v_ms / 1000.0
    asked = [at for at in asked_s if turn.start_s <= at <= onset_s]
    return bool(asked) and max(asked) < turn.speech_end_s


def summarise(results: dict[str, AgentResults]) -> dict[str, float]:
    """The figures of all agents, and the ratio of our median to each other's."""
    summary: dict[str, float] = {}
    for result in results.values():
        summary |= result.summary()
    for name, result in results.items():
        if name != "ours":
            ratio, low, high = ratio_of_medians(results["ours"].v2v_ms(), result.v2v_ms())
            summary[f"ratio_p50.{name}"] = ratio
            summary[f"ratio_p50_low.{name}"], summary[f"ratio_p50_high.{name}"] = low, high
    return summary


def ratio_of_medians(
    ours: Sequence[float], theirs: Sequence[float], *, resamples: int = 2000
) -> tuple[float, float, float]:
    """Our median latency over theirs, and its 95 % confidence interval.

    The interval is a percentile bootstrap over the turns. All NaN where either answered nothing.
    """
    if not len(ours) or not len(theirs):
        return float("nan"), float("nan"), float("nan")
    chance = np.random.default_rng(1)

    def medians(values: Sequence[float]) -> npt.NDArray[np.float64]:
        drawn = chance.choice(np.asarray(values, dtype=np.float64), (resamples, len(values)))
        return np.asarray(np.median(drawn, axis=1))

    low, high = np.percentile(medians(ours) / medians(theirs), [2.5, 97.5])
    return percentile(ours, 50) / percentile(theirs, 50), float(low), float(high)


def rows(results: dict[str, AgentResults]) -> list[dict[str, Any]]:
    """Every turn of every agent, for machines."""
    return [
        {
            "agent": turn.agent,
            "clip": turn.sound.name,
            "v2v_ms": turn.sound.v2v_ms,
            "cutoff": turn.sound.cutoff,
            "half_turn": turn.half_turn,
        }
        for result in results.values()
        for turn in result.turns
    ]
