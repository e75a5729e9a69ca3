"""Codes: order and reference numbers, flights, postcodes, versions, names with digits in them."""

from __future__ import annotations

import re
from functools import lru_cache

from voice.tts.text.language import words_of
from voice.tts.text.locales import Locale
from voice.tts.text.numbers import cardinal, digits, in_pairs, year
from voice.tts.text.phones import grouped

_LINK = r"(?:\s(?:number|no\.?|code|id|reference|ref|#|is|was|are|nummer|lautet|ist|es|est|è|é))*"
_NOT_A_QUANTITY = r"(?![\w,]*\d*[.,:/]\d|[\w]|\s?[%°$€£]|-\w|\s?(?:USD|EUR|GBP)\b)"
_CARD = re.compile(r"(?<![\w.,$€£-])\d{4}(?:[ -]\d{4}){2,7}(?:[ -]\d{1,3})?(?![\w-]|[.,]\d)")
_DASHED = re.compile(r"(?<![\w.,/$€£-])\d+(?:-\d+){2,}(?![\w/]|-\w|\.\d)")
_FALLING = re.compile(r"(?<![\w.,:/$€£#-])(\d{3,6})-(\d{3,6})(?![\w%/-]|[.,:]\d)")
_ZIP4 = re.compile(r"(?<![\w.,$€£-])(\d{5})-(\d{4})(?![\w-]|[.,]\d)")
_STATE_ZIP = re.compile(r"(?<=\b[A-Z]{2}\s)\d{5}(?![\w-]|[.,]\d)")
_UK_POSTCODE = re.compile(r"\b([A-Z]{1,2}\d[A-Z\d]?)\s(\d[A-Z]{2})\b")
_NAMED = r"(?P<named>\b(?:number|num|nummer|número|numéro|numero)\s?)?"
_HASH_DIGITS = re.compile(rf"{_NAMED}#\s?(?P<n>\d+(?:-\d+)*)(?![\w]|[.,]\d|-\w)", re.I)
_HASH_NAME = re.compile(rf"{_NAMED}#\s?(?=(?-i:[A-Z]*[\d-]*[A-Z\d])\w*[\w-]*)(?=[\w-]*\d)", re.I)
_SPACED_CODE = re.compile(
    r"(?P<cue>\b(?i:tracking|reference|confirmation|serial|iban|vin|code|number|no\.|id|key)\b"
    r"(?:\s(?i:number|code|is|no\.?))*:?\s)(?=[A-Z\d ]*[A-Z])(?=[A-Z ]*\d)"
    r"(?P<n>(?=[A-Z]*\d)[A-Z\d]{2,}(?:\s[A-Z\d]{2,6}){2,})(?![\w-])"
)
_VERSION = re.compile(r"(?<![\w.])([vV]\.?\s?|(?<=[Vv]ersion\s))(\d+(?:\.\d+)*)(?![\w]|\.\d)")
_DOTTED = re.compile(r"(?<![\w.,])\d+(?:\.\d+){2,}(?![\w]|\.\d)")
_ROOM = re.compile(
    r"(?P<cue>\b(?:room|rm\.?|suite|ste\.?|apartment|apt\.?|unit|gate|bus|route|highway|hwy|interstate"
    r"|locker|house|bay|stand|platform|channel|building|bldg\.?)\s#?)(?P<n>\d{3,4})(?P<letter>[A-Za-z]?)(?!\w|[.:,]\d)",
    re.I,
)
_ROAD = re.compile(r"\b(I|US|SR)-(\d{2,3})\b(?![-\w])")
_AFTERWARDS = re.compile(
    r"(?<![\w.,$€£#-])(\d{3,8})(?=\s(?:is|was)\s(?:your|the|my|a)\s(?:\w+\s){0,2}"
    r"(?:code|pin|passcode|password|number|reference|order|ticket|id|otp)\b)",
    re.I,
)
_MIXED = re.compile(r"(?<![\w'@])(?<!\d\.)[A-Za-z\d]+(?:[-/][A-Za-z\d]+)*(?![\w@])")
_ROUND = re.compile(r"[A-Za-z]+-[1-9]00")  # the model "X-100"
_RUNS = re.compile(r"[A-Za-z]+|\d+")
_SYLLABLE = re.compile(r"^(?:[^aeiouy]{0,3}[aeiouy]+)+[^aeiouy]{0,3}$", re.I)
_SPELLED_WORDS = words_of("usb isbn html http https sql uuid sku imei api url")
_SAID_WORDS = words_of("top win max pro bus mac day age fox box web net bit car sum")


