"""E-mail addresses, web addresses, file names, network addresses and versions."""

from __future__ import annotations

import re

from voice.tts.text.language import words_of
from voice.tts.text.locales import Locale
from voice.tts.text.numbers import cardinal, digits

_EMAIL = re.compile(
    r"(?<![\w.+%-])(?:mailto:)?(\w[\w.+%'-]*|[_%+]\w[\w.+%-]*)@((?:[\w-]+\.)+[A-Za-z]{2,}|localhost)\b"
)
_TLD = (
    "com|org|net|edu|gov|mil|info|biz|app|dev|shop|store|online|tech|cloud|xyz|site|io|ai|co|uk"
    "|de|fr|eu|es|nl|ca|au|nz|ie|ch|br|mx|jp|tv|ly|gg|pt"
)
_AMBIGUOUS_TLD = "it|us|me|in|at|is|be|to|so|no|am|my"  # also words: only with a path
_URL = re.compile(
    r"(?<![\w@])(?:(?:https?|ftp|wss?)://|www\.)[^\s<>\"]+"
    rf"|(?<![\w@./-])(?:[A-Za-z0-9-]+\.)+(?:(?:{_TLD})(?![\w@-]|\.\w)(?::\d+)?(?:/[^\s<>\"]*)?"
    rf"|(?:{_AMBIGUOUS_TLD})/[^\s<>\"]*)"
    r"|(?<![\w@./-])localhost:\d+(?:/[^\s<>\"]*)?"
)
_FILE = re.compile(
    r"(?<![\w./])([A-Za-z_][\w-]*|\d[\w-]*)\.(pdf|txt|docx?|xlsx?|pptx?|csv|jpe?g|png|gif|svg|mp[34]|wav|zip"
    r"|tar|gz|html?|js|py|json|ya?ml|exe|dmg|apk|toml|md)(?![\w@]|\.\w)",
)
_IP = re.compile(r"(?<![\w.])(\d{1,3}(?:\.\d{1,3}){3})(?:([:/])(\d{1,5}))?(?![\w]|\.\d)")
_HANDLE = re.compile(r"(?<![\w.])@(?=[A-Za-z_]\w)")
_PIECES = re.compile(r"[^\W\d_]+|\d+|.", re.S)
_SAID_ENDINGS = words_of("co me uk us info com org net edu gov zip tar json doc tech")
_TRAILING = ".,;:!?'*_)]}"


def say_addresses(text: str, locale: Locale) -> str:
    """Addresses as one dictates them: "support at acme dot com"."""
    if "." not in text and "@" not in text and "://" not in text and ":" not in text:
        return text
    text = _EMAIL.sub(lambda found: _email(found, locale), text)
    text = _URL.sub(lambda found: _url(found, locale), text)
    text = _IP.sub(lambda found: _ip(found, locale), text)
    text = _FILE.sub(lambda found: _file(found, locale), text)
    return _HANDLE.sub(f"{locale.language.at} ", text)


def _email(found: re.Match[str], locale: Locale) -> str:
    host = _host(found[2], locale)
    return f"{_spell(found[1], locale)} {locale.language.at} {host}"


def _url(found: re.Match[str], locale: Locale) -> str:
    url = found[0]
    kept = url.rstrip(_TRAILING)
    if url[len(kept) :].startswith(")") and "(" in kept:
        kept += ")"
    after = url[len(kept) :]
    bare = re.sub(r"^(?:\w+://)?(?:www\.)?", "", kept)
    host, slash, path = bare.partition("/")
    words = [_host(host, locale)]
    if slash and path.strip("/"):
        words.append(_spell("/" + path.rstrip("/"), locale))
    return " ".join(word for word in words if word) + after


def _host(host: str, locale: Locale) -> str:
    labels = host.split(".")
    return f" {locale.language.dot} ".join(
        [_spell(label, locale) for label in labels[:-1]] + [_ending(labels[-1], locale)]
    ).strip()


def _ending(label: str, locale: Locale) -> str:
    if label.isalpha() and len(label) <= 3 and label.lower() not in _SAID_ENDINGS:
        return " ".join(label.upper()) if len(label) == 2 else label
    return _spell(label, locale)


def _ip(found: re.Match[str], locale: Locale) -> str:
    words = f" {locale.language.dot} ".join(digits(part, locale) for part in found[1].split("."))
    if found[2] == "/":
        return f"{words} {locale.language.slash} {cardinal(int(found[3]), locale)}"
    return f"{words}, {digits(found[3], locale)}" if found[2] else words


def _file(found: re.Match[str], locale: Locale) -> str:
    ending = found[2]
    said = ending if ending in _SAID_ENDINGS else _spell(" ".join(ending.upper()), locale)
    return f"{_spell(found[1], locale)} {locale.language.dot} {said}"


def _spell(label: str, locale: Locale) -> str:
    """Words as words, digits one by one, signs by name."""
    words = locale.language
    names = {
        ".": words.dot,
        "-": words.dash,
        "_": words.underscore,
        "/": words.slash,
        "+": words.plus,
        "=": words.equals,
        "%": words.percent,
        "&": words.and_,
        "@": words.at,
    }
    if locale.english:
        names |= {
            "?": "question mark",
            "#": "hash",
            "~": "tilde",
            ":": "colon",
            "!": "exclamation mark",
        }
    said = []
    for piece in _PIECES.findall(label):
        if piece.isdecimal():
            said.append(digits(piece, locale))
        elif piece.isalnum():
            said.append(piece)
        else:
            said.append(names.get(piece, ""))
    return " ".join(word for word in said if word)
