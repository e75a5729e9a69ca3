"""Telephone numbers: digit by digit, a pause between groups."""

from __future__ import annotations

import re

from voice.tts.text.locales import Locale
from voice.tts.text.numbers import cardinal, digits

_EXTENSION = r"(?:,?\s?(?:ext(?:ension)?\.?|x|#)\s?(?P<ext>\d{1,6})(?!\w))?"
_SEPARATED = r"(?:[\s.\-()/]{1,3})"
_INTERNATIONAL = re.compile(
    rf"(?<![\w+])\+(?P<n>\d{{1,3}}(?:(?:\s?\(0\))?{_SEPARATED}?\d{{1,12}}){{1,7}})(?![\w]){_EXTENSION}",
    re.I,
)
_AMERICAN = re.compile(
    r"(?<![\w.$€£/#+-])(?P<n>(?:1[\s.-]\s?)?(?:\(\d{3}\)\s?-?|\d{3}[\s.-])\d{3}[\s.-]\d{4})(?![\w-]|\.\d)"
    rf"{_EXTENSION}",
    re.I,
)
_WORDED = re.compile(r"(?<![\w-])(1-)?([2-9]\d\d)-([A-Z]{3,}[A-Z-]*\d*)(?!\w)")
_LOCAL = re.compile(
    rf"(?<![\w.$€£/#,-])(?P<n>\d{{3}}[-.]\d{{4}})(?![\w-]|[.,]\d|\s?%){_EXTENSION}", re.I
)
_NATIONAL = re.compile(
    rf"(?<![\w.$€£/#,+-])(?P<n>\(?0\d{{1,4}}\)?(?:[\s.\-/]\s?\d{{2,8}}){{1,5}})(?![\w]|[-./]\d){_EXTENSION}",
    re.I,
)
_SPANISH = re.compile(
    r"(?<![\w.,+-])(?P<n>[6-9]\d{2}(?:[\s.-]\d{3}[\s.-]\d{3}|(?:[\s.-]\d{2}){3}))(?![\w]|[-.,]\d)"
)
_BARE = re.compile(
    r"(?P<cue>\b(?:call|dial|phone|text|ring|tel|telephone|mobile|cell|fax|whatsapp|sms)\b\.?"
    r"(?:\s(?:us|me|them|him|her|back|number|at|on|is|to))*:?\s)(?P<n>\d{7,15})(?!\w)",
    re.I,
)
_SHORT = re.compile(
    r"(?P<cue>\b(?:call|dial|text|ring|press|sms)\s(?:\w+\sto\s)?)(?P<n>\d{3,6})(?![\w:/-]|[.,]\d|\s?%"
    r"|\s(?:people|times|customers|users|minutes|more|of|hours|days|members|messages|words))",
    re.I,
)
_KEYS = re.compile(
    r"(?P<cue>\b(?:press|dial|hit|enter|then|or|and|the)\s)(?P<keys>[*#]\d{0,3}#?)(?![\w*#])", re.I
)
_EMERGENCY = re.compile(r"(?<![\w$€£.,#-])911(?![\w%-]|[.,]\d)")
_LONE_EXTENSION = re.compile(r"\b(?:[Ee]xt\.|[Ee]xt|EXT\.?)\s?(\d{1,6})(?!\w)")


def say_phones(text: str, locale: Locale) -> str:
    """Say "555-0132" as "five five five, zero one three two"."""

    def say(found: re.Match[str]) -> str:
        return _phone(found, locale)

    text = _INTERNATIONAL.sub(say, text)
    if locale.language.code == "es" or locale.language.code == "pt":
        text = _SPANISH.sub(say, text)
    text = _NATIONAL.sub(say, text)
    if not locale.english:
        return text
    text = _KEYS.sub(lambda found: _keys(found, locale), text)
    text = _AMERICAN.sub(say, text)
    text = _WORDED.sub(lambda found: _worded(found, locale), text)
    text = _LOCAL.sub(say, text)
    text = _BARE.sub(say, text)
    text = _SHORT.sub(lambda found: _short(found, locale), text)
    text = _EMERGENCY.sub("nine one one", text)
    return _LONE_EXTENSION.sub(lambda found: f"extension {digits(found[1], locale)}", text)


def _phone(found: re.Match[str], locale: Locale) -> str:
    groups = found.groupdict()
    number = found["n"].replace("(0)", " ")
    blocks = re.findall(r"\d+", number)
    length = sum(map(len, blocks))
    plus = found[0].startswith("+")
    if not _plausible(found, blocks, length, plus):
        return found[0]
    if len(blocks) == 1 and length >= 7:
        blocks = _blocks(blocks[0], plus)
    said = ", ".join(_block(block, index, blocks, locale) for index, block in enumerate(blocks))
    cue = groups.get("cue") or ""
    sign = f"{locale.language.plus} " if plus else ""
    if groups.get("ext"):
        said += f", extension {digits(groups['ext'], locale)}"
    return f"{cue}{sign}{said}"


def _plausible(found: re.Match[str], blocks: list[str], length: int, plus: bool) -> bool:
    if plus:
        return 8 <= length <= 15
    if found.re is _NATIONAL:
        return 8 <= length <= 13
    if found.re is _LOCAL:
        first, second = int(blocks[0]), int(blocks[1])
        if "." in found["n"]:
            return blocks[0] == "555"
        round_ones = first % 50 == 0 and second % 50 == 0 and first < second
        return not (round_ones and not blocks[1].startswith("0"))
    return True


def _blocks(figures: str, plus: bool) -> list[str]:
    """Groups for a number written without any."""
    if figures[0] == "1" and len(figures) == 11:
        return ["1", figures[1:4], figures[4:7], figures[7:]]
    if plus:
        code = 1 if figures[0] in "17" else 2
        return [figures[:code], *grouped(figures[code:])]
    if len(figures) == 10:
        return [figures[:3], figures[3:6], figures[6:]]
    return [figures[:3], figures[3:]] if len(figures) == 7 else grouped(figures)


def grouped(figures: str) -> list[str]:
    """Digits in threes, none left alone: what is easiest to write down."""
    if len(figures) <= 5:
        return [figures]
    blocks = [figures[start : start + 3] for start in range(0, len(figures), 3)]
    if len(blocks[-1]) == 1:
        blocks[-2:] = [blocks[-2] + blocks[-1]]
    return blocks


def _block(block: str, index: int, blocks: list[str], locale: Locale) -> str:
    if locale.english and block == "800" and len(blocks) - index == 3:
        return "eight hundred"
    if locale.language.code == "fr" and len(block) == 2:
        zero = digits("0", locale)
        return (
            cardinal(int(block), locale)
            if block[0] != "0"
            else (f"{zero} {cardinal(int(block), locale)}" if block != "00" else f"{zero} {zero}")
        )
    return digits(block, locale)


def _worded(found: re.Match[str], locale: Locale) -> str:
    area = "eight hundred" if found[2] == "800" else digits(found[2], locale)
    word = re.sub(r"\d+", lambda run: f" {digits(run[0], locale)}", found[3].replace("-", " "))
    return f"{'one, ' if found[1] else ''}{area}, {word}"


def _keys(found: re.Match[str], locale: Locale) -> str:
    """The keys of a telephone: "press #", "dial *67"."""
    names = {"*": "star", "#": "hash" if locale.day_first else "pound"}
    signs = [names.get(sign) or digits(sign, locale) for sign in found["keys"]]
    return found["cue"] + " ".join(signs)


def _short(found: re.Match[str], locale: Locale) -> str:
    if found["n"].endswith("00"):
        return found[0]
    return found["cue"] + digits(found["n"], locale)
