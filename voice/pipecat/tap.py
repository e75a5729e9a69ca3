"""Watches what is handed to the line and what has been played, and closes the turns by it."""

from __future__ import annotations

import time
from collections.abc import Callable

from pipecat.frames.frames import (
    BotStoppedSpeakingFrame,
    CancelFrame,
    EndFrame,
    Frame,
    InterruptionFrame,
    OutputAudioRawFrame,
    TTSTextFrame,
)
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

from budgets.ledger import Ledger
from budgets.playout import Playout, first_audible
from voice.audio import from_s16


class HandoverTap(FrameProcessor):
    """Stands right before the output transport and marks when an answer becomes audible.

    A transport writes the first audio it is given at once, and holds on to the frame for as long
    as it plays, so behind it that moment would be seen too late. The clock is that of the far
    end's player: what is handed over ahead of time is heard when its turn comes.
    """

    def __init__(self, ledger: Ledger, *, clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        super().__init__()
        self._ledger = ledger
        self._clock_ns = clock_ns
        self._playout: Playout | None = None

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Mark what the frame says and pass it on."""
        await super().process_frame(frame, direction)
        if isinstance(frame, OutputAudioRawFrame):
            self._handed_over(frame)
        elif isinstance(frame, InterruptionFrame) and self._playout is not None:
            self._playout.clear(self._clock_ns())
        await self.push_frame(frame, direction)

    def _handed_over(self, frame: OutputAudioRawFrame) -> None:
        if self._playout is None:
            self._playout = Playout(frame.sample_rate)
        samples = from_s16(frame.audio)
        start_ns = self._playout.play(len(samples), self._clock_ns())
        if (index := first_audible(samples)) is not None:
            self._ledger.mark("audible", start_ns + index * 1_000_000_000 // frame.sample_rate)


class PlayedTap(FrameProcessor):
    """Stands right behind the output transport, which passes on what it has played.

    So it sees the text that was heard, and none that an interruption dropped before.
    """

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Mark what the frame says and pass it on."""
        await super().process_frame(frame, direction)
        if direction is FrameDirection.DOWNSTREAM:
            match frame:
                case TTSTextFrame():
                    self._ledger.said(frame.text + " ")
                case BotStoppedSpeakingFrame():
                    self._ledger.mark("reply_ended")
                    self._ledger.close()
                case EndFrame() | CancelFrame():
                    self._ledger.close()
                case _:
                    pass
        await self.push_frame(frame, direction)
