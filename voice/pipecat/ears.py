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
    EagerTranscriptionFrame,
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
from pipecat.turns.types import ProcessFrameResult, UserTurnSpeculation
from pipecat.turns.user_start import VADUserTurnStartStrategy
from pipecat.turns.user_stop import BaseUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies
from pipecat.utils.time import time_now_iso8601

from budgets.ledger import Ledger
from speculative.eager import Speculation, Start, Verdict
from voice.turns.events import (
    EagerTurn,
    Interim,
    ListenerEvent,
    Retracted,
    SpeechDropped,
    SpeechStarted,
    TurnEnded,
)
from voice.turns.listener import Listener


@dataclass
class SpeechDroppedFrame(SystemFrame):
    """What had begun as speech was none; a turn that it opened is over without words."""


@dataclass
class RetractedFrame(SystemFrame):
    """The caller goes on: what was begun on the eager transcript before this is void."""


class ListenerSTTService(STTService):
    """Feeds a call's audio to a Listener and turns its events into pipecat frames.

    Args:
        make_listener: makes the call's Listener once the line's rate (in Hz) is known.
        ledger: where the turn's marks go; optional, so that the service works on its own.
        on_interim: told what the caller has said so far.
        audio_passthrough: whether the caller's audio goes further down the pipeline. Nothing of
            ours wants it there, and fifty frames a second through every processor take a tenth
            of a core away from the model.
    """

    def __init__(
        self,
        *,
        make_listener: Callable[[int], Listener],
        ledger: Ledger | None = None,
        on_interim: Callable[[str], None] | None = None,
        audio_passthrough: bool = False,
    ) -> None:
        super().__init__(
            settings=STTSettings(model=None, language=None),
            ttfs_p99_latency=0.0,
            audio_passthrough=audio_passthrough,
        )
        self._make_listener = make_listener
        self._on_interim = on_interim
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
                if self._on_interim is not None:
                    self._on_interim(text)
                await self.push_frame(InterimTranscriptionFrame(text, "", time_now_iso8601()))
            case EagerTurn(text=text):
                await self.push_frame(EagerTranscriptionFrame(text, "", time_now_iso8601()))
            case Retracted():
                await self.push_frame(RetractedFrame())
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
    """Ends the turn with the Listener's final transcript, or without one when there was none.

    An eager transcript starts the answer, which pipecat's gate holds until the end of the turn
    confirms it.
    """

    def __init__(self, *, speculation: Speculation | None = None, ledger: Ledger | None = None):
        super().__init__()
        self._speculation = speculation
        self._ledger = ledger

    async def handle_user_turn_started(self) -> None:
        """A new turn has attempts of its own."""
        await super().handle_user_turn_started()
        if self._speculation is not None:
            self._speculation.turn_started()

    async def process_frame(self, frame: Frame) -> ProcessFrameResult:
        """Look at a frame; the turn ends at the first that says so."""
        if isinstance(frame, EagerTranscriptionFrame):
            await self._eager(frame.text)
        elif isinstance(frame, RetractedFrame):
            await self._retract()
        elif isinstance(frame, TranscriptionFrame) and frame.finalized:
            await self._final(frame.text)
            return ProcessFrameResult.STOP
        elif isinstance(frame, SpeechDroppedFrame):
            await self._retract()
            await self.trigger_user_turn_finalized()
            return ProcessFrameResult.STOP
        return ProcessFrameResult.CONTINUE

    async def _eager(self, text: str) -> None:
        decision = self._speculation.eager(text) if self._speculation else Start.REFUSE
        if decision is Start.SUPERSEDE:
            await self.trigger_user_turn_speculation_cancelled()
        if decision in (Start.START, Start.SUPERSEDE):
            if self._ledger is not None:
                self._ledger.begin_ahead()
            await self.trigger_user_turn_inference_triggered(
                speculation=UserTurnSpeculation(text=text)
            )

    async def _retract(self) -> None:
        if self._speculation is not None and self._speculation.retract():
            await self._waste()

    async def _final(self, text: str) -> None:
        verdict = self._speculation.final(text) if self._speculation else Verdict.NOTHING
        if verdict in (Verdict.CONFIRMED, Verdict.REPEATED):
            if self._ledger is not None and verdict is Verdict.CONFIRMED:
                self._ledger.confirm_ahead()
            await self.trigger_user_turn_finalized(confirms_speculation=True)
            return
        if verdict is Verdict.SUPERSEDED:
            await self._waste()
        await self.trigger_user_turn_stopped()

    async def _waste(self) -> None:
        if self._ledger is not None:
            self._ledger.waste_ahead()
        await self.trigger_user_turn_speculation_cancelled()


def listener_turn_strategies(
    *, speculation: Speculation | None = None, ledger: Ledger | None = None
) -> UserTurnStrategies:
    """The turn strategies for a pipeline whose STT is a ListenerSTTService.

    With ``speculation``, answers are begun at the first pause and held until the turn is over.
    """
    stop = ListenerTurnStop(speculation=speculation, ledger=ledger)
    return UserTurnStrategies(start=[VADUserTurnStartStrategy()], stop=[stop])
