"""The agent's own account of a turn, set beside what was heard of it from outside."""

from __future__ import annotations

from typing import Any

from budgets.probe.record import CallRecord, Utterance

_SAME_MOMENT_S = 0.25
_FIRST = 4
"""Utterances that the clocks are aligned on; all of them would cost their square for no gain."""


def ledger_beside(record: CallRecord) -> list[dict[str, Any] | None]:
    """For each utterance the entry of the agent's ledger that tells of it, or None.

    The two clocks run alike but need not begin together: the shift between them is the one under
    which most ends of speech coincide.
    """
    entries = [
        (float(entry["marks_ms"]["speech_ended"]) / 1000.0, entry)
        for entry in record.ledger
        if entry.get("outcome") != "dropped" and "speech_ended" in entry.get("marks_ms", {})
    ]
    if not entries:
        return [None] * len(record.utterances)
    shift_s = _shift(record.utterances, [at_s for at_s, _ in entries])
    found: list[dict[str, Any] | None] = []
    for utterance in record.utterances:
        inside = [
            (abs(at_s + shift_s - utterance.speech_end_s), order, entry)
            for order, (at_s, entry) in enumerate(entries)
            if utterance.start_s <= at_s + shift_s < utterance.until_s
        ]
        found.append(min(inside, key=lambda item: item[:2])[2] if inside else None)
    return found


def outside_view_ms(v2v_ms: float | None, entry: dict[str, Any] | None) -> float | None:
    """How much later the caller heard the answer than the ledger says; None where one lacks."""
    inside_ms = entry.get("v2v_ms") if entry else None
    return None if v2v_ms is None or inside_ms is None else v2v_ms - float(inside_ms)


def _shift(utterances: list[Utterance], entries_s: list[float]) -> float:
    ends_s = [utterance.speech_end_s for utterance in utterances if utterance.kind != "silence"]
    shifts = [0.0, *(end_s - at_s for end_s in ends_s[:_FIRST] for at_s in entries_s)]

    def agreeing(shift_s: float) -> int:
        return sum(
            any(abs(at_s + shift_s - end_s) <= _SAME_MOMENT_S for at_s in entries_s)
            for end_s in ends_s
        )

    return max(shifts, key=lambda shift_s: (agreeing(shift_s), -abs(shift_s)))
