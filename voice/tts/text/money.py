"""Amounts of money, whichever side the sign stands on."""

from __future__ import annotations

import re
from functools import lru_cache

from voice.tts.text.language import Coin
from voice.tts.text.locales import Locale
from voice.tts.text.numbers import FIGURE, cardinal, counted, digits, parse

_SIGNS = {
    "US$": "USD",
    "US $": "USD",
    "C$": "CAD",
    "CA$": "CAD",
    "A$": "AUD",
    "AU$": "AUD",
    "NZ$": "NZD",
    "MX$": "MXN",
    "R$": "BRL",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "₩": "KRW",
}
_PER = {
    "mo": "month", "mth": "month", "month": "month", "yr": "year", "year": "year", "y": "year",
    "day": "day", "d": "day", "night": "night", "hr": "hour", "h": "hour", "hour": "hour",
    "wk": "week", "week": "week", "min": "minute", "minute": "minute", "s": "second",
    "sec": "second", "user": "user", "person": "person", "seat": "seat", "item": "item",
    "unit": "unit", "kg": "kilogram", "lb": "pound", "oz": "ounce", "g": "gram", "gal": "gallon",
    "mi": "mile", "mile": "mile", "km": "kilometer", "kWh": "kilowatt hour", "GB": "gigabyte",
    "l": "liter", "L": "liter", "box": "box", "pc": "piece",
    "piece": "piece", "pp": "person", "each": "each", "visit": "visit", "ticket": "ticket",
}  # fmt: skip
_ADJECTIVE_BEFORE = re.compile(r"\b(?:an?|another)\s$")
_PRICED = re.compile(
    r"[ -](?:bill|note|gift|fee|credit|discount|deposit|coupon|voucher|charge|refund|copay"
    r"|minimum)\b"
)
PER = "|".join(sorted((re.escape(key) for key in _PER), key=len, reverse=True))


def per(unit: str | None, locale: Locale) -> str:
    """Say "/mo" as " per month"; nothing for None."""
    if not unit:
        return ""
    return f" {locale.language.per} {locale.spelled(_PER[unit])}"


@lru_cache(maxsize=32)
def _patterns(locale: Locale) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    language = locale.language
    signs = "|".join(re.escape(sign) for sign in [*_SIGNS, "$"])
    codes = "|".join(language.coins)
    scale = _scale_pattern([*language.scales], signs)
    figure = rf"(?P<figure>{FIGURE}|\.\d+)" if locale.english else rf"(?P<figure>{_spaced()})"
    rate = (
        rf"(?:\s?/\s?(?P<per>{PER})(?!\w)(?:\.(?=\s[a-z]))?)?"
        if locale.english
        else r"(?P<per>(?!))?"
    )
    minus = r"(?P<minus>(?<![\w)])-)?"
    before = re.compile(
        rf"{minus}(?P<sign>(?<![A-Za-z])(?:{signs})|(?<![A-Za-z])(?:{codes})(?=[\s\d]))\s?"
        rf"(?P<minus2>-)?{figure}{scale}(?![\d])(?P<more>\+)?{rate}(?P<hyphen>-(?:(?P<rate>an?|per)-)?(?=[a-z]))?"
    )
    after = re.compile(
        rf"{minus}(?<![\w.,]){figure}{scale}\s?(?P<sign>{signs}|(?:{codes})(?!\w))(?!\d){rate}"
    )
    cents = re.compile(rf"(?<![\w.])(?P<figure>\d+(?:\.\d+)?)\s?[¢￠]{rate}")
    return before, after, cents


def _scale_pattern(words: list[str], signs: str) -> str:
    """One letter must touch the figure or the sign, or "$5 T-shirts" would cost trillions."""
    long = "|".join(sorted((re.escape(w) for w in words if len(w) > 1), key=len, reverse=True))
    short = "|".join(w for w in words if len(w) == 1) or "(?!)"
    return (
        rf"(?:(?:\s?(?P<scale>{long})|(?P<letter>{short})|\s(?P<apart>{short})(?=\s?(?:{signs})))"
        r"(?![\w-]))?"
    )


def _spaced() -> str:
    return rf"\d{{1,3}}(?: \d{{3}})+(?:[.,]\d+)?(?!\d)|{FIGURE}"


def say_money(text: str, locale: Locale) -> str:
    """Say "$49.95" as "forty-nine dollars and ninety-five cents"."""
    before, after, cents = _patterns(locale)
    text = before.sub(lambda found: _amount(found, locale), text)
    text = after.sub(lambda found: _amount(found, locale), text)
    if "¢" in text:
        text = cents.sub(lambda found: _cents(found, locale), text)
    if locale.english:  # "$1.5 billion dollars"
        text = re.sub(r"\b(dollars|euros|pounds)\s(?:dollars|euros|pounds)\b", r"\1", text)
    return text


