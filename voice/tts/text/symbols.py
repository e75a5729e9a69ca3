"""What is left: plain numbers, signs, and punctuation made fit for a synthesiser."""

from __future__ import annotations

import re
from functools import lru_cache

from voice.tts.text.locales import Locale
from voice.tts.text.numbers import FIGURE, cardinal, digits, parse, say_parts, year
from voice.tts.text.phones import grouped

_PLAIN = re.compile(
    rf"(?P<minus>(?<![\w)\]'\"])-(?=[\d.])|(?<=\d\s)-(?=\d))?(?P<figure>{FIGURE}|(?<![\w.])\.\d+)"
)
_SPACED = re.compile(r"(?<![\d.,] )(?<![\w.,])[1-9]\d{0,2}(?: \d{3})+(?!\d| \d)")
_YEAR_CUE = re.compile(
    r"\b(?:in|since|until|before|after|year|circa|early|mid|late|spring|summer|autumn|winter"
    r"|back to|by)\W{1,2}$",
    re.I,
)
_COUNT_NOUN = re.compile(
    r"\s(?:people|men|women|children|words|percent|more|other|different|[a-z]{3,}s)\b", re.I
)
_NOT_NOUNS = re.compile(r"\s(?:was|has|is|does|this|us|its|as|yes|always|plus|versus|less)\b", re.I)
_TRADE = re.compile(r"\b([A-Z]{1,3})&([A-Z]{1,3})\b")
_DIGITS = re.compile(r"\d+")


def say_numbers(text: str, locale: Locale) -> str:
    """Every figure still standing, as a year, a quantity or a row of digits."""
    if not locale.english or " 000" in text:
        text = _SPACED.sub(lambda found: found[0].replace(" ", ""), text)
    text = _PLAIN.sub(lambda found: _plain(found, locale), text)
    return _DIGITS.sub(lambda found: f" {digits(found[0], locale)} ", text)


def _plain(found: re.Match[str], locale: Locale) -> str:
    figure = found["figure"]
    minus = f"{locale.language.minus} " if found["minus"] else ""
    said = _figure(figure, found, locale)
    before = found.string[found.start() - 1 : found.start()]
    after = found.string[found.end() : found.end() + 1]
    left = " " if before.isalnum() or before == "_" else ""
    right = " " if after.isalnum() or after == "_" else ""
    if found["minus"] and found.string[: found.start()].rstrip()[-1:].isdigit():
        left = ""
    return f"{left}{minus}{said}{right}"


def _figure(figure: str, found: re.Match[str], locale: Locale) -> str:
    if figure.startswith("."):
        return say_parts("0", figure[1:], locale)
    parts = parse(figure, locale)
    if parts is None:  # a list, or a row of dotted numbers
        pieces = re.split(r"([.,'’])", figure)
        return "".join(
            f"{piece} " if piece in (",", ".", "'", "’") else _whole(piece, locale)
            for piece in pieces
            if piece
        ).strip()
    whole, fraction = parts
    if fraction:
        return say_parts(whole, fraction, locale)
    if figure == whole and len(figure) == 4 and locale.english and _is_year(found):
        return year(int(figure), locale)
    return cardinal(int(whole), locale) if figure != whole else _whole(whole, locale)


def _whole(figures: str, locale: Locale) -> str:
    """A run of digits without separators: long ones are numbers one reads out."""
    if figures.startswith("0") and len(figures) > 1:
        return ", ".join(digits(block, locale) for block in grouped(figures))
    if len(figures) >= 7 and not figures.endswith("000"):
        return ", ".join(digits(block, locale) for block in grouped(figures))
    return cardinal(int(figures), locale)


def _is_year(found: re.Match[str]) -> bool:
    value = int(found["figure"])
    if found["minus"] or not 1000 < value < 2100:
        return False
    before, after = found.string[: found.start()], found.string[found.end() :]
    counted = bool(_COUNT_NOUN.match(after)) and not _NOT_NOUNS.match(after)
    if value >= 1900:
        return not counted
    return not counted and bool(_YEAR_CUE.search(before))


