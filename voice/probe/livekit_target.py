"""``livekit:module:entry``: a LiveKit ``AgentSession``, run in this process without a server.

The entry takes nothing and returns the session and its agent, not started; it may be a coroutine
function. It is called once for each call, which gives the session its audio and starts it::

    def entry():
        return AgentSession(stt=..., llm=..., tts=...), Agent(instructions="...")
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Literal

from livekit.agents import Agent, AgentSession, CloseEvent
from livekit.agents.utils import http_context

from budgets.probe.record import Target, TargetError
from voice.audio import Samples
from voice.probe.ear import Ear
from voice.probe.imports import call_either, import_callable
from voice.probe.livekit_audio import AGENT_HZ, CalledInput, CalledOutput

_WANTED = "an entry that returns (AgentSession, Agent), not started"


def livekit_door(name: str) -> Callable[[], Target]:
    """Makes a target for each call of the entry ``module:function``. May raise UserError."""
    entry = import_callable(name, wanted=_WANTED)
    return lambda: LiveKitTarget(entry)


class LiveKitTarget:
    """Runs a fresh session for the call."""

    def __init__(self, entry: Callable[..., Any], *, patience_s: float = 25.0) -> None:
        self._entry = entry
        self._patience_s = patience_s
        self._input: CalledInput | None = None
        self._output: CalledOutput | None = None
        self._started = asyncio.Event()
        self._over = asyncio.Event()
        self._ended: str | None = None
        self._call: asyncio.Task[None] | None = None

    async def open(
        self,
        caller_hz: int,
        on_audio: Callable[[Samples], None],
        on_clear: Callable[[], None],
    ) -> int:
        """Begin the call. See :class:`budgets.probe.record.Target`."""
        self._input = CalledInput(caller_hz)
        self._output = CalledOutput(Ear(AGENT_HZ, on_audio), on_clear)
        self._call = asyncio.create_task(self._run(self._input, self._output))
        started = asyncio.create_task(self._started.wait())
        try:
            await asyncio.wait(
                {started, self._call},
                timeout=self._patience_s,
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            started.cancel()
        if self._call.done():
            self._call.result()
        if not self._started.is_set():
            self._call.cancel()
            raise TargetError("slow", f"the session did not start within {self._patience_s:.0f} s")
        return AGENT_HZ

    async def send(self, samples: Samples) -> None:
        """The caller's next samples."""
        assert self._input is not None
        if self._ended is not None:
            raise TargetError(
                "vanished", f"the session ended in mid-call ({self._ended}); see its own log"
            )
        self._input.say(samples)

    async def close(self) -> None:
        """Hang up and let the session end."""
        self._over.set()
        if self._output is not None:
            self._output.hang_up()
        if self._call is None:
            return
        if self._started.is_set():
            await self._call
        else:
            self._call.cancel()
            await asyncio.wait({self._call})

    async def _run(self, source: CalledInput, sink: CalledOutput) -> None:
        """The whole call, in a task of its own: LiveKit keeps things in the task's context."""
        # Stock plugins take their HTTP session from the job, and here is none.
        async with http_context.open():
            try:
                session = await self._start(source, sink)
                self._started.set()
                await self._over.wait()
                await session.aclose()
            except TargetError:
                raise
            except Exception as fault:  # whatever the code under test raises is its fault
                kind: Literal["vanished", "refused"] = (
                    "vanished" if self._started.is_set() else "refused"
                )
                what = "failed" if self._started.is_set() else "did not start"
                raise TargetError(
                    kind, f"the session {what}: {type(fault).__name__}: {fault}"
                ) from fault

    async def _start(self, source: CalledInput, sink: CalledOutput) -> AgentSession[Any]:
        made = await call_either(self._entry)
        if not (
            isinstance(made, tuple)
            and len(made) == 2
            and isinstance(made[0], AgentSession)
            and isinstance(made[1], Agent)
        ):
            raise TargetError(
                "refused", f"the entry returned {type(made).__name__}; it must be {_WANTED}"
            )
        session: AgentSession[Any] = made[0]
        session.on("close", self._on_close)
        session.input.audio, session.output.audio = source, sink
        await session.start(made[1], record=False)
        return session

    def _on_close(self, event: CloseEvent) -> None:
        self._ended = str(event.error or event.reason)
