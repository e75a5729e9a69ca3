from __future__ import annotations

import numpy as np
import pytest

from voice.audio import Samples
from voice.tts.level import LeadTrim, levelled

RATE_HZ = 22050


def _db(level: float, samples: int) -> Samples:
    return np.full(samples, 10 ** (level / 20), dtype=np.float32)


def test_quiet_samples_are_only_louder_and_loud_ones_bend_and_never_clip() -> None:
    ramp = np.linspace(-2, 2, 4001, dtype=np.float32)
    got = levelled(ramp, 1.5)
    quiet = np.abs(ramp * 1.5) <= 0.8
    np.testing.assert_allclose(got[quiet], ramp[quiet] * 1.5, rtol=1e-6)
    assert np.abs(got).max() <= 1.0
    assert (np.diff(got) >= 0).all()
    np.testing.assert_allclose(got, -got[::-1], atol=1e-6)


def test_slices_may_be_levelled_one_by_one() -> None:
    audio = np.random.default_rng(1).uniform(-1, 1, 1000).astype(np.float32)
    apart = [levelled(audio[:300], 2.0), levelled(audio[300:], 2.0)]
    np.testing.assert_array_equal(np.concatenate(apart), levelled(audio, 2.0))


@pytest.mark.parametrize("size", [1, 7, 220, 221, 500, 5000])
def test_the_lead_is_cut_to_10_ms_however_the_stream_is_sliced(size: int) -> None:
    audio = np.concatenate([_db(-60, 2000), _db(-45, 300), _db(-10, 1000), _db(-70, 800)])
    trim = LeadTrim(RATE_HZ)
    cut = [trim.feed(audio[at : at + size]) for at in range(0, len(audio), size)]
    got = np.concatenate([*cut, trim.flush()])
    np.testing.assert_array_equal(got, audio[2000 - 220 :])


def test_a_soft_onset_is_kept_and_so_is_audio_that_starts_at_once() -> None:
    soft = np.concatenate([_db(-49, 1000), _db(-10, 100)])
    trim = LeadTrim(RATE_HZ)
    np.testing.assert_array_equal(np.concatenate([trim.feed(soft), trim.flush()]), soft)


def test_the_first_piece_is_long_enough_to_make_the_next_one_meanwhile() -> None:
    trim = LeadTrim(RATE_HZ)
    assert len(trim.feed(np.concatenate([_db(-60, 8000), _db(-10, 100)]))) == 0
    assert len(trim.feed(_db(-10, 8192))) == 220 + 100 + 8192
    assert len(trim.feed(_db(-10, 10))) == 10
    assert len(trim.flush()) == 0


def test_silence_alone_gives_nothing_and_holds_little() -> None:
    trim = LeadTrim(RATE_HZ)
    assert sum(len(trim.feed(_db(-80, 1000))) for _ in range(50)) == 0
    assert len(trim.feed(_db(-10, 4000))) == 4220
    silent = LeadTrim(RATE_HZ)
    silent.feed(_db(-80, 1000))
    assert len(silent.flush()) == 0
