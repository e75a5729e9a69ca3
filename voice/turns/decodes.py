"""Which decode runs now, and which comes next: one at a time, and never a queue of stale ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from voice.audio import Samples

Kind = Literal["interim", "final", "commit"]


@dataclass(frozen=True)
class Decode:
    """Decode this now. An act: the Listener does it and reports the result under ``id``."""

    id: int
    kind: Kind
    """``interim``: of speech that goes on. ``final``: of all since the last commit, in a pause.
    ``commit``: of the earlier part of a long turn, for good."""
    samples: Samples = field(repr=False)
    """Shape (n,), 16 kHz."""
    upto: int
    """The position in the stream where ``samples`` end."""
    voiced_end: int
    """Where speech had last been seen when this was asked for."""
    slot: int = -1
    """For a commit: which committed text this is."""


@dataclass(frozen=True)
class CallOff:
    """Nobody waits for the decode ``id`` any more; the sooner it stops, the better. An act."""

    id: int


class Decodes:
    """The decodes of one speech. Interims give way; a newer final replaces one that waits.

    Args:
        timeout_ms: after which a decode is given up.
    """

    def __init__(self, *, timeout_ms: float) -> None:
        self.timeout_ms = timeout_ms
        self._running: Decode | None = None
        self._called_off = False
        self._started_ns = 0
        self._waiting: list[Decode] = []

    @property
    def idle(self) -> bool:
        """Whether nothing runs."""
        return self._running is None

    @property
    def deadline_ns(self) -> int | None:
        """When the running decode will be given up."""
        return None if self._running is None else self._started_ns + int(self.timeout_ms * 1e6)

    def ask(self, decode: Decode, now_ns: int) -> list[Decode | CallOff]:
        """Want a decode: it starts, waits for the running one, or (an interim) is skipped."""
        if self._running is None:
            return [self._start(decode, now_ns)]
        if decode.kind == "interim":
            return []
        self.drop_waiting_final()
        self._waiting.append(decode)
        return self._call_off() if self._running.kind == "interim" else []

    def drop_waiting_final(self) -> None:
        """The pause that a final was wanted for is over."""
        self._waiting = [job for job in self._waiting if job.kind != "final"]

    def drop_all(self) -> list[Decode | CallOff]:
        """The speech is over: nothing waits, and what runs is called off."""
        self._waiting = []
        return [] if self._running is None else self._call_off()

    def done(self, decode_id: int, now_ns: int) -> tuple[Decode | None, list[Decode | CallOff]]:
        """A decode has come back: it, unless nobody waits for it; and what to start now."""
        if self._running is None or self._running.id != decode_id:
            return None, []
        finished = None if self._called_off else self._running
        self._running = None
        following = self._waiting.pop(0) if self._waiting else None
        return finished, [self._start(following, now_ns)] if following else []

    def overdue(self, now_ns: int) -> int | None:
        """The id of the running decode where it has taken too long."""
        late = self.deadline_ns is not None and now_ns >= self.deadline_ns
        return self._running.id if self._running and late else None

    def _start(self, decode: Decode, now_ns: int) -> Decode:
        self._running, self._called_off, self._started_ns = decode, False, now_ns
        return decode

    def _call_off(self) -> list[Decode | CallOff]:
        if self._running is None or self._called_off:
            return []
        self._called_off = True
        return [CallOff(self._running.id)]
