"""The doors over a socket: a scripted agent on loopback, real WebSockets, virtual time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from websockets.asyncio.server import ServerConnection

from budgets.playout import first_audible
from budgets.probe.record import Target, TargetError
from budgets.probe.tracks import CallTracks
from tests.voice.probe.scripted_agent import (
    Act,
    Brain,
    Handler,
    pcm_agent,
    serving,
    tone,
    twilio_agent,
)
from tests.voice.probe.virtual_loop import clock_ns, run
from voice.audio import Samples
from voice.probe.pcm import PcmTarget
from voice.probe.twilio import Marks, TwilioTarget

SPEECH_MS = 700
BEFORE_MS = 500


def the_caller(rate_hz: int, *, after_ms: float = 4000) -> Samples:
    return np.concatenate(
        [
            np.zeros(rate_hz * BEFORE_MS // 1000, np.float32),
            tone(SPEECH_MS, rate_hz),
            np.zeros(round(rate_hz * after_ms / 1000), np.float32),
        ]
    )


async def call(target: Target, caller: Samples, rate_hz: int) -> CallTracks:
    """Speak ``caller`` to the target in real time; what was said and heard."""
    tracks: CallTracks | None = None
    early: list[Samples] = []

    def heard(samples: Samples) -> None:
        if tracks is None:
            early.append(samples)
        else:
            tracks.heard(samples, clock_ns())

    def clear() -> None:
        assert tracks is not None
        tracks.clear(clock_ns())

    try:
        agent_hz = await target.open(rate_hz, heard, clear)
        tracks = CallTracks(caller_hz=rate_hz, agent_hz=agent_hz, origin_ns=clock_ns())
        for samples in early:
            tracks.heard(samples, tracks.origin_ns)
        size = rate_hz // 50
        for at in range(0, len(caller), size):
            due_ns = tracks.origin_ns + (at + size) * 1_000_000_000 // rate_hz
            await asyncio.sleep((due_ns - clock_ns()) / 1e9)
            await target.send(caller[at : at + size])
        return tracks
    finally:
        await target.close()


def pcm(brain: Brain, agent_hz: int) -> tuple[Handler, Callable[[str], Target]]:
    return pcm_agent(brain, agent_hz=agent_hz), PcmTarget


def twilio(brain: Brain, agent_hz: int) -> tuple[Handler, Callable[[str], Target]]:
    return twilio_agent(brain, agent_hz=agent_hz), lambda url: TwilioTarget(url, clock_ns=clock_ns)


Door = Callable[[Brain, int], tuple[Handler, Callable[[str], Target]]]


def place(door: Door, acts: Sequence[Act], rate_hz: int) -> tuple[CallTracks, Brain]:
    brain = Brain([acts], SPEECH_MS, 8000 if door is twilio else rate_hz)

    async def scene() -> CallTracks:
        handler, make = door(brain, rate_hz)
        async with serving(handler) as url:
            return await call(make(url), the_caller(rate_hz), rate_hz)

    return run(scene()), brain


doors = pytest.mark.parametrize("door", [pcm, twilio])
rates = pytest.mark.parametrize("rate_hz", [8000, 16000])


@doors
@rates
@pytest.mark.parametrize("v2v_ms", [-50, 0, 100, 199, 350, 800, 2500])
def test_an_answer_is_heard_when_it_is_given(door: Door, rate_hz: int, v2v_ms: int) -> None:
    tracks, _ = place(door, [Act(v2v_ms, tone(400, rate_hz))], rate_hz)
    onset = first_audible(tracks.agent)
    assert onset is not None
    heard_ms = onset / tracks.agent_hz * 1000 - BEFORE_MS - SPEECH_MS
    assert heard_ms == pytest.approx(v2v_ms, abs=5)


@doors
@rates
def test_what_is_taken_back_is_not_heard(door: Door, rate_hz: int) -> None:
    acts = [Act(100, tone(2000, rate_hz)), Act(600, None), Act(900, tone(200, rate_hz))]
    tracks, _ = place(door, acts, rate_hz)
    loud = np.flatnonzero(np.abs(tracks.agent) > 0.05) * 1000 / tracks.agent_hz
    heard_ms = loud - BEFORE_MS - SPEECH_MS
    assert heard_ms[0] == pytest.approx(100, abs=5)
    gap = np.argmax(np.diff(heard_ms))
    assert heard_ms[gap] == pytest.approx(600, abs=5)
    assert heard_ms[gap + 1] == pytest.approx(900, abs=5)
    assert heard_ms[-1] == pytest.approx(1100, abs=5)


@doors
@rates
def test_the_agent_hears_what_the_caller_says(door: Door, rate_hz: int) -> None:
    _, brain = place(door, [], rate_hz)
    heard = np.concatenate(brain.heard)
    loud = np.flatnonzero(np.abs(heard) > 0.05) * 1000 / brain.rate_hz
    assert loud[0] == pytest.approx(BEFORE_MS, abs=3)
    assert loud[-1] == pytest.approx(BEFORE_MS + SPEECH_MS, abs=4)
    assert np.abs(heard).max() == pytest.approx(0.3, abs=0.03)


def test_marks_come_back_when_the_audio_before_them_has_been_played() -> None:
    marks, ms = Marks(), 1_000_000
    marks.media(800, 0)  # 100 ms
    marks.mark("a", 0)
    marks.media(800, 10 * ms)
    marks.mark("b", 10 * ms)
    assert marks.reached(99 * ms) == []
    assert marks.reached(100 * ms) == ["a"]
    marks.clear(120 * ms)
    assert marks.reached(120 * ms) == ["b"]
    assert marks.reached(900 * ms) == []


def test_a_twilio_agent_learns_what_was_played_and_which_key_was_pressed() -> None:
    brain = Brain([[Act(100, tone(200, 8000))]], SPEECH_MS, 8000)

    async def scene() -> None:
        async with serving(twilio_agent(brain)) as url:
            target = TwilioTarget(url, clock_ns=clock_ns)
            await call(target, the_caller(8000), 8000)
            other = TwilioTarget(url, clock_ns=clock_ns)
            await other.open(8000, lambda _: None, lambda: None)
            await other.press("#")
            await other.close()

    run(scene())
    assert brain.marks == ["said 1600"]
    assert brain.digits == ["#"]


def test_audio_that_comes_while_the_door_is_opened_is_not_lost() -> None:
    async def eager(socket: ServerConnection) -> None:
        await socket.send(json.dumps({"type": "format", "rate": 24000}))
        await socket.send(b"\x00\x40" * 2400)
        await socket.wait_closed()

    async def scene() -> CallTracks:
        async with serving(eager) as url:
            return await call(PcmTarget(url), np.zeros(8000, np.float32), 16000)

    tracks = run(scene())
    assert tracks.agent_hz == 24000
    assert np.flatnonzero(tracks.agent).size == 2400
    assert first_audible(tracks.agent) == 0


def test_a_rate_that_comes_late_or_changes_is_brought_to_the_tracks_own() -> None:
    async def late(socket: ServerConnection) -> None:
        await socket.recv()
        await asyncio.sleep(2)
        for rate in (24000, 8000):
            await socket.send(json.dumps({"type": "format", "rate": rate}))
            await socket.send((np.full(rate, 8000, "<i2")).tobytes())
        await socket.wait_closed()

    async def scene() -> CallTracks:
        async with serving(late) as url:
            return await call(PcmTarget(url), np.zeros(16000 * 5, np.float32), 16000)

    tracks = run(scene())
    assert tracks.agent_hz == 16000
    assert np.count_nonzero(np.abs(tracks.agent) > 0.2) == pytest.approx(32000, abs=80)


def fault_of(handler: Handler, make: Callable[[str], Target]) -> TargetError:
    """The TargetError that a call of three seconds meets."""

    async def scene() -> Any:
        async with serving(handler) as url:
            with pytest.raises(TargetError) as caught:
                await call(make(url), the_caller(8000, after_ms=2000), 8000)
            return caught.value

    return run(scene())


async def hangs_up(socket: ServerConnection) -> None:
    await asyncio.sleep(1.0)
    await socket.close(1011, "out of memory")


async def drops(socket: ServerConnection) -> None:
    await asyncio.sleep(1.0)
    socket.transport.abort()


@pytest.mark.parametrize("make", [PcmTarget, TwilioTarget])
@pytest.mark.parametrize("handler", [hangs_up, drops])
def test_an_agent_that_goes_in_mid_call_has_vanished(
    handler: Handler, make: Callable[[str], Target]
) -> None:
    fault = fault_of(handler, make)
    assert fault.kind == "vanished"
    assert "mid-call" in fault.message
    if handler is hangs_up:
        assert "1011 (out of memory)" in fault.message


def sends(*messages: str | bytes) -> Handler:
    async def handler(socket: ServerConnection) -> None:
        await socket.recv()
        for message in messages:
            await socket.send(message)
        await socket.wait_closed()

    return handler


@pytest.mark.parametrize(
    ("make", "messages", "said"),
    [
        (PcmTarget, ["not json"], "JSON objects"),
        (PcmTarget, ['{"type": "format", "rate": "fast"}'], "whole number of Hz"),
        (PcmTarget, [b"\x00\x00"], "named its rate"),
        (PcmTarget, ['{"type": "format", "rate": 8000}', b"\x00"], "two bytes each"),
        (TwilioTarget, ["[]"], "JSON objects"),
        (TwilioTarget, [b"\x00\x01"], "2 bytes"),
        (TwilioTarget, ['{"event": "play"}'], "'play'"),
        (TwilioTarget, ['{"event": "media", "media": {"payload": "AA=="}}'], "streamSid"),
    ],
)
def test_what_is_not_of_the_protocol_is_said_so(
    make: Callable[[str], Target], messages: list[str | bytes], said: str
) -> None:
    fault = fault_of(sends(*messages), make)
    assert fault.kind == "malformed"
    assert said in fault.message


def test_a_payload_that_is_no_audio_is_said_so() -> None:
    async def handler(socket: ServerConnection) -> None:
        await socket.recv()
        stream = json.loads(await socket.recv())["streamSid"]
        await socket.send(
            json.dumps({"event": "media", "streamSid": stream, "media": {"payload": "?"}})
        )
        await socket.wait_closed()

    assert "payload" in fault_of(handler, TwilioTarget).message


def test_nobody_at_the_address_is_a_refusal() -> None:
    async def scene() -> None:
        async with serving(hangs_up) as url:
            pass
        with pytest.raises(TargetError, match="nothing answers at ws:") as caught:
            await call(PcmTarget(url), the_caller(8000), 8000)
        assert caught.value.kind == "refused"

    run(scene())


def test_a_server_that_says_nothing_is_slow() -> None:
    async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(-1)
        writer.close()

    async def scene() -> None:
        async with await asyncio.start_server(mute, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            target = PcmTarget(f"ws://127.0.0.1:{port}", patience_s=3)
            with pytest.raises(TargetError, match="within 3 s") as caught:
                await call(target, the_caller(8000), 8000)
        assert caught.value.kind == "slow"

    run(scene())


def test_a_web_server_without_websockets_is_a_refusal() -> None:
    async def web(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async def scene() -> None:
        async with await asyncio.start_server(web, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(TargetError, match="status 404") as caught:
                await call(PcmTarget(f"ws://127.0.0.1:{port}"), the_caller(8000), 8000)
        assert caught.value.kind == "refused"

    run(scene())
