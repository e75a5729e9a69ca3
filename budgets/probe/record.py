"""One call as its caller saw it: what was said, what was heard, what was wrong.

The hub of the probe: scenarios and targets lead to a ``CallRecord``; verdicts, reports and
comparisons start from one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.float32]
"""Mono audio, shape (n,), float32 within [-1, 1]."""

Kind = Literal["turn", "barge-in", "backchannel", "silence"]


@dataclass(frozen=True)
class Expect:
    """What a scenario expects of the agent after one utterance; None or False: nothing."""

    v2v_ms: float | None = None
    """An answer within this time of the end of speech."""
    stop_ms: float | None = None
    """After a barge-in: silence within this time of the caller's first word."""
    gap_ms: float | None = None
    """No longer silence inside the reply."""
    silent: bool = False
    """The agent must not speak at all until the caller's next utterance."""
    keep_talking: bool = False
    """After a backchannel: the agent goes on with what it was saying."""
    no_repetition: bool = True
    """The agent does not say the same reply twice."""
    says: str | None = None
    """A regular expression that is found, in any case, in what is heard of the reply."""


@dataclass(frozen=True)
class Utterance:
    """Something the caller did. Times in seconds on the call's clock, the caller's samples."""

    index: int
    """Of the scenario's turn, from 0."""
    name: str
    kind: Kind
    start_s: float
    """The first sample sent."""
    speech_end_s: float
    """After the last speech sample: the origin of latency. For a silence: when it began."""
    until_s: float
    """When the caller stopped waiting for an answer to it."""
    expect: Expect = field(default_factory=Expect)
    speech_start_s: float | None = None
    """The first speech sample, where that is known to be later than ``start_s``."""

    @property
    def onset_s(self) -> float:
        """When the caller can first be heard."""
        return self.start_s if self.speech_start_s is None else self.speech_start_s


@dataclass(frozen=True)
class UtteranceSound:
    """What came of one utterance, as heard from outside. None: it does not apply."""

    name: str
    kind: Kind = "turn"
    v2v_ms: float | None = None
    """End of speech to the agent's first audible sample of an answer. None for a silent agent,
    for a cut-off with nothing said after it, and for backchannels and silences."""
    leading_silence_ms: float | None = None
    """How much of ``v2v_ms`` was silence that the agent sent. None where it sends all the time."""
    cutoff: bool = False
    """The agent began to speak before the caller's end of speech."""
    cutoff_ms: float = 0.0
    """How long before it."""
    gap_max_ms: float = 0.0
    """The longest silence inside the reply."""
    reply_ms: float = 0.0
    """The reply's first to its last audible sample."""
    stop_ms: float | None = None
    """Barge-in: the caller's first speech sample to the agent's last audible one."""
    stale_ms: float = 0.0
    """Barge-in: old audio that began again after the agent had stopped."""
    double_reply: bool = False
    """The agent said its reply twice."""
    talk_over_ms: float = 0.0
    """How long the agent could be heard while the caller spoke."""
    spoke: bool = False
    """The agent could be heard where it must not."""
    silent: bool = False
    """An answer was due and none came (a cut-off is an answer, though a bad one)."""


@dataclass(frozen=True)
class Finding:
    """Something wrong, or worth saying."""

    kind: str
    """A word for machines: refused, slow, vanished, malformed, cut-off, silent, gap, stale,
    double-reply, late, not-said, spoke, slow-stop, talk-over, yielded, skipped."""
    turn: int | None
    """The index of the scenario's turn; None for the call as a whole."""
    message: str
    """What happened and what to do, in plain words."""
    at_s: float | None = None


@dataclass
class CallRecord:
    """One finished, or failed, call: two tracks on one clock, and what they show."""

    target: str
    scenario: str
    caller: Samples
    caller_hz: int
    agent: Samples
    agent_hz: int
    utterances: list[Utterance] = field(default_factory=list)
    sounds: list[UtteranceSound] = field(default_factory=list)
    """In the order of ``utterances``."""
    findings: list[Finding] = field(default_factory=list)
    ledger: list[dict[str, Any]] = field(default_factory=list)
    """The agent's own spans, filled in by whoever can see them; most targets show none."""
    failed: bool = False
    """The call could not be begun, or the target was lost in mid-call."""


class TargetError(Exception):
    """A target that did not do its part; it becomes a finding of that kind."""

    def __init__(self, kind: Literal["refused", "slow", "malformed", "vanished"], message: str):
        super().__init__(message)
        self.kind = kind
        self.message = message


class Target(Protocol):
    """An agent that can be called. Every method may raise TargetError."""

    async def open(
        self,
        caller_hz: int,
        on_audio: Callable[[Samples], None],
        on_clear: Callable[[], None],
    ) -> int:
        """Begin the call and return the rate in Hz of the agent's audio.

        From here on ``on_audio`` is given the agent's audio at that rate, on the event loop, when
        it comes, at any pace: the caller plays it back to back. ``on_clear`` drops what has not
        been played.
        """

    async def send(self, samples: Samples) -> None:
        """Take the caller's next 20 ms, shape (n,) at ``caller_hz``. Never waits for a turn."""

    async def close(self) -> None:
        """Hang up. Called once, after a successful ``open`` and after a failed one."""
