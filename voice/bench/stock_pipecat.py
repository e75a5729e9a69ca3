"""The stock pipecat agent: its own services, at their defaults, on the same models."""

from __future__ import annotations

from pathlib import Path

from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.piper.tts import PiperTTSService
from pipecat.services.whisper.stt import WhisperSTTService
from pipecat.transcriptions.language import Language
from pipecat.transports.base_transport import BaseTransport

from voice.config import BackendConfig, DeskConfig


def build_stock_pipecat(
    transport: BaseTransport,
    *,
    desk: DeskConfig,
    whisper: Path,
    piper: Path,
    backend: BackendConfig,
    base_url: str,
) -> PipelineWorker:
    """The pipeline that pipecat's documentation builds from these services."""
    stt = WhisperSTTService(
        settings=WhisperSTTService.Settings(model=str(whisper), language=Language.EN)
    )
    llm = OpenAILLMService(
        api_key="none",
        base_url=base_url,
        settings=OpenAILLMService.Settings(
            model=backend.model,
            system_instruction=desk.prompt,
            temperature=backend.temperature,
            frequency_penalty=backend.frequency_penalty,
            max_tokens=backend.max_tokens,
        ),
    )
    tts = PiperTTSService(
        download_dir=piper.parent, settings=PiperTTSService.Settings(voice=piper.stem)
    )
    context = LLMContext(messages=list(desk.examples_as_messages()))
    user, assistant = LLMContextAggregatorPair(
        context, user_params=LLMUserAggregatorParams(vad_analyzer=SileroVADAnalyzer())
    )
    return PipelineWorker(
        Pipeline([transport.input(), stt, user, llm, tts, transport.output(), assistant]),
        params=PipelineParams(),
        idle_timeout_secs=None,
    )
