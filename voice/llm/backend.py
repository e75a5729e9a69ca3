"""A streaming client for one OpenAI-compatible backend that measures every request."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam
from openai.types.chat.chat_completion_chunk import ChoiceDelta

from voice.config import BackendConfig

_log = logging.getLogger(__name__)

Messages = Iterable[ChatCompletionMessageParam]


@dataclass
class RequestRecord:
    """What one request took. Times are ``time.monotonic_ns()``; tokens as the backend counts."""

    backend: str
    requested_ns: int
    cold: bool
    """Whether it was the first on this connection: its connect time is in the TTFT."""
    first_token_ns: int | None = None
    last_token_ns: int | None = None
    chunks: int = 0
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    finished: Literal["running", "complete", "cancelled", "failed"] = "running"

    @property
    def ttft_ms(self) -> float | None:
        """Request to first speakable content (or tool call)."""
        if self.first_token_ns is None:
            return None
        return (self.first_token_ns - self.requested_ns) / 1e6

    @property
    def decode_tok_s(self) -> float | None:
        """Tokens per second after the first one; None for fewer than two."""
        tokens = self.completion_tokens or self.chunks
        if self.first_token_ns is None or self.last_token_ns is None or tokens < 2:
            return None
        seconds = (self.last_token_ns - self.first_token_ns) / 1e9
        return (tokens - 1) / seconds if seconds > 0 else None

    def facts(self) -> dict[str, Any]:
        """The record as it stands on the ledger."""
        return {
            "backend": self.backend,
            "finished": self.finished,
            "cold": self.cold,
            "ttft_ms": self.ttft_ms,
            "decode_tok_s": self.decode_tok_s,
            "prompt_tokens": self.prompt_tokens,
            "cached_tokens": self.cached_tokens,
            "completion_tokens": self.completion_tokens,
        }


def _ignore(_: RequestRecord) -> None:
    """Nobody wants to know."""


def delta_of(chunk: ChatCompletionChunk) -> ChoiceDelta | None:
    """What a chunk adds to the answer; None for usage alone and for servers that send null."""
    return chunk.choices[0].delta if chunk.choices else None


class Backend:
    """One language model behind an OpenAI-compatible URL, on a pooled connection.

    Args:
        config: the backend's entry in the configuration.
        base_url: where it answers: the embedded server's address; default ``config.base_url``,
            and without one OpenAI's own.
    """

    def __init__(
        self,
        config: BackendConfig,
        *,
        base_url: str | None = None,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.config = config
        self.base_url = base_url or config.base_url or "https://api.openai.com/v1"
        self._client = AsyncOpenAI(
            base_url=self.base_url,
            # The client insists on a key; a server without keys ignores it.
            api_key=config.api_key.get_secret_value() if config.api_key else "none",
            max_retries=0,  # a retry would hide a late backend behind one slow request
        )
        self._clock_ns = clock_ns
        self._warm = False

    @property
    def name(self) -> str:
        """The backend's name in the configuration and on the ledger."""
        return self.config.name

    async def chat(
        self,
        messages: Messages,
        *,
        on_first_token: Callable[[RequestRecord], None] = _ignore,
        on_finished: Callable[[RequestRecord], None] = _ignore,
        **options: Any,
    ) -> AsyncGenerator[ChatCompletionChunk, None]:
        """Stream a completion. Closing the iterator cancels the request at the server.

        ``on_finished`` is told of every request, cancelled and failed ones too. Raises what the
        ``openai`` package raises.
        """
        record = RequestRecord(self.name, self._clock_ns(), cold=not self._warm)
        try:
            stream = await self._client.chat.completions.create(
                **self._request(messages, options), stream=True
            )
            async with stream:
                async for chunk in stream:
                    if self._observe(record, chunk):
                        on_first_token(record)
                    yield chunk
            record.finished = "complete"
            self._warm = True
        except BaseException as fault:
            # Closing the iterator and cancelling the task are no Exceptions.
            record.finished = "failed" if isinstance(fault, Exception) else "cancelled"
            raise
        finally:
            on_finished(record)

    async def prefill(self, messages: Messages) -> None:
        """Open the connection and let the server evaluate this prefix before it is needed.

        A backend that cannot be reached now may be there when the caller has spoken, so a
        failure is logged and nothing more.
        """
        try:
            await self._client.chat.completions.create(
                **{**self._request(messages, {}), "max_tokens": 1}, stream=False
            )
            self._warm = True
        except Exception as fault:
            _log.warning("backend %s could not be warmed: %s", self.name, type(fault).__name__)

    async def close(self) -> None:
        """Close the pooled connections."""
        await self._client.close()

    def _request(self, messages: Messages, options: dict[str, Any]) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.config.model,
            "messages": list(messages),
            "temperature": self.config.temperature,
            "max_tokens": self.config.max_tokens,
            **options,
        }
        if self.config.frequency_penalty:  # some servers refuse what they do not know
            request["frequency_penalty"] = self.config.frequency_penalty
        if self.config.kind == "embedded":
            request["extra_body"] = {"cache_prompt": True}
        return request

    def _observe(self, record: RequestRecord, chunk: ChatCompletionChunk) -> bool:
        """Count a chunk; True for the first one with content that can be spoken or called."""
        if chunk.usage is not None:
            details = chunk.usage.prompt_tokens_details
            record.prompt_tokens = chunk.usage.prompt_tokens
            record.completion_tokens = chunk.usage.completion_tokens
            record.cached_tokens = details.cached_tokens if details else None
        delta = delta_of(chunk)
        # A role-only delta or a keep-alive is not yet something to say.
        if delta is None or not (delta.tool_calls or (delta.content or "").strip()):
            return False
        now = self._clock_ns()
        record.chunks += 1
        record.last_token_ns = now
        if record.first_token_ns is None:
            record.first_token_ns = now
            return True
        return False
