"""A finished set of calls as figures for machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from budgets.figures import Figures
from budgets.probe.beside import ledger_beside, outside_view_ms
from budgets.probe.record import CallRecord
from budgets.probe.verdict import Verdict, answerable


def figures(records: Sequence[CallRecord], verdict: Verdict) -> Figures:
    """What ``under800 call --json`` writes: the verdict's figures and one row per turn."""
    rows = [row for number, record in enumerate(records) for row in turn_rows(record, number)]
    return Figures("call", verdict.figures, rows)


def turn_rows(record: CallRecord, call: int = 0) -> list[dict[str, Any]]:
    """One row for each utterance of a call; ``call`` is its number among several.

    ``turn`` is the index of the scenario's turn and ``name`` its name; the fields of
    ``UtteranceSound`` follow. ``inside_ms`` is the latency in the agent's own ledger and
    ``outside_ms`` what the caller waited beyond it, both null for an agent that shows none.
    """
    rows = []
    beside = ledger_beside(record)
    for utterance, sound, entry in zip(record.utterances, record.sounds, beside, strict=True):
        rows.append(
            {
                "call": call,
                "target": record.target,
                "scenario": record.scenario,
                "turn": utterance.index,
                "answerable": answerable(utterance),
                **asdict(sound),
                "inside_ms": entry["v2v_ms"] if entry else None,
                "outside_ms": outside_view_ms(sound.v2v_ms, entry),
                "spans_ms": entry["spans_ms"] if entry else {},
                "findings": [f.kind for f in record.findings if f.turn == utterance.index],
            }
        )
    return rows
