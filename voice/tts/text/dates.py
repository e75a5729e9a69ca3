"""Dates, years and decades."""

from __future__ import annotations

import datetime
import re
from functools import lru_cache

from voice.tts.text.locales import Locale
from voice.tts.text.numbers import cardinal, ordinal, two_digits, year

_ISO = re.compile(
    r"(?<![\w-])(?P<y>[12]\d{3})([-/.])(?P<m>\d{1,2})\2(?P<d>\d{1,2})(?:(?P<t>T)(?=\d{2}:)|(?![\w-]|\.\d))"
)
_NUMERIC = re.compile(
    r"(?<![\w/.,-])(?P<a>\d{1,2})([-/.])(?P<b>\d{1,2})\2(?P<y>[12]\d{3}|\d{2})(?![\w/-]|\.\d)"
)
_NO_YEAR = re.compile(
    r"(?P<cue>\b(?:on|by|from|until|till|before|after|since|due|dated?|starting|ending|of|is|for"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day,?)\s+|(?<=\b)to\s+)"
    r"(?P<a>\d{1,2})/(?P<b>\d{1,2})(?![\w/%-]|\.\d)",
    re.I,
)
_EXPIRY = re.compile(
    r"(?P<cue>\b(?:exp|expires?|expiry|expiration|expiring|valid)\b\.?(?:\s(?:date|on|in|thru|through|until|is))*:?\s+)"
    r"(?P<a>0?[1-9]|1[0-2])/(?P<b>\d{2}|20\d{2})(?![\w/])",
    re.I,
)
_BARE = re.compile(
    r"(?P<cue>\b(?:page|step|part|question|item|chapter|slide|scored?|rated|got)\s)?"
    r"(?<![\w/.,$€£-])(?P<a>\d{1,2})/(?P<b>\d{1,2})(?![\w/%]|[.,]\d)",
    re.I,
)
_SLASHED_RANGE = re.compile(
    r"(?<![\w/])(\d{1,2}/\d{1,2}(?:/\d{2,4})?)\s?[-–—]\s?(?=\d{1,2}/\d{1,2}(?!\w))"
)
_MONTH_YEAR = re.compile(r"(?<![\w/.-])(?P<m>0?[1-9]|1[0-2])/(?P<y>(?:19|20)\d{2})(?![\w/-])")
_SHORT = {
    "Jan": 1, "Feb": 2, "Mar": 3, "Apr": 4, "May": 5, "Jun": 6, "Jul": 7, "Aug": 8, "Sep": 9,
    "Sept": 9, "Oct": 10, "Nov": 11, "Dec": 12,
}  # fmt: skip
_DAYS = {
    "Mon": "Monday", "Tue": "Tuesday", "Tues": "Tuesday", "Wed": "Wednesday",
    "Thu": "Thursday", "Thur": "Thursday", "Thurs": "Thursday", "Fri": "Friday",
    "Sat": "Saturday", "Sun": "Sunday",
}  # fmt: skip
_WEEKDAY = "|".join(sorted([*_DAYS, *_DAYS.values()], key=len, reverse=True))
_DAY_RANGE = re.compile(rf"\b({_WEEKDAY})\.?\s?[-–—]\s?({_WEEKDAY})\b\.?(?!\w)")
_SHORT_DAY = re.compile(
    rf"\b({'|'.join(sorted(_DAYS, key=len, reverse=True))})\b\.?"
    r"(?=,?\s(?:\d|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|:\s)"
)
_TH = r"(?:st|nd|rd|th)?"


@lru_cache(maxsize=32)
def _months(locale: Locale) -> tuple[dict[str, int], str]:
    table = {name: index + 1 for index, name in enumerate(locale.language.months)}
    if locale.english:
        table |= _SHORT
        table |= {name.upper(): index for name, index in table.items()}
    names = sorted((re.escape(name) for name in table), key=len, reverse=True)
    return table, "|".join(names)


