"""A pipecat bot behind pipecat's own Twilio serializer, on loopback.

    python examples/twilio_agent.py &
    under800 call twilio+ws://127.0.0.1:8765/ phone-line

One caller at a time; Ctrl-C ends it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from pathlib import Path

from pipecat.frames.frames import Frame
from pipecat.serializers.twilio import TwilioFrameSerializer
from pipecat.transports.base_transport import BaseTransport
from pipecat.transports.websocket.server import (
    SingleClientWebsocketServerParams,
    SingleClientWebsocketServerTransport,
)
from rich.console import Console

sys.path.insert(0, str(Path(__file__).parents[1]))

from examples.stock_agents import models
from voice.bench.stock_pipecat import build_stock_pipecat
from voice.logs import quiet_frameworks
from voice.models import model_path
from voice.pipecat.call import running

HOST, PORT = "127.0.0.1", 8765


class AnyCall(TwilioFrameSerializer):
    """Takes the stream's name from the call itself; a web server would read it before."""

    def __init__(self) -> None:
        params = TwilioFrameSerializer.InputParams(auto_hang_up=False)
        super().__init__(stream_sid="", params=params)

    async def deserialize(self, data: str | bytes) -> Frame | None:
        """Media and keys as frames; the start is for this serializer."""
        message = json.loads(data)
        if message["event"] == "start":
            self._stream_sid = message["start"]["streamSid"]
        return await super().deserialize(data)


async def main() -> None:
    """Answer calls until the process is ended."""
    quiet_frameworks()
    found = await models()
    transport = SingleClientWebsocketServerTransport(
        SingleClientWebsocketServerParams(
            serializer=AnyCall(), audio_in_enabled=True, audio_out_enabled=True
        ),
        host=HOST,
        port=PORT,
    )
    worker = build_stock_pipecat(
        transport,
        desk=found.desk,
        whisper=model_path(found.config.stt.model),
        piper=model_path(found.config.tts.voice),
        backend=found.backend,
        base_url=found.base_url,
    )
    listening = asyncio.Event()

    @transport.event_handler("on_websocket_ready")
    async def _(transport: BaseTransport) -> None:
        listening.set()

    async with running(worker):
        try:
            await asyncio.wait_for(listening.wait(), 10)
        except TimeoutError:
            sys.exit(f"cannot listen on {HOST}:{PORT}; is something else there?")
        Console().print(f"Waiting for calls at twilio+ws://{HOST}:{PORT}/", highlight=False)
        await asyncio.Event().wait()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())
