"""A caller who follows a script and listens: when to speak, when to interrupt, when to go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from budgets.probe.record import Expect, Finding, Kind, Samples, Utterance
from budgets.probe.scenario import Manners

FRAME_MS = 20
_SPEAKING_S = 0.06
"""An agent that was heard this long ago is speaking: one interrupts words, not a pause."""
STOPPED_S = 0.25
"""Quiet after which an agent that was interrupted has stopped: longer than a pause for breath."""


@dataclass(frozen=True)
class Clip:
    """Something that the caller says, at the line's rate."""

    name: str
    samples: Samples
    speech_end: int
    """Index after the last speech sample."""
    speech_start: int = 0
    """Index of the first speech sample."""


@dataclass(frozen=True)
class Move:
    """One thing that the caller does next."""

    index: int
    """Of the scenario's turn."""
    name: str
    kind: Kind
    clip: Clip | None
    """None for a silence."""
    offset_s: float = 0.0
    """How far into the agent's reply a barge-in or backchannel begins."""
    silence_s: float = 0.0
    expect: Expect = field(default_factory=Expect)


def moves_of(clips: Sequence[Clip]) -> list[Move]:
    """Plain turns, one per clip."""
    return [Move(index, clip.name, "turn", clip) for index, clip in enumerate(clips)]


@dataclass(frozen=True)
class _Made:
    """A move that has begun; samples on the call's clock."""

    move: Move
    start: int


class Script:
    """Decides which samples the caller sends next. Pure: told what is heard, asks for nothing."""

    def __init__(self, moves: Sequence[Move], rate_hz: int, manners: Manners) -> None:
        self._moves = list(moves)
        self._rate_hz = rate_hz
        self._manners = manners
        self._sent = 0  # samples
        self._clip: Clip | None = None
        self._clip_start = 0
        self._silent_until = 0
        self._waiting_since = 0  # sample of the end of speech, or of the call's start
        self._heard_at: int | None = None  # sample at which the agent was last audible
        self._run_start = 0  # sample at which what is heard now began
        self._reply_start: int | None = None
        self._next = 0
        self._made: list[_Made] = []
        self.findings: list[Finding] = []
        self.done = False

    def agent_audible(self) -> None:
        """The agent can be heard now."""
        if self._heard_at is None or self._sent - self._heard_at > STOPPED_S * self._rate_hz:
            self._run_start = self._sent
        self._heard_at = self._sent
        if self._reply_start is None and self._answered():
            self._reply_start = self._sent

    def next_frame(self, size: int) -> Samples:
        """The next ``size`` samples: of a clip, or silence while listening."""
        if self._clip is None and self._sent >= self._silent_until:
            self._decide()
        frame = np.zeros(size, dtype=np.float32)
        if self._clip is not None:
            at = self._sent - self._clip_start
            part = self._clip.samples[at : at + size]
            frame[: len(part)] = part
            if at + size >= len(self._clip.samples):
                self._clip = None
        self._sent += size
        return frame

    @property
    def utterances(self) -> list[Utterance]:
        """What the caller has done so far; while the call goes on, the last is still open."""
        rate = self._rate_hz
        found = []
        for index, made in enumerate(self._made):
            move, start = made.move, made.start
            later = (m.start for m in self._made[index + 1 :] if m.move.kind != "backchannel")
            until = next(later, self._sent)  # a backchannel leaves the caller listening
            if move.clip is None:
                end = first = start
                until = min(until, start + round(move.silence_s * rate))
            else:
                end, first = start + move.clip.speech_end, start + move.clip.speech_start
            found.append(
                Utterance(
                    index=move.index,
                    name=move.name,
                    kind=move.kind,
                    start_s=start / rate,
                    speech_end_s=min(end, until) / rate,
                    until_s=until / rate,
                    expect=move.expect,
                    speech_start_s=first / rate,
                )
            )
        return found

    def _decide(self) -> None:
        """Make the next move if it is time for it; leave out those that have become impossible."""
        while not self.done:
            move = self._moves[self._next] if self._next < len(self._moves) else None
            if move is not None and move.kind in ("barge-in", "backchannel"):
                if self._time_to_interrupt(move):
                    self._begin(move)
                    return
                if not self._ready():
                    return
                self._leave_out(move)
            elif not self._ready():
                return
            elif move is None:
                self.done = True
            else:
                self._begin(move)
                return

    def _begin(self, move: Move) -> None:
        self._next += 1
        self._made.append(_Made(move, self._sent))
        if move.clip is None:
            self._silent_until = self._sent + round(move.silence_s * self._rate_hz)
            self._waiting_since, self._reply_start = self._sent, None
            return
        self._clip, self._clip_start = move.clip, self._sent
        if move.kind != "backchannel":  # after one, the caller goes on listening to the same reply
            self._waiting_since = self._sent + move.clip.speech_end
            self._reply_start = None

    def _leave_out(self, move: Move) -> None:
        self._next += 1
        heard = "there was no reply" if self._reply_start is None else "the reply was over before"
        self.findings.append(
            Finding(
                "skipped",
                move.index,
                f"'{move.name}' was not said: it was to come {move.offset_s * 1000:.0f} ms into "
                f"the agent's reply, and {heard}; ask for a longer reply, or set it earlier",
                self._sent / self._rate_hz,
            )
        )

    def _time_to_interrupt(self, move: Move) -> bool:
        speaking = self._quiet_for() <= _SPEAKING_S * self._rate_hz
        if self._reply_start is None or move.clip is None or not speaking:
            return False
        lead = move.clip.speech_start  # the words are on time, not the silence before them
        offset = round(move.offset_s * self._rate_hz)
        return self._sent + lead - self._reply_start >= offset

    def _ready(self) -> bool:
        """Whether the caller is done listening."""
        quiet = self._quiet_for() >= self._manners.after_reply_s * self._rate_hz
        longest = self._manners.longest_reply_s * self._rate_hz
        if self._made and self._made[-1].move.kind == "silence":
            return quiet or self._sent - self._silent_until >= longest
        if self._reply_start is not None:
            return quiet or self._sent - self._reply_start >= longest
        waited = self._sent - self._waiting_since
        return waited >= (self._manners.patience_s * self._rate_hz if quiet else longest)

    def _answered(self) -> bool:
        """Whether what is heard now is a reply to what the caller said last.

        After a barge-in only what begins after it: before, that is the old reply, still stopping.
        """
        barged = bool(self._made) and self._made[-1].move.kind == "barge-in"
        return (self._run_start if barged else self._sent) >= self._waiting_since

    def _quiet_for(self) -> float:
        return float("inf") if self._heard_at is None else self._sent - self._heard_at
