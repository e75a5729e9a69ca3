from __future__ import annotations

import math

import pytest

from voice.bench.wer import Errors, corpus_rate, word_errors


@pytest.mark.parametrize(
    ("said", "heard", "language"),
    [
        ("ten of clubs", "10 of clubs.", "en"),
        ("five five", "5-5", "en"),
        ("five five", "55", "en"),
        ("0350240750", "Zero three five zero two four zero seven five zero", "en"),
        ("4155550123", "415-555-0123", "en"),
        ("rather cold hearted", "Rather cold-hearted,", "en"),
        ("and mister john dashwood", "And Mr. John Dashwood", "en"),
        ("4pm", "4 p.m.", "en"),
        ("3996 credits", "3,996 credits", "en"),
        ("the third floor", "the 3rd floor", "en"),
        ("that's it", "That’s it!", "en"),
        ("five percent", "5%", "en"),
        ("drei Äpfel", "3 Äpfel.", "de"),
        ("vingt et un", "21", "fr"),
        ("¿Qué más?", "qué más", "es"),
    ],
)
def test_the_same_words_written_otherwise_are_no_errors(
    said: str, heard: str, language: str
) -> None:
    assert word_errors(said, heard, language).errors == 0


@pytest.mark.parametrize(
    ("said", "heard", "errors", "words"),
    [
        ("ten of clubs", "ten of cloves", 1, 3),
        ("ten of clubs", "", 3, 3),
        ("ten of clubs", "ten ten of clubs", 1, 3),
        ("four queen of clubs", "for Queen of Clothes.", 2, 4),
        ("", "you", 1, 0),
    ],
)
def test_errors_are_counted_in_words(said: str, heard: str, errors: int, words: int) -> None:
    assert word_errors(said, heard) == Errors(errors, words)


def test_a_corpus_counts_words_and_not_clips() -> None:
    assert corpus_rate([Errors(1, 1), Errors(0, 9)]) == pytest.approx(0.1)
    assert math.isnan(corpus_rate([]))
    assert Errors(1, 0).rate == 1.0
    assert Errors(0, 0).rate == 0.0
