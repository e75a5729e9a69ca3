"""Numbers: reading them as written, and saying them in a locale's words."""

from __future__ import annotations

import re
from functools import lru_cache

from num2words import num2words

from voice.tts.text.language import Pair
from voice.tts.text.locales import Locale

FIGURE = r"\d(?:[\d.,'’]*\d)?"
"""A run of digits with separators, as it may stand in text: starts and ends with a digit."""

_LARGEST = 10**15  # beyond this people read digits, and num2words runs out of names
_DIGITS = {
    language: tuple(num2words(digit, lang=language) for digit in range(10))
    for language in ("en", "de", "es", "fr", "it", "pt")
}
_GROUPED = re.compile(r"(\d{1,3})(?:[.,'’]\d{3})+|\d{1,2}(?:,\d{2})*,\d{3}")


def parse(figure: str, locale: Locale) -> tuple[str, str] | None:
    """The digits before and after the decimal mark; None for what is not one number.

    Both conventions are understood where the form itself decides ("1,234.56", "1.234,56"); a
    single separator before three digits is what the locale says it is.
    """
    marks = re.findall(r"[.,'’]", figure)
    if not marks:
        return figure, ""
    if len(figure) > 40:
        return None
    last = marks[-1]
    whole, _, rest = figure.rpartition(last)
    if len(set(marks)) == 1:
        groups = bool(_GROUPED.fullmatch(figure))
        if groups and (len(marks) > 1 or last != locale.decimal):
            return re.sub(r"\D", "", figure), ""
        if len(marks) > 1 or last in "'’" or (last == "," and locale.decimal == "."):
            return None
        return whole, rest
    if last in "'’" or marks.count(last) > 1 or not _GROUPED.fullmatch(whole):
        return None
    return re.sub(r"\D", "", whole), rest


@lru_cache(maxsize=4096)
def cardinal(value: int, locale: Locale) -> str:
    """Whole numbers from zero up; from 10^15 on, digit by digit."""
    if value >= _LARGEST:
        return digits(str(value), locale)
    return _tidy(num2words(value, lang=locale.numbers), locale)


@lru_cache(maxsize=1024)
def ordinal(value: int, locale: Locale) -> str:
    """As in "twenty-second", "dritte"; masculine where there are genders."""
    if value >= _LARGEST:
        return digits(str(value), locale)
    if locale.numbers.startswith("pt") and value > 999:
        return cardinal(value, locale)
    return _tidy(num2words(value, lang=locale.numbers, to="ordinal"), locale)


def _tidy(words: str, locale: Locale) -> str:
    """num2words' words without its commas, which would be heard as pauses."""
    words = words.replace(",", "")
    if locale.english and not locale.hundreds_and:
        words = words.replace(" and ", " ")
    if locale.language.code == "es":
        words = words.replace("veintiuno mil", "veintiún mil").replace("y uno mil", "y un mil")
    return words.replace("un millions", "un million")


def digits(figures: str, locale: Locale) -> str:
    """One by one: "four eight two one"."""
    names = _DIGITS[locale.language.code]
    return " ".join(names[int(figure)] for figure in figures)


def say_parts(whole: str, fraction: str, locale: Locale) -> str:
    """A parsed number: the whole as a cardinal, the decimals one by one."""
    words = cardinal(int(whole or "0"), locale)
    if fraction:
        words += f" {locale.spelled(locale.language.point)} {digits(fraction, locale)}"
    return words


def say_figure(figure: str, locale: Locale) -> str | None:
    """A figure as a quantity, or None where it is not one number."""
    parts = parse(figure, locale)
    return None if parts is None else say_parts(*parts, locale)


def counted(value: int, noun: Pair, locale: Locale, *, feminine: bool = False) -> str:
    """As in "one dollar", "veintiún euros", "zwei Pfund": the number agrees with its noun."""
    words = _agree(cardinal(value, locale), locale.language.code, feminine)
    singular = value == 1 or (value == 0 and locale.language.code == "fr")
    return f"{words} {locale.spelled(noun[0] if singular else noun[1])}"


def _agree(words: str, language: str, feminine: bool) -> str:
    if language == "es":
        if feminine:
            return re.sub(r"uno$", "una", words.replace("cientos", "cientas"))
        return re.sub(r"veintiuno$", "veintiún", re.sub(r"(?<!veinti)uno$", "un", words))
    if language == "fr" and feminine:
        return re.sub(r"\bun$", "une", words)
    if language == "de":
        return re.sub(r"^eins$", "ein", words)
    if language == "it":
        return re.sub(r"^uno$", "una" if feminine else "un", words)
    if language == "pt" and feminine:
        words = re.sub(r"\bum$", "uma", re.sub(r"\bdois$", "duas", words))
        return words.replace("entos", "entas")
    return words


@lru_cache(maxsize=512)
def year(value: int, locale: Locale) -> str:
    """As in "nineteen ninety-nine", "two thousand five", "twenty twenty-six"."""
    if not locale.english:
        return _tidy(num2words(value, lang=locale.numbers, to="year"), locale)
    century, rest = divmod(value, 100)
    if not 1000 < value < 10000 or 2000 <= value < 2010 or value % 1000 == 0:
        return cardinal(value, locale)
    if rest == 0:
        return f"{cardinal(century, locale)} hundred"
    return f"{cardinal(century, locale)} {two_digits(rest, locale)}"


def two_digits(value: int, locale: Locale) -> str:
    """The second half of a year, a time or a room: "oh five", "thirty"."""
    return f"oh {cardinal(value, locale)}" if value < 10 else cardinal(value, locale)


def in_pairs(figures: str, locale: Locale) -> str:
    """A house or room number: "twelve oh four", "two twenty-one", "three hundred"."""
    if figures.startswith("0") or len(figures) not in (3, 4):
        return (
            digits(figures, locale) if figures.startswith("0") else cardinal(int(figures), locale)
        )
    head, tail = int(figures[:-2]), int(figures[-2:])
    if tail == 0:
        if head % 10 == 0:
            return cardinal(int(figures), locale)
        return f"{cardinal(head, locale)} hundred"
    return f"{cardinal(head, locale)} {two_digits(tail, locale)}"


def plural(word: str) -> str:
    """An English plural: "thirds", "nineties"."""
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
