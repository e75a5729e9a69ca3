from __future__ import annotations

import pytest

from voice.tts.piper import pieces


def _cut(text: str, most: int) -> list[str]:
    return ["".join(piece) for piece in pieces(list(text), most)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("short one", ["short one"]),
        ("a long one, and two", ["a long one,", " and two"]),  # after a comma
        ("a, long one and two", ["a, long one ", "and two"]),  # too early a comma is no help
        ("onelongwordonly", ["onelongwordo", "nly"]),
    ],
)
def test_long_sentences_are_cut_where_it_is_least_heard(text: str, parts: list[str]) -> None:
    assert _cut(text, 12) == parts


@pytest.mark.parametrize("most", [1, 2, 7, 50])
def test_no_phoneme_is_lost_and_no_piece_is_too_long(most: int) -> None:
    text = "one, two three; four five " * 9
    assert "".join(_cut(text, most)) == text
    assert max(map(len, _cut(text, most))) <= most
