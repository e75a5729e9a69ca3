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
from voice.turns.events import (
    EagerTurn,
    ListenerEvent,
    Retracted,
    SpeechDropped,
    SpeechStarted,
    TurnEnded,
)
from voice.turns.listener import Listener

HZ = 8000
REPLY = [delta("We are open"), delta(" on Saturday."), delta(" Anything"), delta(" else?")]


class ToneEngine:
    """Says every text as a tone of 20 ms per character."""

    rate_hz = HZ
    fingerprint = "tone"

    def __init__(self) -> None:
        self.said: list[str] = []

    def stream(self, text: str, *, cancelled: Callable[[], bool]) -> Generator[Samples, None, None]:
        self.said.append(text)
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
    voice: ToneEngine = field(default_factory=ToneEngine)

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
async def a_call(script: list[Any], **served_with: Any) -> AsyncIterator[Call]:
    async with provider(script, **served_with) as served:
        backend = BackendConfig(name="b", kind="openai", base_url=served.url, model="m")
        voice = ToneEngine()
        engines = FakeEngines(
            Config(line=LineConfig(in_hz=HZ, out_hz=HZ)),
            DeskConfig(name="desk", greeting="Hello.", prompt="Be brief."),
            cast(Any, None),
            Mouth(voice, AudioStore()),
            [Backend(backend)],
            voice=voice,
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


def begun(call: Call, text: str) -> None:
    now_ns = time.monotonic_ns()
    call.caller(SpeechStarted(now_ns, now_ns), EagerTurn(text, now_ns))


async def test_an_answer_begun_at_a_pause_is_held_and_its_audio_made_until_the_turn_is_over() -> (
    None
):
    async with a_call(REPLY) as call:
        begun(call, "are you open")
        await until(lambda: len(call.engines.voice.said) >= 3)  # greeting and two clauses
        assert not call.line.played
        call.caller(turn("Are you open?", time.monotonic_ns()))
        await answered(call, 1)
        said = list(call.engines.voice.said)
    assert len(call.served.requests) == 1
    assert said[1:] == ["We are open on Saturday.", "Anything else?"]  # each made once
    [entry] = call.ledger.entries
    assert entry["ahead"]
    assert entry["spans_ms"]["ttft"] == 0
    assert entry["agent_text"] == "We are open on Saturday. Anything else?"


async def test_a_caller_who_goes_on_takes_it_back_and_gets_one_answer() -> None:
    never = asyncio.Event()
    async with a_call([delta("Right. Then "), never, delta("we go.")]) as call:
        begun(call, "book a table")
        await until(lambda: len(call.engines.voice.said) == 2)
        call.caller(Retracted(time.monotonic_ns()))
        await asyncio.wait_for(call.served.hung_up.wait(), 5)
        never.set()
        call.caller(EagerTurn("book a table for two", time.monotonic_ns()))
        await until(lambda: len(call.served.requests) == 2)
        call.caller(turn("book a table for two", time.monotonic_ns()))
        await answered(call, 1)
        assert len(call.engines.mouth._store) <= 1 + 2  # the greeting is not kept here either
    assert len(call.served.requests) == 2
    asked = [m["content"] for m in call.served.requests[1]["messages"] if m["role"] == "user"]
    assert asked == ["book a table for two"]  # what was taken back never was in the history
    [entry] = call.ledger.entries
    assert entry["agent_text"] == "Right. Then we go."
    assert [w["llm"]["finished"] for w in entry["wasted"]] == ["cancelled"]


async def test_another_final_text_is_answered_instead_of_the_eager_one() -> None:
    async with a_call(REPLY) as call:
        begun(call, "cancel it")
        await until(lambda: len(call.engines.voice.said) == 3)
        call.caller(turn("do not cancel it", time.monotonic_ns()))
        await answered(call, 1)
    asked = [request["messages"][-1]["content"] for request in call.served.requests]
    assert asked == ["cancel it", "do not cancel it"]
    assert len(call.ledger.entries) == 1


async def test_ten_retractions_and_a_double_final_leave_one_reply_and_a_live_call() -> None:
    async with a_call(REPLY) as call:
        call.caller(SpeechStarted(time.monotonic_ns(), time.monotonic_ns()))
        for count in range(10):
            call.caller(EagerTurn("one " * (count + 1), time.monotonic_ns()))
            call.caller(Retracted(time.monotonic_ns()))
        call.caller(turn("one two", time.monotonic_ns()), turn("One two.", time.monotonic_ns()))
        await answered(call, 1)
        call.says("and then", time.monotonic_ns())
        await answered(call, 2)
    answered_texts = [
        m["content"] for m in call.served.requests[-1]["messages"] if m["role"] == "assistant"
    ]
    assert answered_texts == ["Hello.", "We are open on Saturday. Anything else?"]
    assert len(call.served.requests) <= 3 + 2  # attempts, and an answer each


async def test_an_answer_that_could_not_be_begun_ahead_is_asked_for_again_at_the_end() -> None:
    async with a_call(REPLY, first_status=500) as call:
        begun(call, "are you open")
        await until(lambda: len(call.served.requests) == 1)
        await until(lambda: call.ledger.turn is None)  # the failure has been noticed
        call.caller(turn("are you open", time.monotonic_ns()))
        await answered(call, 1)
    [entry] = call.ledger.entries
    assert entry["outcome"] == "answered"
    assert [w["llm"]["finished"] for w in entry["wasted"]] == ["failed"]
