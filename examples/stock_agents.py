"""Agents to call: pipecat's and LiveKit's own services, on the models that come along.

under800 call pipecat:examples.stock_agents:pipecat_agent numbers
under800 call livekit:examples.stock_agents:livekit_agent numbers
"""

from __future__ import annotations

import asyncio
import functools
from dataclasses import dataclass
from typing import Any

from livekit.agents import Agent, AgentSession
from pipecat.frames.frames import TTSSpeakFrame
from pipecat.pipeline.worker import PipelineWorker
from pipecat.transports.base_transport import BaseTransport

from voice.bench.stock_livekit import StockLiveKit
from voice.bench.stock_pipecat import build_stock_pipecat
from voice.config import BackendConfig, Config, DeskConfig
from voice.config_file import load_config, load_desk
from voice.llm.backend import Backend
from voice.llm.embedded import embedded_server
from voice.models import model_path


@dataclass(frozen=True)
class Models:
    """The configuration, and the address of the language model that it names."""

    config: Config
    desk: DeskConfig
    backend: BackendConfig
    base_url: str
    server: Any
    """Held on to: it ends with its context manager."""


@functools.cache
def _once() -> asyncio.Task[Models]:
    return asyncio.create_task(_start())


async def models() -> Models:
    """The models; the first call starts them, and they run as long as this process."""
    return await _once()


async def _start() -> Models:
    config = load_config()
    desk, backend = load_desk(config), config.llm.backends[0]
    server = embedded_server(backend)
    base_url = await server.__aenter__()
    # The desk's prompt is read once, here, and not while the first caller waits.
    reader = Backend(backend, base_url=base_url)
    await reader.prefill([*desk.messages(), {"role": "user", "content": ""}])
    await reader.close()
    return Models(config, desk, backend, base_url, server)


async def pipecat_agent(transport: BaseTransport) -> PipelineWorker:
    """A fresh pipeline for each call; it greets when the caller is there."""
    found = await models()
    worker = build_stock_pipecat(
        transport,
        desk=found.desk,
        whisper=model_path(found.config.stt.model),
        piper=model_path(found.config.tts.voice),
        backend=found.backend,
        base_url=found.base_url,
    )

    @transport.event_handler("on_client_connected")
    async def greet(transport: BaseTransport, client: object) -> None:
        await worker.queue_frame(TTSSpeakFrame(found.desk.greeting))

    return worker


async def livekit_agent() -> tuple[AgentSession[Any], Agent]:
    """A fresh session for each call; its agent greets on entering."""
    found = await models()
    stock = StockLiveKit(
        desk=found.desk,
        whisper=model_path(found.config.stt.model),
        piper=model_path(found.config.tts.voice),
        language=found.config.stt.language,
        backend=found.backend,
        base_url=found.base_url,
    )
    return stock.session()
