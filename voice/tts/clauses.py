"""Cutting a reply into pieces that can be spoken, while it is still being written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from voice.tts.stops import Stop, stop_at
from voice.tts.text.language import words_of

_ENDS = frozenset("?!。！？")
_PAUSES = frozenset(",;:—…，、；：")
_CLOSERS = frozenset("*_~\"'”’)]}»")
_HAS_WORD = re.compile(r"[^\W_]")
_ADDRESS = re.compile(r"://|www\.|.@|\w\.[A-Za-z]{2,}(?:/|$)|^(?:https?|ftp|mailto):")
_ENTITY = re.compile(r"&#?\w{1,8};$")
_SCHEME = re.compile(r"(?:^|\W)(?:https?|ftp|mailto|tel|sip|wss?):$", re.I)
_NEVER_LAST = re.compile(  # a word that leans on the next one
    r"^(?:a|an|the|my|your|our|his|her|its|their|this|that|to|of|in|on|at|by|for|from|with|and|or"
    r"|but|no|not|very|is|are|was|were|be|will|can|i|we|you|they|he|she|it)$",
    re.I,
)
_CONJUNCTIONS = words_of(
    "and but or so because which who when while if then although though unless until since where"
    " after before y pero porque que cuando et mais parce quand und aber weil wenn dass e ma perché"
    " quando mas"
)
_PREPOSITIONS = words_of(
    "for with from in on at by to about through during within without under over between into"
    " para con por en pour avec dans für mit von auf per di com em"
)
_NUMBERED = re.compile(r"[\d$€£#%]")


class ClauseSplitter:
    """Turns pieces of text of any size into pieces that can be spoken. Pure; knows no clock.

    The first piece of a reply is its first clause, so that sound can start; later ones are whole
    sentences, for by then there is time, and a sentence spoken whole sounds better. What is
    emitted is what was pushed, character for character, white space included: ``"".join`` of the
    one equals that of the other. Where the pieces are cut does not depend on the sizes pushed.

    "?", "!" and a comma or semicolon after a word release at once; a full stop, a colon and a
    comma after a digit need the next character (or :meth:`settle`), since "$3.", "8:" and "1,"
    may go on. A closing quote after "?" or "!" therefore opens the next piece.
    A stop that may belong to an abbreviation ("p.m.", "No.") waits for the word that follows, or
    for :meth:`flush`: a wrong cut would be heard, and a wait costs only where a reply stalls there.

    Every piece holds a word, except that what is left at :meth:`flush` may be none.
    """

    def __init__(
        self,
        *,
        language: str = "en",
        first_min_words: int = 1,
        first_max_words: int = 8,
        long_words: int = 25,
        hard_words: int = 40,
    ) -> None:
        """``language``: ISO 639-1, for its abbreviations; "en_US" will do.

        ``first_min_words``: a shorter first clause waits for more, unless it is a sentence
        ("Yes."). With one word, "Sure," is heard while the rest is still being written.
        ``first_max_words``: without any mark, the first piece is cut by now, before a word that
        opens a phrase.
        ``long_words``: a later sentence of more words is cut at its next mark.
        ``hard_words``: and without one, like a first piece.
        """
        self._language = re.split("[_-]", language)[0].lower()
        self._first_min, self._first_max = first_min_words, first_max_words
        self._long, self._hard = long_words, hard_words
        self._held = ""
        self._first = True
        self._restart()

    def push(self, text: str) -> list[str]:
        """The pieces that ``text`` completes, in order."""
        return list(self._pieces(text))

    def settle(self) -> list[str]:
        """No text has come for a moment: release what is plausibly finished."""
        held = self._held.rstrip("".join(_CLOSERS))
        if not self._words or self._at >= len(self._held):
            return []
        mark, before = held[-1], held[:-1]
        if _inside_markup(self._held) or (mark not in _ENDS and _ADDRESS.search(_token(before))):
            return []
        if mark in _ENDS:
            return [self._release(len(self._held))]
        if mark == "." and not before.endswith("."):
            done = before[-1:].isalpha() or before[-1:] in _CLOSERS
            # What would wait for the next word must not be released without it.
            if not done or stop_at(before, " ", self._language) is not Stop.END:
                return []
        elif not (self._is_pause() and self._pauses_here(held)):
            return []
        return [self._release(len(self._held))]

    def flush(self) -> list[str]:
        """The reply is over: everything left. The splitter is then ready for the next reply."""
        left, self._held, self._first = self._held, "", True
        self._restart()
        return [left] if left else []

    def _pieces(self, text: str) -> Iterator[str]:
        # Character by character, so that no decision ever sees more than it would when streamed.
        for character in text:
            self._held += character
            while self._at < len(self._held):
                cut = self._decide(self._at)
                if cut is None:
                    break
                if cut:
                    yield self._release(cut)
                else:
                    self._advance()

    def _restart(self) -> None:
        self._at = 0  # all marks before this position of what is held are decided
        self._words = 0  # words begun before it
        self._in_word = False

    def _advance(self) -> None:
        character = self._held[self._at]
        if character.isspace():
            self._in_word = False
        elif not self._in_word and character.isalnum():
            self._in_word = True
            self._words += 1
        self._at += 1

    def _release(self, cut: int) -> str:
        piece, self._held = self._held[:cut], self._held[cut:]
        # After one word ("Yes,") the next piece must be quick as well, or there is a hole.
        self._first = self._first and self._words < 2
        self._restart()
        return piece

    def _decide(self, at: int) -> int | None:
        """Where to cut because of the character at ``at``: 0 for nowhere, None for not yet."""
        character = self._held[at]
        if character == "\n":
            return at + 1 if self._words else 0
        if character.isspace():
            return self._after_words(at)
        if character in _ENDS or character in _PAUSES or character in ".-–":
            return self._mark(at)
        return 0

    def _mark(self, at: int) -> int | None:
        character, before = self._held[at], self._held[:at]
        if not self._words:
            return 0
        if (
            character in ".-–"
            or _inside_markup(self._held[: at + 1])
            or _ADDRESS.search(_token(before))
        ):
            return self._with_lookahead(at)
        if character in _ENDS:
            return at + 1
        waits = before[-1].isdigit() or before[-1].isspace() or character in ":："
        if waits or (character == ";" and _ENTITY.search(before + ";")):
            return self._with_lookahead(at)
        return at + 1 if self._is_pause() else 0

    def _with_lookahead(self, at: int) -> int | None:
        """For marks that only count before white space, closing signs between allowed."""
        end = at + 1
        while end < len(self._held) and self._held[end] in _CLOSERS:
            end += 1
        if end == len(self._held):
            return None
        if not self._held[end].isspace() or _inside_markup(self._held[:end]):
            return 0
        character, before = self._held[at], self._held[:at]
        if character in _ENDS:
            return end
        if character == ".":
            return self._full_stop(at, end)
        if character in "-–":
            dash = before[-1:] == " " and not _NUMBERED.search(before.rstrip()[-1:])
            return end if dash and self._is_pause() else 0
        if character == ":" and _SCHEME.search(before + ":"):
            return 0
        return end if self._is_pause() else 0

    def _full_stop(self, at: int, end: int) -> int | None:
        if self._held[at - 1] == ".":  # the last stop of "..."
            return end if self._is_pause() else 0
        stop = stop_at(self._held[:at], self._held[end:], self._language)
        if stop is Stop.WAIT:
            return None
        return end if stop is Stop.END else 0

    def _is_pause(self) -> bool:
        """Whether a mark inside a sentence is a place to cut."""
        return self._words >= self._first_min if self._first else self._words > self._long

    def _pauses_here(self, held: str) -> bool:
        mark = held[-1]
        if mark == ".":
            return held.endswith("...")
        return mark == ":" and not held[-2:-1].isdigit() and not _SCHEME.search(held)

    def _after_words(self, at: int) -> int:
        """A cut between words, where too many have come without a mark."""
        words = self._words
        most = self._first_max if self._first else self._hard
        if words < most or self._held[at - 1].isspace():
            return 0
        if words >= 2 * most:  # nothing natural has come: an endless piece would never be heard
            return at
        return _natural_cut(self._held[:at], self._first_min)


def _token(before: str) -> str:
    """The characters since the last white space, of which an address needs only so many."""
    before = before[-_FAR:]
    return before[max(before.rfind(" "), before.rfind("\n"), before.rfind("\t")) + 1 :]


_FAR = 160  # an unclosed sign further back than this was never meant to be closed


def _inside_markup(text: str) -> bool:
    """Whether ``text`` ends inside bold, code or a link."""
    line = text[text.rfind("\n") + 1 :]
    if not any(sign in line for sign in "*`["):
        return False
    for sign in ("**", "`"):
        if line.count(sign) % 2 and len(line) - line.rfind(sign) < _FAR:
            return True
    opened = line.rfind("[")
    if opened < 0 or len(line) - opened > _FAR:
        return False
    closed = line.find("]", opened)
    if closed < 0:
        return True
    return line.startswith("(", closed + 1) and ")" not in line[closed:]


def _natural_cut(text: str, least: int) -> int:
    """The best gap between the words of ``text``, from its end; 0 where there is none.

    Before a conjunction rather than a preposition, and before that rather than anywhere; not
    next to figures, not inside a name, never inside markup or after a word that leans on the next.
    """
    best = (0, 0)
    tokens = list(re.finditer(r"\S+", text))
    words = 0
    for index, token in enumerate(tokens):
        words += bool(_HAS_WORD.search(token[0]))
        if words < max(least, 3) or _inside_markup(text[: token.end()]):
            continue
        right = tokens[index + 1][0] if index + 1 < len(tokens) else ""
        best = max(best, (_quality(token[0], right), token.end()))
    return best[1] if best[0] else 0


def _quality(left: str, right: str) -> int:
    """From 0, never, to 4, before a conjunction."""
    if left.endswith(".") or (len(left) == 1 and left.isupper()) or left.endswith(("-", "–", "&")):
        return 0
    word = right.lower().strip("*_\"'(")
    if _NUMBERED.search(left) or _NUMBERED.search(right) or left == "to":
        return 1
    if (left[:1].isupper() and right[:1].isupper()) or _NEVER_LAST.match(left):
        return 1
    if word in _CONJUNCTIONS:
        return 4
    return 3 if word in _PREPOSITIONS else 2
