"""What a line is: somewhere that audio comes from and goes to, in real time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

Receive = Callable[[bytes], Awaitable[None]]
"""Takes what the caller's side sent: s16le mono PCM at the line's rate, any length."""


class Line(Protocol):
    """One call's audio in both directions, as s16le mono PCM."""

    async def open(self, *, in_hz: int, out_hz: int, receive: Receive) -> None:
        """Begin the call; from here on ``receive`` is given the caller's audio."""

    async def write(self, pcm: bytes) -> None:
        """Play ``pcm`` to the caller; returns when the line wants more, so it sets the pace."""

    def clear(self) -> None:
        """Drop what was written and has not been played: the caller has taken the turn."""

    async def close(self) -> None:
        """End the call; the audio stops at once."""
