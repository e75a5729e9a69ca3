"""A budget file, the verdict on calls, and the two forms that machines read it in."""

from __future__ import annotations

import json
import math
from pathlib import Path
from xml.etree import ElementTree as Xml

import numpy as np
import pytest

from budgets.errors import UserError
from budgets.probe.beside import ledger_beside
from budgets.probe.budget_file import CallBudget, load_budget
from budgets.probe.junit import junit, write_junit
from budgets.probe.record import CallRecord, Expect, Finding
from budgets.probe.report import figures, turn_rows
from budgets.probe.verdict import call_figures, judge, show
from tests.budgets.probe_calls import Told, a_call

GAP = Finding("gap", 0, "A silence of 900 ms inside the reply.")
STALE = Finding("stale", 1, "1,200 ms of the old reply were heard.")
REFUSED = Finding("refused", None, "The connection was refused. Start the agent.")


def budget(tmp_path: Path, text: str) -> CallBudget:
    path = tmp_path / "budget.yaml"
    path.write_text(text)
    return load_budget(path)


def test_a_budget_file_takes_units_and_shares(tmp_path: Path) -> None:
    found = budget(tmp_path, "p50_ms: 0.7 s\np95_ms: 1200 ms\nwithin_budget: 95 %\nsilent_turns: 0")
    assert found == CallBudget(p50_ms=700, p95_ms=1200, within_budget=0.95, silent_turns=0)
    assert found.v2v_ms == 800


def test_every_fault_of_a_budget_file_is_said_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(UserError) as mistake:
        budget(
            tmp_path,
            "v2v_ms: 0\np95_ms: 1.2\ncutof_rate: 0\nsilent_turns: -1\nwithin_budget: most\n"
            "cutoff_rate: 3\ngap_max_ms: 300 m\ndouble_replies: yes\n",
        )
    lines = [line.split("budget.yaml:")[1] for line in str(mistake.value).splitlines()]
    assert [line.split(":")[0] for line in lines] == list("12345678")
    for line, words in zip(
        lines,
        (
            "greater than 0",
            "looks like seconds",
            "did you mean 'cutoff_rate'?",
            "at least 0",
            "write 0.95 or '95 %'",
            "at most 1",
            "not a duration",
            "must be a number",
        ),
        strict=True,
    ):
        assert words in line


def test_a_budget_file_that_is_not_there_or_empty_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.yaml: no such budget file"):
        load_budget(tmp_path / "none.yaml")
    with pytest.raises(UserError, match="sets no limit"):
        budget(tmp_path, "# nothing\n")


def test_the_figures_count_every_turn_that_was_due_an_answer() -> None:
    call = a_call(
        [
            Told("on time", 400),
            Told("late", 1000),
            Told("cut", 300, heard={"cutoff": True, "cutoff_ms": 90.0, "gap_max_ms": 250.0}),
            Told("nobody", None),
            Told("stop", 700, "barge-in", {"stop_ms": 320.0, "stale_ms": 80.0}),
            Told("mhm", None, "backchannel"),
            Told("quiet", None, "silence", {"double_reply": True}),
            Told("must not answer", None, expect=Expect(silent=True)),
        ]
    )
    found = call_figures([call], 800)
    assert found == {
        "turns": 5,
        "v2v_p50_ms": 550,
        "v2v_p95_ms": pytest.approx(955),
        "within_budget": pytest.approx(0.4),
        "cutoff_rate": pytest.approx(0.2),
        "silent_turns": 1,
        "gap_max_ms": 250,
        "stop_p95_ms": 320,
        "stale_ms_max": 80,
        "double_replies": 1,
    }


def test_what_did_not_occur_is_no_number() -> None:
    found = call_figures([a_call([Told("hello")])], 800)
    assert math.isnan(found["stop_p95_ms"])
    assert math.isnan(found["stale_ms_max"])
    quiet = call_figures([a_call([Told("…", None, "silence")])], 800)
    assert quiet["turns"] == 0
    assert math.isnan(quiet["within_budget"])


@pytest.mark.parametrize(
    ("limits", "passes"),
    [
        ({"p50_ms": 600}, True),
        ({"p50_ms": 599}, False),
        ({"p95_ms": 960}, True),
        ({"p95_ms": 900}, False),
        ({"within_budget": 0.5}, True),
        ({"within_budget": 0.75}, False),
        ({"v2v_ms": 1000, "within_budget": 1.0}, True),
        ({"silent_turns": 0, "cutoff_rate": 0, "double_replies": 0, "gap_max_ms": 120}, True),
        ({"gap_max_ms": 119}, False),
        ({"stop_p95_ms": 1, "stale_ms_max": 0}, True),  # no barge-in, nothing to judge
    ],
)
def test_a_limit_is_kept_or_broken(limits: dict[str, float], passes: bool) -> None:
    call = a_call([Told("a", 200), Told("b", 1000)])
    verdict = judge([call], CallBudget.model_validate(limits))
    assert (verdict.outcome, verdict.exit_code) == (("pass", 0) if passes else ("fail", 1))
    assert len(verdict.reasons) == (0 if passes else 1)