@lru_cache(maxsize=32)
def _english_patterns(locale: Locale) -> tuple[re.Pattern[str], ...]:
    names = _months(locale)[1]
    the_year = r"(?:,?\s(?P<y>[12]\d{3})(?![\d,-]|\.\d|:))?"
    day = rf"(?P<d>3[01]|[12]\d|0?[1-9]){_TH}"
    day_to = rf"(?:\s?[-–—]\s?(?P<e>3[01]|[12]\d|0?[1-9]){_TH})?"
    return (
        re.compile(rf"\b(?P<m>{names})\b\.?\s{day}{day_to}(?![\w:]|[.,]\d|/){the_year}"),
        re.compile(
            rf"(?<![\w.,:/-])(?P<the>[Tt]he\s)?{day}{day_to}\s(?P<of>of\s)?(?P<m>{names})\b\.?(?!\w){the_year}"
        ),
        re.compile(rf"\b(?P<m>{names})\b\.?,?\s(?P<y>1[89]\d{{2}}|20\d{{2}})(?![\d,:-]|\.\d)"),
        re.compile(r"\b(Jan|Feb|Apr|Aug|Sept?|Oct|Nov|Dec)\.(?=\s?[-–—]?\s?(\w|$)|[,;)])?"),
    )


@lru_cache(maxsize=32)
def _between_dates(locale: Locale) -> re.Pattern[str]:
    names = _months(locale)[1]
    return re.compile(
        rf"(?:(?<=\d)|(?<=\d(?:st|nd|rd|th)))\s?[-–—]\s?(?=(?:{_WEEKDAY}|{names})\b)"
        rf"|(?<=\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))\.?\s?[-–—]\s?(?=(?:{names})\b)"
    )


def say_weekdays(text: str, locale: Locale) -> str:
    """The dash of "Mon-Fri", "Jan–Mar" and "Nov 30 - Dec 2"."""
    if not locale.english:
        return text
    text = _DAY_RANGE.sub(
        lambda found: f"{_DAYS.get(found[1], found[1])} to {_DAYS.get(found[2], found[2])}", text
    )
    text = _SLASHED_RANGE.sub(rf"\1 {locale.language.to} ", text)
    return _between_dates(locale).sub(f" {locale.language.to} ", text)


def say_dates(text: str, locale: Locale) -> str:
    """Say "2026-11-30" as "November thirtieth, twenty twenty-six"."""
    text = _ISO.sub(lambda found: _iso(found, locale), text)
    text = _NUMERIC.sub(lambda found: _numeric(found, locale), text)
    if not locale.english:
        return _foreign(text, locale)
    text = _SHORT_DAY.sub(lambda found: _DAYS[found[1]], text)
    month_day, day_month, month_year, _ = _english_patterns(locale)
    text = day_month.sub(lambda found: _written(found, locale), text)
    text = month_day.sub(lambda found: _written(found, locale), text)
    text = month_year.sub(lambda found: _month_of(found, locale), text)
    text = _MONTH_YEAR.sub(
        lambda found: (
            f"{locale.language.months[int(found['m']) - 1]} {year(int(found['y']), locale)}"
        ),
        text,
    )
    text = _EXPIRY.sub(lambda found: _expiry(found, locale), text)
    text = _NO_YEAR.sub(lambda found: _no_year(found, locale), text)
    return _BARE.sub(lambda found: _bare(found, locale), text)


def _valid(day: int, month: int, of_year: int = 2024) -> bool:
    try:
        datetime.date(of_year, month, day)
    except ValueError:
        return False
    return True


def _iso(found: re.Match[str], locale: Locale) -> str:
    the_year, month, day = int(found["y"]), int(found["m"]), int(found["d"])
    if not _valid(day, month, the_year):
        return found[0]
    at = f", {locale.language.at} " if found["t"] and locale.english else " "
    return _date(day, month, the_year, locale, found) + (at if found["t"] else "")


def _numeric(found: re.Match[str], locale: Locale) -> str:
    first, second, the_year = int(found["a"]), int(found["b"]), int(found["y"])
    if len(found["y"]) == 2:
        if found[2] == ".":  # "1.2.10" is a version
            return found[0]
        the_year += 2000 if the_year < 70 else 1900
    day_first = locale.day_first or found[2] == "."
    for day, month in ((first, second), (second, first))[:: 1 if day_first else -1]:
        if _valid(day, month, the_year):
            return _date(day, month, the_year, locale, found)
    return found[0]


def _no_year(found: re.Match[str], locale: Locale) -> str:
    first, second = int(found["a"]), int(found["b"])
    day, month = (first, second) if locale.day_first else (second, first)
    vague = found["cue"].strip().lower() in ("of", "is", "for", "to", "from", "after", "before")
    if not _valid(day, month) or (vague and (first < second <= 8 or second == 10)):
        return found[0]  # "is 3/4 full"
    if (first, second) in ((24, 7), (9, 11), (20, 20)):
        return found[0]
    return found["cue"] + _date(day, month, None, locale, found)


