"""What got slower between two sets of calls, and what only looks so."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from budgets.errors import UserError
from budgets.figures import Figures
from budgets.probe.paired import Values, holm, sign_p, signed_rank_p, tail_p

Row = dict[str, Any]
Pair = tuple[Row, Row]
Change = Literal["worse", "better", "same", "too few"]

ALPHA = 0.05
"""The risk of a false alarm of one whole comparison, shared by all that is asked in it."""
SILENT_MS = 60_000.0
"""A turn that nobody answered counts as slower than any answer; leaving it out would flatter."""


@dataclass(frozen=True)
class Question:
    """One thing that may have changed. Smaller values are better."""

    name: str
    least: float
    """A change below this (in the value's unit) is of no account, however sure it is."""
    least_share: float
    """The same, as a share of the value before."""
    unit: str = "ms"


_TYPICAL = Question("v2v, typical turn", 20.0, 0.03)
_TAIL = Question("v2v, p95", 50.0, 0.08)
_TIMES: dict[str, Question] = {
    "stop_ms": Question("stop after a barge-in", 30.0, 0.10),
    "gap_max_ms": Question("longest gap in a reply", 50.0, 0.20),
    "stale_ms": Question("stale audio", 50.0, 0.20),
}
_FAULTS: dict[str, Question] = {
    "cutoff": Question("cut-offs", 1.0, 0.0, "turns"),
    "silent": Question("silent turns", 1.0, 0.0, "turns"),
    "double_reply": Question("double replies", 1.0, 0.0, "turns"),
}


@dataclass(frozen=True)
class Answer:
    """What became of one question."""

    question: Question
    pairs: int
    before: float
    after: float
    difference: float
    """Of the typical turn: the median of the paired differences, not the difference of medians."""
    p: float
    """Adjusted, of the direction that the difference has."""
    change: Change


@dataclass(frozen=True)
class Comparison:
    """Two sets of calls, turn by turn."""

    answers: list[Answer]
    pairs: list[Pair]
    unpaired: int
    """Rows that only one of the two has."""

    @property
    def worse(self) -> list[Answer]:
        return [answer for answer in self.answers if answer.change == "worse"]

    def slowest(self, count: int = 3) -> list[tuple[Pair, float]]:
        """The pairs that lost most, with the milliseconds they lost; none that gained."""
        lost = [(pair, v2v_or_silent(pair[1]) - v2v_or_silent(pair[0])) for pair in self.pairs]
        lost = [(pair, by_ms) for pair, by_ms in lost if by_ms > 0]
        return sorted(lost, key=lambda item: -item[1])[:count]

    def fell_silent(self) -> list[Row]:
        """The turns that were answered before and are not now."""
        return [after for before, after in self.pairs if after["silent"] and not before["silent"]]

    def figures(self) -> Figures:
        """``<question>.before``, ``.after``, ``.difference``, ``.p``; ``worse`` counts them."""
        summary: dict[str, float] = {"pairs": len(self.pairs), "worse": len(self.worse)}
        for answer in self.answers:
            for part in ("before", "after", "difference", "p"):
                summary[f"{_key(answer.question)}.{part}"] = getattr(answer, part)
        rows = [
            {
                "scenario": before["scenario"],
                "turn": before["turn"],
                "name": before["name"],
                "before_v2v_ms": before["v2v_ms"],
                "after_v2v_ms": after["v2v_ms"],
            }
            for before, after in self.pairs
        ]
        return Figures("compare", summary, rows)


def read_rows(path: Path) -> list[Row]:
    """The turns in a file that ``under800 call --json`` wrote. UserError for any other file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise UserError(f"{path}: cannot be read ({fault.strerror})") from fault
    except ValueError as fault:
        raise UserError(f"{path}: not JSON; give files that 'call --json' wrote") from fault
    what = content.get("what") if isinstance(content, dict) else None
    if what != "call":
        found = f"figures of '{what}'" if what else "no figures"
        raise UserError(f"{path}: holds {found}; give files that 'call --json' wrote")
    needed = {"scenario", "turn", "name", "v2v_ms", "answerable", *_TIMES, *_FAULTS}
    rows = content.get("rows")
    if not isinstance(rows, list) or not all(
        isinstance(row, dict) and needed <= set(row) for row in rows
    ):
        raise UserError(f"{path}: its rows are not turns of a call; write it again")
    return rows


def compare(before: Sequence[Row], after: Sequence[Row]) -> Comparison:
    """Pair the rows by scenario, turn and repetition, and ask each question once.

    Raises UserError where no turn is in both.
    """
    first, second = _by_turn(before), _by_turn(after)
    shared = [key for key in first if key in second]
    if not shared:
        raise UserError(
            "the two files share no turn: compare calls of the same scenario "
            f"({_scenarios(before)} against {_scenarios(after)})"
        )
    pairs = [(first[key], second[key]) for key in shared]
    return Comparison(_answers(pairs), pairs, len(first) + len(second) - 2 * len(shared))


def v2v_or_silent(row: Row) -> float:
    """A row's latency; that of a turn nobody answered is beyond any other."""
    return SILENT_MS if row["v2v_ms"] is None else float(row["v2v_ms"])


def _by_turn(rows: Sequence[Row]) -> dict[tuple[Any, ...], Row]:
    seen: Counter[tuple[Any, ...]] = Counter()
    found: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        key = (row["scenario"], row["turn"], row["name"])
        found[(*key, seen[key])] = row
        seen[key] += 1
    return found


@dataclass(frozen=True)
class _Asked:
    question: Question
    before: Values
    after: Values
    difference: float
    p_worse: float
    p_better: float
    telling: int
    """Pairs that can speak for or against."""


def _answers(pairs: Sequence[Pair]) -> list[Answer]:
    asked = [*_v2v(pairs), *_times(pairs), *_faults(pairs)]
    worse = holm({each.question.name: each.p_worse for each in asked})
    better = holm({each.question.name: each.p_better for each in asked})
    return [
        _answer(each, worse[each.question.name], better[each.question.name], of=len(asked))
        for each in asked
    ]


def _answer(asked: _Asked, p_worse: float, p_better: float, *, of: int) -> Answer:
    question = asked.question
    shown = _shown(question)
    before, after = shown(asked.before), shown(asked.after)
    change: Change = "same"
    if abs(asked.difference) >= max(question.least, question.least_share * before):
        if asked.difference > 0 and p_worse < ALPHA:
            change = "worse"
        elif asked.difference < 0 and p_better < ALPHA:
            change = "better"
        elif of * 0.5**asked.telling >= ALPHA:
            change = "too few"  # not even had every pair gone the same way
    p = p_worse if asked.difference >= 0 else p_better
    return Answer(question, len(asked.before), before, after, asked.difference, p, change)


def _shown(question: Question) -> Callable[[Values], float]:
    if question.unit == "turns":
        return lambda values: float(values.sum())
    if question is _TAIL:
        return lambda values: float(np.percentile(values, 95))
    return lambda values: float(np.median(values))


def _v2v(pairs: Sequence[Pair]) -> list[_Asked]:
    due = [pair for pair in pairs if pair[0]["answerable"] and pair[1]["answerable"]]
    if not due:
        return []
    before = np.array([v2v_or_silent(pair[0]) for pair in due])
    after = np.array([v2v_or_silent(pair[1]) for pair in due])
    tail = float(np.percentile(after, 95) - np.percentile(before, 95))
    return [
        _paired(_TYPICAL, before, after),
        _Asked(
            _TAIL,
            before,
            after,
            tail,
            tail_p(before, after, 95),
            tail_p(after, before, 95),
            len(due),
        ),
    ]


def _times(pairs: Sequence[Pair]) -> list[_Asked]:
    found = []
    for key, question in _TIMES.items():
        both = [(a[key], b[key]) for a, b in pairs if a[key] is not None and b[key] is not None]
        before, after = (np.array([pair[side] for pair in both], float) for side in (0, 1))
        if before.any() or after.any():
            found.append(_paired(question, before, after))
    return found


def _paired(question: Question, before: Values, after: Values) -> _Asked:
    differences = after - before
    middle = float(np.median(differences))
    p_worse, p_better = signed_rank_p(differences), signed_rank_p(-differences)
    return _Asked(question, before, after, middle, p_worse, p_better, len(differences))


def _faults(pairs: Sequence[Pair]) -> list[_Asked]:
    found = []
    for key, question in _FAULTS.items():
        before = np.array([bool(a[key]) for a, _ in pairs], float)
        after = np.array([bool(b[key]) for _, b in pairs], float)
        worse, better = int((after > before).sum()), int((before > after).sum())
        if before.any() or after.any():
            p_worse, p_better = sign_p(worse, better), sign_p(better, worse)
            found.append(
                _Asked(question, before, after, worse - better, p_worse, p_better, worse + better)
            )
    return found


def _key(question: Question) -> str:
    return question.name.replace(",", "").replace(" ", "_").replace("-", "_")


def _scenarios(rows: Sequence[Row]) -> str:
    return ", ".join(sorted({str(row["scenario"]) for row in rows})) or "no turns"


def readable(value: float, unit: str) -> str:
    """A value in words: a turn that was silent has no milliseconds."""
    if math.isnan(value):
        return "–"
    if unit == "turns":
        return f"{value:.0f}"
    return "silent" if abs(value) >= SILENT_MS / 2 else f"{value:.0f} ms"
