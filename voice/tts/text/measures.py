"""Quantities: ranges, percentages, units, sizes, fractions, ratios, ordinals, decades."""

from __future__ import annotations

import re
from functools import lru_cache

from voice.tts.text.locales import Locale
from voice.tts.text.money import PER, per
from voice.tts.text.numbers import (
    FIGURE,
    cardinal,
    counted,
    in_pairs,
    ordinal,
    parse,
    plural,
    say_figure,
    say_parts,
)

_DENOMINATORS = {2: ("half", "halves"), 4: ("quarter", "quarters")}
_IDIOMS = re.compile(
    r"(?<![\w/.,-])(24[/-]7(?:/365)?|9/11|50[/-]50|20/20|80/20|7/11|60/40|70/30)(?![\w/-]|[.,]\d)"
)
_NOON = re.compile(
    r"(?:(?<=\d)|(?<=[apAP][mM])|(?<=m\.))\s?[-–]\s?(?=noon|midnight)|(?<=\bnoon)\s?[-–]\s?(?=\d)"
    r"|(?<=\bmidnight)\s?[-–]\s?(?=\d)"
)
_MIXED = re.compile(
    r"(?<![\w/.,-])(?P<minus>-)?(?P<w>\d{1,4})[ -](?P<a>\d{1,2})/(?P<b>\d{1,3})(?![\w/]|[.,]\d)"
)
_FRACTION = re.compile(
    r"(?<![\w/,-])(?P<cue>(?:page|step|part|question|item|chapter|slide)\s)?(?P<a>\d+(?:\.\d+)?)/(?P<b>\d+(?:\.\d+)?)(?![\w/]|[.,]\d)",
    re.I,
)
_RATIO = re.compile(r"(?<![\w:.,])(\d{1,4}):(\d{1,4})(?![\w:]|\.\d)")
_FEET = re.compile(r"(?<![\w.,])(\d{1,2})'\s?(\d{1,2}(?:\.\d)?)(?:\"|'')?(?![\w])")
_FEET_MARK = re.compile(r"(?<![\w.,'])(\d{1,3})'(?=\s?(?:[x×]|by\b|tall|long|wide|deep|high))")
_INCH_MARK = re.compile(r"(?<![\w'/])(\d{1,3}(?:\.\d+)?|\d{1,2}/\d{1,2})\"")
_INCH_SIZE = re.compile(r"(\d)\"(?=\s?[x×]\s?\d)|(?<=[x×])(\s?\d+(?:\.\d+)?)\"")
_SIZE = re.compile(r"(?<=\d)(\s?(?:cm|mm|m|ft|in(?:ch(?:es)?)?|\"|')?)\s?[x×]\s?(?=\d)")
_QUANTITIES = re.compile(r"(\d\s?[A-Za-z%°]{1,4})/(?=\d)")
_PIXELS = re.compile(r"(?<![\w.,])(\d{3,4})\s?[x×]\s?(\d{3,4})(?!\w|[.,]\d)")
_TIMES = re.compile(
    r"(?<![\w.,])(\d+(?:\.\d+)?)\s?(?:[x×](?!\w)|X(?=\s(?:faster|more|as|the)))"
    rf"(?:/(?P<per>{PER})(?!\w))?"
)
_MULTIPLE = re.compile(r"(?<![\w.,$€£])(\d+(?:\.\d+)?)(K|k|M|B|bn|mn|tn)\b(?![-/'])")


@lru_cache(maxsize=32)
def _unit_patterns(locale: Locale) -> tuple[re.Pattern[str], re.Pattern[str]]:
    names = sorted((re.escape(name) for name in locale.language.units), key=len, reverse=True)
    units = "|".join(name.replace(r"\ ", r"\.?\s?") for name in names)
    figure = (
        rf"(?:\d{{1,3}}(?: \d{{3}})+(?:,\d+)?(?!\d)|{FIGURE})"
        if not locale.english
        else rf"(?:{FIGURE}|\.\d+)"
    )
    start = r"(?<![\w.,/])"
    rate = rf"(?:\s?/\s?(?P<per>{PER})(?!\w))?" if locale.english else r"(?P<per>(?!))?"
    unit = re.compile(
        rf"{start}(?P<minus>-)?(?P<figure>{figure})(?P<gap>[\s-]?)(?P<unit>{units})(?![\w'])"
        rf"{rate}(?:\.(?=\s[a-z\d(]))?"
    )
    percent = re.compile(rf"{start}(?P<minus>-)?(?P<figure>{figure})(?P<gap>-|\s?)%")
    return unit, percent


