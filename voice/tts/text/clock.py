"""Times of day."""

from __future__ import annotations

import re

from voice.tts.text.abbreviations import sentence_goes_on
from voice.tts.text.locales import Locale
from voice.tts.text.numbers import cardinal, two_digits

_HALF = r"(?:\s?(?P<half>[aApP])\.?\s?[mM](?:\.(?!\w)|(?![\w])))"
_TIME = re.compile(
    rf"(?<![\w:.,/-])(?P<h>\d{{1,2}}):(?P<m>\d{{2}})(?::(?P<s>\d{{2}})(?:\.\d+)?)?(?![\d:])"
    rf"(?:{_HALF}|(?P<oclock>\so['’]clock)|(?P<zulu>Z(?!\w)|\+00:00))?"
)
_DOTTED = re.compile(rf"(?<![\w:.,$£€-])(?P<h>1[0-2]|0?[1-9])[.](?P<m>[0-5]\d){_HALF}")
_HOUR = re.compile(rf"(?<![\w:.,$£€-])(?P<h>\d{{1,2}}){_HALF}")
_OCLOCK = re.compile(r"(?<![\w:.,-])(?P<h>\d{1,2})\so['’]?clock\b")
_EXACTLY = "o'clock"
_MILITARY = re.compile(r"(?<![\w.,:/-])(?P<h>0\d)(?P<m>[0-5]\d)(?=\s(?:hours|hrs)\b)")
_ZONE = re.compile(r"\b(UTC|GMT)\s?([+-])\s?(\d{1,2})(?::?(\d{2}))?(?!\d)")

_OTHER = re.compile(
    r"(?<![\w:.,/-])(?P<h>\d{1,2})(?::|\s?[hH]\s?)(?P<m>\d{2})(?::\d{2})?(?![\d:])"
    r"(?:\s?(?:Uhr|[hH]\b|horas?\b|heures?\b))?"
)
_OTHER_HOUR = re.compile(r"(?<![\w:.,/-])(?P<h>\d{1,2})\s?(?:Uhr\b|[hH]\b(?!\w)|heures?\b)")


def say_times(text: str, locale: Locale) -> str:
    """Say "8:05" as "eight oh five", "17 h 30" as "dix-sept heures trente"."""
    if not locale.english:
        text = _OTHER.sub(lambda found: _foreign(found, found["m"], locale), text)
        return _OTHER_HOUR.sub(lambda found: _foreign(found, "00", locale), text)
    text = _TIME.sub(lambda found: _english(found, locale), text)
    text = _DOTTED.sub(lambda found: _halved(found, found["m"], locale), text)
    text = _HOUR.sub(lambda found: _halved(found, "00", locale), text)
    text = _OCLOCK.sub(lambda found: f"{cardinal(int(found['h']), locale)} o'clock", text)
    text = _MILITARY.sub(lambda found: _military(found, locale), text)
    return _ZONE.sub(lambda found: _zone(found, locale), text)


def _english(found: re.Match[str], locale: Locale) -> str:
    hour, minute = int(found["h"]), int(found["m"])
    if hour > 24 or minute > 59:
        return f"{cardinal(hour, locale)} to {cardinal(minute, locale)}"
    seconds = ""
    if found["s"] and int(found["s"]):
        count = int(found["s"])
        seconds = f" and {cardinal(count, locale)} second{'s' if count != 1 else ''}"
    if found["half"]:
        said = _clock(hour, minute, locale) if minute else cardinal(hour, locale)
        return f"{said}{seconds} {found['half'].upper()} M{_stop(found)}"
    after = found.string[found.end() :].lstrip().lower()
    if minute == 0 and not seconds and after.startswith(("noon", "midnight")):
        return cardinal(hour, locale)
    return f"{_clock(hour, minute, locale)}{seconds}{' U T C' if found['zulu'] else ''}"


def _clock(hour: int, minute: int, locale: Locale) -> str:
    if hour in (0, 24):
        return "midnight" if minute == 0 else f"twelve {two_digits(minute, locale)} A M"
    if minute:
        return f"{cardinal(hour, locale)} {two_digits(minute, locale)}"
    return f"{cardinal(hour, locale)} {'hundred' if hour > 12 else _EXACTLY}"


def _military(found: re.Match[str], locale: Locale) -> str:
    hour, minute = int(found["h"]), int(found["m"])
    rest = two_digits(minute, locale) if minute else "hundred"
    return f"{two_digits(hour, locale)} {rest}"


def _halved(found: re.Match[str], minute: str, locale: Locale) -> str:
    hour = int(found["h"])
    if hour > 24:
        return found[0]
    said = cardinal(hour, locale)
    if int(minute):
        said += f" {two_digits(int(minute), locale)}"
    return f"{said} {found['half'].upper()} M{_stop(found)}"


def _stop(found: re.Match[str]) -> str:
    """The full stop of "a.m." that ends a sentence too is kept."""
    ends = found[0].endswith(".") and not sentence_goes_on(found.string, found.end())
    return "." if ends else ""


def _zone(found: re.Match[str], locale: Locale) -> str:
    words = locale.language
    sign = words.plus if found[2] == "+" else words.minus
    minutes = f" {cardinal(int(found[4]), locale)}" if found[4] and int(found[4]) else ""
    return f"{found[1]} {sign} {cardinal(int(found[3]), locale)}{minutes}"


def _foreign(found: re.Match[str], minute: str, locale: Locale) -> str:
    hour, minutes = int(found["h"]), int(minute)
    if hour > 24 or minutes > 59:
        return found[0]
    language = locale.language.code
    said = _feminine(cardinal(hour, locale), language)
    rest = "" if minutes == 0 else cardinal(minutes, locale)
    if language == "de":
        said = re.sub("^eins$", "ein", said)
        return f"{said} Uhr {rest}".rstrip()
    if language == "fr":
        return f"{said} heure{'s' if hour > 1 else ''} {rest}".rstrip()
    if language == "pt" and not rest:
        return f"{said} hora{'s' if hour != 1 else ''}"
    joiner = {"es": "y", "it": "e", "pt": "e"}[language]
    return f"{said} {joiner} {rest}" if rest else said


def _feminine(words: str, language: str) -> str:
    if language == "fr":
        return re.sub(r"\bun$", "une", words)
    if language == "pt":
        return re.sub(r"\bum$", "uma", re.sub(r"\bdois$", "duas", words))
    if language in ("es", "it"):
        return re.sub(r"uno$" if language == "es" else r"^uno$", "una", words)
    return words
