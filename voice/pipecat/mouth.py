"""The Mouth as a pipecat TTS service, and the clauses that feed it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from pipecat.frames.frames import (
    AggregatedTextFrame,
    EndFrame,
    Frame,
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    StartFrame,
    TTSAudioRawFrame,
)
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.settings import TTSSettings
from pipecat.services.tts_service import TTSService
from pipecat.utils.text.base_text_aggregator import TextType

from budgets.ledger import Ledger
from voice.audio import StreamResampler, to_s16
from voice.tts.clauses import ClauseSplitter
from voice.tts.mouth import Mouth
from voice.tts.speech import SpeechError

_SETTLE_S = 0.03
"""Quiet after which a pending full stop is taken for the end of a sentence. A token takes 12 ms
at 80 tok/s, and the next sentence may never come."""


class ClauseProcessor(FrameProcessor):
    """Turns the model's tokens into clauses, each released as soon as it can be spoken."""

    def __init__(self, *, locale: str = "en_US") -> None:
        super().__init__()
        self._locale = locale
        self._splitter = ClauseSplitter(language=locale)
        self._settling: asyncio.Task[None] | None = None
        self._in_order = asyncio.Lock()

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Split text; pass everything else on in order."""
        await super().process_frame(frame, direction)
        if isinstance(frame, LLMTextFrame) and not frame.skip_tts:
            await self._stop_settling()
            await self._release(self._splitter.push(frame.text))
            self._settling = self.create_task(self._settle(), name="settle")
            return
        if isinstance(frame, LLMFullResponseEndFrame | EndFrame):
            await self._stop_settling()
            await self._release(self._splitter.flush())
        elif isinstance(frame, InterruptionFrame | LLMFullResponseStartFrame):
            await self._stop_settling()
            self._splitter = ClauseSplitter(language=self._locale)
        await self.push_frame(frame, direction)

    async def cleanup(self) -> None:
        """Leave no task behind."""
        await self._stop_settling()
        await super().cleanup()

    async def _settle(self) -> None:
        await asyncio.sleep(_SETTLE_S)
        self._settling = None  # from here on it must not be cancelled: a clause would be lost
        await self._release(self._splitter.settle())

    async def _stop_settling(self) -> None:
        task, self._settling = self._settling, None
        if task is not None and not task.done():
            await self.cancel_task(task)

    async def _release(self, clauses: list[str]) -> None:
        async with self._in_order:
            for clause in clauses:
                text = clause.strip()
                await self.push_frame(AggregatedTextFrame(text, TextType.SENTENCE, raw_text=text))


class MouthTTSService(TTSService):
    """Speaks clauses with a Mouth, at the line's rate, without pipecat's own resampler.

    That resampler holds back up to 115 ms of a stream, which no metric shows.
    """

    def __init__(self, *, mouth: Mouth, ledger: Ledger | None = None) -> None:
        super().__init__(
            push_start_frame=True,
            push_stop_frames=True,
            settings=TTSSettings(model=None, voice=None, language=None),
        )
        self._mouth = mouth
        self._ledger = ledger
        self._first = True

    async def start(self, frame: StartFrame) -> None:
        """Begin a call at the line's rate."""
        await super().start(frame)
        self._first = True

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Note where a reply begins: its first clause is spoken without leading silence."""
        if isinstance(frame, LLMFullResponseStartFrame | InterruptionFrame):
            self._first = True
        await super().process_frame(frame, direction)

    async def run_tts(self, text: str, context_id: str) -> AsyncGenerator[Frame | None, None]:
        """Audio of one clause, slice by slice, shape (n,) s16le at the line's rate."""
        first, self._first = self._first, False
        self._mark("clause_ready")
        try:
            async for pcm in self._speak(text, first=first):
                yield TTSAudioRawFrame(pcm, self.sample_rate, 1, context_id=context_id)
        except SpeechError as fault:
            # The reply goes on with the next clause; what was wrong is on the log.
            await self.push_error(str(fault), exception=fault)

    async def _speak(self, text: str, *, first: bool) -> AsyncGenerator[bytes, None]:
        resampler = StreamResampler(self._mouth.rate_hz, self.sample_rate)
        async for samples in self._mouth.speak(text, first=first):
            self._mark("first_audio")
            await self.stop_ttfb_metrics()
            if pcm := to_s16(resampler.feed(samples)):
                yield pcm
        if pcm := to_s16(resampler.flush()):
            yield pcm

    def _mark(self, name: str) -> None:
        if self._ledger is not None:
            self._ledger.mark(name)
