"""Ordinals and decades: "22nd", "1990s", "1.º"."""

from __future__ import annotations

import re

from voice.tts.text.locales import Locale
from voice.tts.text.numbers import cardinal, ordinal, plural

_DECADE = re.compile(r"(?<![\w.,])(?P<y>1[1-9]\d0|20[0-9]0)['’]?s\b")
_SHORT_DECADE = re.compile(
    r"(?<![\w.,])(?P<cue>(?:the|his|her|their|my|your|our|early|mid|late)[\s-]'?|')(?P<y>[2-9]0)['’]?s\b",
    re.I,
)
_HUNDREDS = re.compile(r"(?<![\w.,])(100|1,?000)s\b(?!\s\w+ly)")
_APOSTROPHE_YEAR = re.compile(r"(?<!\w)'(\d\d)(?![\w'])")
_ORDINAL = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)\s?(?:st|nd|rd|th)\b", re.I)
_ORDINALS = {
    "es": re.compile(r"(?<![\w.,])(\d{1,3})\.?(º|ª|er|ero|era|ra|do|da|to|ta|mo|ma)(?!\w)"),
    "fr": re.compile(r"(?<![\w.,])(\d{1,3})(er|ère|ere|re|ème|eme|e|nd|nde)(?!\w)"),
    "it": re.compile(r"(?<![\w.,])(\d{1,3})(º|ª|°(?!\s?[CF]))(?!\w)"),
    "pt": re.compile(r"(?<![\w.,])(\d{1,3})\.?(º|ª|o|a)(?!\w)"),
    "de": re.compile(
        r"(?P<the>\b(?:der|die|das|dem|den|des|am|im|vom|zum|zur|beim|jede[rnms]?|eine[rnms]?)\s)"
        r"(\d{1,3})\.(?=\s[A-ZÄÖÜa-z])"
    ),
}


def say_ordinals(text: str, locale: Locale) -> str:
    """Say "22nd" as "twenty-second", "1990s" as "nineteen nineties"."""
    if not locale.english:
        return _foreign_ordinals(text, locale)
    text = _decades(text, locale)
    text = _ORDINAL.sub(lambda found: ordinal(int(found[1].replace(",", "")), locale), text)
    return _APOSTROPHE_YEAR.sub(lambda found: cardinal(int(found[1]), locale), text)


def _decades(text: str, locale: Locale) -> str:
    text = _DECADE.sub(lambda found: _decade(int(found["y"]), locale), text)
    text = _SHORT_DECADE.sub(
        lambda found: found["cue"].rstrip("'") + plural(cardinal(int(found["y"]), locale)), text
    )
    return _HUNDREDS.sub(lambda found: "hundreds" if found[1] == "100" else "thousands", text)


def _decade(value: int, locale: Locale) -> str:
    century, rest = divmod(value, 100)
    if rest == 0:
        if century % 10 == 0:
            return plural(cardinal(value, locale))
        return f"{cardinal(century, locale)} hundreds"
    return f"{cardinal(century, locale)} {plural(cardinal(rest, locale))}"


def _foreign_ordinals(text: str, locale: Locale) -> str:
    language = locale.language.code
    if language == "de":
        return _ORDINALS["de"].sub(lambda found: _german_ordinal(found, locale), text)
    return _ORDINALS[language].sub(lambda found: _romance_ordinal(found, locale), text)


def _german_ordinal(found: re.Match[str], locale: Locale) -> str:
    weak = found["the"].strip().lower() in ("der", "die", "das")
    return f"{found['the']}{ordinal(int(found[2]), locale)}{'' if weak else 'n'}"


def _romance_ordinal(found: re.Match[str], locale: Locale) -> str:
    words = ordinal(int(found[1]), locale)
    language, ending = locale.language.code, found[2]
    if language == "fr":
        return "première" if words == "premier" and ending != "er" else words
    if ending in ("ª", "era", "ra", "da", "ta", "ma", "a"):
        return re.sub(r"o\b", "a", words)
    if language == "es" and ending == "er":
        return re.sub(r"(primer|tercer)o$", r"\1", words)
    return words
