"""What each language calls numbers' company: signs, months, money, units.

Tables only. A language is complete here or it is not offered; the number words themselves come
from num2words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Pair = tuple[str, str]
"""Singular and plural."""


@dataclass(frozen=True)
class Coin:
    """A currency: its unit, its hundredth, and whether the unit is grammatically feminine."""

    unit: Pair
    cent: Pair = ("", "")
    feminine: bool = False


@dataclass(frozen=True, eq=False)
class Language:
    """The words of one language. Where a field is empty, the form is left for the engine."""

    code: str
    months: tuple[str, ...]
    minus: str
    point: str
    percent: str
    to: str
    and_: str
    plus: str
    times: str
    by: str
    equals: str
    at: str
    dot: str
    dash: str
    underscore: str
    slash: str
    number: str
    degrees: str
    per: str
    coins: Mapping[str, Coin]
    coins_and: str
    """Between the unit and the hundredths: "dollars *and* cents"."""
    million_of: str
    """Between a round million and its currency: "un millón *de* euros"."""
    scales: Mapping[str, tuple[int, str, str]]
    """A written suffix of an amount: power of ten, singular, plural."""
    units: Mapping[str, Pair]
    cues: str
    """A pattern of the words after which digits are a code and not a quantity."""
    abbreviations: Mapping[str, str] = field(default_factory=dict)
    """Written with a full stop, as people say them; the key has no final stop."""


def months_of(words: str) -> tuple[str, ...]:
    return tuple(words.split())


def words_of(text: str) -> frozenset[str]:
    """A set of words, written as a line of them."""
    return frozenset(text.split())


def units_of(lines: str) -> dict[str, Pair]:
    """``"km kilometre kilometres; …"``; a plural left out equals the singular."""
    table = {}
    for line in lines.split(";"):
        symbol, _, names = line.strip().partition(" ")
        one, _, many = names.partition("|")
        table[symbol.replace("~", " ")] = (one, many or one)
    return table
