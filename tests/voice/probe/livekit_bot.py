"""A LiveKit session without models: it answers each sound of the caller with a tone."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
from livekit.agents import Agent, AgentSession, llm, stt, tts
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS, NOT_GIVEN

from tests.voice.probe.scripted_agent import tone
from voice.audio import from_s16, to_s16

HZ = 24000
_HANGOVER_MS = 100.0


class LevelSTT(stt.STT):
    """Takes the end of the turn into its own hands: speech is what is loud."""

    def __init__(self) -> None:
        super().__init__(capabilities=stt.STTCapabilities(streaming=True, interim_results=False))

    async def _recognize_impl(self, buffer: Any, **_: Any) -> stt.SpeechEvent:
        raise NotImplementedError

    def stream(
        self, *, language: Any = NOT_GIVEN, conn_options: Any = DEFAULT_API_CONNECT_OPTIONS
    ) -> stt.RecognizeStream:
        return _LevelStream(stt=self, conn_options=conn_options, sample_rate=16000)


class _LevelStream(stt.RecognizeStream):
    async def _run(self) -> None:
        quiet_ms, speaking = 0.0, False
        async for frame in self._input_ch:
            if isinstance(frame, self._FlushSentinel):
                continue
            samples = from_s16(bytes(frame.data))
            if np.abs(samples).max(initial=0) > 0.05:
                quiet_ms = 0.0
                if not speaking:
                    speaking = True
                    self._send(stt.SpeechEventType.START_OF_SPEECH)
                    self._send(stt.SpeechEventType.INTERIM_TRANSCRIPT, "hello")
                continue
            quiet_ms += len(samples) / 16
            if speaking and quiet_ms >= _HANGOVER_MS:
                speaking = False
                self._send(stt.SpeechEventType.FINAL_TRANSCRIPT, "hello there")
                self._send(stt.SpeechEventType.END_OF_SPEECH)

    def _send(self, kind: stt.SpeechEventType, text: str = "") -> None:
        words = [stt.SpeechData(language="en", text=text, confidence=1.0)] if text else []
        self._event_ch.send_nowait(stt.SpeechEvent(type=kind, alternatives=words))


class OneLineLLM(llm.LLM):
    """Says the same to everybody."""

    def chat(self, *, chat_ctx: Any, tools: Any = None, **options: Any) -> llm.LLMStream:
        return _OneLine(
            self,
            chat_ctx=chat_ctx,
            tools=tools or [],
            conn_options=options.get("conn_options", DEFAULT_API_CONNECT_OPTIONS),
        )


class _OneLine(llm.LLMStream):
    async def _run(self) -> None:
        delta = llm.ChoiceDelta(role="assistant", content="We are open.")
        self._event_ch.send_nowait(llm.ChatChunk(id="1", delta=delta))


class ToneTTS(tts.TTS):
    """Says every text as a tone of ``ms``."""

    def __init__(self, ms: float) -> None:
        super().__init__(
            capabilities=tts.TTSCapabilities(streaming=False), sample_rate=HZ, num_channels=1
        )
        self.ms = ms

    def synthesize(
        self, text: str, *, conn_options: Any = DEFAULT_API_CONNECT_OPTIONS
    ) -> tts.ChunkedStream:
        return _Tone(tts=self, input_text=text, conn_options=conn_options)


class _Tone(tts.ChunkedStream):
    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        assert isinstance(self._tts, ToneTTS)
        output_emitter.initialize(
            request_id="1", sample_rate=HZ, num_channels=1, mime_type="audio/pcm"
        )
        output_emitter.push(to_s16(tone(self._tts.ms, HZ)))
        output_emitter.flush()


def _session(tts_ms: float) -> AgentSession[Any]:
    return AgentSession(
        stt=LevelSTT(),
        llm=OneLineLLM(),
        tts=ToneTTS(tts_ms),
        vad=None,
        aec_warmup_duration=None,
        turn_handling={"turn_detection": "stt", "endpointing": {"min_delay": 0.0}},
    )


def parrot_session() -> tuple[AgentSession[Any], Agent]:
    """Answers in 600 ms of tone."""
    return _session(600), Agent(instructions="")


async def chatty_session() -> tuple[AgentSession[Any], Agent]:
    """Answers in ten seconds of tone."""
    return _session(10_000), Agent(instructions="")


def brief_session() -> tuple[AgentSession[Any], Agent]:
    """Hangs up after a second."""
    session = _session(600)

    class Brief(Agent):
        async def on_enter(self) -> None:
            asyncio.get_running_loop().call_later(1.0, session.shutdown)

    return session, Brief(instructions="")


def broken_entry() -> None:
    raise ValueError("no API key")


def entry_of_nothing() -> str:
    return "session"
