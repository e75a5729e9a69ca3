from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from budgets.errors import UserError
from voice.audio import Samples
from voice.bench.tts import OUR_SENTENCES, read_sentences, timed

MS = 1_000_000
RATE_HZ = 1000


class Script:
    """Slices that come at scripted times, and the clock that shows them."""

    def __init__(self, slices: list[tuple[float, Samples]]) -> None:
        self.now_ns = 0
        self._slices = slices

    def __iter__(self) -> Iterator[Samples]:
        for at_ms, samples in self._slices:
            self.now_ns = int(at_ms * MS)
            yield samples

    def clock_ns(self) -> int:
        return self.now_ns


def _sound(samples: int, level: float = 0.1) -> Samples:
    return np.full(samples, level, dtype=np.float32)


def test_slices_that_come_before_they_are_needed_are_no_underruns() -> None:
    script = Script([(50, _sound(200)), (250, _sound(200)), (450, _sound(100))])
    take = timed(script, RATE_HZ, script.clock_ns)
    assert (take.first_audio_ms, take.first_audible_ms, take.underruns) == (50, 50, 0)
    assert take.rms == pytest.approx(0.1)


def test_each_late_slice_is_an_underrun_and_playback_goes_on_from_it() -> None:
    script = Script([(50, _sound(200)), (251, _sound(100)), (351, _sound(10)), (362, _sound(9))])
    assert timed(script, RATE_HZ, script.clock_ns).underruns == 2


def test_silence_at_the_start_counts_as_waiting_and_its_trimming_shortens_what_can_be_played() -> (
    None
):
    lead = np.concatenate([_sound(80, 0.0), _sound(200)])
    trimmed, plain = (
        timed(script, RATE_HZ, script.clock_ns, trim=trim)
        for trim in (True, False)
        if (script := Script([(50, lead), (270, _sound(100))]))
    )
    assert (trimmed.first_audio_ms, trimmed.first_audible_ms, trimmed.underruns) == (50, 60, 1)
    assert (plain.first_audio_ms, plain.first_audible_ms, plain.underruns) == (50, 130, 0)


def test_a_start_too_short_to_play_on_is_held_until_the_next_slice() -> None:
    lead = np.concatenate([_sound(80, 0.0), _sound(20)])
    script = Script([(50, lead), (90, _sound(200)), (300, _sound(50))])
    take = timed(script, RATE_HZ, script.clock_ns)
    assert (take.first_audible_ms, take.underruns) == (100, 0)


def test_no_sound_at_all_is_the_users_to_mend() -> None:
    script = Script([(50, _sound(100, 0.0))])
    with pytest.raises(UserError, match="no sound"):
        timed(script, RATE_HZ, script.clock_ns)


def test_our_sentences_are_forty_or_more_of_5_to_25_words() -> None:
    words = [len(sentence.split()) for sentence in read_sentences(OUR_SENTENCES)]
    assert len(words) >= 40
    assert (min(words), max(words)) == (5, 25)


def test_a_users_sentences_are_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("# a note\n\n One.\nTwo.\n")
    assert read_sentences(path) == ["One.", "Two."]
    path.write_text("# nothing\n")
    with pytest.raises(UserError, match="no sentences"):
        read_sentences(path)
    with pytest.raises(UserError, match=r"missing\.txt"):
        read_sentences(tmp_path / "missing.txt")
