"""Calls against a budget: pass, fail, or a set-up that is broken. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from budgets.figures import percentile
from budgets.probe.budget_file import UNITS, CallBudget, Unit
from budgets.probe.record import CallRecord, Finding, Utterance, UtteranceSound

Outcome = Literal["pass", "fail", "broken"]

_FIGURES = {"p50_ms": "v2v_p50_ms", "p95_ms": "v2v_p95_ms"}
"""Keys of the budget whose figure has another name."""

FIGURE_UNITS: dict[str, Unit] = {_FIGURES.get(key, key): unit for key, unit in UNITS.items()}
"""The unit of each figure that a call is judged by."""

TITLES = {
    "v2v_p50_ms": "Median wait",
    "v2v_p95_ms": "p95 wait",
    "within_budget": "Answered in budget",
    "cutoff_rate": "Cut-offs",
    "silent_turns": "Silent turns",
    "gap_max_ms": "Longest gap in a reply",
    "stop_p95_ms": "p95 stop after a barge-in",
    "stale_ms_max": "Stale audio after a barge-in",
    "double_replies": "Double replies",
}
"""The figures that a call is judged by, in the order in which people ask for them."""

_JUDGED_BY = {
    "late": ("p50_ms", "p95_ms", "within_budget"),
    "cut-off": ("cutoff_rate",),
    "silent": ("silent_turns",),
    "gap": ("gap_max_ms",),
    "slow-stop": ("stop_p95_ms",),
    "stale": ("stale_ms_max",),
    "double-reply": ("double_replies",),
}
"""The findings that a limit of the budget decides on, where it has one."""

_REMARKS = frozenset({"caller-late"})
"""Findings that are worth saying and no fault of the agent. A turn that was skipped is not among
them: a pass must mean that everything was tried."""


@dataclass(frozen=True)
class Check:
    """One limit of the budget against what was measured."""

    figure: str
    limit: float
    value: float
    """NaN where nothing of the kind was there to be measured."""
    unit: Unit
    at_least: bool = False

    @property
    def measured(self) -> bool:
        return not math.isnan(self.value)

    @property
    def ok(self) -> bool:
        """Whether the limit holds; one that nothing was measured for is not broken."""
        if not self.measured:
            return True
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    @property
    def words(self) -> str:
        """``p95 wait: 1,240 ms, at most 800 ms allowed``."""
        verb = "required" if self.at_least else "allowed"
        return f"{TITLES[self.figure]}: {show(self.value, self.unit)}, {self.bound} {verb}"

    @property
    def bound(self) -> str:
        """``at most 800 ms``."""
        side = "at least" if self.at_least else "at most"
        return f"{side} {show(self.limit, self.unit)}"


@dataclass(frozen=True)
class Verdict:
    """What is to be said about some calls."""

    outcome: Outcome
    figures: dict[str, float]
    budget: CallBudget
    checks: list[Check]
    faults: list[Finding]
    """The findings that fail the calls by themselves."""
    remarks: list[Finding]
    """Findings that are no fault of the agent, but say how far the figures can be trusted."""

    @property
    def exit_code(self) -> int:
        """0 for a pass, 1 for a fail, 2 for a broken set-up."""
        return {"pass": 0, "fail": 1, "broken": 2}[self.outcome]

    @property
    def reasons(self) -> list[str]:
        """Why the calls did not pass, in a few words each."""
        return [
            *(check.words for check in self.checks if not check.ok),
            *(finding.message for finding in self.faults),
        ]


def answerable(utterance: Utterance) -> bool:
    """Whether the caller waits for an answer to this."""
    return utterance.kind in ("turn", "barge-in") and not utterance.expect.silent


def within(sound: UtteranceSound, v2v_ms: float) -> bool:
    """Whether a turn was answered properly and in time."""
    return sound.v2v_ms is not None and sound.v2v_ms <= v2v_ms and not sound.cutoff


def judge(records: Sequence[CallRecord], budget: CallBudget | None = None) -> Verdict:
    """Judge the calls as one body. Without a budget only the scenario's expectations count."""
    budget = budget or CallBudget()
    figures = call_figures(records, budget.v2v_ms)
    checks = _checks(figures, budget)
    limited = {key for key in UNITS if getattr(budget, key) is not None}
    findings = [finding for record in records for finding in record.findings]
    remarks = [finding for finding in findings if finding.kind in _REMARKS]
    faults = [
        finding
        for finding in findings
        if finding.kind not in _REMARKS
        and not limited.intersection(_JUDGED_BY.get(finding.kind, ()))
    ]
    outcome: Outcome = "pass"
    if not records or any(record.failed for record in records):
        outcome = "broken"
    elif faults or not all(check.ok for check in checks):
        outcome = "fail"
    return Verdict(outcome, figures, budget, checks, faults, remarks)


def call_figures(records: Sequence[CallRecord], v2v_ms: float) -> dict[str, float]:
    """The figures of ``under800 call``; NaN for what did not occur.

    Rates are shares of the turns that an answer was due to; percentiles are of those that were
    answered, so read them beside ``silent_turns``.
    """
    heard = [
        pair for record in records for pair in zip(record.utterances, record.sounds, strict=True)
    ]
    due = [sound for utterance, sound in heard if answerable(utterance)]
    answered = [sound.v2v_ms for sound in due if sound.v2v_ms is not None]
    replies = [sound.gap_max_ms for _, sound in heard if sound.reply_ms > 0]
    stops = [sound.stop_ms for _, sound in heard if sound.stop_ms is not None]
    stale = [sound.stale_ms for utterance, sound in heard if utterance.kind == "barge-in"]
    return {
        "turns": len(due),
        "v2v_p50_ms": percentile(answered, 50),
        "v2v_p95_ms": percentile(answered, 95),
        "within_budget": _share(sum(within(sound, v2v_ms) for sound in due), len(due)),
        "cutoff_rate": _share(sum(sound.cutoff for sound in due), len(due)),
        "silent_turns": sum(sound.silent for sound in due),
        "gap_max_ms": max(replies, default=math.nan),
        "stop_p95_ms": percentile(stops, 95),
        "stale_ms_max": max(stale, default=math.nan),
        "double_replies": sum(sound.double_reply for _, sound in heard),
    }


def show(value: float, unit: Unit) -> str:
    """A figure as people read it."""
    if math.isnan(value):
        return "not measured"
    if math.isinf(value):
        return "never"
    if unit == "share":
        return f"{value:.1%}".replace(".0%", "%").replace("%", " %")
    return f"{value:,.0f} ms" if unit == "ms" else f"{value:.0f}"


def _checks(figures: Mapping[str, float], budget: CallBudget) -> list[Check]:
    checks = []
    for key, unit in UNITS.items():
        limit = getattr(budget, key)
        if limit is None:
            continue
        figure = _FIGURES.get(key, key)
        value = figures[figure]
        if figure.startswith("v2v") and math.isnan(value) and figures["turns"]:
            value = math.inf  # turns there were, and nobody answered a single one
        checks.append(Check(figure, limit, value, unit, at_least=key == "within_budget"))
    return checks


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
