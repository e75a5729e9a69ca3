"""The ledger accounts for every turn, and its spans sum to the turn's voice-to-voice time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets.errors import UserError
from budgets.ledger import SPANS, Ledger, read_ledger, spans_ns, write_ledger

MS = 1_000_000
NAMES = [mark for _, mark in SPANS]


def a_ledger(**options: Any) -> Ledger:
    return Ledger(call="c", budget_ms=800, origin_ns=0, clock_ns=lambda: 10_000 * MS, **options)


def test_the_spans_of_a_plain_turn_are_the_times_between_its_marks() -> None:
    marks = {"speech_ended": 0, "silence_met": 400, "turn_ended": 430, "llm_requested": 432}
    marks |= {"first_token": 530, "clause_ready": 600, "first_audio": 660, "audible": 700}
    assert spans_ns(marks) == {
        "endpointing": 400,
        "transcription": 30,
        "handover": 2,
        "ttft": 98,
        "first_clause": 70,
        "synthesis": 60,
        "line": 40,
    }


@given(
    st.integers(0, 10**12),
    st.integers(0, 10**10),
    st.dictionaries(st.sampled_from(NAMES[:-1]), st.integers(0, 10**13)),
)
def test_spans_sum_exactly_and_are_never_negative(
    start: int, v2v: int, others: dict[str, int]
) -> None:
    marks = {"speech_ended": start, **others, "audible": start + v2v}
    spans = spans_ns(marks)
    assert sum(spans.values()) == v2v
    assert all(span >= 0 for span in spans.values())


def test_work_done_before_the_end_of_speech_cost_the_caller_nothing() -> None:
    marks = {"speech_ended": 1000, "first_token": 400, "clause_ready": 500, "audible": 1100}
    assert spans_ns(marks) == {"ttft": 0, "first_clause": 0, "line": 100}


def test_without_an_origin_or_an_answer_there_are_no_spans() -> None:
    assert spans_ns({"audible": 5}) == {}
    assert spans_ns({"speech_ended": 5, "first_token": 6}) == {}


def begin(ledger: Ledger) -> None:
    ledger.begin(speech_started=0, speech_ended=1000 * MS, turn_ended=1500 * MS)


def test_an_answered_turn() -> None:
    ledger = a_ledger()
    begin(ledger)
    ledger.mark("audible", 1700 * MS)
    ledger.mark("audible", 9999 * MS)  # the first one counts
    ledger.mark("reply_ended", 3000 * MS)
    ledger.close()
    ledger.interrupt()  # the caller's next turn interrupts nothing
    [entry] = ledger.entries
    assert (entry["outcome"], entry["v2v_ms"], entry["within_budget"]) == ("answered", 700.0, True)


@pytest.mark.parametrize(
    ("marks", "outcome"),
    [
        ({}, "silent"),
        ({"audible": 1900, "interrupted": 2500}, "interrupted"),
        ({"interrupted": 1600}, "resumed"),
        ({"interrupted": 6000}, "silent"),
    ],
)
def test_turns_that_went_otherwise_are_entries_too(marks: dict[str, int], outcome: str) -> None:
    ledger = a_ledger()
    begin(ledger)
    if "audible" in marks:
        ledger.mark("audible", marks["audible"] * MS)
    if "interrupted" in marks:
        ledger.interrupt(marks["interrupted"] * MS)
    ledger.close()
    assert [entry["outcome"] for entry in ledger.entries] == [outcome]


def test_an_answer_whose_origin_is_unknown_is_unmeasured() -> None:
    ledger = a_ledger()
    ledger.begin(turn_ended=1500 * MS)
    ledger.mark("audible", 1700 * MS)
    ledger.close()
    assert [entry["outcome"] for entry in ledger.entries] == ["unmeasured"]


def test_noise_is_an_entry_that_does_not_close_the_open_turn() -> None:
    ledger = a_ledger()
    begin(ledger)
    ledger.drop("no words", speech_started_ns=1, speech_ended_ns=2)
    ledger.mark("audible", 1700 * MS)
    ledger.close()
    assert [(e["turn"], e["outcome"]) for e in ledger.entries] == [(1, "dropped"), (0, "answered")]


def test_the_next_turn_closes_a_silent_one() -> None:
    ledger = a_ledger()
    begin(ledger)
    begin(ledger)
    ledger.close()
    assert [entry["outcome"] for entry in ledger.entries] == ["silent", "silent"]


def test_work_ahead_of_a_turn_becomes_part_of_it_when_it_is_confirmed() -> None:
    ledger = a_ledger()
    ledger.begin_ahead()
    ahead = ledger.turn
    assert ahead is not None
    ahead.mark("first_token", 900 * MS)
    begin(ledger)
    ledger.confirm_ahead()
    ahead.note(llm={"finished": "complete"})  # the request ends later
    ledger.mark("audible", 1700 * MS)
    ledger.close()
    [entry] = ledger.entries
    assert entry["ahead"]
    assert entry["llm"] == {"finished": "complete"}
    assert entry["spans_ms"]["ttft"] == 0
    assert sum(entry["spans_ms"].values()) == entry["v2v_ms"]


def test_work_for_nothing_stands_on_the_next_entry_and_marks_no_other_turn() -> None:
    ledger = a_ledger()
    ledger.begin_ahead()
    ahead = ledger.turn
    assert ahead is not None
    ledger.waste_ahead()
    begin(ledger)
    ahead.mark("first_token", 900 * MS)
    ahead.note(llm={"finished": "cancelled"})
    ledger.close()
    [entry] = ledger.entries
    assert "first_token" not in entry["marks_ms"]
    assert entry["wasted"] == [{"llm": {"finished": "cancelled"}}]


def test_text_is_kept_only_where_it_is_asked_for() -> None:
    for keep in (False, True):
        ledger = a_ledger(keep_text=keep)
        ledger.begin(caller_text="my name is Ada", speech_ended=0)
        ledger.said("Hello ")
        ledger.close()
        assert ("Ada" in json.dumps(ledger.entries)) is keep
        assert ("Hello" in json.dumps(ledger.entries)) is keep


def test_a_listener_that_fails_does_not_cost_the_call() -> None:
    def fail(entry: dict[str, Any]) -> None:
        raise RuntimeError("the terminal is gone")

    ledger = a_ledger(on_turn=fail)
    begin(ledger)
    ledger.close()
    assert len(ledger.entries) == 1


def test_a_written_ledger_is_read_back_the_same(tmp_path: Path) -> None:
    ledger = a_ledger()
    begin(ledger)
    ledger.close()
    write_ledger(tmp_path / "deep" / "ledger.jsonl", ledger.entries)
    assert read_ledger(tmp_path / "deep" / "ledger.jsonl") == ledger.entries
    assert [file.name for file in (tmp_path / "deep").iterdir()] == ["ledger.jsonl"]


@pytest.mark.parametrize("line", ["{", "[]", '{"schema": 99}'])
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_text('{"schema": 1}\n' + line + "\n")
    with pytest.raises(UserError, match=r"ledger\.jsonl:2"):
        read_ledger(path)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot write the ledger"):
        write_ledger(tmp_path / "file" / "ledger.jsonl", [])
