"""The caller's words run into the model's prompt cache while they are still being said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from voice.llm.backend import Backend


class Prefill:
    """Evaluates the prompt as far as it is known, so that only the last words remain for the end.

    One at a time: what comes while one is under way is skipped, never queued. Only an embedded
    backend is asked, whose cache is ours; elsewhere it would cost money.

    Args:
        conversation: the messages before the caller's present turn, as they are at this moment.
    """

    def __init__(self, backend: Backend, conversation: Callable[[], Iterable[Any]]) -> None:
        self._backend = backend
        self._conversation = conversation
        self._task: asyncio.Task[None] | None = None

    def heard(self, text: str) -> None:
        """The caller has said this much."""
        if self._backend.config.kind != "embedded" or (self._task and not self._task.done()):
            return
        messages = [*self._conversation(), {"role": "user", "content": text}]
        self._task = asyncio.get_running_loop().create_task(self._backend.prefill(messages))

    def stop(self) -> None:
        """The real request comes: nothing may stand in its way."""
        if self._task is not None:
            self._task.cancel()
