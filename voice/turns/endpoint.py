"""How much silence ends a turn, judged by the text: pure rules, no model.

A caller who has said "Yes." is done; one who has said "my number is four one" is not, however long
the pause. The words are those of six languages; in any other, punctuation and digits decide.
"""

from __future__ import annotations

import re

from voice.config import TurnConfig
from voice.turns.spoken_numbers import digits_at_end
from voice.turns.word_lists import ANSWERS, GOING_ON, OFTEN_LAST

_TRAILING_OFF = re.compile(r"(\.\.\.|…|[,:;\-–—])[\"'”’]*$")
_FINISHED = re.compile(r"[.?!][\"'”’)]*$")
_LETTERS_SPELLED = re.compile(r"(?:^|[\s,\-])[^\W\d_](?:[\s,\-]+[^\W\d_])+[.,\-]?$")
_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")

# How many digits a number has when it is whole: telephone (with and without a country's code or
# its zero) and payment card.
_WHOLE_NUMBERS = frozenset([10, 11, 16])
_NONE: frozenset[str] = frozenset()


def silence_needed_ms(text: str, config: TurnConfig, *, language: str = "en") -> float:
    """The silence, from the last speech sample, after which a turn that said ``text`` is over."""
    text = text.strip()
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    if not words:
        return config.silence_ms
    number = digits_at_end(text)
    if number is not None and number.read_out:
        whole = number.digits in _WHOLE_NUMBERS
        return config.silence_ms if whole else config.long_silence_ms
    if _TRAILING_OFF.search(text):
        return config.long_silence_ms
    if number is not None:
        return config.short_silence_ms if number.alone else config.silence_ms
    if len(words) <= 4 and all(word in ANSWERS.get(language, _NONE) for word in words):
        return config.short_silence_ms
    return _after_words(text, words, config, language)


def _after_words(text: str, words: list[str], config: TurnConfig, language: str) -> float:
    unsure_ms = (2 * config.silence_ms + config.long_silence_ms) / 3
    finished = bool(_FINISHED.search(text))
    if not text.endswith("?"):  # a question may end in any word: "Who is it for?"
        if words[-1] in GOING_ON.get(language, _NONE):
            return config.long_silence_ms
        if words[-1] in OFTEN_LAST.get(language, _NONE):
            return unsure_ms if finished else config.long_silence_ms
    if _LETTERS_SPELLED.search(text):
        return unsure_ms
    if len(words) == 1:
        return config.short_silence_ms
    return config.silence_ms if finished else unsure_ms
