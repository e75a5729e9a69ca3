"""Calls as the caller records them, made of bursts of noise: what reports are tried on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from budgets.probe.record import (
    CallRecord,
    Expect,
    Finding,
    Kind,
    Samples,
    Utterance,
    UtteranceSound,
)

HZ = 8000


@dataclass(frozen=True)
class Told:
    """One turn as the test wants it."""

    name: str
    v2v_ms: float | None = 500.0
    kind: Kind = "turn"
    heard: dict[str, Any] = field(default_factory=dict)
    """Fields of the sound that differ from those of a clean turn."""
    finding: Finding | None = None
    expect: Expect = field(default_factory=Expect)


def speech(length_s: float, rate_hz: int = HZ, *, seed: int = 1, level: float = 0.3) -> Samples:
    """Noise with the rhythm of syllables; never below what can be heard at either end."""
    count = round(length_s * rate_hz)
    at_s = np.arange(count) / rate_hz
    voice = np.random.default_rng(seed).uniform(-1, 1, count)
    voice = np.convolve(voice, np.ones(6) / 6, "same")
    rhythm = 0.25 + 0.75 * np.abs(np.sin(at_s * np.pi * 3.1 + seed)) * np.abs(
        np.sin(at_s * 1.7 + 1)
    )
    return (level * rhythm * voice * 1.7).astype(np.float32)


def a_call(
    turns: list[Told],
    *,
    target: str = "config:default.yaml",
    scenario: str = "smoke",
    with_ledger: bool = False,
    failed: bool = False,
    findings: list[Finding] | None = None,
) -> CallRecord:
    """A call whose tracks hold what its sounds say: speech, the wait, a reply."""
    caller, agent = _Track(HZ), _Track(16000)
    agent.put(0.3, speech(1.5, 16000, seed=99))
    at_s = 3.0
    call = CallRecord(target, scenario, agent.samples, HZ, agent.samples, 16000, failed=failed)
    for index, told in enumerate(turns):
        length_s = 0.0 if told.kind == "silence" else 1.1 + 0.37 * (index % 4)
        if told.kind != "silence":
            caller.put(at_s, speech(length_s, seed=index))
        end_s = at_s + length_s
        if told.kind == "barge-in":
            agent.put(at_s - 2.0, speech(2.0 + (told.heard.get("stop_ms") or 0) / 1000, 16000))
        if early_ms := told.heard.get("cutoff_ms"):
            agent.put(end_s - early_ms / 1000, speech(early_ms / 1000 - 0.03, 16000))
        reply_s = 1.4 + 0.6 * (index % 3)
        if told.v2v_ms is not None:
            agent.put(end_s + told.v2v_ms / 1000, speech(reply_s, 16000, seed=50 + index))
        until_s = end_s + 1.2 + (6.0 if told.v2v_ms is None else told.v2v_ms / 1000 + reply_s)
        call.utterances.append(
            Utterance(index, told.name, told.kind, at_s, end_s, until_s, told.expect)
        )
        call.sounds.append(_sound(told, reply_s))
        if told.finding:
            call.findings.append(told.finding)
        if with_ledger and told.v2v_ms is not None:
            call.ledger.append(_entry(index, end_s, told.v2v_ms))
        at_s = until_s + (2.0 if index + 1 < len(turns) else 0.5)
    call.findings += findings or []
    call.caller, call.agent = caller.samples, agent.samples
    return call


def _sound(told: Told, reply_s: float) -> UtteranceSound:
    due = told.kind in ("turn", "barge-in") and not told.expect.silent
    answered = told.v2v_ms is not None
    clean: dict[str, Any] = {
        "v2v_ms": told.v2v_ms,
        "reply_ms": reply_s * 1000 if answered else 0.0,
        "gap_max_ms": 120.0 if answered else 0.0,
        "silent": due and not answered,
    }
    return UtteranceSound(told.name, told.kind, **{**clean, **told.heard})


def _entry(index: int, end_s: float, v2v_ms: float) -> dict[str, Any]:
    """The agent's own view: 18 ms short of what is heard, on a clock that began 40 s later."""
    inside_ms = v2v_ms - 18.0
    shares = {
        "endpointing": 0.38,
        "transcription": 0.04,
        "handover": 0.0,
        "ttft": 0.22,
        "first_clause": 0.22,
        "synthesis": 0.1,
        "line": 0.04,
    }
    return {
        "schema": 1,
        "call": "probe",
        "turn": index,
        "outcome": "answered",
        "budget_ms": 800.0,
        "v2v_ms": inside_ms,
        "within_budget": inside_ms <= 800,
        "spans_ms": {name: share * inside_ms for name, share in shares.items()},
        "marks_ms": {"speech_ended": (end_s - 40.0) * 1000.0},
    }


class _Track:
    def __init__(self, rate_hz: int) -> None:
        self.rate_hz = rate_hz
        self.samples: Samples = np.zeros(0, np.float32)

    def put(self, at_s: float, sound: Samples) -> None:
        start = max(0, round(at_s * self.rate_hz))
        longer = np.zeros(max(len(self.samples), start + len(sound)), np.float32)
        longer[: len(self.samples)] = self.samples
        longer[start : start + len(sound)] += sound
        self.samples = longer
