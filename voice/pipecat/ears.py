"""The Listener as a pipecat STT service, and the turn strategies that follow it.

The Listener owns the turn: it alone knows where speech ended and whether the text is whole. So
pipecat is told, not asked: speech frames carry its decisions, and the end of the turn rides on
the final transcript itself, which no turn frame can overtake.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

from pipecat.frames.frames import (
    CancelFrame,
    EndFrame,
    Frame,
    InterimTranscriptionFrame,
    StartFrame,
    SystemFrame,
    TranscriptionFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.services.settings import STTSettings
from pipecat.services.stt_service import STTService
from pipecat.turns.types import ProcessFrameResult
from pipecat.turns.user_start import VADUserTurnStartStrategy
from pipecat.turns.user_stop import BaseUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies
from pipecat.utils.time import time_now_iso8601

from budgets.ledger import Ledger
from voice.turns.events import Interim, ListenerEvent, SpeechDropped, SpeechStarted, TurnEnded
from voice.turns.listener import Listener


@dataclass
class SpeechDroppedFrame(SystemFrame):
    """What had begun as speech was none; a turn that it opened is over without words."""


class ListenerSTTService(STTService):
    """Feeds a call's audio to a Listener and turns its events into pipecat frames.

    Args:
        make_listener: makes the call's Listener once the line's rate (in Hz) is known.
        ledger: where the turn's marks go; optional, so that the service works on its own.
    """

    def __init__(
        self, *, make_listener: Callable[[int], Listener], ledger: Ledger | None = None
    ) -> None:
        super().__init__(settings=STTSettings(model=None, language=None), ttfs_p99_latency=0.0)
        self._make_listener = make_listener
        self._ledger = ledger
        self._listener: Listener | None = None
        self._events: asyncio.Task[None] | None = None

    @property
    def supports_ttfs(self) -> bool:
        """False: the end of the turn comes with the transcript, there is nothing to wait for."""
        return False

    async def start(self, frame: StartFrame) -> None:
        """Begin to listen at the line's rate."""
        await super().start(frame)
        self._listener = self._make_listener(self.sample_rate)
        self._events = self.create_task(self._follow(self._listener), name="listener")

    async def stop(self, frame: EndFrame) -> None:
        """The call is over."""
        await super().stop(frame)
        await self._end()

    async def cancel(self, frame: CancelFrame) -> None:
        """The call is cut."""
        await super().cancel(frame)
        await self._end()

    async def run_stt(self, audio: bytes) -> AsyncGenerator[Frame | None, None]:
        """Hand audio on; what comes of it arrives as events, not as a result."""
        if self._listener is not None:
            await self._listener.feed(audio)
        yield None

    async def _end(self) -> None:
        if self._listener is not None:
            await self._listener.close()
            self._listener = None
        if self._events is not None:
            await self.cancel_task(self._events)
            self._events = None

    async def _follow(self, listener: Listener) -> None:
        async for event in listener.events():
            await self._tell(event)

    async def _tell(self, event: ListenerEvent) -> None:
        match event:
            case SpeechStarted():
                if self._ledger is not None:
                    self._ledger.interrupt(event.at_ns)
                await self.broadcast_frame(VADUserStartedSpeakingFrame)
            case Interim(text=text):
                await self.push_frame(InterimTranscriptionFrame(text, "", time_now_iso8601()))
            case TurnEnded():
                self._record(event)
                # The system frame overtakes the transcript, as it must: pipecat ends no turn
                # of a caller whom it believes to be speaking.
                await self.broadcast_frame(VADUserStoppedSpeakingFrame)
                await self.push_frame(
                    TranscriptionFrame(event.text, "", time_now_iso8601(), finalized=True)
                )
            case SpeechDropped():
                if self._ledger is not None:
                    self._ledger.drop(
                        event.reason,
                        speech_started_ns=event.speech_started_ns,
                        speech_ended_ns=event.speech_ended_ns,
                    )
                await self.broadcast_frame(VADUserStoppedSpeakingFrame)
                await self.push_frame(SpeechDroppedFrame())

    def _record(self, event: TurnEnded) -> None:
        if self._ledger is not None:
            self._ledger.begin(
                caller_text=event.text,
                speech_started=event.speech_started_ns,
                speech_ended=event.speech_ended_ns,
                silence_met=event.silence_met_ns,
                text_ready=event.text_ready_ns,
                turn_ended=event.ended_ns,
            )


class ListenerTurnStop(BaseUserTurnStopStrategy):
    """Ends the turn with the Listener's final transcript, or without one when there was none."""

    async def process_frame(self, frame: Frame) -> ProcessFrameResult:
        """Look at a frame; the turn ends at the first that says so."""
        if isinstance(frame, TranscriptionFrame) and frame.finalized:
            await self.trigger_user_turn_stopped()
            return ProcessFrameResult.STOP
        if isinstance(frame, SpeechDroppedFrame):
            await self.trigger_user_turn_finalized()
            return ProcessFrameResult.STOP
        return ProcessFrameResult.CONTINUE


def listener_turn_strategies() -> UserTurnStrategies:
    """The turn strategies for a pipeline whose STT is a ListenerSTTService."""
    return UserTurnStrategies(start=[VADUserTurnStartStrategy()], stop=[ListenerTurnStop()])
