"""A scenario: what a caller says, when, over which line, and what is expected of the agent."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from budgets.probe.record import Expect, Kind

NoiseKind = Literal["white", "pink", "babble"]
Codec = Literal["none", "mulaw"]

Piece = Path | str | float
"""What an utterance is put together from: a recording, a text to be spoken, a pause in ms."""


@dataclass(frozen=True)
class Manners:
    """How a caller waits. Seconds."""

    after_reply_s: float = 1.2
    """Quiet after which a reply is over: longer than the gap between two of its sentences."""
    patience_s: float = 10.0
    """How long to wait for an answer (or the greeting) before going on without one."""
    longest_reply_s: float = 60.0
    """How long to listen to an agent that does not stop before going on all the same."""


@dataclass(frozen=True)
class Noise:
    """What else can be heard at the caller's end."""

    kind: NoiseKind
    snr_db: float
    """The caller's speech over it."""


@dataclass(frozen=True)
class LineEffects:
    """What the line does to the caller's audio on its way to the agent."""

    rate_hz: int = 16000
    codec: Codec = "none"
    jitter_ms: float = 0.0
    """A frame comes up to this much late; the order is kept."""
    loss: float = 0.0
    """The share of 20 ms frames that arrive as silence."""


@dataclass(frozen=True)
class ScenarioTurn:
    """One thing that the caller does."""

    name: str
    kind: Kind
    pieces: tuple[Piece, ...]
    """In the order in which they are heard; for a silence, its one pause."""
    offset_ms: float = 0.0
    """Barge-in and backchannel: how far into the agent's reply the caller's words begin."""
    speech_end_ms: float | None = None
    """Where speech ends in the last recording; None: as its index says, or found by level."""
    expect: Expect = field(default_factory=Expect)


@dataclass(frozen=True)
class Scenario:
    """A whole call, from the caller's side. ``turns`` are repeated ``repeat`` times."""

    name: str
    turns: tuple[ScenarioTurn, ...]
    description: str = ""
    line: LineEffects = field(default_factory=LineEffects)
    noise: Noise | None = None
    manners: Manners = field(default_factory=Manners)
    repeat: int = 1
    seed: int = 1
    """Of everything that is drawn by chance: noise, jitter, loss."""

    @property
    def needs_voice(self) -> bool:
        """Whether anything in it is text, which somebody must speak."""
        return any(isinstance(piece, str) for turn in self.turns for piece in turn.pieces)
