"""What is only written: markdown, HTML, emoji, typography. Gone or turned into punctuation."""

from __future__ import annotations

import html
import re
import unicodedata

_MARKED = re.compile(r"[*_`~<>&\[|\\•‣◦·\n]|^\s*(?:[-+–#]|\d{1,2}[.)])\s|^\s*[-=]{3}")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.M)
_RULE = re.compile(r"^[ \t]*(?:[-*_=][ \t]*){3,}$", re.M)
_TABLE_RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*$", re.M)
_TABLE_ROW = re.compile(r"^[ \t]*\|(.+?)\|?[ \t]*$", re.M)
_QUOTE = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.M)
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$", re.M)
_BULLET = re.compile(r"^[ \t]*(?:[-*•‣◦·–]|\+(?![ \t]*\d))[ \t]+(?:\[[ xX]\][ \t]+)?", re.M)
_ITEM = re.compile(r"^[ \t]*(\d{1,2})[.)][ \t]+(?=[^\s\d])", re.M)
_LINK = re.compile(
    r"(?<!\w)!?\[([^\[\]]*)\](?:\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:[ ]\"[^\"]*\")?\)|\[[^\]]*\])"
)
_FOOTNOTE = re.compile(r"\[\^[^\]]*\]:?")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]+|[\w.+-]+@[\w.-]+)>")
_BREAK = re.compile(r"<(?:br|/p|/li|/h[1-6]|/tr|/div|hr)\s*/?>", re.I)
_TAG = re.compile(
    r"</?(?:p|b|i|u|em|strong|a|span|div|ul|ol|li|h[1-6]|code|pre|sub|sup|small|table|t[rdh]"
    r"|thead|tbody|img|s|del|mark|speak|prosody|emphasis|say-as)(?:\s[^<>]*)?/?>",
    re.I,
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]\w{1,30});")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+.!$|~>-])")
_BOLD = re.compile(r"(?<!\d)\*\*|\*\*(?!\d)|(?<![\w])__(?=\S)|(?<=\S)__(?!\w)|~~|`+")
_STAR = re.compile(r"(?<![\w*])\*(?=[^\s*])(?!\d{2,3}#?(?![\d*]))|(?<=[^\s*])\*(?![\w*])")
_SCORE = re.compile(r"(?<!\w)_(?=\S[^_\n]*_(?!\w))|(?<=\S)_(?!\w)")

_JOINED = re.compile(r"(?<=\d)[\u00a0\u202f\u2009'’](?=\d{3}(?!\d))")
_EMOTICON = re.compile(r"(?<!\S)(?:[:;=]['’]?-?[()DPpOo/|*]|<3|\^_\^|:'\()(?=[\s.,!?]|$)")
_SHORTCODE = re.compile(r"(?<![\w:]):[a-z][a-z_]*_?[a-z]+:(?![\w:])")
_MINUS = re.compile(r"(?<!\S)[–−](?=\d)")
_ENDLESS = re.compile(r"\d{30}(?=\d)")  # nobody means a number
_KEYCAP = re.compile(r"([0-9#*])\ufe0f?\u20e3")
_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\U000e0020-\U000e007f\u2190\u2191\u2193-\u21ff\u2300-\u23ff\u2500-\u27bf"
    "\u2b00-\u2bff\u200d\ufe0e\ufe0f\u20e3\u3030\u303d\u3297\u3299]+"
)
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufffc\ufffd\ud800-\udfff\ue000-\uf8ff]"
)
_SQUARED = re.compile(r"(?<![a-zA-Z])(km|cm|mm|m|ft|mi)([²³])")
_POWER = re.compile(r"(?<=[A-Za-z)])([²³])(?![\w])")
_NOTE_MARK = re.compile(r"(?<=[a-z]{3})[¹²³⁴-⁹]+")
_MIXED = re.compile(r"(?<=\d)(?=[¼½¾⅐-⅞])")
_PLAIN = str.maketrans(
    {
        "‘": "'",
        "’": "'",
        "‛": "'",
        "′": "'",
        "‚": "'",
        "´": "'",
        "ʼ": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "‟": '"',
        "″": '"',
        "«": '"',
        "»": '"',
        "№": "No.",
        "™": "",
        "®": "",
        "℠": "",
        "−": "-",
        "‑": "-",
        "‐": "-",
        "‒": "–",
        "―": "—",
        "⁄": "/",
        "∕": "/",
        "…": "...",
        "\t": " ",
        "⇒": "→",
        "➡": "→",
    }
)


def without_markup(text: str) -> str:
    """Markdown and HTML gone, their structure kept as line ends and commas."""
    if not _MARKED.search(text):
        return text
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub("\n", _AUTOLINK.sub(r" \1 ", text)))
    if "&" in text:
        text = _ENTITY.sub(lambda found: html.unescape(found[0]), text)
    if "[" in text:
        text = _LINK.sub(r"\1", _FOOTNOTE.sub("", text))
    text = _RULE.sub("", _FENCE.sub("", text))
    if "|" in text:
        text = _TABLE_ROW.sub(_cells, _TABLE_RULE.sub("", text))
    text = _HEADING.sub(r"\1", _QUOTE.sub("", text))
    text = _BULLET.sub("", text)
    text = _ITEM.sub(r"\1, ", text)
    text = _SCORE.sub("", _STAR.sub("", _BOLD.sub("", text)))
    return _ESCAPE.sub(r"\1", text)


def _cells(row: re.Match[str]) -> str:
    return ", ".join(cell.strip() for cell in row[1].split("|") if cell.strip())


def without_signs(text: str) -> str:
    """Emoji and unseen characters gone; quotes, dashes and digits of any script made plain."""
    text = _SHORTCODE.sub("", _EMOTICON.sub("", _UNSEEN.sub("", _JOINED.sub("", text))))
    text = _ENDLESS.sub(r"\g<0> ", text)
    if text.isascii():
        return text
    text = _MINUS.sub("-", text)
    text = _KEYCAP.sub(r"\1 ", text)
    text = _SQUARED.sub(lambda found: f"{'sq' if found[2] == '²' else 'cu'} {found[1]}", text)
    text = _POWER.sub(lambda found: " squared" if found[1] == "²" else " cubed", text)
    text = _EMOJI.sub(" ", _MIXED.sub(" ", _NOTE_MARK.sub("", text)).translate(_PLAIN))
    return unicodedata.normalize("NFKC", text.replace("º", "\0").replace("ª", "\1")).translate(
        {0: "º", 1: "ª", ord("⁄"): "/"}
    )


def one_line(text: str) -> str:
    """Line ends as sentence ends."""
    lines = [line.strip() for line in text.split("\n")]
    spoken = [line for line in lines if line]
    ended = [
        line if line[-1] in ".!?:;,…" or line.endswith(('."', '!"', '?"', ".)")) else f"{line}."
        for line in spoken[:-1]
    ]
    return " ".join([*ended, *spoken[-1:]])