@lru_cache(maxsize=32)
def _cued(locale: Locale) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<cue>\b(?:{locale.language.cues})s?\b{_LINK}\s?[:=]?\s?[\"'(]?\s?#?\s?)"
        r"(?P<letters>(?-i:[A-Z]{1,3})\s)?"
        rf"(?P<n>\d{{2,}}(?:[ -]\d{{2,}})*|\d(?:[ -]\d){{2,}}){_NOT_A_QUANTITY}",
        re.I,
    )


_STRONG = re.compile(
    r"flight|code|pin|otp|zip|postal|passcode|password|\bid\b|ending|ends|last four|number|no\.|#"
    r"|numer|nummer|número|numéro|plz|isbn|imei|ssn|serial|tracking|código|codice|cap\b|extension",
    re.I,
)


def say_codes(text: str, locale: Locale) -> str:
    """The codes that stand in digits: after a word that announces one, or by their shape."""
    if locale.english:
        text = _ROOM.sub(lambda found: _room(found, locale), text)
        text = _ROAD.sub(lambda found: f"{' '.join(found[1])} {in_pairs(found[2], locale)}", text)
    if "#" in text:
        number = f"{locale.language.number} "
        text = _HASH_DIGITS.sub(
            lambda found: (found["named"] or number) + _hash(found["n"], locale), text
        )
        text = _HASH_NAME.sub(lambda found: found["named"] or number, text)
    text = _DOTTED.sub(lambda found: _dotted(found, locale), text)
    if locale.english:
        text = _VERSION.sub(lambda found: _version(found, locale), text)
        text = _AFTERWARDS.sub(lambda found: say_blocks(found[1], locale), text)
        text = _ZIP4.sub(lambda found: say_blocks(found[0], locale), text)
        text = _STATE_ZIP.sub(lambda found: digits(found[0], locale), text)
        text = _UK_POSTCODE.sub(lambda found: _postcode(found, locale), text)
    text = _SPACED_CODE.sub(lambda found: _spaced(found, locale), text)
    text = _CARD.sub(lambda found: say_blocks(found[0], locale), text)
    text = _cued(locale).sub(lambda found: _after_cue(found, locale), text)
    text = _FALLING.sub(lambda found: _falling(found, locale), text)
    return _DASHED.sub(lambda found: say_blocks(found[0], locale), text)


def _falling(found: re.Match[str], locale: Locale) -> str:
    """A falling "482-193" cannot be a range, so it is a code."""
    falls = len(found[1]) == len(found[2]) and int(found[1]) > int(found[2])
    return say_blocks(found[0], locale) if falls else found[0]


def _hash(figures: str, locale: Locale) -> str:
    """Say "#5" as a rank and "#12345" as a code."""
    if figures.isdigit() and len(figures) < 3 and not figures.startswith("0"):
        return cardinal(int(figures), locale)
    return say_blocks(figures, locale)


def say_blocks(figures: str, locale: Locale) -> str:
    """Digits one by one, a pause at each sign between them and in the middle of long runs."""
    blocks = re.findall(r"\d+", figures)
    if len(blocks) > 2 and all(len(block) == 1 for block in blocks):
        return digits("".join(blocks), locale)
    return ", ".join(digits(part, locale) for block in blocks for part in grouped(block))


def _after_cue(found: re.Match[str], locale: Locale) -> str:
    figures, cue = found["n"], found["cue"]
    if found["letters"]:
        cue += f"{' '.join(found['letters'].strip())} "
    if len(figures) < 3 and not figures.startswith("0"):
        return found[0]
    strong = bool(found["letters"] or _STRONG.search(cue))
    if not strong and (figures.endswith("00") or len(figures) < 4) and not figures.startswith("0"):
        return found[0]
    if figures.endswith("000") and cue.strip().lower() in ("number", "the number"):
        return found[0]
    return cue + say_blocks(figures, locale)


