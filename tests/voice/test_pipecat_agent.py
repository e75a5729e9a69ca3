"""The whole pipecat agent on a line: real pipecat, real HTTP, scripted ears and mouth."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Generator
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pytest
from pipecat.frames.frames import LLMContextAssistantTurnFrame
from pipecat.observers.base_observer import BaseObserver, FramePushed

from budgets.ledger import Ledger
from speculative.audio_store import AudioStore
from tests.voice.scripted_provider import Provider, delta, provider, usage
from voice.audio import Samples, from_s16
from voice.config import BackendConfig, Config, DeskConfig, LineConfig
from voice.engines import Engines
from voice.line.line import Receive
from voice.llm.backend import Backend
from voice.pipecat.agent import build_agent, greeting
from voice.pipecat.call import running
from voice.pipecat.line import LineTransport
from voice.tts.mouth import Mouth
from voice.turns.events import ListenerEvent, SpeechDropped, SpeechStarted, TurnEnded
from voice.turns.listener import Listener

HZ = 8000
REPLY = [delta("We are open"), delta(" on Saturday."), delta(" Anything"), delta(" else?")]


class ToneEngine:
    """Says every text as a tone of 20 ms per character."""

    rate_hz = HZ
    fingerprint = "tone"

    def stream(self, text: str, *, cancelled: Callable[[], bool]) -> Generator[Samples, None, None]:
        for _ in text:
            if cancelled():
                return
            yield np.full(HZ // 50, 0.25, dtype=np.float32)


class ScriptedListener:
    """Emits the events that a test puts in; hears the audio and ignores it."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[ListenerEvent | None] = asyncio.Queue()
        self.heard = 0

    async def feed(self, pcm: bytes) -> None:
        self.heard += len(pcm)

    async def events(self) -> AsyncIterator[ListenerEvent]:
        while (event := await self.queue.get()) is not None:
            yield event

    async def close(self) -> None:
        self.queue.put_nowait(None)


class FakeLine:
    """Takes audio as fast as it comes; keeps what was played and when it was cleared."""

    def __init__(self) -> None:
        self.played: list[bytes] = []
        self.cleared = 0
        self.hold: asyncio.Event | None = None
        self.receive: Receive | None = None

    async def open(self, *, in_hz: int, out_hz: int, receive: Receive) -> None:
        self.receive = receive

    async def write(self, pcm: bytes) -> None:
        self.played.append(pcm)
        if self.hold is not None:
            await self.hold.wait()

    def clear(self) -> None:
        self.cleared += 1

    async def close(self) -> None:
        self.receive = None

    @property
    def audible(self) -> int:
        return sum(int((np.abs(from_s16(pcm)) > 0.01).sum()) for pcm in self.played)


@dataclass(frozen=True)
class FakeEngines(Engines):
    """Real brain, scripted ears, a mouth that hums."""

    ears: ScriptedListener = field(default_factory=ScriptedListener)

    def listener(self, rate_hz: int) -> Listener:
        return cast(Listener, self.ears)


