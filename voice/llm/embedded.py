"""llama.cpp on this machine: the OpenAI-compatible server of the xllamacpp wheel, as a child.

It runs in a process of its own, so that a fault in native code costs an answer and not the call.
The child prints its address as one line of JSON and ends when its standard input closes, which
happens whenever and however its parent ends.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
from collections import deque
from collections.abc import AsyncIterator
from pathlib import Path

from budgets.errors import UserError
from voice.config import BackendConfig
from voice.models import model_path

_START_TIMEOUT_S = 60.0


@contextlib.asynccontextmanager
async def embedded_server(config: BackendConfig) -> AsyncIterator[str]:
    """Run the server for ``config``; yields its base URL (``http://127.0.0.1:PORT/v1``).

    Raises UserError where the model is not here, the engine is not installed or the server
    does not start, with the server's own last words.
    """
    command = [
        *(sys.executable, "-m", "voice.llm.embedded"),
        *("--model", str(model_path(config.model))),
        *("--context", str(config.context_tokens)),
        *("--threads", str(config.threads)),
    ]
    child = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    last_words: deque[str] = deque(maxlen=5)
    drain = asyncio.create_task(_drain(child.stderr, last_words))
    try:
        yield await _address(child, last_words, config) + "/v1"
    finally:
        drain.cancel()
        await _end(child)


async def _address(
    child: asyncio.subprocess.Process, last_words: deque[str], config: BackendConfig
) -> str:
    assert child.stdout is not None
    try:
        line = await asyncio.wait_for(child.stdout.readline(), _START_TIMEOUT_S)
    except TimeoutError:
        line = b""
    try:
        return str(json.loads(line)["address"])
    except (ValueError, KeyError, TypeError):
        await asyncio.sleep(0)  # let the last words arrive
        reason = " ".join(last_words) or "it said nothing"
        raise UserError(
            f"llm.backends '{config.name}': the embedded server did not start ({reason})"
        ) from None


async def _drain(stream: asyncio.StreamReader | None, last_words: deque[str]) -> None:
    """Keep the pipe empty; llama.cpp writes much. Its lines carry no transcript text."""
    assert stream is not None
    while line := await stream.readline():
        last_words.append(line.decode(errors="replace").strip())


async def _end(child: asyncio.subprocess.Process) -> None:
    if child.returncode is None:
        assert child.stdin is not None
        child.stdin.close()
        try:
            await asyncio.wait_for(child.wait(), 5.0)
        except TimeoutError:
            child.kill()
            await child.wait()


def main() -> None:
    """The child: serve until standard input closes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--context", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True)
    options = parser.parse_args()
    # Ctrl-C reaches the whole group; the parent ends us in its own time.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # llama.cpp may write to standard output; the address line must stand alone there.
    address_out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        import xllamacpp
    except ImportError:
        sys.exit("xllamacpp is not installed: pip install 'under800[local]'")
    params = xllamacpp.CommonParams()
    params.model.path = str(options.model)
    params.n_ctx = options.context
    params.n_parallel = 1
    params.cpuparams.n_threads = options.threads
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    server = xllamacpp.Server(params)
    address_out.write(json.dumps({"address": server.listening_address}) + "\n")
    address_out.flush()
    sys.stdin.buffer.read()
    os._exit(0)  # native threads need no farewell, and their destructors can hang


if __name__ == "__main__":
    main()
