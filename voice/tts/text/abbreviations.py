"""English abbreviations, titles and initials; and whether a full stop ends a sentence.

The tables serve the clause splitter too, which must not take "Dr." for the end of a sentence.
"""

from __future__ import annotations

import re
from functools import partial

from voice.tts.text.language import words_of
from voice.tts.text.locales import Locale
from voice.tts.text.numbers import in_pairs

TITLES = {
    "Dr": "Doctor", "Mr": "Mister", "Mrs": "Missus", "Ms": "Miz", "Mx": "Mix",
    "Prof": "Professor", "Rev": "Reverend", "Hon": "Honorable", "Capt": "Captain",
    "Sgt": "Sergeant", "Lt": "Lieutenant", "Col": "Colonel", "Gen": "General", "Gov": "Governor",
    "Sen": "Senator", "Rep": "Representative", "Pres": "President", "Messrs": "Messrs",
    "Mt": "Mount", "Ft": "Fort",
}  # fmt: skip
"""They stand before a name, so their stop never ends a sentence."""

CONNECTIVES = {
    "e.g": "for example", "i.e": "that is", "vs": "versus", "cf": "compare", "viz": "namely",
    "approx": "approximately", "incl": "including", "excl": "excluding", "ca": "circa",
}  # fmt: skip
"""They go on in the same sentence."""

BEFORE_NUMBER = {
    "no": "number", "nos": "numbers", "ch": "chapter", "chap": "chapter", "p": "page",
    "pp": "pages", "vol": "volume", "fig": "figure", "figs": "figures", "sec": "section",
    "art": "article", "pt": "part", "ext": "extension", "apt": "apartment", "ste": "suite",
    "rm": "room", "fl": "floor", "eq": "equation", "ver": "version", "bldg": "building",
    "para": "paragraph", "tel": "telephone", "opt": "option", "ref": "reference",
}  # fmt: skip
"""Abbreviations only where a number follows: "No." alone is an answer."""

ENDINGS = {
    "etc": "et cetera", "Inc": "Incorporated", "Ltd": "Limited", "Co": "Company",
    "Corp": "Corporation", "Bros": "Brothers", "Jr": "Junior", "Sr": "Senior", "Esq": "Esquire",
    "Ave": "Avenue", "Blvd": "Boulevard", "Rd": "Road", "Hwy": "Highway", "Pkwy": "Parkway",
    "Dept": "Department", "dept": "department", "Govt": "Government", "govt": "government",
    "Assn": "Association", "Univ": "University", "min": "minimum", "max": "maximum",
    "avg": "average", "qty": "quantity", "Qty": "Quantity", "amt": "amount", "misc":
    "miscellaneous", "appt": "appointment", "temp": "temperature", "Intl": "International",
    "al": "al", "hr": "hour", "hrs": "hours", "mins": "minutes", "secs": "seconds", "lb": "pound",
    "lbs": "pounds", "oz": "ounces", "yr": "year", "yrs": "years", "wk": "week",
}  # fmt: skip
"""Their stop may also be the sentence's."""

_STREETS = {
    "St": "Street", "Ave": "Avenue", "Blvd": "Boulevard", "Rd": "Road", "Dr": "Drive",
    "Ln": "Lane", "Ct": "Court", "Pl": "Place", "Sq": "Square", "Hwy": "Highway",
    "Pkwy": "Parkway", "Ter": "Terrace", "Cir": "Circle", "Tpke": "Turnpike", "Trl": "Trail",
}  # fmt: skip
STARTERS = words_of(
    "a an the i we you it he she they this that these those there here if in on at to for with as"
    " please your our my his her their its what when where who why how which would could can do"
    " does did is are was were will shall should may and but so or yes no not thanks thank let"
    " just also then now after before once while because since however sorry sure great okay ok"
    " anything all any some each every have has"
)
"""Words that, capitalised after a doubtful stop, show that a sentence begins."""

NAMED_TIMES = words_of(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may"
    " june july august september october november december mon tue tues wed thu thur thurs fri"
    " sat sun jan feb mar apr jun jul aug sep sept oct nov dec est edt et cst cdt ct mst mdt mt"
    " pst pdt pt gmt utc bst cet eastern central pacific mountain"
)
_NEXT_WORD = re.compile(r"\s*[\"'(]?([A-Za-z]+|\S)")

_NAME = r"[A-Z][\w'-]*\.?"
_HOUSE = re.compile(
    rf"\b(?P<n>[1-9]\d{{0,4}})(?P<letter>[A-Z]?)(?P<name>(?:\s(?:[NSEW]\.?|{_NAME}|\d+(?:st|nd|rd|th)|of|the)){{1,4}}?)\s"
    r"(?P<kind>St|Ave|Blvd|Rd|Dr|Ln|Ct|Pl|Sq|Hwy|Pkwy|Ter|Cir|Tpke|Trl|Street|Avenue|Boulevard"
    r"|Road|Drive|Lane|Court|Place|Square|Way|Highway|Parkway|Broadway|Terrace|Circle)(?P<stop>\.(?!\w))?(?!\w)"
)
_AFTER_NAME = re.compile(
    r"(?P<name>\b(?:[A-Z][a-z'-]+|\d+(?:st|nd|rd|th))\s)(?P<kind>St|Ave|Blvd|Rd|Ln|Ct|Hwy|Pkwy)(?P<stop>\.(?!\w))?(?!\w)"
    r"(?=(?P<rest>\s?(?:$|[,;:!?)]|[a-z]|\d|#|Apt|Suite|Ste|Unit|Fl|and\b|[A-Z]\w*))?)"
)
_SAINT = re.compile(r"\bSt\.?\s(?=[A-Z][a-z])")
_COMPASS = {"N": "North", "S": "South", "E": "East", "W": "West"}

