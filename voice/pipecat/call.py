"""One call through a pipecat agent, from greeting to goodbye."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from pipecat.frames.frames import Frame
from pipecat.pipeline.worker import PipelineWorker
from pipecat.workers.runner import WorkerRunner

_LAST_WORDS_S = 15.0
"""How long what is being said at the end of a call may go on; a backend that hangs must not keep
the line."""


@contextlib.asynccontextmanager
async def running(worker: PipelineWorker, *, first: Frame | None = None) -> AsyncIterator[None]:
    """Run ``worker`` for as long as the block lasts; ``first`` is queued when it has started.

    Leaving the block ends the call after what is being said, or some seconds later; leaving it
    by an exception, or cancelling it, cuts the call.
    """
    started = asyncio.Event()

    @worker.event_handler("on_pipeline_started")  # type: ignore[untyped-decorator]
    async def _(worker: PipelineWorker, frame: Frame) -> None:
        started.set()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    run = asyncio.create_task(runner.run())
    try:
        waiting = asyncio.create_task(started.wait())
        await asyncio.wait({waiting, run}, return_when=asyncio.FIRST_COMPLETED)
        if not started.is_set():
            waiting.cancel()
            await run  # raises what kept it from starting
            raise RuntimeError("the pipeline ended before it had started")
        if first is not None:
            await worker.queue_frame(first)
        yield
        await worker.stop_when_done()
        await asyncio.wait({run}, timeout=_LAST_WORDS_S)
    finally:
        if not run.done():
            await worker.cancel()
        await run
