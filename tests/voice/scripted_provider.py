"""A real HTTP server on loopback that plays an OpenAI-compatible provider from a script."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Provider:
    """What the server was asked, and what became of its answers."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client closes the connection in the middle of a stream."""


def delta(content: str | None = None, **more: Any) -> dict[str, Any]:
    """One chunk of a streamed completion."""
    choices = [{"index": 0, "delta": {"content": content, **more}, "finish_reason": None}]
    return {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m"} | {
        "choices": choices
    }


def usage(prompt: int, completion: int, cached: int) -> dict[str, Any]:
    """The closing chunk with the tokens counted."""
    counted = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": cached},
    }
    return delta() | {"choices": [], "usage": counted}


@contextlib.asynccontextmanager
async def provider(
    script: Sequence[dict[str, Any] | asyncio.Event],
    *,
    status: int = 200,
    first_status: int | None = None,
) -> AsyncIterator[Provider]:
    """Serve ``script`` to every request: chunks are sent, an event is waited for.

    ``status`` is that of all responses, ``first_status`` that of the first one.
    """

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await _request(reader, served):
                first = len(served.requests) == 1 and first_status is not None
                await _stream(reader, writer, served, script, first_status if first else status)
        except (ConnectionError, asyncio.IncompleteReadError):
            served.hung_up.set()
        except asyncio.CancelledError:
            pass  # the test is over
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    served = Provider(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
    try:
        yield served
    finally:
        server.close()


async def _request(reader: asyncio.StreamReader, served: Provider) -> bool:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        int(line.split(b":")[1])
        for line in head.lower().splitlines()
        if line.startswith(b"content-length")
    )
    served.requests.append(json.loads(await reader.readexactly(length)))
    return True


async def _stream(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    served: Provider,
    script: Sequence[dict[str, Any] | asyncio.Event],
    status: int | None,
) -> None:
    kind = "text/event-stream" if served.requests[-1].get("stream") else "application/json"
    head = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n"
    writer.write(head.encode())
    if kind == "application/json":
        message = {"role": "assistant", "content": "ok"}
        body = delta() | {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
        await _chunk(writer, json.dumps(body))
    else:
        for step in script:
            if isinstance(step, asyncio.Event):
                await _wait_or_hang_up(reader, step)
            else:
                await _chunk(writer, f"data: {json.dumps(step)}\n\n")
        await _chunk(writer, "data: [DONE]\n\n")
    writer.write(b"0\r\n\r\n")
    await writer.drain()


async def _wait_or_hang_up(reader: asyncio.StreamReader, event: asyncio.Event) -> None:
    waiting = asyncio.ensure_future(event.wait())
    closing = asyncio.ensure_future(reader.read(1))
    done, pending = await asyncio.wait({waiting, closing}, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)  # the reader is free again
    if closing in done:
        raise ConnectionError("the client hung up")


async def _chunk(writer: asyncio.StreamWriter, text: str) -> None:
    data = text.encode()
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    await writer.drain()
