"""The WebSocket under a door: everything that goes wrong with it is a TargetError."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from budgets.probe.record import TargetError
from voice.probe.targets import is_loopback

_MOST_BYTES = 4 << 20
"""No agent has reason to send more in one message."""


class Connection:
    """One WebSocket, as the calling side.

    What is wrong with a message, and the loss of the connection, are noticed while listening and
    raised by the next ``send``: a caller sends every 20 ms.

    Args:
        url: ``ws://`` or ``wss://``.
        patience_s: how long the agent may take to accept the call, and to take a message.
    """

    def __init__(self, url: str, *, patience_s: float = 10.0) -> None:
        self._url = url
        self._patience_s = patience_s
        self._socket: ClientConnection | None = None
        self._listener: asyncio.Task[None] | None = None
        self._hung_up = False

    async def open(self, on_message: Callable[[str | bytes], None]) -> None:
        """Connect; ``on_message`` is given each message, and may raise TargetError for it."""
        try:
            self._socket = await connect(
                self._url,
                compression=None,  # it would cost time that is the agent's
                open_timeout=self._patience_s,
                close_timeout=1.0,
                max_size=_MOST_BYTES,
                proxy=None if is_loopback(urlsplit(self._url).hostname or "") else True,
            )
        except TimeoutError:
            raise TargetError(
                "slow",
                f"{self._url} did not accept the call within {self._patience_s:.0f} s; is the "
                "agent still starting, or is something else listening there?",
            ) from None
        except InvalidStatus as fault:
            raise TargetError(
                "refused",
                f"{self._url} answered with HTTP status {fault.response.status_code}; check the "
                "path, and whether the agent has room for another call",
            ) from None
        except InvalidURI as fault:
            raise TargetError("refused", f"{self._url} is no address of a WebSocket") from fault
        except (InvalidHandshake, ConnectionClosed, EOFError) as fault:
            raise TargetError(
                "refused", f"{self._url} does not speak WebSocket ({fault}); check the port"
            ) from None
        except OSError as fault:
            raise TargetError(
                "refused",
                f"nothing answers at {self._url} ({fault.strerror or fault}); start the agent, "
                "or check host and port",
            ) from None
        self._listener = asyncio.create_task(self._listen(self._socket, on_message))

    async def send(self, message: str | bytes) -> None:
        """Send one message. TargetError for whatever has gone wrong up to now."""
        self.check()
        assert self._socket is not None
        try:
            async with asyncio.timeout(self._patience_s):
                await self._socket.send(message)
        except TimeoutError:
            raise TargetError(
                "slow",
                f"the agent has not taken the caller's audio for {self._patience_s:.0f} s; "
                "something in it blocks",
            ) from None
        except ConnectionClosed as fault:
            raise _vanished(fault) from None

    async def until(self, event: asyncio.Event, *, within_s: float) -> bool:
        """Wait for ``event``; False if it does not come. TargetError if the agent is lost."""
        assert self._listener is not None
        waiting = asyncio.create_task(event.wait())
        try:
            await asyncio.wait(
                {waiting, self._listener},
                timeout=within_s,
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            waiting.cancel()
        if not event.is_set():
            self.check()
        return event.is_set()

    def check(self) -> None:
        """Raise what has ended the listening, if anything has."""
        if self._listener is None:
            raise TargetError("refused", f"there is no call to {self._url}")
        if self._listener.done() and not self._listener.cancelled():
            self._listener.result()

    async def close(self) -> None:
        """Hang up; a fault that comes now is of no interest."""
        self._hung_up = True
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.wait({self._listener})
            if not self._listener.cancelled():
                self._listener.exception()  # reported already, or of no interest any more
        if self._socket is not None:
            await self._socket.close()

    async def _listen(
        self, socket: ClientConnection, on_message: Callable[[str | bytes], None]
    ) -> None:
        try:
            while True:
                on_message(await socket.recv())
        except ConnectionClosed as fault:
            if not self._hung_up:
                raise _vanished(fault) from None


def _vanished(fault: ConnectionClosed) -> TargetError:
    code = fault.rcvd.code if fault.rcvd is not None else None
    how = "without a word" if code is None else f"with code {code}"
    if fault.rcvd is not None and fault.rcvd.reason:
        how += f" ({fault.rcvd.reason[:80]})"
    if fault.sent is not None and (code is None or fault.sent.code not in (1000, code)):
        how = f"after a message that breaks the protocol (code {fault.sent.code})"
    return TargetError(
        "vanished", f"the agent ended the connection in mid-call {how}; see its own log"
    )


def malformed(what: str, wanted: str) -> TargetError:
    """A message that is not of the protocol: what came, and what should have."""
    return TargetError("malformed", f"the agent sent {what}; {wanted}")


def shown(message: Any) -> str:
    """The start of what came, for an error message. Never audio."""
    if isinstance(message, bytes):
        return f"{len(message)} bytes"
    text = str(message)
    return repr(text[:60] + "…" if len(text) > 60 else text)
