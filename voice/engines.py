"""The engines of an agent, loaded once and shared by its calls."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from speculative.audio_store import AudioStore
from voice.config import Config, DeskConfig
from voice.llm.backend import Backend, Messages
from voice.llm.embedded import embedded_server
from voice.models import model_path
from voice.stt.whisper import WhisperEngine
from voice.tts.mouth import Mouth
from voice.tts.piper import StreamingPiper
from voice.tts.text.espeak import with_letters
from voice.turns.listener import Listener
from voice.turns.vad import SileroVad


@dataclass(frozen=True)
class Engines:
    """Ears, brain and mouth, warm and ready for calls."""

    config: Config
    desk: DeskConfig
    stt: WhisperEngine
    mouth: Mouth
    backends: list[Backend]

    def listener(self, rate_hz: int) -> Listener:
        """A Listener for one call at ``rate_hz``."""
        return Listener(
            self.config.turn,
            stt=self.stt,
            vad=SileroVad(),
            rate_hz=rate_hz,
            interim_every_ms=self.config.stt.interim_every_ms,
            language=self.config.stt.language,
        )

    async def prepare_call(self) -> None:
        """What can be done before the caller has said a word: greeting made, prompt evaluated."""
        await self.mouth.prepare(self.desk.greeting)
        await asyncio.gather(*(b.prefill(self._opening()) for b in self.backends))

    def _opening(self) -> Messages:
        # The caller's first words will follow the greeting; up to there the prompt is known.
        return [
            *self.desk.messages(),
            {"role": "assistant", "content": self.desk.greeting},
            {"role": "user", "content": ""},
        ]


@contextlib.asynccontextmanager
async def load_engines(
    config: Config,
    desk: DeskConfig,
    *,
    clock_ns: Callable[[], int] = time.monotonic_ns,
) -> AsyncIterator[Engines]:
    """Load and warm everything that ``config`` names; the embedded server ends with the block.

    Raises UserError for what is missing: a model, an extra, a backend that does not start.
    """
    async with contextlib.AsyncExitStack() as stack:
        backends = []
        for entry in config.llm.backends:
            base_url = entry.base_url
            if entry.kind == "embedded":
                base_url = await stack.enter_async_context(embedded_server(entry))
            backend = Backend(entry, base_url=base_url, clock_ns=clock_ns)
            stack.push_async_callback(backend.close)
            backends.append(backend)
        stt, mouth = await asyncio.gather(
            asyncio.to_thread(load_ears, config), asyncio.to_thread(_mouth, config)
        )
        stack.callback(mouth.close)
        # What has been loaded stays. Walking it in a full garbage collection would stop the event
        # loop, and with it a turn, for more than 100 ms.
        gc.collect()
        gc.freeze()
        yield Engines(config, desk, stt, mouth, backends)


def load_ears(config: Config) -> WhisperEngine:
    """The configured speech recogniser, warm. UserError for a model that is not there."""
    stt = config.stt
    engine = WhisperEngine(
        model_path(stt.model),
        language=stt.language,
        compute_type=stt.compute_type,
        device=stt.device,
        threads=stt.threads,
        beam_size=stt.beam_size,
    )
    engine.warm()
    return engine


def _mouth(config: Config) -> Mouth:
    tts = config.tts
    engine = StreamingPiper(
        model_path(tts.voice), speaker=tts.speaker, speed=tts.speed, threads=tts.threads
    )
    engine.warm()
    respell = with_letters if tts.locale.startswith("en") else str
    return Mouth(engine, AudioStore(), locale=tts.locale, respell=respell)
