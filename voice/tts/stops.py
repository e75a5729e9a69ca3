"""Whether a full stop ends a sentence, decided from the text before it and one word after."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum

from voice.tts.text.abbreviations import (
    BEFORE_NUMBER,
    CONNECTIVES,
    ENDINGS,
    MONTHS,
    NAMED_TIMES,
    STARTERS,
    TITLES,
)
from voice.tts.text.german import GERMAN
from voice.tts.text.language import Language, words_of
from voice.tts.text.romance import FRENCH, ITALIAN, PORTUGUESE, SPANISH

_Test = Callable[[str], bool]


class Stop(Enum):
    """What a full stop is."""

    END = "the sentence is over"
    INSIDE = "part of an abbreviation, a number or an address"
    WAIT = "the next characters will tell"


_OTHERS: dict[str, Language] = {
    language.code: language for language in (SPANISH, FRENCH, GERMAN, ITALIAN, PORTUGUESE)
}
_ENDING_ELSEWHERE = frozenset({"etc", "usw", "ecc"})
_UNITS = words_of(
    "in ft mi yd lb lbs oz hr hrs min mins sec secs yr yrs wk wks mo mos pt qt gal tbsp tsp km cm"
    " mm kg cal temp max avg"
)
_SHORT_DATES = words_of("Mar Jun Jul Mon Tue Tues Wed Thu Thur Thurs Fri")
_LETTERED = re.compile(
    r"(?i:\b(?:plan|option|vitamin|hepatitis|gate|terminal|section|exit|size|type|class|grade"
    r"|group|team|platform|row|seat|unit|apartment|building|block|appendix|figure|table|zone"
    r"|wing|part|step|level|line|door|column|answer|letter)\s[A-Z])$"
)
_DOTTED = re.compile(r"^(?:[^\W\d_]\.)+[^\W\d_]$")
_ITEM = re.compile(r"(?:^|\n|[:.!?]\s)[\s*_(]*\d{1,2}$")
_WORD = re.compile(r"\s*[\"'“‘(*_\[]*([^\W_]+|\S)")
_COUNTED = re.compile(r"\d\s?[A-Za-z]+$")


def stop_at(before: str, after: str, language: str) -> Stop:
    """What the stop between ``before`` and ``after`` is; ``after`` starts with white space.

    ``after`` may be all that has come so far: the answer is WAIT until it suffices, and never
    changes when more comes.
    """
    token = re.split(r"[\s(\[\"'“‘*_—]", before)[-1]
    if not token:
        return Stop.INSIDE
    if token[-1].isdigit():
        return _after_digit(before, token, after, language)
    if language != "en":
        return _elsewhere(before, token, after, language)
    return _english(before, token, after)


def _english(before: str, token: str, after: str) -> Stop:
    low = token.lower()
    if token in TITLES or low in CONNECTIVES or low == "st":
        return Stop.INSIDE
    if low in BEFORE_NUMBER or token in MONTHS:
        return _unless(after, lambda word: word.isdigit() or word == "#")
    if token in _SHORT_DATES:
        return _word(after, lambda word: not word[0].isdigit() and word.lower() not in NAMED_TIMES)
    if low in ("a.m", "p.m"):
        return _word(after, lambda word: word[0].isupper() and word.lower() not in NAMED_TIMES)
    if _DOTTED.match(token) or token in ENDINGS:
        return _word(after, _starts)
    if low in _UNITS and _COUNTED.search(before):
        return _word(after, lambda word: word[0].isupper())
    if len(token) == 1 and token.isalpha():
        return Stop.END if _LETTERED.search(before) else Stop.INSIDE
    return Stop.END


def _elsewhere(before: str, token: str, after: str, language: str) -> Stop:
    known = _OTHERS[language].abbreviations if language in _OTHERS else {}
    tail = " ".join(before.split()[-2:])
    if token.lower() in _ENDING_ELSEWHERE:
        return _word(after, lambda word: word[0].isupper())
    if token in known or tail in known or token in ("Dr", "Prof", "St", "vs"):
        return Stop.INSIDE
    if (len(token) == 1 and token.isalpha()) or _DOTTED.match(token):
        return Stop.INSIDE
    return Stop.END


def _after_digit(before: str, token: str, after: str, language: str) -> Stop:
    if _ITEM.search(before):
        return Stop.INSIDE
    if language == "de" and token.isdigit() and len(token) < 3:  # "am 3. Mai"
        return _word(after, lambda word: word.lower() in _GERMAN_STARTERS)
    return Stop.END


_GERMAN_STARTERS = words_of(
    "der die das ein eine wir ich sie es er ihr bitte wenn dann und aber oder heute morgen kann"
    " können soll sollen möchten haben was wie wo wann ja nein danke"
)


def _starts(word: str) -> bool:
    return word[0].isupper() and word.lower() in STARTERS


def _unless(after: str, number: _Test) -> Stop:
    """END once the next visible character is there and is no number."""
    found = _WORD.match(after)
    if not found:
        return Stop.WAIT
    return Stop.INSIDE if number(found[1][0]) else Stop.END


def _word(after: str, ends: _Test) -> Stop:
    """END or INSIDE once the whole next word is there, or its first letter is a small one."""
    found = _WORD.match(after)
    if not found:
        return Stop.WAIT
    word = found[1]
    if word[0].isupper() and found.end() == len(after):
        return Stop.WAIT
    return Stop.END if ends(word) else Stop.INSIDE