_TITLE = re.compile(rf"\b(Dr|Mrs?|Ms|Prof|Mt)\.?(?=\s[A-Z])|\b({'|'.join(TITLES)})\.(?=\s)")
_CONNECTIVE = re.compile(r"(?<![\w.])(e\.\s?g|i\.\s?e|vs|cf|viz|approx|incl|excl)\.(?!\w)", re.I)
_NUMBERED = re.compile(
    rf"(?<![\w.])({'|'.join(BEFORE_NUMBER)})\.\s?(?=#?\d|[A-Z]\d|[A-Z]{{2}}\d|[A-Z]\b(?!\.))", re.I
)
_PLACED = re.compile(rf"(?<![\w.])({'|'.join(sorted(ENDINGS, key=len, reverse=True))})\.(?!\w)")
_INITIALS = re.compile(r"(?<![\w.])(?:[A-Za-z]\.\s?){1,4}[A-Za-z]\.(?![\w])")
_TOUCHING_INITIALS = re.compile(r"(?<![\w.])(?:[A-Za-z]\.){2,5}(?!\w)")
_MONTH = re.compile(r"\b(Jan|Feb|Apr|Aug|Sept?|Oct|Nov|Dec)\.(?=\s|$)")
MONTHS = {
    "Jan": "January", "Feb": "February", "Apr": "April", "Aug": "August", "Sep": "September",
    "Sept": "September", "Oct": "October", "Nov": "November", "Dec": "December",
}  # fmt: skip
_FIXED = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (r"\bPh\.?\s?D\b\.?(?=\s[a-z(]|[,;)])|\bPh\.D\b", "P H D"),
        (r"(?i:\ba\.k\.a\.)(?=\s)|\ba/?k/?a\b|\bAKA\b", "also known as"),
        (r"(?i:\bp\.?\s?o\.)\s?(?=[Bb]ox)|\bPO\s(?=[Bb]ox)", "P O "),
        (r"(?<!\w)[wW]/o(?!\w)", "without"),
        (r"(?<!\w)[bB]/c(?!\w)", "because"),
        (r"(?<!\w)[cC]/o(?!\w)", "care of"),
        (r"(?<!\w)w/\s?(?=\w)", "with "),
        (r"\b[nN]/[aA]\b", "not applicable"),
        (r"\band/or\b", "and or"),
        (r"\b([hH]e)/(she)\b|\b([hH]is)/(her|hers)\b|\b([hH]im)/(her)\b", ""),
        (r"(?<=[a-z])\(s\)", "s"),
        (r"\bC#(?!\w)", "C sharp"),
        (r"\bF#(?!\w)", "F sharp"),
        (r"\bWiFi\b|\bWIFI\b", "Wi-Fi"),
        (r"\bFAQs\b", "F A Q's"),
    )
)
_SPELLED = re.compile(
    r"\b(FAQ|ETA|VIP|UPS|USPS|NYC|DOB|BIC|OTP|VAT|EIN|APR|PTO|ATT|IOU|LED|AED|EUR|ER|PO)\b"
)


def sentence_goes_on(text: str, start: int) -> bool:
    """Whether what follows a time or an abbreviation at ``start`` is still its sentence."""
    found = _NEXT_WORD.match(text, start)
    if not found:
        return False
    word = found[1]
    return not word[0].isupper() or word.lower() in NAMED_TIMES


def say_abbreviations(text: str, locale: Locale) -> str:
    """Abbreviations in full; those of other languages from the language's table."""
    if not locale.english:
        return _foreign(text, locale)
    for pattern, said in _FIXED:
        text = pattern.sub(said, text) if said else pattern.sub(_either, text)
    text = _SPELLED.sub(_spelled, text)
    text = _CONNECTIVE.sub(_connective, text)
    text = _NUMBERED.sub(_numbered, text)
    text = _HOUSE.sub(lambda found: _house(found, locale), text)
    text = _AFTER_NAME.sub(_street, text)
    text = _SAINT.sub("Saint ", text)
    text = _TITLE.sub(lambda found: TITLES[found[1] or found[2]], text)
    text = _INITIALS.sub(_initials, _TOUCHING_INITIALS.sub(_initials, text))
    text = re.sub(r"(?<![\w.'])([A-Z])\.(?=\s[A-Z][a-z])", _initial, text)
    text = _MONTH.sub(lambda found: MONTHS[found[1]] + _stop(found), text)
    return _PLACED.sub(_placed, text)


