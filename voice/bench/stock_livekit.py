"""The stock LiveKit agent: an ``AgentSession`` at its defaults, on the same models.

LiveKit ships no plugin for faster-whisper or Piper; the two here are written as its documentation
describes plugins that do not stream, and call both libraries at their own defaults.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from faster_whisper import WhisperModel
from livekit import rtc
from livekit.agents import Agent, AgentSession, LanguageCode, inference, llm, stt, tokenize, tts
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS
from livekit.plugins import openai
from piper import PiperVoice

from voice.audio import from_s16
from voice.config import BackendConfig, DeskConfig


class WhisperSTT(stt.STT[Any]):
    """Recognises each utterance as a whole, once the VAD has cut it out."""

    def __init__(self, model: WhisperModel, *, language: str) -> None:
        super().__init__(capabilities=stt.STTCapabilities(streaming=False, interim_results=False))
        self._model, self._language = model, language

    async def _recognize_impl(self, buffer: Any, **_: Any) -> stt.SpeechEvent:
        samples = from_s16(bytes(rtc.combine_audio_frames(buffer).data))

        def recognise() -> str:
            segments, _ = self._model.transcribe(samples, language=self._language)
            return " ".join(segment.text.strip() for segment in segments)

        text = await asyncio.to_thread(recognise)
        words = stt.SpeechData(language=LanguageCode(self._language), text=text)
        return stt.SpeechEvent(stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives=[words])


class PiperTTS(tts.TTS[Any]):
    """Speaks sentence by sentence; the session cuts the text."""

    def __init__(self, voice: PiperVoice) -> None:
        super().__init__(
            capabilities=tts.TTSCapabilities(streaming=False),
            sample_rate=voice.config.sample_rate,
            num_channels=1,
        )
        self.voice = voice

    def synthesize(
        self, text: str, *, conn_options: Any = DEFAULT_API_CONNECT_OPTIONS
    ) -> tts.ChunkedStream:
        """The audio of one sentence."""
        return _PiperStream(tts=self, input_text=text, conn_options=conn_options)


class _PiperStream(tts.ChunkedStream):
    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        assert isinstance(self._tts, PiperTTS)
        output_emitter.initialize(
            request_id="piper",
            sample_rate=self._tts.sample_rate,
            num_channels=1,
            mime_type="audio/pcm",
        )
        chunks = iter(self._tts.voice.synthesize(self._input_text))
        while (chunk := await asyncio.to_thread(next, chunks, None)) is not None:
            output_emitter.push(chunk.audio_int16_bytes)


class WatchedLLM(openai.LLM):
    """LiveKit's own client, which tells when it is asked."""

    on_request: Callable[[], None] = staticmethod(lambda: None)

    def chat(self, **options: Any) -> llm.LLMStream:  # type: ignore[override]
        """Ask, and tell of it."""
        self.on_request()
        return super().chat(**options)


class StockLiveKit:
    """Loads the models once; makes the session and the agent of each call.

    ``tuned`` uses what LiveKit's own options offer for a quicker answer.
    """

    def __init__(
        self,
        *,
        desk: DeskConfig,
        whisper: Path,
        piper: Path,
        language: str,
        backend: BackendConfig,
        base_url: str,
        tuned: bool = False,
    ) -> None:
        self._desk, self._language = desk, language
        self._backend, self._base_url = backend, base_url
        self._tuned = tuned
        self._whisper = WhisperModel(str(whisper))
        self._voice = PiperVoice.load(piper)

    def session(
        self, on_request: Callable[[], None] = lambda: None
    ) -> tuple[AgentSession[Any], Agent]:
        """A fresh session and its agent; ``on_request`` is called when the model is asked."""
        backend = self._backend
        model = WatchedLLM(
            model=backend.model,
            base_url=self._base_url,
            api_key="none",
            temperature=backend.temperature,
            extra_body={
                "frequency_penalty": backend.frequency_penalty,
                "max_tokens": backend.max_tokens,
            },
        )
        model.on_request = on_request
        ears = WhisperSTT(self._whisper, language=self._language)
        if not self._tuned:
            stock: AgentSession[Any] = AgentSession(stt=ears, llm=model, tts=PiperTTS(self._voice))
            return stock, _Desk(self._desk)
        tuned: AgentSession[Any] = AgentSession(
            stt=ears,
            llm=model,
            tts=tts.StreamAdapter(
                tts=PiperTTS(self._voice),
                sentence_tokenizer=tokenize.blingfire.SentenceTokenizer(
                    min_sentence_len=8, stream_context_len=4
                ),
            ),
            vad=inference.VAD(min_silence_duration=0.25),
            aec_warmup_duration=None,
            turn_handling={
                "endpointing": {"min_delay": 0.25, "max_delay": 1.0},
                "preemptive_generation": {"preemptive_tts": True},
                "interruption": {"mode": "vad"},
            },
        )
        return tuned, _Desk(self._desk)


class _Desk(Agent):
    """Greets, and answers as the desk's prompt says."""

    def __init__(self, desk: DeskConfig) -> None:
        context = llm.ChatContext.empty()
        for example in desk.examples:
            context.add_message(role="user", content=example.caller)
            context.add_message(role="assistant", content=example.agent)
        super().__init__(instructions=desk.prompt, chat_ctx=context)
        self._greeting = desk.greeting

    async def on_enter(self) -> None:
        """Say the greeting."""
        self.session.say(self._greeting)
