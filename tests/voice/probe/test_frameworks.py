"""Agents on the real frameworks, called in real time: in process, and over their own sockets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from pipecat.serializers.protobuf import ProtobufFrameSerializer
from pipecat.serializers.twilio import TwilioFrameSerializer

from budgets.errors import UserError
from budgets.probe.call import place_call
from budgets.probe.caller import Clip, Move, moves_of
from budgets.probe.prepare import PreparedScenario
from budgets.probe.record import CallRecord
from budgets.probe.scenario import LineEffects, Manners, Scenario
from tests.voice.probe.bots import websocket_bot
from tests.voice.probe.scripted_agent import tone
from voice.probe.targets import open_door, parse_target

BOTS = "tests.voice.probe.bots"
LIVEKIT = "tests.voice.probe.livekit_bot"


def a_clip(rate_hz: int) -> Clip:
    quiet = np.zeros(rate_hz // 10, np.float32)
    return Clip("tone", np.concatenate([tone(500, rate_hz), quiet]), rate_hz // 2, 0)


CLIP = a_clip(16000)


def scenario_of(moves: Sequence[Move], rate_hz: int = 16000) -> PreparedScenario:
    """A caller who waits two seconds at most, and listens to three seconds at most."""
    manners = Manners(after_reply_s=0.5, patience_s=2.0, longest_reply_s=3.0)
    scenario = Scenario("tones", (), line=LineEffects(rate_hz), manners=manners)
    return PreparedScenario(scenario, tuple(moves), np.zeros(0, np.float32))


async def called(name: str, *, turns: int = 1, rate_hz: int = 16000) -> CallRecord:
    async with open_door(parse_target(name)) as new_target:
        scenario = scenario_of(moves_of([a_clip(rate_hz)] * turns), rate_hz)
        return await place_call(scenario, new_target(), name=name)


def answered(record: CallRecord, *, after_ms: float) -> None:
    """Each turn was answered, with 600 ms of tone, not long after ``after_ms``."""
    assert not record.failed
    assert record.sounds
    for sound in record.sounds:
        assert sound.v2v_ms is not None
        assert after_ms <= sound.v2v_ms < after_ms + 400
        assert sound.reply_ms == pytest.approx(600, abs=40)
        assert not sound.cutoff


@pytest.mark.parametrize("rate_hz", [8000, 16000])
async def test_a_pipecat_pipeline_is_called_in_process(rate_hz: int) -> None:
    record = await called(f"pipecat:{BOTS}:parrot_pipeline", turns=2, rate_hz=rate_hz)
    answered(record, after_ms=300)
    assert record.agent_hz == 24000


async def test_a_worker_that_greets_a_client_greets_the_caller_and_may_hang_up() -> None:
    record = await called(f"pipecat:{BOTS}:greeting_worker", turns=3)
    assert record.agent_hz == 8000
    greeting = np.flatnonzero(np.abs(record.agent) > 0.05)
    assert greeting[0] < 4000
    assert record.failed
    assert [finding.kind for finding in record.findings if finding.turn is None] == ["vanished"]


async def test_pipecats_own_twilio_serializer_hears_and_answers() -> None:
    params = TwilioFrameSerializer.InputParams(auto_hang_up=False)

    class AnyStream(TwilioFrameSerializer):
        """Learns its stream from the start message, as a bot's web server does."""

        async def deserialize(self, data: str | bytes) -> object:
            if match := re.search(r'"streamSid": "(\w+)"', str(data)):
                self._stream_sid = match[1]
            return await super().deserialize(data)

    async with websocket_bot(AnyStream("unknown", params=params), rate_hz=8000) as url:
        record = await called(f"twilio+{url}", turns=2, rate_hz=8000)
    answered(record, after_ms=300)
    assert record.agent_hz == 8000


async def test_a_pipecat_bot_is_called_over_rtvi() -> None:
    async with websocket_bot(ProtobufFrameSerializer(), rate_hz=16000) as url:
        record = await called(f"rtvi+{url}", turns=2, rate_hz=8000)
    answered(record, after_ms=300)
    assert record.agent_hz == 24000


@pytest.mark.parametrize("rate_hz", [8000, 16000])
async def test_a_livekit_session_is_called_in_process(rate_hz: int) -> None:
    record = await called(f"livekit:{LIVEKIT}:parrot_session", turns=2, rate_hz=rate_hz)
    answered(record, after_ms=80)
    assert record.agent_hz == 24000


async def test_a_livekit_session_that_ends_has_vanished() -> None:
    record = await called(f"livekit:{LIVEKIT}:brief_session")
    assert record.failed
    assert [finding.kind for finding in record.findings if finding.turn is None] == ["vanished"]


@pytest.mark.parametrize("name", [f"pipecat:{BOTS}:chatty", f"livekit:{LIVEKIT}:chatty_session"])
async def test_an_agent_that_is_interrupted_is_heard_to_stop(name: str) -> None:
    first, second = moves_of([CLIP, CLIP])
    barge_in = replace(second, kind="barge-in", offset_s=0.7)
    async with open_door(parse_target(name)) as new_target:
        record = await place_call(scenario_of([first, barge_in]), new_target(), name=name)
    assert not record.failed
    interruption = record.sounds[1]
    assert interruption.stop_ms is not None
    assert interruption.stop_ms < 400
    assert interruption.stale_ms == 0
    assert interruption.v2v_ms is not None  # and the second turn is answered too


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (f"pipecat:{BOTS}:broken_factory", "ValueError: no API key"),
        (f"pipecat:{BOTS}:factory_of_nothing", "returned str"),
        (f"livekit:{LIVEKIT}:broken_entry", "ValueError: no API key"),
        (f"livekit:{LIVEKIT}:entry_of_nothing", "returned str"),
    ],
)
async def test_code_that_does_not_make_an_agent_is_a_refusal(name: str, said: str) -> None:
    record = await called(name)
    assert record.failed
    [finding] = record.findings
    assert finding.kind == "refused"
    assert said in finding.message


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pipecat:no.such:factory", "no module 'no.such'"),
        (f"pipecat:{BOTS}:no_such", "has no function 'no_such'"),
        (f"pipecat:{BOTS}", "must be module:function"),
        (f"livekit:{LIVEKIT}:HZ", "has no function 'HZ'"),
        ("config:no-such.yaml", "no such configuration file"),
    ],
)
async def test_a_name_that_leads_nowhere_is_the_users_to_mend(name: str, said: str) -> None:
    with pytest.raises(UserError, match=re.escape(said)):
        async with open_door(parse_target(name)):
            pass


@pytest.mark.parametrize(
    "name", ["", "pipecat:", "ws://host/path", "pcm+http://host/", "pcm:host", "nonsense"]
)
def test_what_is_no_target_is_answered_with_what_is(name: str) -> None:
    with pytest.raises(UserError, match=r"is no target; there are\n  pipecat:module:factory"):
        parse_target(name)


@pytest.mark.parametrize("name", ["pcm+ws:///path", "pcm+ws://host:99999/"])
def test_an_address_must_be_one(name: str) -> None:
    with pytest.raises(UserError, match=r"names no host|is no address"):
        parse_target(name)


def test_a_target_is_taken_apart() -> None:
    name = parse_target("twilio+wss://example.com:8443/media?x=1")
    assert (name.door, name.address) == ("twilio", "wss://example.com:8443/media?x=1")
    assert name.host == "example.com"
    assert parse_target("config:a.yaml").host is None