@lru_cache(maxsize=32)
def _ranges(locale: Locale) -> re.Pattern[str]:
    names = sorted((re.escape(name) for name in locale.language.units), key=len, reverse=True)
    units = "|".join(names)
    sign = r"(?:US\$|[$€£¥₹#])"
    half = r"(?:\s?[aApP]\.?[mM]\.?)"
    after = rf"(?:{half}|\s?%|\s?°[CF]?|\s?[€£$]|(?:st|nd|rd|th)|[kKMBx]|\s?(?:{units}))"
    figure = r"\d(?:[\d.,:]*\d)?"
    return re.compile(
        rf"(?<![\w.,:/-])(?P<before>{sign}?-?)(?P<a>{figure})(?P<mid>{after})?\s?(?:[-–—]|\s-\s)\s?"
        rf"(?P<sign>{sign}?)(?=(?:{figure}|\.\d+)(?P<end>{after})?(?!\w|–|/\d|-\d|\s?=))"
    )


@lru_cache(maxsize=32)
def _part_units(locale: Locale) -> re.Pattern[str]:
    """A unit after a fraction in words; plural after "two and a half"."""
    units = "|".join(name for name in locale.language.units if name.isalpha() and len(name) > 1)
    return re.compile(
        r"((?P<more>and\s(?:an?|\w+)\s)?\b(?:half|halves|quarters?|thirds?|fifths?|eighths?|sixteenths?))"
        rf"\s(?P<unit>{units})\b(?!')"
    )


def say_ranges(text: str, locale: Locale) -> str:
    """The dash of "3-5 days" as "to"; a sign that both ends share is said once."""
    if locale.english:
        text = _IDIOMS.sub(lambda found: _idiom(found[0], locale), text)
        text = _NOON.sub(f" {locale.language.to} ", text)
    return _ranges(locale).sub(lambda found: _range(found, locale), text)


def _range(found: re.Match[str], locale: Locale) -> str:
    sign = found["sign"]
    before, mid = found["before"], found["mid"] or ""
    if sign and before.rstrip("-") == sign:
        before = before[len(sign) :]  # the second figure carries it
    elif before and not sign and not found["end"]:
        return f"{found['a']}{mid} {locale.language.to} {before}"
    if (
        mid
        and found["end"]
        and mid.strip() == found["end"].strip()
        and not mid.strip()[:1].isalpha()
    ):
        mid = ""
    return f"{before}{found['a']}{mid} {locale.language.to} {sign}"


def say_measures(text: str, locale: Locale) -> str:
    """Quantities with a sign or a unit."""
    if locale.english:
        text = _QUANTITIES.sub(r"\1 / ", text)
        text = _feet(text, locale)
        text = _PIXELS.sub(
            lambda found: f"{in_pairs(found[1], locale)} by {in_pairs(found[2], locale)}", text
        )
        by = locale.language.times if "=" in text else locale.language.by
        text = _SIZE.sub(rf"\1 {by} ", text)
        text = _TIMES.sub(
            lambda found: f"{say_figure(found[1], locale)} times{per(found['per'], locale)}", text
        )
    unit, percent = _unit_patterns(locale)
    text = percent.sub(lambda found: _percent(found, locale), text)
    text = unit.sub(lambda found: _unit(found, locale), text)
    if not locale.english:
        return text
    text = _MULTIPLE.sub(lambda found: _multiple(found, locale), text)
    text = _MIXED.sub(lambda found: _mixed(found, locale), text)
    text = _FRACTION.sub(lambda found: _fraction(found, locale), text)
    text = _part_units(locale).sub(
        lambda found: f"{found[1]} {locale.language.units[found['unit']][bool(found['more'])]}",
        text,
    )
    return _RATIO.sub(lambda found: _ratio(found, locale), text)


def _minus(found: re.Match[str], locale: Locale) -> str:
    return f"{locale.language.minus} " if found["minus"] else ""


def _percent(found: re.Match[str], locale: Locale) -> str:
    said = _say(found["figure"], locale)
    return f"{_minus(found, locale)}{said} {locale.language.percent}" if said else found[0]


def _say(figure: str, locale: Locale) -> str | None:
    if figure.startswith("."):
        return say_parts("0", figure[1:], locale)
    return say_figure(figure.replace(" ", ""), locale)


