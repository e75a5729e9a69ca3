"""The text front end's door: text as a model writes it, turned into text as people say it."""

from __future__ import annotations

import re
from collections.abc import Callable

from voice.tts.text import (
    abbreviations,
    clock,
    codes,
    dates,
    locales,
    measures,
    money,
    ordinals,
    phones,
    symbols,
    web,
    written,
)
from voice.tts.text.locales import Locale

_Step = Callable[[str, Locale], str]
_DIGIT = re.compile(r"\d")
_ADDRESS = re.compile(r"[@:]|\w\.\w")
_SHORTENED = re.compile(
    r"\.\s*\S|\b\w{1,5}\.$|[/#(]|[A-Z]{2}|\b(?:St|Ave|Blvd|Rd|Dr|Mrs?|Ms|M[ml]l?e)\b|WiFi"
)
_DASH = re.compile("[-–—]")
_SIGN = re.compile(r"[^\w\s,.?!'\"-]")
_TOUCH_UP = re.compile(r"[^\w\s,.?!'-]|[\s,.?!'-]{2}|_|^\W|\s$")

# From the most particular form to the most general: each step leaves words, which no later step
# takes for figures. The pattern is what a text must hold for its step to have any work.
_STEPS: tuple[tuple[_Step, re.Pattern[str]], ...] = (
    (web.say_addresses, _ADDRESS),
    (symbols.say_relations, _DIGIT),
    (abbreviations.say_abbreviations, _SHORTENED),
    (dates.say_weekdays, _DASH),
    (dates.say_dates, _DIGIT),
    (phones.say_phones, _DIGIT),
    (codes.say_codes, _DIGIT),
    (measures.say_ranges, _DIGIT),
    (clock.say_times, _DIGIT),
    (money.say_money, _DIGIT),
    (ordinals.say_ordinals, _DIGIT),
    (measures.say_measures, _DIGIT),
    (codes.say_mixed, _DIGIT),
    (symbols.say_signs, _SIGN),
    (symbols.say_numbers, _DIGIT),
    (symbols.say_slashes, _SIGN),
)


def spoken(text: str, locale: str = "en_US") -> str:
    """``text`` as people say it, on one line, ready for Piper or espeak.

    Numbers, money, times, dates, codes and addresses become words; markup and emoji go; sentence
    punctuation stays, for it drives the melody. Text that is already said so is returned as it
    is. In English nothing is left in digits; in other languages what is not understood is left
    for the engine. Pure and total: any string has a spoken form, which may be empty.

    Raises UserError for a ``locale`` that is not known ("en_US", "en-GB" and "de" are).
    """
    place = locales.resolve(locale)
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").strip()
    text = written.one_line(written.without_signs(written.without_markup(text)))
    for step, work in _STEPS:
        if work.search(text):
            text = step(text, place)
    return symbols.tidy(text) if _TOUCH_UP.search(text) else text