def _bare(found: re.Match[str], locale: Locale) -> str:
    """What "11/30" is: a date by its form: no fraction has such a denominator."""
    first, second = int(found["a"]), int(found["b"])
    day, month = (first, second) if locale.day_first else (second, first)
    if found["cue"] or not 13 <= day <= 31 or day in (16, 20, 24) or not _valid(day, month):
        return found[0]
    return _date(day, month, None, locale, found)


def _expiry(found: re.Match[str], locale: Locale) -> str:
    if len(found["b"]) == 4:
        return found[0]
    halves = [found["a"], found["b"]]
    said = [
        two_digits(int(half), locale) if half.startswith("0") else cardinal(int(half), locale)
        for half in halves
    ]
    return f"{found['cue']}{' '.join(said)}"


def _date(day: int, month: int, the_year: int | None, locale: Locale, found: re.Match[str]) -> str:
    name = locale.language.months[month - 1]
    if not locale.english:
        return _foreign_date(day, name, the_year, locale, found.string[: found.start()])
    ends = f", {year(the_year, locale)}" if the_year else ""
    if locale.day_first:
        the = "" if re.search(r"\bthe\s$", found.string[: found.start()], re.I) else "the "
        return f"{the}{ordinal(day, locale)} of {name}{ends}"
    return f"{name} {ordinal(day, locale)}{ends}"


def _written(found: re.Match[str], locale: Locale) -> str:
    groups = found.groupdict()
    name = locale.language.months[_months(locale)[0][found["m"]] - 1]
    span = ordinal(int(found["d"]), locale)
    if found["e"]:
        span += f" to {ordinal(int(found['e']), locale)}"
    ends = f", {year(int(found['y']), locale)}" if found["y"] else ""
    if not found["y"] and found[0].endswith("."):
        ends = _stop(found)
    if groups.get("the") or groups.get("of") or locale.day_first:
        the = groups.get("the") or ("" if _after_the(found) else "the ")
        return f"{the}{span} of {name}{ends}"
    return f"{name} {span}{ends}"


def _after_the(found: re.Match[str]) -> bool:
    return bool(re.search(r"\b(?:the|this|every|each)\s$", found.string[: found.start()], re.I))


def _stop(found: re.Match[str]) -> str:
    rest = found.string[found.end() :].lstrip()
    return "." if not rest or rest[0].isupper() else ""


def _month_of(found: re.Match[str], locale: Locale) -> str:
    name = locale.language.months[_months(locale)[0][found["m"]] - 1]
    return f"{name} {year(int(found['y']), locale)}"


def _foreign(text: str, locale: Locale) -> str:
    names = _months(locale)[1]
    number = r"(?<![\w.,:/-])(?P<d>3[01]|[12]\d|0?[1-9])(?:\.|er|º|°)?"
    of = r"(?:\sde)?\s"
    pattern = re.compile(
        rf"{number}{of}(?P<m>{names})\b(?:(?:\sde[l]?)?\s(?P<y>[12]\d{{3}})(?!\d))?", re.I
    )
    return pattern.sub(
        lambda found: _foreign_date(
            int(found["d"]),
            found["m"],
            int(found["y"]) if found["y"] else None,
            locale,
            found.string[: found.start()],
        ),
        text,
    )


def _foreign_date(day: int, month: str, the_year: int | None, locale: Locale, before: str) -> str:
    language = locale.language.code
    if language == "de":
        ending = (
            "n" if re.search(r"\b(?:am|vom|zum|dem|den|bis|seit|ab)\s+$", before, re.I) else "r"
        )
        if re.search(r"\b(?:der|die|das)\s+$", before, re.I):
            ending = ""
        said = f"{ordinal(day, locale)}{ending}"
    elif day == 1:
        said = {"fr": "premier", "it": "primo", "pt": "primeiro"}.get(language, "primero")
    else:
        said = cardinal(day, locale)
    of = " de " if language in ("es", "pt") else " "
    ends = f"{of}{year(the_year, locale)}" if the_year else ""
    return f"{said}{of}{month}{ends}"