def _unit(found: re.Match[str], locale: Locale) -> str:
    symbol = re.sub(r"\.?\s", " ", found["unit"]) if " " in found["unit"] else found["unit"]
    noun = locale.language.units.get(symbol) or locale.language.units.get(
        re.sub(r"^(sq|cu|fl)\.?\s?", r"\1 ", symbol)
    )
    figure = found["figure"].replace(" ", "")
    parts = ("0", figure[1:]) if figure.startswith(".") else parse(figure, locale)
    if noun is None or parts is None:
        return found[0]
    whole, fraction = parts
    if found["gap"] == "-":
        noun = (noun[0], noun[0])
    if fraction:
        said = f"{say_parts(whole, fraction, locale)} {locale.spelled(noun[1])}"
    else:
        feminine = locale.language.code == "fr" and noun[0] in ("minute", "seconde")
        said = counted(int(whole), noun, locale, feminine=feminine)
    return f"{_minus(found, locale)}{said}{per(found['per'], locale)}"


def _feet(text: str, locale: Locale) -> str:
    text = _FEET.sub(
        lambda found: f"{cardinal(int(found[1]), locale)} foot {say_figure(found[2], locale)}", text
    )
    text = _FEET_MARK.sub(lambda found: counted(int(found[1]), ("foot", "feet"), locale), text)
    text = _INCH_SIZE.sub(lambda found: f"{found[1] or found[2]} inches", text)
    text = _INCH_MARK.sub(_inches, text)
    text = re.sub(r"([x×]\s?\d+(?:\.\d+)?)\s?in\b\.?(?=\s|$)", r"\1 inches", text)
    return re.sub(
        r"(?<=\d)(?:\s?in|in\.)(?=\.?$|[.,;]?\s?(?:x|×|by|tall|wide|long|deep|high)\b|[,;.!?]\s*$)"
        r"|(?<=\d/\d)\s?in\b\.?(?=\s[a-z]{3}|$)"
        r"|(?<=(?:ft|t\.)\s\d)\s?in\b\.?|(?<=(?:ft|t\.)\s\d\d)\s?in\b\.?",
        " inches",
        text,
    )


def _inches(found: re.Match[str]) -> str:
    before = found.string[: found.start()]
    if len(re.findall(r"(?<!\d)\"", before)) % 2:
        return found[0]  # it closes a quotation
    one = found[1] == "1" or "/" in found[1] or re.search(r"\ban?\s$", before)
    return f"{found[1]} {'inch' if one else 'inches'}"


def _idiom(figures: str, locale: Locale) -> str:
    said = [in_pairs(figure, locale) for figure in re.split("[/-]", figures)]
    return " ".join(said)


def _multiple(found: re.Match[str], locale: Locale) -> str:
    figure, sign = found[1], found[2]
    if (sign == "B" and "." not in figure) or (sign in "kK" and figure in ("2", "4", "5", "8")):
        return f"{say_figure(figure, locale)} {sign.upper()}"
    return f"{say_figure(figure, locale)} {locale.language.scales[sign][1]}"


def _mixed(found: re.Match[str], locale: Locale) -> str:
    top, bottom = int(found["a"]), int(found["b"])
    if not 0 < top < bottom:
        return found[0]
    said = _parts(top, bottom, locale)
    if said.startswith("one "):
        said = f"a{'n' if said[4:].startswith(('eigh', 'elev')) else ''} {said[4:]}"
    if (top, bottom) != (1, 2) and top == 1 and bottom > 4:
        said = f"one {said.split(' ', 1)[1]}"
    return f"{_minus(found, locale)}{cardinal(int(found['w']), locale)} and {said}"


def _parts(top: int, bottom: int, locale: Locale) -> str:
    one, many = _DENOMINATORS.get(bottom) or (
        ordinal(bottom, locale).replace(" ", "-"),
        plural(ordinal(bottom, locale).replace(" ", "-")),
    )
    return f"{cardinal(top, locale)} {one if top == 1 else many}"


def _fraction(found: re.Match[str], locale: Locale) -> str:
    cue, first, second = found["cue"] or "", found["a"], found["b"]
    top, bottom = say_figure(first, locale), say_figure(second, locale)
    if cue:
        return f"{cue}{top} of {bottom}"
    if "." in first or "." in second or first == second:
        return f"{top} out of {bottom}"
    above, below = int(first), int(second)
    if below == 10 and above > 1 and above <= 10:
        return f"{top} out of {bottom}"
    if 0 < above < below and (below <= 12 or below in (16, 20, 32, 64, 100)):
        return _parts(above, below, locale)
    if len(second) == 2 and 1900 <= above < 2100:
        return f"{cardinal(above // 100, locale)} {cardinal(above % 100, locale)} {bottom}"
    if above < below and below in (25, 30, 50, 1000):
        return f"{top} out of {bottom}"
    return f"{top} over {bottom}"


def _ratio(found: re.Match[str], locale: Locale) -> str:
    return (
        f"{cardinal(int(found[1]), locale)} {locale.language.to} {cardinal(int(found[2]), locale)}"
    )
