"""The streaming client measures what a caller would wait for, against a real server."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import openai
import pytest

from tests.voice.scripted_provider import delta, provider, usage
from voice.config import BackendConfig
from voice.llm.backend import Backend, RequestRecord

MESSAGES: list[Any] = [{"role": "user", "content": "hello"}]


class Clock:
    """Advances by a millisecond with every look at it."""

    def __init__(self) -> None:
        self.now_ns = 0

    def __call__(self) -> int:
        self.now_ns += 1_000_000
        return self.now_ns


def a_backend(url: str, **options: Any) -> Backend:
    config = BackendConfig(name="b", kind="openai", base_url=url, model="m", **options)
    return Backend(config, clock_ns=Clock())


async def collect(backend: Backend, records: list[RequestRecord], **hooks: Any) -> str:
    chunks = backend.chat(MESSAGES, on_finished=records.append, **hooks)
    return "".join(
        [c.choices[0].delta.content or "" async for c in chunks if c.choices and c.choices[0].delta]
    )


async def test_role_only_and_blank_deltas_are_no_first_token() -> None:
    script = [delta(None, role="assistant"), delta(""), delta("\n "), delta("Hi"), delta(" there")]
    records: list[RequestRecord] = []
    seen: list[int | None] = []
    async with provider([*script, usage(10, 2, 7)]) as served:
        text = await collect(
            a_backend(served.url), records, on_first_token=lambda r: seen.append(r.first_token_ns)
        )
    assert text == "\n Hi there"
    [record] = records
    assert record.finished == "complete"
    assert seen == [record.first_token_ns]
    assert (record.prompt_tokens, record.cached_tokens, record.completion_tokens) == (10, 7, 2)
    assert record.ttft_ms == 1.0  # the clock was looked at for the request and for "Hi"
    assert record.decode_tok_s == 1000.0


async def test_a_tool_call_is_content() -> None:
    call = {"index": 0, "id": "1", "type": "function", "function": {"name": "f", "arguments": ""}}
    records: list[RequestRecord] = []
    async with provider([delta(None, tool_calls=[call])]) as served:
        await collect(a_backend(served.url), records)
    assert records[0].first_token_ns is not None


async def test_leaving_the_stream_hangs_up_and_is_recorded_as_cancelled() -> None:
    never = asyncio.Event()
    records: list[RequestRecord] = []
    async with provider([delta("Hi"), never]) as served:
        stream = a_backend(served.url).chat(MESSAGES, on_finished=records.append)
        async with contextlib.aclosing(stream) as chunks:
            async for _ in chunks:
                break
        await asyncio.wait_for(served.hung_up.wait(), 5)
    assert [record.finished for record in records] == ["cancelled"]


@pytest.mark.parametrize("status", [401, 429, 500])
async def test_a_refusal_is_raised_at_once_and_recorded_as_failed(status: int) -> None:
    records: list[RequestRecord] = []
    async with provider([], status=status) as served:
        with pytest.raises(openai.APIStatusError):
            await collect(a_backend(served.url), records)
        assert len(served.requests) == 1  # no hidden retry
    assert [record.finished for record in records] == ["failed"]
    assert records[0].ttft_ms is None


async def test_prefilling_warms_the_connection_and_a_dead_backend_costs_nothing() -> None:
    records: list[RequestRecord] = []
    async with provider([delta("Hi")]) as served:
        backend = a_backend(served.url)
        await backend.prefill(MESSAGES)
        await collect(backend, records)
        assert served.requests[0]["max_tokens"] == 1
    assert not records[0].cold
    await a_backend("http://127.0.0.1:9/v1").prefill(MESSAGES)


async def test_the_first_request_without_prefill_is_marked_cold() -> None:
    records: list[RequestRecord] = []
    async with provider([delta("Hi")]) as served:
        backend = a_backend(served.url)
        await collect(backend, records)
        await collect(backend, records)
    assert [record.cold for record in records] == [True, False]


def test_a_key_is_never_shown() -> None:
    config = BackendConfig(name="b", kind="openai", base_url="http://x", api_key="sk-secret")
    assert "sk-secret" not in repr(config)