def _cents(found: re.Match[str], locale: Locale) -> str:
    coin = locale.language.coins["USD"]
    return _plain(found["figure"], "", coin.cent, locale) + per(found["per"], locale)


def _coin(sign: str, locale: Locale) -> Coin | None:
    name = locale.dollar if sign == "$" else _SIGNS.get(sign, sign)
    return locale.language.coins.get(name)


def _amount(found: re.Match[str], locale: Locale) -> str:
    groups = found.groupdict()
    coin = _coin(found["sign"], locale)
    figure = found["figure"].replace(" ", "")
    parts = parse(figure, locale)
    if parts is None and figure.count(",") == 1 and "." not in figure:
        whole, _, rest = figure.partition(",")
        parts = whole, rest
    if coin is None or parts is None:
        return found[0]
    minus = f"{locale.language.minus} " if found["minus"] or groups.get("minus2") else ""
    scale = found["scale"] or found["letter"] or found["apart"]
    if not scale and _before_noun(found):
        coin = Coin((coin.unit[0], coin.unit[0]), (coin.cent[0], coin.cent[0]), coin.feminine)
    said = _scaled(*parts, scale, coin, locale) if scale else _coins(*parts, coin, locale)
    if groups.get("more"):
        said += f" {locale.language.plus}"
    prefix = "US " if found["sign"] in ("US$", "US $") and locale.english else ""
    if prefix:
        said = re.sub(r"\b(dollars?)\b", r"US \1", said, count=1)
    gap = " " if groups.get("hyphen") else ""
    if groups.get("rate"):  # "$20-a-month"
        gap = f" {groups['rate']} "
    return f"{minus}{said}{per(groups.get('per'), locale)}{gap}"


def _before_noun(found: re.Match[str]) -> bool:
    """In "a $10 gift card" the unit is an adjective and stays singular."""
    after = found.string[found.end() :]
    if _PRICED.match(after):
        return True
    return bool(_ADJECTIVE_BEFORE.search(found.string, 0, found.start())) and bool(
        re.match(r"[ -][a-z]", after)
    )


def _scaled(whole: str, fraction: str, scale: str, coin: Coin, locale: Locale) -> str:
    language = locale.language
    power, one, many = language.scales[scale]
    words = cardinal(int(whole or "0"), locale)
    if fraction:
        words += f" {locale.spelled(language.point)} {digits(fraction, locale)}"
    elif int(whole or "0") == 1:
        words = {"es": "un", "fr": "un", "it": "un", "pt": "um", "de": "eine"}.get(
            language.code, words
        )
    name = one if not fraction and int(whole or "0") == 1 else many
    if power == 3 and words in ("un", "um") and language.code != "de":
        return f"{name} {locale.spelled(coin.unit[1])}"
    noun = locale.spelled(coin.unit[1])
    return f"{words} {name} {_of(noun, locale) if power >= 6 else noun}"


def _of(noun: str, locale: Locale) -> str:
    """What follows a million in the Romance languages: "de euros", "d'euros"."""
    joiner = locale.language.million_of
    if locale.language.code == "fr" and noun[0] in "aeiouy":
        return f"d'{noun}"
    return f"{joiner} {noun}".strip()


def _coins(whole: str, fraction: str, coin: Coin, locale: Locale) -> str:
    language = locale.language
    units = int(whole or "0")
    if not coin.cent[0] or len(fraction) > 2:
        return _plain(whole, fraction, coin.unit, locale)
    cents = int(fraction.ljust(2, "0")) if fraction else 0
    said = counted(units, coin.unit, locale, feminine=coin.feminine)
    if units and units % 1_000_000 == 0 and language.million_of:
        noun = locale.spelled(coin.unit[1])
        said = f"{said.removesuffix(noun)}{_of(noun, locale)}"
    if not cents:
        return said
    hundredths = counted(cents, coin.cent, locale)
    return f"{said} {language.coins_and} {hundredths}" if units else hundredths


def _plain(whole: str, fraction: str, noun: tuple[str, str], locale: Locale) -> str:
    if "." in whole:
        whole, _, fraction = whole.partition(".")
    if not fraction:
        return counted(int(whole or "0"), noun, locale)
    number = cardinal(int(whole or "0"), locale)
    point = locale.spelled(locale.language.point)
    return f"{number} {point} {digits(fraction, locale)} {locale.spelled(noun[1])}"
