"""``config:FILE``: an agent of ours, from its configuration file, with its ledger."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from pipecat.frames.frames import Frame
from pipecat.pipeline.worker import PipelineWorker

from budgets.ledger import Ledger
from voice.audio import Samples
from voice.config_file import load_config, load_desk
from voice.engines import Engines, load_engines
from voice.pipecat.agent import build_agent, greeting
from voice.pipecat.line import LineTransport
from voice.probe.in_process import WorkerTarget


class OwnTarget:
    """One call of our own agent; ``ledger`` has its entries when the call is over."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._ledger: Ledger | None = None
        self._target = WorkerTarget(self._build)

    @property
    def ledger(self) -> list[dict[str, Any]]:
        """The agent's own account of the call, an entry for each turn."""
        return [] if self._ledger is None else self._ledger.entries

    async def open(
        self,
        caller_hz: int,
        on_audio: Callable[[Samples], None],
        on_clear: Callable[[], None],
    ) -> int:
        """Begin the call. See :class:`budgets.probe.record.Target`."""
        return await self._target.open(caller_hz, on_audio, on_clear)

    async def send(self, samples: Samples) -> None:
        """The caller's next samples."""
        await self._target.send(samples)

    async def close(self) -> None:
        """Hang up; the ledger is complete afterwards."""
        await self._target.close()

    async def _build(self, transport: LineTransport) -> tuple[PipelineWorker, Frame | None]:
        await self._engines.prepare_call()
        self._ledger = Ledger(call="call", budget_ms=self._engines.config.budget.v2v_ms)
        return build_agent(self._engines, transport, self._ledger), greeting(self._engines)


@contextlib.asynccontextmanager
async def own_door(path: Path) -> AsyncIterator[Callable[[], OwnTarget]]:
    """Loads the agent of a configuration file, which its calls share. May raise UserError."""
    config = load_config(path)
    async with load_engines(config, load_desk(config)) as engines:
        yield lambda: OwnTarget(engines)
