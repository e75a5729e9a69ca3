"""A measured backend as a pipecat LLM service.

pipecat keeps what it does well (context, tools, speculation, cancellation); where the tokens
come from, and what that took, is ours.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Callable
from typing import Any

from openai.types.chat import ChatCompletionChunk
from pipecat.frames.frames import (
    EagerEndOfTurnCancelFrame,
    Frame,
    InterruptionFrame,
    LLMContextFrame,
)
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import FrameDirection
from pipecat.services.openai.llm import OpenAILLMService

from budgets.ledger import Ledger
from voice.llm.backend import Backend, RequestRecord, delta_of
from voice.llm.prefill import Prefill
from voice.tts.held import HeldSpeech


class BackendLLMService(OpenAILLMService):
    """Streams completions from ``backend`` and marks request and first token on the ledger.

    With ``held``, the first clauses of an answer that pipecat's gate holds back are made into
    audio while they wait. pipecat runs no tool before the gate opens. ``on_ahead_failed`` is told
    when such an answer could not be had, so that the end of the turn asks again.
    """

    # llama.cpp's templates, and most other servers', know no "developer" role.
    supports_developer_role = False

    def __init__(
        self,
        *,
        backend: Backend,
        system_prompt: str | None = None,
        held: HeldSpeech | None = None,
        prefill: Prefill | None = None,
        on_ahead_failed: Callable[[], None] | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        super().__init__(
            # The parent's own client is never asked; it insists on being constructible.
            api_key="unused",
            base_url="http://127.0.0.1:9",
            settings=self.Settings(model=backend.config.model, system_instruction=system_prompt),
        )
        self._system_prompt = system_prompt
        self._backend = backend
        self._held = held
        self._prefill = prefill
        self._on_ahead_failed = on_ahead_failed
        self._ahead = False
        self._ledger = ledger

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Note which answers are begun ahead of their turn's end."""
        if isinstance(frame, LLMContextFrame):
            self._ahead = frame.speculation
        elif isinstance(frame, EagerEndOfTurnCancelFrame | InterruptionFrame) and self._held:
            self._held.drop()
        await super().process_frame(frame, direction)

    async def get_chat_completions(  # type: ignore[override]
        self, context: LLMContext
    ) -> AsyncGenerator[ChatCompletionChunk, None]:
        """pipecat's hook for the stream of a completion."""
        request: dict[str, Any] = dict(
            await self.get_llm_adapter().get_llm_invocation_params(
                context,
                system_instruction=self._system_prompt,
                convert_developer_to_user=not self.supports_developer_role,
            )
        )
        messages = request.pop("messages")
        options = {key: value for key, value in request.items() if _given(value)}
        return self._stream(messages, options)

    async def _stream(
        self, messages: Any, options: dict[str, Any]
    ) -> AsyncGenerator[ChatCompletionChunk, None]:
        turn = self._ledger.turn if self._ledger else None
        ahead = self._ahead

        def first_token(record: RequestRecord) -> None:
            if turn is not None and record.first_token_ns is not None:
                turn.mark("llm_requested", record.requested_ns)
                turn.mark("first_token", record.first_token_ns)

        def finished(record: RequestRecord) -> None:
            if turn is not None:
                turn.mark("llm_requested", record.requested_ns)
                turn.note(llm=record.facts())
            if record.finished == "failed" and ahead and self._on_ahead_failed is not None:
                self._on_ahead_failed()

        if self._prefill is not None:
            self._prefill.stop()
        held = self._held if ahead else None
        if held is not None:
            held.begin()
        stream = self._backend.chat(
            messages,
            on_first_token=first_token,
            on_finished=finished,
            stream_options={"include_usage": True},
            **options,
        )
        # Closed here and now, and not when it is collected: the server must stop at once.
        async with contextlib.aclosing(stream) as chunks:
            async for chunk in chunks:
                delta = delta_of(chunk)
                if held is not None and delta is not None and delta.content:
                    held.written(delta.content)
                yield chunk
        if held is not None:
            held.complete()


def _given(value: Any) -> bool:
    """False for the sentinels with which pipecat and openai say "not set"."""
    return value is not None and type(value).__name__ not in {"NotGiven", "Omit", "_NotGiven"}