def test_an_agent_that_never_answers_has_no_percentile_to_hide_behind() -> None:
    verdict = judge([a_call([Told("a", None), Told("b", None)])], CallBudget(p95_ms=5000))
    assert verdict.outcome == "fail"
    assert verdict.reasons == ["p95 wait: never, at most 5,000 ms allowed"]


def test_a_finding_fails_a_call_unless_the_budget_has_a_limit_for_it() -> None:
    call = a_call([Told("a", finding=GAP), Told("b", 900, finding=STALE)])
    verdict = judge([call], CallBudget(gap_max_ms=1000))
    assert verdict.faults == [STALE]
    assert verdict.exit_code == 1
    both = judge([call], CallBudget(gap_max_ms=1000, stale_ms_max=2000))
    assert both.exit_code == 0
    assert judge([call]).faults == [GAP, STALE]


def test_a_remark_is_said_and_fails_nothing_but_a_turn_that_was_never_tried_does() -> None:
    late = Finding("caller-late", None, "This machine was too busy.")
    verdict = judge([a_call([Told("a")], findings=[late])])
    assert (verdict.outcome, verdict.faults, verdict.remarks) == ("pass", [], [late])
    skipped = Finding("skipped", 1, "'wait' was not said.")
    assert judge([a_call([Told("a")], findings=[skipped])]).exit_code == 1


def test_a_call_that_could_not_be_placed_is_a_broken_set_up_not_a_slow_agent() -> None:
    nothing = np.zeros(0, np.float32)
    call = CallRecord("pcm+ws://x", "smoke", nothing, 16000, nothing, 16000, failed=True)
    call.findings.append(REFUSED)
    verdict = judge([call], CallBudget(p95_ms=800))
    assert (verdict.outcome, verdict.exit_code) == ("broken", 2)
    assert REFUSED.message in verdict.reasons
    assert judge([]).exit_code == 2


def test_numbers_are_shown_as_people_read_them() -> None:
    assert show(1240.4, "ms") == "1,240 ms"
    assert [show(share, "share") for share in (1.0, 0.125, 0.1)] == ["100 %", "12.5 %", "10 %"]
    assert (show(2, "count"), show(math.nan, "ms")) == ("2", "not measured")


def test_the_ledger_is_set_beside_the_outside_number_whenever_its_clock_began() -> None:
    call = a_call(
        [Told("a", 400), Told("b", None), Told("c", 900), Told("mhm", None, "backchannel")],
        with_ledger=True,
    )
    beside = ledger_beside(call)
    assert [entry["turn"] if entry else None for entry in beside] == [0, None, 2, None]
    rows = turn_rows(call)
    assert [row["outside_ms"] for row in rows] == [pytest.approx(18), None, pytest.approx(18), None]
    assert sum(rows[0]["spans_ms"].values()) == pytest.approx(rows[0]["inside_ms"])
    call.ledger.clear()
    assert ledger_beside(call) == [None] * 4


def test_the_figures_file_has_a_row_for_every_turn_of_every_call(tmp_path: Path) -> None:
    calls = [a_call([Told("a", finding=GAP), Told("b", None)]) for _ in range(2)]
    figures(calls, judge(calls)).write(tmp_path / "call.json")
    content = json.loads((tmp_path / "call.json").read_text())
    assert content["what"] == "call"
    assert content["summary"]["turns"] == 4
    assert content["summary"]["stop_p95_ms"] is None
    assert [(row["call"], row["turn"], row["name"]) for row in content["rows"]] == [
        (0, 0, "a"),
        (0, 1, "b"),
        (1, 0, "a"),
        (1, 1, "b"),
    ]
    assert content["rows"][0]["findings"] == ["gap"]


def test_junit_has_a_case_for_each_turn_and_each_limit(tmp_path: Path) -> None:
    call = a_call([Told("a <b> & \x07c", finding=GAP), Told("b")])
    verdict = judge([call], CallBudget(p95_ms=100, stop_p95_ms=300))
    write_junit(tmp_path / "new" / "call.xml", [call], verdict)
    root = Xml.parse(tmp_path / "new" / "call.xml").getroot()
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("4", "2", "0")
    first, second, p95, stop = root.iter("testcase")
    assert first.get("name") == "1 a <b> & �c"
    assert first.find("failure").get("message") == GAP.message  # type: ignore[union-attr]
    assert second.find("failure") is None
    assert p95.find("failure") is not None
    assert stop.find("skipped") is not None


def test_junit_calls_a_lost_target_an_error() -> None:
    call = a_call([Told("a")], failed=True, findings=[REFUSED])
    root = junit([call], judge([call]))
    assert (root.get("errors"), root.get("failures")) == ("1", "0")
    assert root.find(".//error").get("type") == "refused"  # type: ignore[union-attr]


def test_a_report_that_cannot_be_written_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot write the report"):
        write_junit(tmp_path, [], judge([]))