class Seen(BaseObserver):
    """The kinds of frames that have passed."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: set[type] = set()

    async def on_push_frame(self, data: FramePushed) -> None:
        self.kinds.add(type(data.frame))


@dataclass
class Call:
    """A call under test."""

    engines: FakeEngines
    line: FakeLine
    ledger: Ledger
    served: Provider

    def caller(self, *events: ListenerEvent) -> None:
        for event in events:
            self.engines.ears.queue.put_nowait(event)

    def says(self, text: str, at_ns: int) -> None:
        self.caller(SpeechStarted(at_ns, at_ns), turn(text, at_ns))


def turn(text: str, at_ns: int) -> TurnEnded:
    return TurnEnded(text, at_ns, at_ns, at_ns, at_ns, at_ns)


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def a_call(script: list[Any], *, status: int = 200) -> AsyncIterator[Call]:
    async with provider(script, status=status) as served:
        backend = BackendConfig(name="b", kind="openai", base_url=served.url, model="m")
        engines = FakeEngines(
            Config(line=LineConfig(in_hz=HZ, out_hz=HZ)),
            DeskConfig(name="desk", greeting="Hello.", prompt="Be brief."),
            cast(Any, None),
            Mouth(ToneEngine(), AudioStore()),
            [Backend(backend)],
        )
        call = Call(engines, FakeLine(), Ledger(call="t", budget_ms=800, keep_text=True), served)
        seen = Seen()
        worker = build_agent(engines, LineTransport(call.line), call.ledger, observers=[seen])
        async with running(worker, first=greeting(engines)):
            await until(lambda: LLMContextAssistantTurnFrame in seen.kinds)  # it is in the history
            assert call.line.audible == len("Hello.") * HZ // 50
            call.line.played.clear()
            yield call
        engines.mouth.close()


async def answered(call: Call, turns: int) -> None:
    await until(lambda: sum("reply_ended" in e["marks_ms"] for e in call.ledger.entries) >= turns)


async def test_a_turn_is_answered_and_accounted_for() -> None:
    async with a_call([*REPLY, usage(9, 4, 3)]) as call:
        call.says("are you open", time.monotonic_ns())
        await answered(call, 1)
    [request] = call.served.requests
    assert [m["role"] for m in request["messages"]] == ["system", "assistant", "user"]
    assert request["messages"][-1]["content"] == "are you open"
    [entry] = call.ledger.entries
    assert entry["outcome"] == "answered"
    assert entry["agent_text"] == "We are open on Saturday. Anything else?"
    assert sum(entry["spans_ms"].values()) == pytest.approx(entry["v2v_ms"], abs=1e-3)
    assert entry["llm"]["completion_tokens"] == 4
    order = ["speech_ended", "llm_requested", "first_token", "clause_ready", "first_audio"]
    at = [entry["marks_ms"][name] for name in [*order, "audible", "reply_ended"]]
    assert at == sorted(at)


async def test_the_first_sentence_is_heard_before_the_second_is_written() -> None:
    more = asyncio.Event()
    async with a_call([delta("We are open."), more, delta(" Anything else?")]) as call:
        call.says("are you open", time.monotonic_ns())
        await until(lambda: call.line.audible)
        more.set()
        await answered(call, 1)
    assert call.ledger.entries[0]["agent_text"] == "We are open. Anything else?"


async def test_an_interruption_stops_the_audio_at_once_and_history_holds_what_was_played() -> None:
    never = asyncio.Event()
    script = [delta("One two three four."), delta(" Five six"), never]
    async with a_call(script) as call:
        call.line.hold = asyncio.Event()
        call.says("count", time.monotonic_ns())
        await until(lambda: call.line.audible)
        played = len(call.line.played)
        cleared = call.line.cleared
        call.caller(SpeechStarted(time.monotonic_ns(), time.monotonic_ns()))
        await until(lambda: call.line.cleared > cleared)
        call.line.hold.set()
        await asyncio.wait_for(call.served.hung_up.wait(), 5)  # the model was stopped as well
        call.line.hold = None
        assert len(call.line.played) == played
        call.caller(turn("stop", time.monotonic_ns()))
        await until(lambda: len(call.served.requests) == 2)
        never.set()
    history = [m for m in call.served.requests[1]["messages"] if m["role"] == "assistant"]
    assert [m["content"] for m in history] == ["Hello."]
    assert call.ledger.entries[0]["outcome"] == "interrupted"


async def test_noise_asks_nobody_and_the_next_turn_is_answered() -> None:
    async with a_call(REPLY) as call:
        call.caller(
            SpeechStarted(time.monotonic_ns(), time.monotonic_ns()),
            SpeechDropped(
                "no words", time.monotonic_ns(), time.monotonic_ns(), time.monotonic_ns()
            ),
        )
        call.says("are you open", time.monotonic_ns())
        await answered(call, 1)
    assert len(call.served.requests) == 1
    assert [e["outcome"] for e in call.ledger.entries] == ["dropped", "answered"]


async def test_a_backend_that_fails_makes_a_silent_turn_and_the_call_lives() -> None:
    async with a_call([], status=500) as call:
        call.says(
            "are you open", time.monotonic_ns() - 2_000_000_000
        )  # the caller has waited for long
        await until(lambda: len(call.served.requests) == 1)
        call.says("hello?", time.monotonic_ns())
        await until(lambda: len(call.served.requests) == 2)
    assert [e["outcome"] for e in call.ledger.entries] == ["silent", "silent"]
    assert call.ledger.entries[0]["llm"]["finished"] == "failed"
