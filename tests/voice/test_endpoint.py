from __future__ import annotations

import pytest

from voice.config import TurnConfig
from voice.turns.endpoint import silence_needed_ms
from voice.turns.spoken_numbers import digits_at_end

CONFIG = TurnConfig(silence_ms=500, short_silence_ms=400, long_silence_ms=1400)
SHORT, PLAIN, UNSURE, LONG = 400, 500, 800, 1400

CASES = [
    # Short complete answers are quick, whichever word it is (Yes. as Yeah.).
    ("Yes.", SHORT), ("Yeah.", SHORT), ("yes", SHORT), ("No, thanks.", SHORT), ("Okay", SHORT),
    ("Thank you.", SHORT), ("No thank you.", SHORT), ("Uh-huh.", SHORT), ("Mm-hmm.", SHORT),
    ("Susan", SHORT), ("John.", SHORT), ("4pm", SHORT), ("38", SHORT), ("Ten.", SHORT),
    ("Twenty five.", SHORT), ("$49.95", SHORT), ("3,996", SHORT), ("8:30", SHORT),
    ("Okay then.", SHORT),
    ("That's great!", SHORT),
    # Complete sentences.
    ("I want to cancel my order.", PLAIN), ("What ATM machines allow this card?", PLAIN),
    ("Who is it for?", PLAIN), ("What are you up to?", PLAIN),
    ("A rating higher than 3.", PLAIN), ("The one on the corner of the street.", PLAIN),
    ("It should be here at 8:30.", PLAIN), ("It cost 49.95.", PLAIN), ("I paid $120.", PLAIN),
    ("Can you call it off.", PLAIN),
    # Numbers that are being read out, as digits and as words.
    ("My number is 4", LONG), ("My number is 4.", LONG), ("415", LONG), ("4-1-5.", LONG),
    ("4, 1, 5,", LONG), ("It's 415 555", LONG), ("my number is four one five", LONG),
    ("oh seven", LONG), ("07", LONG), ("3 5", LONG), ("five five", LONG), ("+44", LONG),
    ("The card number is 4929 1234 5678", LONG), ("double four one", LONG),
    ("555-123", LONG),
    # ... and are whole.
    ("415 555 0123", PLAIN), ("1, 5, 8, 5, 5, 1, 9, 2, 9, 9,", PLAIN), ("4155550123.", PLAIN),
    ("4929 1234 5678 9012", PLAIN), ("1-415-555-0123", PLAIN),
    ("four one five five five five zero one two three", PLAIN),
    ("It's 415 555 0123 and my name is Jo.", PLAIN),
    # Sentences that go on.
    ("I want to fly to", LONG), ("I want to fly to.", LONG), ("I'd like a table for two and", LONG),
    ("My name is", LONG), ("Because", LONG), ("Um", LONG), ("Uh.", LONG), ("Well, um...", LONG),
    ("The", LONG), ("I was hoping...", LONG), ("I was hoping…", LONG), ("So, first,", LONG),
    ("I need the", LONG), ("it is my.", LONG), ("I", LONG), ("for", LONG),
    # Neither one nor the other.
    ("a table by the window please", UNSURE), ("I'd like a table", UNSURE),
    ("That is what I am looking for.", UNSURE), ("I don't know where it is.", UNSURE),
    ("J-O-H-N", UNSURE), ("s m i t h", UNSURE),
    ("", PLAIN), ("...", PLAIN),
]  # fmt: skip


@pytest.mark.parametrize(("text", "needed_ms"), CASES)
def test_the_silence_needed(text: str, needed_ms: float) -> None:
    assert silence_needed_ms(text, CONFIG) == needed_ms


@pytest.mark.parametrize(
    ("language", "text", "needed_ms"),
    [
        ("es", "Sí, gracias.", SHORT),
        ("es", "Quiero una mesa para", LONG),
        ("de", "Ja bitte.", SHORT),
        ("de", "Ich möchte einen", LONG),
        ("de", "Ich rufe Sie an.", UNSURE),
        ("fr", "Oui, merci.", SHORT),
        ("fr", "Je voudrais une", LONG),
        ("it", "Va bene, grazie.", SHORT),
        ("pt", "Eu quero um", LONG),
        ("sv", "Jag vill gärna boka ett bord.", PLAIN),
        ("sv", "mitt nummer är 070", LONG),
    ],
)
def test_other_languages_have_their_own_words(language: str, text: str, needed_ms: float) -> None:
    assert silence_needed_ms(text, CONFIG, language=language) == needed_ms


@pytest.mark.parametrize("digits", range(1, 10))
def test_inside_a_telephone_number_it_waits(digits: int) -> None:
    said = "my phone number is " + " ".join("4155550123"[:digits])
    assert silence_needed_ms(said, CONFIG) == LONG


def test_a_number_is_only_looked_for_at_the_end() -> None:
    assert digits_at_end("415 is the code") is None
    assert digits_at_end("no number here") is None
    found = digits_at_end("it is triple five one")
    assert found is not None
    assert (found.digits, found.read_out, found.alone) == (4, True, False)
