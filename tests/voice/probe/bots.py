"""Small agents on the real frameworks: they greet, and answer the caller with a tone."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator

import numpy as np
from pipecat.frames.frames import (
    EndFrame,
    Frame,
    InputAudioRawFrame,
    InterruptionFrame,
    TTSAudioRawFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.serializers.base_serializer import FrameSerializer
from pipecat.transports.base_transport import BaseTransport
from pipecat.transports.websocket.server import (
    SingleClientWebsocketServerParams,
    SingleClientWebsocketServerTransport,
)

from tests.voice.probe.scripted_agent import tone
from voice.audio import from_s16, to_s16
from voice.pipecat.call import running


class Parrot(FrameProcessor):
    """Answers each sound of the caller, 300 ms after its end; a sound in between stops it."""

    def __init__(self, *, rate_hz: int, answers: int = 99, ms: float = 600) -> None:
        super().__init__()
        self._rate_hz = rate_hz
        self._answers = answers
        self._ms = ms
        self._quiet_ms = 1e9

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)
        if not isinstance(frame, InputAudioRawFrame):
            return
        was = self._quiet_ms
        if np.abs(from_s16(frame.audio)).max(initial=0) > 0.05:
            self._quiet_ms = 0.0
            if was > 300:
                await self.push_frame(InterruptionFrame())
        else:
            self._quiet_ms += len(frame.audio) / 2 / frame.sample_rate * 1000
        if was <= 300 < self._quiet_ms < 1e9:
            if not self._answers:
                await self.push_frame(EndFrame())
                return
            self._answers -= 1
            pcm = to_s16(tone(self._ms, self._rate_hz))
            await self.push_frame(TTSAudioRawFrame(pcm, self._rate_hz, 1))


def parrot_pipeline(transport: BaseTransport) -> Pipeline:
    """What ``pipecat:tests.voice.probe.bots:parrot_pipeline`` calls."""
    return Pipeline([transport.input(), Parrot(rate_hz=24000), transport.output()])


def chatty(transport: BaseTransport) -> Pipeline:
    """Answers in ten seconds of tone."""
    parrot = Parrot(rate_hz=24000, ms=10_000)
    return Pipeline([transport.input(), parrot, transport.output()])


async def greeting_worker(transport: BaseTransport) -> PipelineWorker:
    """A whole worker, whose bot greets when the caller is there and hangs up after one answer."""
    parrot = Parrot(rate_hz=8000, answers=1)
    worker = PipelineWorker(
        Pipeline([transport.input(), parrot, transport.output()]),
        params=PipelineParams(audio_in_sample_rate=8000, audio_out_sample_rate=8000),
        enable_rtvi=False,
        idle_timeout_secs=None,
    )

    @transport.event_handler("on_client_connected")
    async def greet(transport: BaseTransport, client: object) -> None:
        await worker.queue_frame(TTSAudioRawFrame(to_s16(tone(300, 8000)), 8000, 1))

    return worker


def broken_factory(transport: BaseTransport) -> Pipeline:
    raise ValueError("no API key")


def factory_of_nothing(transport: BaseTransport) -> str:
    return "pipeline"


@contextlib.asynccontextmanager
async def websocket_bot(serializer: FrameSerializer, *, rate_hz: int) -> AsyncIterator[str]:
    """A parrot behind pipecat's own WebSocket server; its address."""
    port = _free_port()
    transport = SingleClientWebsocketServerTransport(
        SingleClientWebsocketServerParams(
            serializer=serializer, audio_in_enabled=True, audio_out_enabled=True
        ),
        host="127.0.0.1",
        port=port,
    )
    ready = asyncio.Event()

    @transport.event_handler("on_websocket_ready")
    async def _(transport: BaseTransport) -> None:
        ready.set()

    worker = PipelineWorker(
        Pipeline([transport.input(), Parrot(rate_hz=rate_hz), transport.output()]),
        params=PipelineParams(audio_in_sample_rate=rate_hz, audio_out_sample_rate=rate_hz),
        idle_timeout_secs=None,
    )
    async with running(worker):
        await asyncio.wait_for(ready.wait(), 10)
        yield f"ws://127.0.0.1:{port}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
