"""The number that a text ends in, and whether it is being read out digit by digit."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"\+?\d+(?:,\d{3}(?!\d))*(?:\.\d+)?(?::\d\d)?"  # 4155, 3,996, 3.14, 8:30
    r"|[^\W\d_]+(?:['’][^\W\d_]+)*|[$£€%]"
)
_ONES = ["zero", "oh", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORDS = {
    **dict.fromkeys(_ONES, 1),
    **dict.fromkeys([*_TEENS, "eighteen", "nineteen", *_TENS], 2),
}
_REPEATS = frozenset(["double", "triple"])
_READ_OUT_AFTER = frozenset(
    [
        *["number", "phone", "mobile", "cell", "telephone", "card", "account", "code", "pin"],
        *["reference", "extension", "id", "zip", "postcode", "tracking", "serial", "passport"],
    ]
)
_NEVER_READ_OUT = re.compile(r"[.,:]")
_LONGEST_QUANTITY = 2


@dataclass(frozen=True)
class NumberAtEnd:
    """The digits at the end of a text."""

    digits: int
    """How many there are."""
    read_out: bool
    """Whether they are a telephone number, a card or the like, rather than a quantity."""
    alone: bool
    """Whether the text holds nothing else."""


def digits_at_end(text: str) -> NumberAtEnd | None:
    """The number that ``text`` ends in, as digits or as words ("four one five"); None if none.

    A number is taken to be read out when it is in several groups, begins with a zero or a plus,
    has three or more plain digits, or follows a word such as "number" or "card".
    """
    tokens = [token.lower() for token in _TOKEN.findall(text)]
    start = len(tokens)
    while start and _is_number(tokens[start - 1]):
        start -= 1
    group = tokens[start:]
    whole_tens = len(group) == 2 and _tens_and_ones(group)
    digits = 2 if whole_tens else sum(_digits(token) for token in group)
    if not digits:
        return None
    before = tokens[max(0, start - 4) : start]
    money = bool(before) and before[-1] in "$£€"
    quantity = money or any(_NEVER_READ_OUT.search(token) for token in group)
    one_word = len(group) == 1 or whole_tens
    read_out = not quantity and (
        not one_word
        or digits > _LONGEST_QUANTITY
        or group[0][0] in "+0"
        or not _READ_OUT_AFTER.isdisjoint(before)
    )
    return NumberAtEnd(digits, read_out, alone=start - money == 0)


def _is_number(token: str) -> bool:
    return token[-1].isdigit() or token in _WORDS or token in _REPEATS


def _digits(token: str) -> int:
    if token in _REPEATS:
        return 2 if token == "triple" else 1  # the digit that it repeats counts for itself
    return _WORDS.get(token) or sum(character.isdigit() for character in token)


def _tens_and_ones(group: list[str]) -> bool:
    """ "twenty five" is one number, though two words."""
    return group[0] in _TENS and _WORDS.get(group[1]) == 1
