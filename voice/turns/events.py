"""What a Listener says about the caller. All times are ``time.monotonic_ns()``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SpeechStarted:
    """The caller has begun to speak: enough voice that it is neither a click nor a cough."""

    at_ns: int
    """When this was noticed."""
    speech_started_ns: int
    """When the first voiced sample reached us; earlier than ``at_ns``."""


@dataclass(frozen=True)
class Interim:
    """What the caller has said so far, while speaking; may still change."""

    text: str
    at_ns: int


@dataclass(frozen=True)
class EagerTurn:
    """The caller may be done: a pause, and the text up to it. Revocable; nothing may be heard."""

    text: str
    at_ns: int


@dataclass(frozen=True)
class Retracted:
    """The caller goes on: the eager turn before this was none."""

    at_ns: int


@dataclass(frozen=True)
class TurnEnded:
    """The caller is done, and this is what was said."""

    text: str
    speech_started_ns: int
    speech_ended_ns: int
    """End of speech: when the last speech sample reached us. The origin of the turn's latency."""
    silence_met_ns: int
    """When the silence that was waited for had passed."""
    text_ready_ns: int
    """When the text of the whole turn was there; may lie before ``silence_met_ns``."""
    ended_ns: int
    """When the turn was ended: the later of the two, and this event."""


@dataclass(frozen=True)
class SpeechDropped:
    """What began as speech was none: noise, music, breath, or words nobody said."""

    reason: str
    speech_started_ns: int
    speech_ended_ns: int
    at_ns: int


ListenerEvent = SpeechStarted | Interim | EagerTurn | Retracted | TurnEnded | SpeechDropped
