"""The stock pipecat agent: its own services on the same models, at their defaults or tuned."""

from __future__ import annotations

from pathlib import Path

from pipecat.audio.turn.smart_turn.base_smart_turn import SmartTurnParams
from pipecat.audio.turn.smart_turn.local_smart_turn_v3 import LocalSmartTurnAnalyzerV3
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADParams
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
from pipecat.turns.user_stop import TurnAnalyzerUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies

from voice.config import BackendConfig, DeskConfig


def build_stock_pipecat(
    transport: BaseTransport,
    *,
    desk: DeskConfig,
    whisper: Path,
    piper: Path,
    backend: BackendConfig,
    base_url: str,
    tuned: bool = False,
) -> PipelineWorker:
    """The pipeline that pipecat's documentation builds from these services.

    ``tuned`` uses what pipecat's own options offer for a quicker answer: less silence before the
    VAD and the turn model decide, less padding for Whisper, and no resampling of the voice.
    """
    stt = WhisperSTTService(
        settings=WhisperSTTService.Settings(model=str(whisper), language=Language.EN),
        trailing_silence_secs=0.2 if tuned else 0.5,  # 0.5 is pipecat's default
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
        context, user_params=_quick_turns() if tuned else _default_turns()
    )
    return PipelineWorker(
        Pipeline([transport.input(), stt, user, llm, tts, transport.output(), assistant]),
        params=PipelineParams(audio_out_sample_rate=22050) if tuned else PipelineParams(),
        idle_timeout_secs=None,
    )


def _default_turns() -> LLMUserAggregatorParams:
    return LLMUserAggregatorParams(vad_analyzer=SileroVADAnalyzer())


def _quick_turns() -> LLMUserAggregatorParams:
    analyzer = LocalSmartTurnAnalyzerV3(params=SmartTurnParams(stop_secs=1.0))
    return LLMUserAggregatorParams(
        vad_analyzer=SileroVADAnalyzer(params=VADParams(stop_secs=0.15)),
        user_turn_strategies=UserTurnStrategies(
            stop=[TurnAnalyzerUserTurnStopStrategy(turn_analyzer=analyzer)]
        ),
    )
