"""What can be called: a target's name, as it is written on the command line, and its door."""

from __future__ import annotations

import contextlib
import importlib.util
import ipaddress
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from budgets.errors import UserError
from budgets.probe.record import Target

FORMS = {
    "pipecat:module:factory": "a pipecat pipeline in this process",
    "livekit:module:entry": "a LiveKit AgentSession in this process",
    "twilio+ws://host:port/path": "an agent that speaks Twilio Media Streams",
    "rtvi+ws://host:port/path": "a pipecat bot that speaks RTVI in protobuf frames",
    "pcm+ws://host:port/path": "an agent that speaks raw PCM",
    "config:FILE": "an agent of ours, from its configuration file",
}
"""Every form that a target's name can have, and what it stands for."""

_SOCKETS = ("twilio", "rtvi", "pcm")
_IN_PROCESS = ("pipecat", "livekit", "config")


@dataclass(frozen=True)
class TargetName:
    """A target's name, taken apart."""

    text: str
    door: str
    """pipecat, livekit, config, twilio, rtvi or pcm."""
    address: str
    """``module:function``, a file, or a WebSocket's URL."""
    host: str | None
    """Where it runs; None for this process."""


def parse_target(text: str) -> TargetName:
    """Take a target's name apart. Raises UserError that lists the forms."""
    scheme, separator, rest = text.partition("://")
    if separator:
        door, plus, transport = scheme.partition("+")
        if door in _SOCKETS and plus and transport in ("ws", "wss"):
            return TargetName(text, door, f"{transport}://{rest}", _host(text))
    else:
        door, colon, rest = text.partition(":")
        if door in _IN_PROCESS and colon and rest:
            return TargetName(text, door, rest, None)
    forms = "\n".join(f"  {form:28}{what}" for form, what in FORMS.items())
    raise UserError(f"'{text}' is no target; there are\n{forms}")


def is_loopback(host: str) -> bool:
    """Whether a host's name or address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _host(text: str) -> str:
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port  # an impossible port raises here
    except ValueError as fault:
        raise UserError(f"'{text}' is no address: {fault}") from fault
    if not host:
        raise UserError(f"'{text}' names no host; write it as pcm+ws://127.0.0.1:8765/path")
    return host


@contextlib.asynccontextmanager
async def open_door(name: TargetName) -> AsyncIterator[Callable[[], Target]]:
    """Load what the target needs, once; the function makes a Target for each call.

    Raises UserError for a missing extra, module or file.
    """
    match name.door:
        case "twilio":
            _require("websockets", "probe")
            from voice.probe.twilio import TwilioTarget

            yield lambda: TwilioTarget(name.address)
        case "pcm":
            _require("websockets", "probe")
            from voice.probe.pcm import PcmTarget

            yield lambda: PcmTarget(name.address)
        case "rtvi":
            _require("websockets", "probe")
            _require("pipecat", "pipecat")
            from voice.probe.rtvi import RtviTarget

            yield lambda: RtviTarget(name.address)
        case "pipecat":
            _require("pipecat", "pipecat")
            from voice.probe.pipecat_target import pipecat_door

            yield pipecat_door(name.address)
        case "livekit":
            _require("livekit.agents", "livekit")
            from voice.probe.livekit_target import livekit_door

            yield livekit_door(name.address)
        case _:
            _require("pipecat", "pipecat")
            from voice.probe.own import own_door

            async with own_door(Path(name.address)) as new_target:
                yield new_target


def _require(module: str, extra: str) -> None:
    try:
        found = importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package above it
        found = False
    if not found:
        raise UserError(
            f"this target needs '{module}', which is not installed: pip install 'under800[{extra}]'"
        )
