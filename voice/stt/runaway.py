"""When a decode is not to be believed: it repeats itself, or nobody spoke. Pure functions.

A Whisper decoder that misses the end of speech says the same words again until it is stopped. And
given noise it says what captions say over silence: "you", "Thank you.", "Thanks for watching!".
"""

from __future__ import annotations

import re
import zlib

# Tokens per second of speech: callers reach 6 ("3-4-5-9" takes two a digit); scripts that
# Whisper's vocabulary spells in pieces of a character take several times as many.
_TOKENS_PER_S = 10.0
_TOKENS_PER_S_OTHER_SCRIPTS = 30.0
_SPELLED_WHOLE = frozenset(
    ["en", "es", "fr", "de", "it", "pt", "ca", "nl", "sv", "da", "no", "fi", "pl", "cs", "ro", "hu"]
)
_TOKENS_AT_LEAST = 12
_TOKENS_AT_MOST = 224  # what Whisper was trained on

_COMPRESSION_LIMIT = 2.4  # OpenAI's reference decoder falls back at this ratio
_WORDS_PER_S = 5.5  # faster than anybody speaks for long
_CHARACTERS_PER_S = 28.0

# With the tail of silence that WhisperEngine gives the decoder, the no-speech probability of real
# speech lies at 0.1 to 0.75 and that of noise at 0.75 to 0.93; a low no-speech probability clears
# even a very unsure text, as a single word said alone often is.
_NO_SPEECH = 0.72
_UNSURE_LOGPROB = -0.9
_MAYBE_NO_SPEECH = 0.5

_SAID_TO_SILENCE = frozenset(
    [
        *["you", "thank you", "thank you very much", "thank you so much", "thanks for watching"],
        *["thank you for watching", "thank you so much for watching", "thanks for listening"],
        *["please subscribe", "subscribe", "bye", "bye bye", "the end", "i'm sorry", "okay"],
        *["so", "i", "subtitles by the amara org community"],
    ]
)
# What a cough, a throat cleared or a breath is written as. Alone they carry nothing, so that less
# doubt is enough.
_THROAT = frozenset(
    [
        *["oh", "o", "ah", "a", "uh", "um", "eh", "huh", "uh huh", "ugh", "ha", "ow", "ahem"],
        *["mm", "mmm", "hm", "hmm", "mhm", "mm hmm"],
    ]
)
_THROAT_LOGPROB = -0.5

_SOUND = re.compile(r"\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♩♪♫♬♭♮♯]+")


def token_cap(seconds: float, language: str = "en") -> int:
    """More tokens than anybody says in ``seconds``: where a decode is stopped at the latest."""
    rate = _TOKENS_PER_S if language in _SPELLED_WHOLE else _TOKENS_PER_S_OTHER_SCRIPTS
    return min(_TOKENS_AT_MOST, int(_TOKENS_AT_LEAST + rate * seconds))


def compression_ratio(text: str) -> float:
    """Bytes of the text per byte of its zlib compression, as OpenAI's decoder measures it."""
    data = text.encode()
    return len(data) / len(zlib.compress(data)) if data else 0.0


def runs_away(text: str, seconds: float) -> bool:
    """Whether ``text`` says too much, or the same too often, for ``seconds`` of speech.

    People do say "no no no no" and "five five five": a repetition counts only when there was no
    time to say it.
    """
    if compression_ratio(text) > _COMPRESSION_LIMIT:
        return True
    if len(text) > 20 + _CHARACTERS_PER_S * seconds:
        return True
    words = _words(text)
    hurried = len(words) > 2 + _WORDS_PER_S * seconds
    return hurried and _longest_loop(words)[2] >= 3


def unlooped(text: str) -> str:
    """The text with its longest immediate repetition said once."""
    spoken = text.split()
    start, size, times = _longest_loop([_bare(word) for word in spoken])
    if times < 3:
        return text
    return " ".join(spoken[: start + size] + spoken[start + size * times :])


def without_sounds(text: str) -> str:
    """The text without what describes a sound: "[Music]", "(coughs)", "♪"; or no word at all."""
    kept = " ".join(_SOUND.sub(" ", text).split())
    return kept if any(character.isalnum() for character in kept) else ""


def nobody_spoke(text: str, *, avg_logprob: float, no_speech_prob: float) -> bool:
    """Whether a text is better explained by noise than by a caller.

    Never by its words alone: a caller who does say "thank you" is sure to be heard, because the
    model is then surer of the words, or surer that somebody speaks.
    """
    bare = " ".join(_words(text))
    if bare in _THROAT:
        return avg_logprob < _THROAT_LOGPROB and no_speech_prob > _MAYBE_NO_SPEECH
    if avg_logprob >= _UNSURE_LOGPROB:
        return False
    least = _MAYBE_NO_SPEECH if bare in _SAID_TO_SILENCE else _NO_SPEECH
    return no_speech_prob > least


def _bare(word: str) -> str:
    return word.strip(".,;:!?…\"'-–—").lower()


def _words(text: str) -> list[str]:
    return [bare for word in re.split(r"[\s\-]+", text) if (bare := _bare(word))]


def _longest_loop(words: list[str]) -> tuple[int, int, int]:
    """Start, size and count of the immediate repetition that covers the most words."""
    best, covered = (0, 0, 1), 0
    for size in range(1, min(12, len(words) // 2) + 1):
        start = 0
        while start + 2 * size <= len(words):
            unit, times = words[start : start + size], 1
            while words[start + times * size : start + (times + 1) * size] == unit:
                times += 1
            if times > 1 and size * times > covered:
                best, covered = (start, size, times), size * times
            start += max(1, size * (times - 1))
    return best
