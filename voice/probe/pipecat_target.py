"""``pipecat:module:factory``: a pipecat pipeline, run in this process without a network.

The factory is given a transport and returns the pipeline between its two ends, or a whole
``PipelineWorker``; it may be a coroutine function. It is called once for each call::

    def factory(transport):
        return Pipeline([transport.input(), stt, user, llm, tts, transport.output(), assistant])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipecat.frames.frames import Frame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker

from budgets.probe.record import Target, TargetError
from voice.pipecat.line import LineTransport
from voice.probe.imports import call_either, import_callable
from voice.probe.in_process import WorkerTarget

_WANTED = "a factory that is given a transport and returns a pipecat Pipeline or PipelineWorker"


def pipecat_door(name: str) -> Callable[[], Target]:
    """Makes a target for each call of the factory ``module:function``. May raise UserError."""
    factory = import_callable(name, wanted=_WANTED)
    return lambda: WorkerTarget(lambda transport: _build(factory, transport))


async def _build(
    factory: Callable[..., Any], transport: LineTransport
) -> tuple[PipelineWorker, Frame | None]:
    built = await call_either(factory, transport)
    if isinstance(built, Pipeline):
        built = PipelineWorker(
            built, params=PipelineParams(), enable_rtvi=False, idle_timeout_secs=None
        )
    if not isinstance(built, PipelineWorker):
        raise TargetError(
            "refused", f"the factory returned {type(built).__name__}; it must be {_WANTED}"
        )
    return built, None
