"""Work ahead of a turn's end: one answer for one turn, whatever the ears say in between."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speculative.eager import Speculation, Start, Verdict, same_text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Book a table.", "book a table"),
        ("Um, it's two, uh, please", "its 2 please!"),
        ("I live at 42 Mill Road", "I live at forty-two Mill Road."),
        ("“Yes”", "yes"),
        ("", "..."),
    ],
)
def test_form_makes_no_difference(one: str, other: str) -> None:
    assert same_text(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("cancel it", "do not cancel it"), ("at 5", "at 15"), ("a table", "a table for two")],
)
def test_words_do(one: str, other: str) -> None:
    assert not same_text(one, other)


def test_a_pause_that_was_the_end_confirms_what_was_begun() -> None:
    work = Speculation()
    work.turn_started()
    assert work.eager("are you open") is Start.START
    assert work.eager("Are you open?") is Start.KEEP
    assert work.final("Are you open?") is Verdict.CONFIRMED
    assert work.held is None
    assert (work.counts.started, work.counts.wasted) == (1, 0)


def test_speech_that_goes_on_takes_it_back() -> None:
    work = Speculation()
    work.turn_started()
    work.eager("my number is")
    assert work.retract()
    assert not work.retract()
    assert work.final("my number is four") is Verdict.NOTHING
    assert work.counts.retracted == 1


def test_a_later_text_supersedes_an_earlier_one() -> None:
    work = Speculation()
    work.turn_started()
    work.eager("book a")
    assert work.eager("book a table") is Start.SUPERSEDE
    assert work.final("book a flight") is Verdict.SUPERSEDED
    assert work.counts.superseded == 2


def test_a_turn_has_only_so_many_attempts_and_the_next_one_has_them_again() -> None:
    work = Speculation(attempts=2)
    work.turn_started()
    for text in ("one", "one two"):
        assert work.eager(text) is Start.START
        work.retract()
    assert work.eager("one two three") is Start.REFUSE
    assert work.final("one two three") is Verdict.NOTHING
    work.turn_started()
    assert work.eager("four") is Start.START


def test_what_is_still_held_when_a_new_turn_begins_never_answers_it() -> None:
    work = Speculation()
    work.turn_started()
    work.eager("yes")
    work.turn_started()
    assert work.eager("yes") is Start.START
    assert work.counts.retracted == 1


def test_without_attempts_nothing_is_ever_begun() -> None:
    work = Speculation(attempts=0)
    work.turn_started()
    assert work.eager("hello") is Start.REFUSE


def test_two_finals_for_one_utterance_make_one_reply() -> None:
    work = Speculation()
    work.turn_started()
    work.eager("stop")
    assert work.final("Stop.") is Verdict.CONFIRMED
    assert work.final("stop") is Verdict.REPEATED
    work.turn_started()  # and when it is said again, it is answered again
    assert work.final("stop") is Verdict.NOTHING


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("eager"), st.sampled_from(["a", "a b", "A.", ""])),
        st.tuples(st.just("retract"), st.just("")),
        st.tuples(st.just("final"), st.sampled_from(["a", "a b", ""])),
        st.tuples(st.just("start"), st.just("")),
    ),
    max_size=30,
)


@given(STEPS)
def test_every_piece_of_work_ends_in_exactly_one_way(steps: list[tuple[str, str]]) -> None:
    work = Speculation()
    for step, text in steps:
        match step:
            case "eager":
                work.eager(text)
            case "retract":
                work.retract()
            case "final":
                work.final(text)
            case _:
                work.turn_started()
    counts = work.counts
    assert counts.started == counts.confirmed + counts.wasted + (work.held is not None)
