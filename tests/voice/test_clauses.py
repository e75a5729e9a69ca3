"""A reply is cut where it can be spoken, and nothing of it is lost."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voice.tts.clauses import ClauseSplitter

CASES = [
    (
        "I can help you, of course. Your order ships today! Anything else?",
        ["I can help you,", " of course.", " Your order ships today!", " Anything else?"],
    ),
    ("Sure, I can help with that.", ["Sure,", " I can help with that."]),
    ("Yes. It is $3.14, I think.", ["Yes.", " It is $3.14,", " I think."]),
    ("Sure! That is 1,000, not 8:30.", ["Sure!", " That is 1,000,", " not 8:30."]),
    ("You owe $5, thanks.", ["You owe $5,", " thanks."]),
    ("We close at 8 p.m. We open later.", ["We close at 8 p.m.", " We open later."]),
    ("We close at 8 p.m. on Monday.", ["We close at 8 p.m. on Monday."]),
    ("It is 8 p.m. Monday.", ["It is 8 p.m. Monday."]),
    ("Dr. Lee is in. Mr. Ray is out.", ["Dr. Lee is in.", " Mr. Ray is out."]),
    ("Ask J. R. Smith. He knows.", ["Ask J. R. Smith.", " He knows."]),
    ("Take plan B. We go.", ["Take plan B.", " We go."]),
    ("The U.S. office is open.", ["The U.S. office is open."]),
    ("I live in the U.S. The rent is high.", ["I live in the U.S.", " The rent is high."]),
    ("It is No. 5 on the list.", ["It is No. 5 on the list."]),
    ("No. We do not.", ["No.", " We do not."]),
    ("Bring fruit, e.g. apples.", ["Bring fruit,", " e.g. apples."]),
    ("On Dec. 3 we open.", ["On Dec. 3 we open."]),
    ("Use v2.3.1. It works.", ["Use v2.3.1.", " It works."]),
    ("See example.com. Bye.", ["See example.com.", " Bye."]),
    ("Write me@x.co.uk, please.", ["Write me@x.co.uk,", " please."]),
    ("See https://x.com/?a=1,2;b:3. Bye.", ["See https://x.com/?a=1,2;b:3.", " Bye."]),
    ("Read [a, b](http://x.com/a,b) now.", ["Read [a, b](http://x.com/a,b) now."]),
    ("Read **one, two. three** now.", ["Read **one, two. three** now."]),
    ("**All done!** Bye now.", ["**All done!**", " Bye now."]),
    ("1. First one\n2. Second one\n", ["1. First one\n", "2. Second one\n"]),
    ("Here it is: look. Yes.", ["Here it is:", " look.", " Yes."]),
    ("It takes 3-5 days, usually.", ["It takes 3-5 days,", " usually."]),
    ("I see... Then go.", ["I see...", " Then go."]),
    ("I see… Then go.", ["I see…", " Then go."]),
    ("I found it — it is here.", ["I found it —", " it is here."]),
    ('He said "yes." Then left.', ['He said "yes."', " Then left."]),
    ("Wow!! Great.", ["Wow!", "! Great."]),
    ("Well done :) bye.", ["Well done :)", " bye."]),
    ("\n\nHello. ", ["\n\nHello.", " "]),
    ("👍 Great job!", ["👍 Great job!"]),
    ("Say A&amp;B now, please.", ["Say A&amp;B now,", " please."]),
    (
        "I can help you track your order and also change the address whenever you like it",
        ["I can help you track your order", " and also change the address whenever you like it"],
    ),
    (
        "Please ask at the front desk in the main hall of the J. R. Smith building",
        ["Please ask at the front desk", " in the main hall of the J. R. Smith building"],
    ),
]
ELSEWHERE = [
    ("de", "Am 3. Mai um 8 Uhr. Wir freuen uns.", ["Am 3. Mai um 8 Uhr.", " Wir freuen uns."]),
    ("de_DE", "Das ist z. B. so. Gut.", ["Das ist z. B. so.", " Gut."]),
    ("es", "Hola Sr. Pérez. ¿Qué tal?", ["Hola Sr. Pérez.", " ¿Qué tal?"]),
    ("fr", "Bonjour M. Dupont. Ça va ?", ["Bonjour M. Dupont.", " Ça va ?"]),
]


def cut(text: str, sizes: list[int] | None = None, language: str = "en") -> list[str]:
    """The pieces of ``text`` pushed in pieces of these sizes, the last size repeated."""
    splitter = ClauseSplitter(language=language)
    pieces, start, turn = [], 0, 0
    sizes = sizes or [1]
    while start < len(text):
        size = sizes[min(turn, len(sizes) - 1)]
        pieces += splitter.push(text[start : start + size])
        start, turn = start + size, turn + 1
    return pieces + splitter.flush()


@pytest.mark.parametrize(("text", "pieces"), CASES)
def test_cut_where_it_can_be_spoken(text: str, pieces: list[str]) -> None:
    assert cut(text) == pieces
    assert cut(text, [len(text)]) == pieces


@pytest.mark.parametrize(("language", "text", "pieces"), ELSEWHERE)
def test_other_languages_have_their_abbreviations(
    language: str, text: str, pieces: list[str]
) -> None:
    assert cut(text, language=language) == pieces


@pytest.mark.parametrize(
    ("text", "released"),
    [
        ("Hello there.", ["Hello there."]),
        ('He said "hi."', ['He said "hi."']),
        ("**Yes.**", ["**Yes.**"]),
        ("Here you go:", ["Here you go:"]),
        ("It costs $3.", []),
        ("You have 1,", []),
        ("We open at 8:", []),
        ("We close at 8 p.m.", []),
        ("Ask for Dr.", []),
        ("That was J.", []),
        ("No.", []),
        ("1.", []),
        ("See https:", []),
        ("Read **this.", []),
        ("Hello", []),
        ("", []),
    ],
)
def test_settling_releases_only_what_is_plausibly_finished(text: str, released: list[str]) -> None:
    splitter = ClauseSplitter()
    assert splitter.push(text) == []
    assert splitter.settle() == released
    assert "".join(released + splitter.flush()) == text


def test_a_sentence_is_released_at_its_own_end() -> None:
    splitter = ClauseSplitter()
    assert splitter.push("Are you sure?") == ["Are you sure?"]
    assert splitter.push(" Fine, thanks!") == [" Fine, thanks!"]
    assert splitter.push(" It is done.") == []
    assert splitter.push(" ") == [" It is done."]


def test_an_opener_of_one_word_is_released_and_the_next_clause_is_quick_too() -> None:
    splitter = ClauseSplitter()
    assert splitter.push("Okay, ") == ["Okay,"]
    assert splitter.push("let me look,") == [" let me look,"]
    assert splitter.push(" and then see, or not.\n") == [" and then see, or not."]


def test_a_first_clause_can_be_made_to_wait_for_more_words() -> None:
    splitter = ClauseSplitter(first_min_words=2)
    assert splitter.push("Okay, ") == []
    assert splitter.push("let me look,") == ["Okay, let me look,"]


def test_a_long_later_sentence_is_cut_at_a_mark() -> None:
    long = " Then " + "very " * 25 + "late, it came."
    assert cut("Yes it is." + long) == ["Yes it is.", long[: long.index(",") + 1], " it came."]


def test_without_any_mark_the_reply_still_comes_in_time() -> None:
    pieces = cut("word " * 200)
    assert len(pieces[0].split()) <= 12
    assert all(len(piece.split()) <= 40 for piece in pieces)


def test_flush_makes_it_ready_for_the_next_reply() -> None:
    splitter = ClauseSplitter()
    splitter.push("Hello there, fine. And")
    assert splitter.flush() == [" And"]
    assert splitter.push("I can, yes") == ["I can,"]
    assert splitter.flush() == [" yes"]
    assert splitter.flush() == []


PROTECTED = [
    "$3.14", "1,000", "8:30", "Dr. Lee", "8 a.m.", "e.g.", "U.S.", "No. 5", "v2.3.1",
    "example.com", "me@x.co.uk", "https://x.com/a,b?c=d;e", "3-5", "...", "J. R. Smith", "p. 12",
    "[a, b](http://x.com/a,b)", "**one, two. three!**", "`a, b`", "i.e.", "10.0.0.1", "$1,234.56",
    "vs.", "Mrs. Ray", "Ph.D.", "3.5 GB", "St. Paul", "Sept. 5", "1:1", "5'10\"", "&amp;",
]  # fmt: skip
_WORD = st.sampled_from(
    re.findall(r"\w+", "the order will come so and go then we see an item for you now")
)
_TOKEN = _WORD | st.sampled_from(PROTECTED) | st.sampled_from([",", ".", "!", "?", ";", "—", "\n"])


def _join(tokens: list[str]) -> str:
    return re.sub(r" (?=[,.!?;\n](?: |$))", "", " ".join(tokens))


_REPLY = st.lists(_TOKEN, max_size=40).map(_join)
_ANY = st.text(alphabet=st.sampled_from("aB1 .,;:!?-–—…\n\"')(*[]`$&@/#"), max_size=80) | _REPLY
_SIZES = st.lists(st.integers(1, 30), min_size=1, max_size=20)


@settings(max_examples=400, deadline=None)
@given(text=_ANY, sizes=_SIZES)
def test_the_size_of_what_is_pushed_makes_no_difference(text: str, sizes: list[int]) -> None:
    assert cut(text, sizes) == cut(text)


@settings(max_examples=400, deadline=None)
@given(text=_ANY | st.text(max_size=60), sizes=_SIZES, settles=st.lists(st.booleans(), max_size=80))
def test_nothing_is_lost_repeated_or_reordered(
    text: str, sizes: list[int], settles: list[bool]
) -> None:
    splitter = ClauseSplitter()
    pieces, start = [], 0
    for turn in range(len(text)):
        size = sizes[turn % len(sizes)]
        pieces += splitter.push(text[start : start + size])
        if turn < len(settles) and settles[turn]:
            pieces += splitter.settle()
        start += size
    pieces += splitter.flush()
    assert "".join(pieces) == text
    assert all(any(c.isalnum() for c in piece) for piece in pieces[:-1])


@settings(max_examples=400, deadline=None)
@given(
    before=st.lists(_WORD, max_size=14),
    form=st.sampled_from(PROTECTED),
    after=st.lists(_WORD, max_size=14),
    sizes=_SIZES,
)
def test_no_protected_form_is_split(
    before: list[str], form: str, after: list[str], sizes: list[int]
) -> None:
    text = " ".join([*before, form, *after]) + "."
    start = len(" ".join([*before, ""])) if before else 0
    cuts, position = set(), 0
    for piece in cut(text, sizes):
        position += len(piece)
        cuts.add(position)
    assert not cuts & set(range(start + 1, start + len(form)))


@settings(max_examples=200, deadline=None)
@given(words=st.lists(_WORD, min_size=13, max_size=60))
def test_the_first_piece_is_short(words: list[str]) -> None:
    assert 2 <= len(cut(" ".join(words))[0].split()) <= 12
