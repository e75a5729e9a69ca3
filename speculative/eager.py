"""Work on a turn that may not be over: what is started, held, confirmed or thrown away.

Pure and synchronous: the caller of this carries the decisions out. The promise that they keep is
that nothing is heard, no tool runs and no state changes before a turn is confirmed.
"""

from __future__ import annotations

import enum
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from num2words import num2words

_FILLERS = frozenset(["um", "uh", "er", "erm", "hm", "hmm", "mm", "ah", "eh"])
_APOSTROPHE = re.compile(r"['’ʼ]")
_NOT_A_WORD = re.compile(r"[^\w\s]|_")
_DIGITS = re.compile(r"\d{1,9}")


@lru_cache(maxsize=256)
def essence(text: str) -> str:
    """What two transcripts of the same words share: no case, punctuation, fillers, number forms.

    Numbers become English words, whatever the language: they are compared, never said.
    """
    text = unicodedata.normalize("NFKC", text).casefold()
    text = _NOT_A_WORD.sub(" ", _APOSTROPHE.sub("", text))
    text = _DIGITS.sub(lambda number: f" {num2words(int(number[0]))} ", text)
    words = _NOT_A_WORD.sub(" ", text).split()
    return " ".join(word for word in words if word not in _FILLERS and word != "and")


def same_text(one: str, other: str) -> bool:
    """Whether an answer to the one is an answer to the other."""
    return essence(one) == essence(other)


class Start(enum.Enum):
    """What to do about an eager end of turn."""

    START = "start"
    """Begin work on it."""
    SUPERSEDE = "supersede"
    """Throw away what is held, and begin again with this text."""
    KEEP = "keep"
    """What is held answers this text too."""
    REFUSE = "refuse"
    """Enough has been thrown away in this turn; wait for its end."""


class Verdict(enum.Enum):
    """What becomes of the held work at the end of the turn."""

    CONFIRMED = "confirmed"
    """Release it: it answers what was said."""
    SUPERSEDED = "superseded"
    """Throw it away and answer the final text."""
    NOTHING = "nothing"
    """None was held: answer the final text."""
    REPEATED = "repeated"
    """This utterance has been answered already: a second final for it changes nothing."""


@dataclass
class Counts:
    """What speculation did since the start of the call."""

    started: int = 0
    confirmed: int = 0
    retracted: int = 0
    superseded: int = 0

    @property
    def wasted(self) -> int:
        """Model calls whose answers nobody heard."""
        return self.retracted + self.superseded


class Speculation:
    """The held work of one call; at most one piece of it at any time.

    Args:
        attempts: how often work may be started in one turn before its end is waited for.
    """

    def __init__(self, *, attempts: int = 3) -> None:
        self.counts = Counts()
        self._most = attempts
        self._attempts = 0
        self._held: str | None = None
        self._answered: str | None = None

    @property
    def held(self) -> str | None:
        """The text that is being answered ahead of its turn's end."""
        return self._held

    def turn_started(self) -> None:
        """The caller begins to speak: a new turn, with attempts of its own.

        What may still be held from before answers nothing any more; a new turn interrupts it.
        """
        self.retract()
        self._attempts = 0
        self._answered = None

    def eager(self, text: str) -> Start:
        """The caller may be done, having said ``text``."""
        if self._held is not None and same_text(self._held, text):
            return Start.KEEP
        if self._attempts >= self._most or not text.strip():
            return Start.REFUSE
        decision = Start.START if self._held is None else Start.SUPERSEDE
        if decision is Start.SUPERSEDE:
            self.counts.superseded += 1
        self._attempts += 1
        self.counts.started += 1
        self._held = text
        return decision

    def retract(self) -> bool:
        """The caller goes on, or the work failed; whether there was anything to throw away."""
        if self._held is None:
            return False
        self._held = None
        self.counts.retracted += 1
        return True

    def final(self, text: str) -> Verdict:
        """The turn is over, and this is what was said."""
        if self._answered is not None and same_text(self._answered, text):
            return Verdict.REPEATED
        held, self._held, self._answered = self._held, None, text
        if held is None:
            return Verdict.NOTHING
        if same_text(held, text):
            self.counts.confirmed += 1
            return Verdict.CONFIRMED
        self.counts.superseded += 1
        return Verdict.SUPERSEDED
