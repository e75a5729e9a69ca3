"""Two sets of calls side by side: what got slower is found, and noise is left alone."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from budgets.errors import UserError
from budgets.probe.compare import Comparison, Row, compare, read_rows
from budgets.probe.paired import holm, sign_p, signed_rank_p, tail_p
from budgets.probe.report import figures
from budgets.probe.verdict import judge
from tests.budgets.probe_calls import Told, a_call
from voice.cli import main


def row(name: str, v2v_ms: float | None, **more: object) -> Row:
    return {
        "scenario": "smoke",
        "turn": 0,
        "name": name,
        "answerable": True,
        "v2v_ms": v2v_ms,
        "silent": v2v_ms is None,
        "cutoff": False,
        "double_reply": False,
        "stop_ms": None,
        "gap_max_ms": 0.0,
        "stale_ms": 0.0,
        **more,
    }


def rows(waits_ms: list[float | None] | np.ndarray) -> list[Row]:
    return [row(f"turn {at}", wait) for at, wait in enumerate(waits_ms)]


def changes(result: Comparison) -> dict[str, str]:
    return {answer.question.name: answer.change for answer in result.answers}


def test_the_signed_rank_test_agrees_with_its_published_tables() -> None:
    assert signed_rank_p(np.array([1.0, 2, 3, 4, 5])) == 1 / 32
    # Ranks 1 to 5 of which 2 is negative: W+ = 13, and 3 of the 32 sign patterns reach it.
    assert signed_rank_p(np.array([1.0, -2, 3, 4, 5])) == 3 / 32
    assert signed_rank_p(-np.array([1.0, 2, 3, 4, 5])) == 1.0
    assert signed_rank_p(np.zeros(9)) == 1.0
    assert signed_rank_p(np.arange(1.0, 31.0)) <= 2e-4


def test_the_tail_test_sees_a_tail_that_the_middle_does_not() -> None:
    before = np.full(20, 500.0)
    after = before.copy()
    after[:6] = 2500.0
    assert tail_p(before, after, 95) < 0.05
    assert tail_p(after, before, 95) > 0.5


def test_the_sign_test_and_the_adjustment_for_many_questions() -> None:
    assert sign_p(5, 0) == 1 / 32
    assert sign_p(1, 1) == 0.75
    assert sign_p(0, 0) == 1.0
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == {
        "a": pytest.approx(0.03),
        "c": pytest.approx(0.06),
        "b": pytest.approx(0.06),
    }


def test_noise_is_no_change() -> None:
    """Heavy-tailed waits from one and the same agent, 120 comparisons."""
    random = np.random.default_rng(7)
    alarms = 0
    for _ in range(120):
        easy = random.uniform(300, 900, 10)
        before, after = (easy * random.lognormal(0, 0.25, 10) for _ in range(2))
        alarms += bool(compare(rows(before), rows(after)).worse)
    assert alarms <= 11  # the bound for a risk of 5 % that chance breaks once in fifty runs


def test_an_agent_that_got_slower_is_found_through_the_noise() -> None:
    random = np.random.default_rng(8)
    before = random.uniform(300, 900, 15) * random.lognormal(0, 0.1, 15)
    after = before * random.lognormal(0, 0.1, 15) + 150
    result = compare(rows(before), rows(after))
    assert changes(result)["v2v, typical turn"] == "worse"
    [(_, after_worst), *_], lost = result.slowest(1), result.slowest(1)[0][1]
    assert lost > 150
    assert after_worst
    assert changes(compare(rows(after), rows(before)))["v2v, typical turn"] == "better"


def test_a_change_too_small_to_matter_is_none_however_sure() -> None:
    before = np.linspace(400, 800, 30)
    assert changes(compare(rows(before), rows(before + 5))) == {
        "v2v, typical turn": "same",
        "v2v, p95": "same",
    }


def test_few_turns_are_said_to_be_too_few() -> None:
    result = compare(rows([400.0, 500, 600]), rows([700.0, 800, 900]))
    assert not result.worse
    assert changes(result)["v2v, typical turn"] == "too few"


def test_a_turn_that_fell_silent_is_slower_than_any() -> None:
    before = [400.0 + at for at in range(12)]
    after: list[float | None] = [None, *(wait + 100 for wait in before[1:])]
    result = compare(rows(before), rows(after))
    assert changes(result)["v2v, typical turn"] == "worse"
    assert [lost["name"] for lost in result.fell_silent()] == ["turn 0"]
    assert result.slowest(1)[0][0][1]["name"] == "turn 0"


def test_cutoffs_and_slow_stops_are_asked_about_too() -> None:
    before = [row(f"b{at}", 500.0, stop_ms=200.0 + at) for at in range(10)]
    after = [row(f"b{at}", 500.0, stop_ms=390.0 + at, cutoff=at < 9) for at in range(10)]
    assert [answer.question.name for answer in compare(before, after).worse] == [
        "stop after a barge-in",
        "cut-offs",
    ]


def test_turns_are_paired_by_name_and_repetition_in_any_order() -> None:
    before = [row("a", 100.0), row("b", 200.0), row("a", 300.0)]
    after = [row("b", 210.0), row("a", 110.0), row("a", 310.0), row("new", 1.0)]
    result = compare(before, after)
    assert [(a["v2v_ms"], b["v2v_ms"]) for a, b in result.pairs] == [
        (100, 110),
        (200, 210),
        (300, 310),
    ]
    assert result.unpaired == 1
    with pytest.raises(UserError, match="share no turn"):
        compare(before, [row("other", 1.0)])


def written(path: Path, waits_ms: list[float]) -> Path:
    calls = [a_call([Told("a", wait), Told("b", wait + 70)]) for wait in waits_ms]
    figures(calls, judge(calls)).write(path)
    return path


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["under800", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_the_command_says_what_got_slower_and_exits_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = written(tmp_path / "before.json", [400.0, 420, 440, 460])
    after = written(tmp_path / "after.json", [700.0, 790, 720, 740])
    assert run(monkeypatch, "compare", before, after, "--json", tmp_path / "c.json") == 1
    said = capsys.readouterr().out
    assert "v2v, typical turn" in said
    assert "worse" in said
    summary = json.loads((tmp_path / "c.json").read_text())["summary"]
    assert summary["pairs"] == 8
    assert summary["v2v_typical_turn.difference"] == pytest.approx(290)
    assert run(monkeypatch, "compare", after, before) == 0
    assert run(monkeypatch, "compare", before, before) == 0


def test_files_that_are_no_calls_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = written(tmp_path / "good.json", [400.0])
    other = tmp_path / "other.json"
    other.write_text('{"what": "demo", "rows": []}')
    assert run(monkeypatch, "compare", good, other) == 2
    assert "figures of 'demo'" in capsys.readouterr().err
    for content, words in (
        ("{", "not JSON"),
        ("[1]", "no figures"),
        ('{"what": "call", "rows": [{"turn": 1}]}', "not turns of a call"),
    ):
        other.write_text(content)
        with pytest.raises(UserError, match=words):
            read_rows(other)
    with pytest.raises(UserError, match="cannot be read"):
        read_rows(tmp_path / "none.json")
