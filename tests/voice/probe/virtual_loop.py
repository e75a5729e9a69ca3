"""An event loop whose time jumps to the next timer: real sockets on loopback, no waiting.

Both ends of a connection live on the loop. What one end sends is readable at the other at once,
so when nothing is readable, only time can bring something.
"""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Coroutine
from typing import Any

_SETTLE_S = 50e-6
"""Real time for the kernel to carry what was sent over loopback. Not left to the selector, whose
shortest wait is a millisecond."""


class _JumpingSelector(selectors.DefaultSelector):
    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        if ready := super().select(0):
            return ready
        if timeout is None:
            return super().select(10.0)
        if timeout > 0:
            time.sleep(_SETTLE_S)
            if not (ready := super().select(0)):
                self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """Starts at time 0."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine, in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(coroutine)


def clock_ns() -> int:
    """The running loop's time."""
    return round(asyncio.get_running_loop().time() * 1e9)
