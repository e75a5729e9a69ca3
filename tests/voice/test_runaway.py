from __future__ import annotations

import pytest

from voice.stt.runaway import (
    compression_ratio,
    nobody_spoke,
    runs_away,
    token_cap,
    unlooped,
    without_sounds,
)

RUNAWAYS = [
    ("10 of clubs " * 37, 1.1),
    ("5 " * 110, 1.6),
    ("Green. " * 8, 0.75),
    ("Today, only platforms 1 and 3 are used. " * 6, 4.5),
    ("old-s-s-" + "y-" * 40, 3.0),
    ("proceed proceed proceed proceed proceed proceed proceed proceed", 0.9),
    ("one sentence that is far too long to have been said in half a second by anybody", 0.5),
]
SPEECH = [
    ("no no no no no", 1.5),
    ("five five five", 1.5),
    ("5 5 5", 1.5),
    ("3-4-5-9-6-9-9-3-3-8", 5.2),
    ("1, 1, 1, 1, 1, 1, 1.", 3.0),
    ("Yes yes yes.", 0.9),
    ("And Mr. John Dashwood had then leisure to consider how much there might be", 4.0),
    ("Terrible.", 0.6),
    ("", 0.3),
]


@pytest.mark.parametrize(("text", "seconds"), RUNAWAYS)
def test_a_text_that_nobody_had_the_time_to_say_runs_away(text: str, seconds: float) -> None:
    assert runs_away(text, seconds)


@pytest.mark.parametrize(("text", "seconds"), SPEECH)
def test_people_may_repeat_themselves(text: str, seconds: float) -> None:
    assert not runs_away(text, seconds)


@pytest.mark.parametrize(
    ("text", "once"),
    [
        ("Green. Green. Green. Green.", "Green."),
        ("10 of clubs 10 of clubs 10 of clubs", "10 of clubs"),
        ("Well, I said no no no no more.", "Well, I said no more."),
        ("no no", "no no"),
        ("nothing twice", "nothing twice"),
        ("", ""),
    ],
)
def test_a_loop_is_said_once(text: str, once: str) -> None:
    assert unlooped(text) == once


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("[Music]", ""),
        ("(coughs)", ""),
        ("♪ la la ♪", "la la"),
        ("*laughs* Sure.", "Sure."),
        ("...", ""),
        (".", ""),
        ("Yes (please).", "Yes ."),
        ("¿Qué?", "¿Qué?"),
    ],
)
def test_sounds_are_not_words(text: str, kept: str) -> None:
    assert without_sounds(text) == kept


@pytest.mark.parametrize("text", ["you", "Thank you.", "Thanks for watching!", "I"])
def test_captions_over_noise_are_not_speech_but_the_same_words_said_are(text: str) -> None:
    assert nobody_spoke(text, avg_logprob=-1.3, no_speech_prob=0.6)
    assert not nobody_spoke(text, avg_logprob=-0.5, no_speech_prob=0.6)
    assert not nobody_spoke(text, avg_logprob=-1.3, no_speech_prob=0.25)


def test_a_cough_written_as_a_word_is_no_word() -> None:
    assert nobody_spoke("Oh.", avg_logprob=-0.6, no_speech_prob=0.62)
    assert not nobody_spoke("Oh.", avg_logprob=-0.3, no_speech_prob=0.62)
    assert not nobody_spoke("Mm-hmm.", avg_logprob=-0.8, no_speech_prob=0.3)


def test_an_unsure_word_is_heard_unless_nobody_seems_to_speak() -> None:
    assert not nobody_spoke("Ten", avg_logprob=-1.96, no_speech_prob=0.61)
    assert nobody_spoke("Okay, quick.", avg_logprob=-1.1, no_speech_prob=0.81)
    assert not nobody_spoke("9259 115 286", avg_logprob=-0.69, no_speech_prob=0.86)


def test_the_cap_grows_with_the_audio_and_ends_at_what_the_model_knows() -> None:
    assert token_cap(0.5) < token_cap(5) < token_cap(20)
    assert token_cap(28) == 224
    assert token_cap(2, "ja") > token_cap(2, "en")


def test_repetition_compresses() -> None:
    assert compression_ratio("") == 0.0
    assert compression_ratio("yes " * 50) > 5 > compression_ratio("A plain sentence of words.")
