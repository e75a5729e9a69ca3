"""The ledger: what became of every turn, and where its time went.

Each turn carries marks on one monotonic clock. The spans between them are named by a table and
sum to the turn's voice-to-voice time exactly, because they are cut from it in whole nanoseconds.
Turns that nobody answered, that were interrupted or that cannot be measured are entries as well.
The file is JSON lines, one entry per turn; ``docs/ledger.md`` describes every field.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from budgets.errors import UserError

SCHEMA = 1

SPANS: tuple[tuple[str, str], ...] = (
    ("endpointing", "silence_met"),
    ("transcription", "turn_ended"),
    ("handover", "llm_requested"),
    ("ttft", "first_token"),
    ("first_clause", "clause_ready"),
    ("synthesis", "first_audio"),
    ("line", "audible"),
)
"""A span's name and the mark that ends it. The first one begins at ``speech_ended``."""

Outcome = Literal["answered", "silent", "interrupted", "resumed", "unmeasured", "dropped"]

_log = logging.getLogger(__name__)


def spans_ns(marks: dict[str, int]) -> dict[str, int]:
    """The named spans from ``speech_ended`` to ``audible``, in nanoseconds; they sum exactly.

    A mark that is missing gives its time to the next span that has one. A mark outside its
    neighbours (work that was done ahead of time) is clamped, so that no span is negative: what
    was done early cost the caller nothing. Empty where either end is missing.
    """
    if "speech_ended" not in marks or "audible" not in marks:
        return {}
    at, end = marks["speech_ended"], marks["audible"]
    spans: dict[str, int] = {}
    for name, mark in SPANS:
        if mark in marks:
            upto = end if mark == "audible" else min(max(marks[mark], at), max(end, at))
            spans[name] = upto - at
            at = upto
    return spans


@dataclass
class Turn:
    """One turn of the caller and what came of it. Times are ``time.monotonic_ns()``."""

    index: int
    budget_ms: float
    marks: dict[str, int] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    dropped: bool = False
    caller_text: str = ""
    agent_text: str = ""

    def mark(self, name: str, at_ns: int) -> None:
        """Set a mark; the first one of a name counts."""
        self.marks.setdefault(name, at_ns)

    def note(self, **facts: Any) -> None:
        """Put facts beside the marks: the backend, its measured speed, a reason."""
        self.notes.update(facts)

    @property
    def v2v_ns(self) -> int | None:
        """End of speech to the first audible agent sample; None where either is unknown."""
        if "speech_ended" in self.marks and "audible" in self.marks:
            return self.marks["audible"] - self.marks["speech_ended"]
        return None

    @property
    def outcome(self) -> Outcome:
        """What became of it.

        An answer cut short by the caller is ``interrupted``. A caller who went on before an
        answer was due has ``resumed``; one who had to speak again because none came met a
        ``silent`` agent.
        """
        if self.dropped:
            return "dropped"
        if "audible" in self.marks:
            if "interrupted" in self.marks:
                return "interrupted"
            return "answered" if "speech_ended" in self.marks else "unmeasured"
        if "interrupted" in self.marks and "speech_ended" in self.marks:
            waited_ms = (self.marks["interrupted"] - self.marks["speech_ended"]) / 1e6
            return "resumed" if waited_ms <= self.budget_ms else "silent"
        return "silent"