@lru_cache(maxsize=32)
def _signs(locale: Locale) -> tuple[tuple[re.Pattern[str], str], ...]:
    words = locale.language
    coins = words.coins
    pairs: list[tuple[str, str]] = [
        (r"(?<=\d)\s?\*\s?(?=\d)|×", f" {words.times} "),
        (r"(?<=\w)\+\+", f" {words.plus} {words.plus} "),
        (r"\+", f" {words.plus} "),
        (r"(?<=[\d)])\s?[-−]\s?(?=[\d(][^=]*=)", f" {words.minus} "),
        (r"=+", f" {words.equals} "),
        (r"(?<=\w)@(?=\w)|(?<!\w)@", f" {words.at} "),
        (r"&", f" {words.and_} "),
        (r"%", f" {words.percent} "),
        (r"→|-+>", f" {words.to} "),
        (r"€", f" {coins['EUR'].unit[1]} "),
        (r"£", f" {coins['GBP'].unit[1]} "),
    ]
    if locale.english:
        pairs = [
            (r"#\s?(?=\d|[A-Z]{1,4}-?\d)|(?<!\w)#(?=\s)", " number "),
            (r"(?<!\w)#(?=[A-Za-z])", " hashtag "),
            (r"÷|(?<=\d)\s/\s(?=\d)", " divided by "),
            (r"\^(?=[\dn-z])", " to the power of "),
            (r"(?<=\w)\s>\s(?=\w)", ", "),
            (r"©", " copyright "),
            (r"§", " section "),
            (r"°", " degrees "),
            (r"µ|μ", " micro"),
            (r"\$(?=\w)", " dollar "),
            *pairs,
        ]
    return tuple((re.compile(pattern), said) for pattern, said in pairs)


_RELATIONS = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (r"(?<!\w)[~≈]\s?(?=[\d$€£.])", "about "),
        (r"±\s?|\+/-\s?", "plus or minus "),
        (r"\s?(?:≤|<=)\s?", " at most "),
        (r"\s?(?:≥|>=)\s?", " at least "),
        (r"\s?(?:≠|!=)\s?", " is not "),
        (r"\s?<\s?(?=[\d$€£.-])", " less than "),
        (r"\s?(?<![-=])>\s?(?=[\d$€£.-])", " more than "),
    )
)


def say_relations(text: str, locale: Locale) -> str:
    """The signs that stand before a figure and would hide it from the later steps."""
    if locale.english and re.search("[~≈±≤≥<>≠]|!=|\\+/-", text):
        for pattern, said in _RELATIONS:
            text = pattern.sub(said, text)
    return text


def say_signs(text: str, locale: Locale) -> str:
    """Say "&", "+", "=" and their kind by name."""
    text = _TRADE.sub(
        lambda found: f"{' '.join(found[1])} {locale.language.and_} {' '.join(found[2])}", text
    )
    for pattern, said in _signs(locale):
        text = pattern.sub(said, text)
    return text


def say_slashes(text: str, locale: Locale) -> str:
    """A slash between words by name, between capitals as a break, elsewhere dropped."""
    text = re.sub(r"(?<=[A-Z])/(?=[A-Z])", " ", text)
    text = re.sub(r"(?<=\w)\s?/\s?(?=\w)", f" {locale.language.slash} ", text)
    return text.replace("/", " ")


_DROPPED = re.compile(r"[_*`~^|\\{}<>\[\]=#$@]+")
_PAUSED = re.compile(r"\s+(?:[-–—]+|—)\s+|\s?—\s?|\s--+\s?|(?<=\w)--+(?=\w)")
_ELLIPSIS = re.compile(r"\s?\.{2,}(?P<more>[?!])?(?P<next>\s*[\"')]*\s*\S?)")
_OPENED = re.compile(r"(?<=\w)(?P<mark>[,;:]?)\s+\((?=\s*\w)")
_CLOSED_BRACKET = re.compile(r"(?<=[\w.!?%])\)(?=\s+\w)")
_REPEATED = re.compile(r"([!?,;:])(?:\s*\1)+")
_MARKS = (
    (re.compile(r"[()]"), " "),
    (re.compile(r"\s+(?=[,;:.!?](?:\s|$|[,;:.!?\"']))"), ""),
    (re.compile(r"([!?])[!?.]+"), r"\1"),
    (re.compile(r"[,;:]+(?=[.!?])"), ""),
    (re.compile(r"[,;:](?=\s?[,;:])"), ""),
    (re.compile(r"(?<=[.!?])[,;:]"), ""),
    (re.compile(r"^[\s,;:.!?)–—-]+(?=\S)(?=.*\w)"), ""),
    (re.compile(r"\s{2,}"), " "),
)


def tidy(text: str) -> str:
    """Punctuation a synthesiser understands: one mark at a time, each at its word."""
    text = _PAUSED.sub(", ", text)
    text = _ELLIPSIS.sub(_pause, text)
    text = _CLOSED_BRACKET.sub(",", _OPENED.sub(r", ", text))
    text = _REPEATED.sub(r"\1", _DROPPED.sub(" ", text))
    for pattern, said in _MARKS:
        text = pattern.sub(said, text)
    return text.strip()


def _pause(found: re.Match[str]) -> str:
    """An ellipsis ends a sentence, or is a pause inside one."""
    following = found["next"]
    mark = found["more"] or ("," if following.strip()[-1:].islower() else ".")
    gap = "" if not following or following[0] in " \"')" else " "
    return f"{mark}{gap}{following}"
