"""A pipecat worker as a target: one call through it on a line to the outside caller."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from pipecat.frames.frames import Frame
from pipecat.pipeline.worker import PipelineWorker

from budgets.probe.record import TargetError
from voice.audio import Samples
from voice.pipecat.call import running
from voice.pipecat.line import LineTransport
from voice.probe.line import CalledLine

BuildWorker = Callable[[LineTransport], Awaitable[tuple[PipelineWorker, Frame | None]]]
"""Makes the worker of one call, and what it says first, if it does not begin by itself."""


class CallTransport(LineTransport):
    """A line with the events that pipecat's own network transports have, so that a bot that
    greets on ``on_client_connected`` does so here."""

    def __init__(self, line: CalledLine) -> None:
        super().__init__(line)
        self._register_event_handler("on_client_connected")
        self._register_event_handler("on_client_disconnected")

    async def connected(self) -> None:
        """The caller is on the line."""
        await self._call_event_handler("on_client_connected", "under800")

    async def disconnected(self) -> None:
        """The caller has hung up."""
        await self._call_event_handler("on_client_disconnected", "under800")


class WorkerTarget:
    """Runs a fresh worker for the call."""

    def __init__(self, build: BuildWorker, *, patience_s: float = 25.0) -> None:
        self._build = build
        self._patience_s = patience_s
        self._line: CalledLine | None = None
        self._transport: CallTransport | None = None
        self._running = contextlib.AsyncExitStack()

    async def open(
        self,
        caller_hz: int,
        on_audio: Callable[[Samples], None],
        on_clear: Callable[[], None],
    ) -> int:
        """Begin the call. See :class:`budgets.probe.record.Target`."""
        self._line = CalledLine(caller_hz, on_audio, on_clear)
        self._transport = CallTransport(self._line)
        try:
            async with asyncio.timeout(self._patience_s):
                worker, first = await self._build(self._transport)
                await self._running.enter_async_context(running(worker, first=first))
                await self._line.opened.wait()
                await self._transport.connected()
        except TargetError:
            raise
        except TimeoutError:
            raise TargetError(
                "slow",
                f"the pipeline did not start within {self._patience_s:.0f} s; it must use the "
                "transport it is given, both its input() and its output()",
            ) from None
        except Exception as fault:  # whatever the code under test raises is its fault
            raise TargetError("refused", f"the pipeline did not start: {_said(fault)}") from fault
        return self._line.agent_hz

    async def send(self, samples: Samples) -> None:
        """The caller's next samples."""
        assert self._line is not None
        await self._line.say(samples)

    async def close(self) -> None:
        """Hang up and let the pipeline end."""
        if self._line is not None and self._transport is not None:
            self._line.hang_up()
            await self._transport.disconnected()
        try:
            await self._running.aclose()
        except Exception as fault:
            raise TargetError("vanished", f"the pipeline failed: {_said(fault)}") from fault


def _said(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}" if str(fault) else type(fault).__name__
