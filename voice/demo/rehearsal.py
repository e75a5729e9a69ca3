"""A rehearsed call: a script spoken to an agent in real time, and what was heard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipecat.frames.frames import Frame
from pipecat.observers.base_observer import BaseObserver
from pipecat.pipeline.worker import PipelineWorker

from budgets.ledger import Ledger
from budgets.probe.acoustics import hear
from budgets.probe.caller import Clip
from budgets.probe.record import Utterance, UtteranceSound
from budgets.probe.scenario import Manners
from budgets.probe.tracks import CallTracks
from voice.engines import Engines
from voice.line.rehearsed import RehearsedLine
from voice.pipecat.agent import build_agent, greeting
from voice.pipecat.call import running
from voice.pipecat.line import LineTransport


@dataclass(frozen=True)
class Rehearsal:
    """A finished call."""

    turns: list[Utterance]
    sounds: list[UtteranceSound]
    """What each turn sounded like from outside, in the order of ``turns``."""
    tracks: CallTracks
    entries: list[dict[str, Any]]
    """The agent's ledger."""


async def rehearse(
    engines: Engines,
    clips: Sequence[Clip],
    ledger: Ledger,
    *,
    manners: Manners | None = None,
    observers: Sequence[BaseObserver] = (),
) -> Rehearsal:
    """Call our own agent with ``clips`` and hear it out."""
    await engines.prepare_call()
    line = RehearsedLine(clips, manners=manners)
    worker = build_agent(engines, LineTransport(line), ledger, observers=observers)
    turns, sounds = await hear_out(worker, line, first=greeting(engines))
    return Rehearsal(turns, sounds, line.tracks, ledger.entries)


async def hear_out(
    worker: PipelineWorker, line: RehearsedLine, *, first: Frame | None
) -> tuple[list[Utterance], list[UtteranceSound]]:
    """Run any pipecat agent on a rehearsed line until the script is over."""
    async with running(worker, first=first):
        turns = await line.place_call()
    agent, rate_hz = line.tracks.agent, line.tracks.agent_hz
    return turns, [hear(turn, agent, rate_hz) for turn in turns]
