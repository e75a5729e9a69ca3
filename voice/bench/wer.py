"""Word error rate, on texts made comparable: case, punctuation, and how numbers are written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product

from num2words import num2words

_DOTTED = re.compile(r"\b(?:[^\W\d_]\.){2,}")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_ORDINAL = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b")
_GROUPED = re.compile(r"(?<=\d)[ -](?=\d)")
_TITLES = {"mr": "mister", "mrs": "missus", "dr": "doctor"}
_SIGNS = {
    "en": {"%": " percent ", "&": " and ", "$": " dollars ", "£": " pounds ", "€": " euros "},
    "es": {"%": " por ciento "},
    "fr": {"%": " pour cent "},
    "de": {"%": " prozent "},
    "it": {"%": " per cento "},
    "pt": {"%": " por cento "},
}


@dataclass(frozen=True)
class Errors:
    """Word errors (substitutions, insertions, deletions) against ``words`` reference words."""

    errors: int
    words: int

    @property
    def rate(self) -> float:
        """Errors per reference word; 0 of nothing rightly transcribed as nothing."""
        return self.errors / self.words if self.words else float(self.errors > 0)


def corpus_rate(clips: Iterable[Errors]) -> float:
    """Total errors over total words: long clips count for what they hold. NaN without words."""
    errors, words = 0, 0
    for clip in clips:
        errors, words = errors + clip.errors, words + clip.words
    return errors / words if words else float("nan")


def word_errors(reference: str, hypothesis: str, language: str = "en") -> Errors:
    """The fewest word errors over the ways in which the digits of either text can be read.

    "55" may be fifty-five or five five; neither text says which, so neither is punished.
    """
    pairs = product(readings(reference, language), readings(hypothesis, language))
    return min(
        (Errors(_distance(said, heard), len(said)) for said, heard in pairs),
        key=lambda one: one.errors,
    )


def readings(text: str, language: str = "en") -> list[list[str]]:
    """The text as words, once for each way of reading its digits (one way where it has none)."""
    plain = unicodedata.normalize("NFKC", text).lower().replace("’", "'")
    plain = _DOTTED.sub(lambda match: match[0].replace(".", ""), plain)
    for sign, word in _SIGNS.get(language, {}).items():
        plain = plain.replace(sign, word)
    speakers: list[Callable[[str], str]] = [lambda number: _cardinal(number, language)]
    if _NUMBER.search(plain):
        if language == "en":
            plain = _ORDINAL.sub(lambda match: num2words(int(match[1]), to="ordinal"), plain)
        speakers.append(lambda number: " ".join(_cardinal(d, language) for d in number))
        speakers.append(lambda number: _in_pairs(number, language))
    found: list[list[str]] = []
    for speak in speakers:
        words = _words(_spell(plain, speak), language)
        if words not in found:
            found.append(words)
    return found


def _spell(text: str, speak: Callable[[str], str]) -> str:
    def spoken(match: re.Match[str]) -> str:
        digits = re.sub(r"(?<=\d),(?=\d{3}\b)", "", match[0])
        return f" {speak(digits)} " if digits.isdigit() else f" {_decimal(digits, speak)} "

    return _NUMBER.sub(spoken, text)


def _decimal(number: str, speak: Callable[[str], str]) -> str:
    return " ".join(speak(part) for part in re.split(r"[.,]", number))


def _cardinal(number: str, language: str) -> str:
    # A leading zero or a long run is never a quantity.
    if len(number) > 1 and (number[0] == "0" or len(number) > 9):
        return " ".join(_cardinal(digit, language) for digit in number)
    try:
        return str(num2words(int(number), lang=language))
    except NotImplementedError:  # a language that num2words has not: digits compare as digits
        return number


def _in_pairs(number: str, language: str) -> str:
    start = len(number) % 2
    pairs = [number[:start]] if start else []
    pairs += [number[i : i + 2] for i in range(start, len(number), 2)]
    return " ".join(_cardinal(pair, language) for pair in pairs)


def _words(text: str, language: str) -> list[str]:
    kept = "".join(
        " "
        if not (character.isalnum() or character == "'" or unicodedata.combining(character))
        else character
        for character in text
    )
    words = [word.strip("'") for word in kept.split()]
    if language == "en":
        words = [_TITLES.get(word, word) for word in words if word != "and"]
    return [word for word in words if word]


def _distance(said: list[str], heard: list[str]) -> int:
    """Levenshtein distance in words."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(said, start=1):
        previous, row[0] = row[0], i
        for j, other in enumerate(heard, start=1):
            best = min(row[j] + 1, row[j - 1] + 1, previous + (word != other))
            previous, row[j] = row[j], best
    return row[-1]