class Ledger:
    """Keeps the turns of one call and hands each finished one on. Not thread-safe.

    One turn is open at a time. A mark is set once; later ones of the same name are ignored, so
    whoever sees an event twice does no harm.

    Args:
        call: the call's name in the entries.
        budget_ms: what a turn may take, voice to voice.
        origin_ns: the call's start; the entries' times are relative to it.
        keep_text: whether entries carry what was said. Off by default: it is the caller's.
        on_turn: called with each entry as it is closed, after it was kept.
    """

    def __init__(
        self,
        *,
        call: str,
        budget_ms: float,
        origin_ns: int | None = None,
        keep_text: bool = False,
        on_turn: Callable[[dict[str, Any]], None] | None = None,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.call = call
        self.budget_ms = budget_ms
        self.origin_ns = clock_ns() if origin_ns is None else origin_ns
        self.entries: list[dict[str, Any]] = []
        self._keep_text = keep_text
        self._on_turn = on_turn
        self._clock_ns = clock_ns
        self._open: Turn | None = None
        self._ahead: Turn | None = None
        self._wasted: list[dict[str, Any]] = []
        self._count = 0

    def begin(self, *, caller_text: str = "", **marks: int) -> None:
        """A turn of the caller has ended; whatever was open before it is closed first."""
        self.close()
        self._open = Turn(self._next_index(), self.budget_ms, dict(marks), caller_text=caller_text)
        if self._wasted:
            self._open.notes["wasted"], self._wasted = self._wasted, []

    def begin_ahead(self) -> None:
        """Work has begun on a turn that may not be over; what is marked now belongs to it."""
        self.waste_ahead()
        self._ahead = Turn(-1, self.budget_ms)

    def confirm_ahead(self) -> None:
        """The turn that has just begun is the one that was worked on ahead of its end."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None and self._open is not None:
            self._open.marks |= ahead.marks
            self._open.notes |= {"ahead": True, **ahead.notes}
            # Whoever still holds on to it goes on writing to the turn that it has become.
            ahead.marks, ahead.notes = self._open.marks, self._open.notes

    def waste_ahead(self) -> None:
        """The caller went on: what was done ahead was for nothing, as the next entry will say."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            self._wasted.append(ahead.notes)

    @property
    def turn(self) -> Turn | None:
        """The turn that is being worked on: one ahead of its end before one that has ended.

        Whoever starts something that ends later keeps hold of it, so that what is learned then
        does not land on another turn.
        """
        return self._ahead or self._open

    def mark(self, name: str, at_ns: int | None = None) -> None:
        """Set a mark of the present turn, now or at ``at_ns``."""
        if self.turn is not None:
            self.turn.mark(name, self._clock_ns() if at_ns is None else at_ns)

    def said(self, text: str) -> None:
        """The agent has spoken this as part of its answer."""
        if self._open is not None:
            self._open.agent_text += text

    def interrupt(self, at_ns: int | None = None) -> None:
        """The caller speaks: that takes the turn from an agent whose answer is not over.

        The turn stays open for what is still to be learned of it, such as the cancelled request.
        """
        if self._open is not None:
            self._open.mark("interrupted", self._clock_ns() if at_ns is None else at_ns)

    def drop(self, reason: str, *, speech_started_ns: int, speech_ended_ns: int) -> None:
        """Sound that began like speech and was none. It is an entry beside the open turn."""
        dropped = Turn(
            self._next_index(),
            self.budget_ms,
            {"speech_started": speech_started_ns, "speech_ended": speech_ended_ns},
            {"reason": reason},
            dropped=True,
        )
        self._keep(dropped)

    def close(self) -> None:
        """The open turn is over, however it went."""
        if self._open is not None:
            turn, self._open = self._open, None
            self._keep(turn)

    def _next_index(self) -> int:
        self._count += 1
        return self._count - 1

    def _keep(self, turn: Turn) -> None:
        entry = self._entry(turn)
        self.entries.append(entry)
        if self._on_turn is not None:
            try:
                self._on_turn(entry)
            except Exception:  # a fault in whoever listens must not cost the call
                _log.exception("a listener of the ledger failed on turn %d", turn.index)

    def _entry(self, turn: Turn) -> dict[str, Any]:
        v2v_ns = turn.v2v_ns
        entry: dict[str, Any] = {
            "schema": SCHEMA,
            "call": self.call,
            "turn": turn.index,
            "outcome": turn.outcome,
            "budget_ms": self.budget_ms,
            "v2v_ms": None if v2v_ns is None else _ms(v2v_ns),
            "within_budget": None if v2v_ns is None else v2v_ns <= self.budget_ms * 1e6,
            "spans_ms": {name: _ms(ns) for name, ns in spans_ns(turn.marks).items()},
            "marks_ms": {name: _ms(ns - self.origin_ns) for name, ns in turn.marks.items()},
            **turn.notes,
        }
        if self._keep_text:
            entry["caller_text"] = turn.caller_text
            entry["agent_text"] = turn.agent_text.strip()
        return entry


def _ms(ns: int) -> float:
    return ns / 1e6


def write_ledger(path: Path, entries: list[dict[str, Any]]) -> None:
    """Write the entries as JSON lines, whole or not at all."""
    partial = path.with_name(path.name + ".partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(entry) + "\n" for entry in entries)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as fault:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise UserError(f"cannot write the ledger to {path}: {fault.strerror}") from fault


def read_ledger(path: Path) -> list[dict[str, Any]]:
    """The entries of a ledger file. UserError names the line that is not one."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        raise UserError(f"cannot read the ledger {path}: {fault}") from fault
    entries = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except json.JSONDecodeError as fault:
            raise UserError(f"{path}:{number}: not a line of JSON ({fault.msg})") from fault
        if not isinstance(entry, dict) or entry.get("schema") != SCHEMA:
            raise UserError(f"{path}:{number}: not a ledger entry of schema {SCHEMA}")
        entries.append(entry)
    return entries