def _placed(found: re.Match[str]) -> str:
    if re.search(r"(?:[\d½¼¾]\s?|/)$", found.string[: found.start()]):
        return found[0]  # a unit: "5 min."
    if found[1] in ("min", "max", "avg", "temp") and not _stop_goes_on(found):
        return found[0]  # "wait a min."
    return ENDINGS[found[1]] + _stop(found)


def _stop_goes_on(found: re.Match[str]) -> bool:
    return found.string[found.end() :].lstrip()[:1].islower()


def _either(found: re.Match[str]) -> str:
    return " or ".join(word for word in found.groups() if word)


def _spelled(found: re.Match[str]) -> str:
    """Spelled out, unless the whole text is in capitals and it may be a word."""
    return (
        " ".join(found[0])
        if re.search("[a-z]", found.string) or found[0] == found.string
        else found[0]
    )


def _connective(found: re.Match[str]) -> str:
    said = CONNECTIVES[re.sub(r"\s", "", found[1].lower())]
    return said.capitalize() if found[1][0].isupper() else said


def _numbered(found: re.Match[str]) -> str:
    key = found[1].lower()
    before = found.string[: found.start()]
    if key in ("no", "sec", "art", "pt", "fl", "p") and re.search(r"\d\s?$", before):
        return found[0]  # "10 sec. 5"
    said = BEFORE_NUMBER[key]
    begins = found[1][0].isupper() and (not before.strip() or before.rstrip()[-1] in ".!?")
    return f"{said.capitalize() if begins else said} "


def _house(found: re.Match[str], locale: Locale) -> str:
    kind = _STREETS.get(found["kind"], found["kind"])
    name = re.sub(r"(?<=\s)([NSEW])\.?(?=\s|$)", lambda way: _COMPASS[way[1]], found["name"])
    letter = f" {found['letter']}" if found["letter"] else ""
    number = in_pairs(found["n"], locale) if len(found["n"]) < 5 else found["n"]
    stop = ""
    if found["stop"] and not _street_goes_on(found.string[found.end() :]):
        stop = "."
    return f"{number}{letter}{name} {kind}{stop}"


def _street_goes_on(rest: str) -> bool:
    word = _NEXT_WORD.match(rest)
    return word is not None and word[1].lower() not in STARTERS


def _street(found: re.Match[str]) -> str:
    kind, rest = found["kind"], found["rest"] or ""
    capital = rest.strip()[:1].isupper() and rest.strip().lower() not in STARTERS
    if kind == "St" and capital and rest.strip() not in ("Apt", "Suite", "Ste", "Unit", "Fl"):
        return found[0]  # "Visit St. Paul"
    if kind in ("Ln", "Ct") and not found["stop"]:
        return found[0]
    ends = found["stop"] and not _street_goes_on(found.string[found.end() :])
    return f"{found['name']}{_STREETS[kind]}{'.' if ends else ''}"


def _initials(found: re.Match[str]) -> str:
    letters = re.findall("[A-Za-z]", found[0])
    if re.search(r"\d\s?$", found.string[: found.start()]):
        return found[0]  # a time: "10 a.m."
    if all(letter.islower() for letter in letters) and "".join(letters) in ("am", "pm"):
        return " ".join(letters).upper() + _stop(found)
    ends = not found.string[found.end() :].strip() or _starts(found.string, found.end())
    return " ".join(letter.upper() for letter in letters) + ("." if ends else "")


def _initial(found: re.Match[str]) -> str:
    """The initial of "Ann B. Lee", but not the end of "plan B. We"."""
    return f"{found[1]}." if _starts(found.string, found.end()) else found[1]


def _starts(text: str, start: int) -> bool:
    """Whether what follows plainly begins a sentence."""
    found = _NEXT_WORD.match(text, start)
    return found is not None and found[1][0].isupper() and found[1].lower() in STARTERS


def _stop(found: re.Match[str]) -> str:
    """The abbreviation's stop is kept where it is the sentence's too."""
    if not found.string[found.end() :].strip() or _starts(found.string, found.end()):
        return "."
    return ""


def _foreign(text: str, locale: Locale) -> str:
    for short, said in locale.language.abbreviations.items():
        if short in text:
            stop = "" if short.startswith(("Mme", "Mlle")) else r"\."
            pattern = rf"(?<![\w.]){re.escape(short)}{stop}(?!\w)"
            text = re.sub(pattern, partial(_foreign_one, said), text)
    if locale.language.code == "de":
        text = re.sub(r"(?<=[a-zäöüß])str\.(?!\w)", "straße", text)
    return text


def _foreign_one(said: str, found: re.Match[str]) -> str:
    return said + _foreign_stop(found)


def _foreign_stop(found: re.Match[str]) -> str:
    rest = found.string[found.end() :].strip()
    lists = found[0].lower() in ("etc.", "usw.", "ecc.")
    ends = (not rest and found.start() > 0) or (lists and rest[:1].isupper())
    return "." if ends and found[0].endswith(".") else ""