def _version(found: re.Match[str], locale: Locale) -> str:
    if found[1].startswith("V") and "." not in found[2]:
        return found[0]  # a V8 engine
    return ("version " if found[1] else "") + _points(found[2], locale)


def _spaced(found: re.Match[str], locale: Locale) -> str:
    """A code in blocks, letters among the digits: "1Z 999 AA1 01 2345 6784"."""
    blocks = []
    for block in found["n"].split():
        signs = (digits(sign, locale) if sign.isdigit() else sign for sign in block)
        blocks.append(" ".join(signs))
    return found["cue"] + ", ".join(blocks)


def _dotted(found: re.Match[str], locale: Locale) -> str:
    if re.fullmatch(r"[1-9]\d{0,2}(?:\.\d{3})+", found[0]):
        return found[0]  # a number with grouped thousands
    return _points(found[0], locale)


def _points(figures: str, locale: Locale) -> str:
    point = locale.language.point if locale.decimal == "." else locale.language.dot
    return f" {point} ".join(
        digits(part, locale)
        if part.startswith("0") and len(part) > 1
        else cardinal(int(part), locale)
        for part in figures.split(".")
    )


def _room(found: re.Match[str], locale: Locale) -> str:
    letter = f" {found['letter'].upper()}" if found["letter"] else ""
    return f"{found['cue'].rstrip('#')}{in_pairs(found['n'], locale)}{letter}"


def _postcode(found: re.Match[str], locale: Locale) -> str:
    return ", ".join(
        " ".join(digits(sign, locale) if sign.isdigit() else sign for sign in half)
        for half in found.groups()
    )


def say_mixed(text: str, locale: Locale) -> str:
    """Names and codes that mix letters and digits: "COVID-19", "BA2490", "A1B2-C3D4"."""
    return _MIXED.sub(lambda found: _mixed(found[0], locale), text)


def _mixed(token: str, locale: Locale) -> str:
    if not (re.search(r"\d", token) and re.search("[A-Za-z]", token)):
        return token
    plain = re.fullmatch(r"(\d+)((?:-[A-Za-z]{2,})+)", token)
    if plain:  # "24-hour"
        return f"{cardinal(int(plain[1]), locale)}{plain[2]}"
    if re.fullmatch(r"(?:\d{1,2}|[a-z]{2,})(?:-(?:\d{1,2}|[a-z]{2,}))+", token):  # "1-on-1"
        return re.sub(r"\d+", lambda run: cardinal(int(run[0]), locale), token)
    parts = [_part(part, locale, _is_code(token)) for part in re.split("[-/]", token)]
    long = sum(map(str.isdigit, token)) >= 3 and not _ROUND.fullmatch(token)
    return (", " if long and len(parts) > 1 else " ").join(parts)


def _is_code(token: str) -> bool:
    """Digits are read one by one where there are several runs of them or a long one."""
    runs = re.findall(r"\d+", token)
    return not _ROUND.fullmatch(token) and (
        len(runs) > 1 or len(runs[0]) > 2 or runs[0].startswith("0")
    )


def _part(part: str, locale: Locale, code: bool) -> str:
    said = []
    for run in _RUNS.findall(part):
        if run.isdigit():
            said.append(_figures(run, part, locale, code))
        elif _is_word(run, part):
            said.append(run)
        else:
            said.append(" ".join(run.upper()))
    return " ".join(said)


def _figures(run: str, part: str, locale: Locale, code: bool) -> str:
    named = re.match(r"[A-Za-z]{4,}|FY|CY", part)
    if named and len(run) == 4 and 1900 <= int(run) < 2100:
        return year(int(run), locale)
    house = locale.english and re.fullmatch(r"[1-9]\d\d[A-Z]", part)
    if house:
        return in_pairs(run, locale)
    if not code:
        return cardinal(int(run), locale)
    return ", ".join(digits(block, locale) for block in grouped(run))


def _is_word(run: str, part: str) -> bool:
    if run.lower() in _SPELLED_WORDS:
        return False
    if run.lower() in _SAID_WORDS:
        return True
    whole_word = run == part and not run.isupper()  # between hyphens
    return len(run) > (2 if whole_word else 3) and bool(_SYLLABLE.match(run))
