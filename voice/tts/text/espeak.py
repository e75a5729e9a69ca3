"""What only espeak needs: it takes the letter A for the article unless told otherwise."""

from __future__ import annotations

import re

_LETTER_A = re.compile(
    r"(?<=[\w,] )A(?![\w'.-])"  # inside a sentence a capital A is never the article
    r"|(?<![\w'])A(?= [A-Z](?![\w'])"
    r"| (?:zero|one|two|three|four|five|six|seven|eight|nine) [A-Z]\b)"
)


def with_letters(text: str) -> str:
    """English spoken text in which the letter A of "nine A M" is heard as a letter.

    espeak's English voices say "uh em" for "A M", and "ay em" for "Eh M". For the phonemizer
    alone: it is no spelling to show or to store.
    """
    return _LETTER_A.sub("Eh", text)
