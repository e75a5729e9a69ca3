"""Sample formats and the resampler that holds nothing back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgets.errors import UserError
from voice.audio import StreamResampler, from_s16, read_audio, resample, to_s16, write_audio

PAIRS = [(8000, 16000), (16000, 8000), (22050, 16000), (22050, 8000), (24000, 8000), (16000, 48000)]


def sine(rate_hz: int, hz: float, seconds: float = 1.0) -> np.ndarray:
    return (0.5 * np.sin(2 * np.pi * hz * np.arange(int(rate_hz * seconds)) / rate_hz)).astype(
        np.float32
    )


def test_samples_survive_the_wire_and_clip_instead_of_wrapping() -> None:
    samples = np.array([0.0, 0.5, -0.5, 1.5, -1.5], dtype=np.float32)
    back = from_s16(to_s16(samples))
    assert back == pytest.approx([0.0, 0.5, -0.5, 1.0, -1.0], abs=1e-4)


@pytest.mark.parametrize(("from_hz", "to_hz"), PAIRS)
def test_a_tone_keeps_its_pitch_level_and_time(from_hz: int, to_hz: int) -> None:
    resampler = StreamResampler(from_hz, to_hz)
    out = np.concatenate([resampler.feed(sine(from_hz, 1000)), resampler.flush()])
    expected = sine(to_hz, 1000)
    assert len(out) == len(expected)
    error = (out - expected)[to_hz // 10 : -to_hz // 10]
    assert 20 * np.log10(np.sqrt(np.mean(error**2)) / 0.3535) < -60


@pytest.mark.parametrize(("from_hz", "to_hz"), PAIRS)
def test_what_is_held_back_is_what_it_says(from_hz: int, to_hz: int) -> None:
    resampler = StreamResampler(from_hz, to_hz)
    fed = given_out = 0
    for _ in range(100):
        chunk = np.zeros(from_hz // 50, dtype=np.float32)
        fed += len(chunk)
        given_out += len(resampler.feed(chunk))
        held_ms = (fed / from_hz - given_out / to_hz) * 1000
        assert held_ms <= resampler.delay_ms + 1000 / to_hz
    assert resampler.delay_ms <= 2.0


@pytest.mark.parametrize(("from_hz", "to_hz", "hz"), [(24000, 8000, 5000), (22050, 8000, 6000)])
def test_what_the_line_cannot_carry_does_not_fold_back(from_hz: int, to_hz: int, hz: int) -> None:
    out = StreamResampler(from_hz, to_hz).feed(sine(from_hz, hz))
    assert np.abs(out[200:-200]).max() < 0.5 * 10 ** (-50 / 20)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(PAIRS), st.lists(st.integers(0, 400), min_size=1, max_size=20))
def test_how_a_stream_is_cut_makes_no_difference(pair: tuple[int, int], sizes: list[int]) -> None:
    samples = np.random.default_rng(0).uniform(-1, 1, sum(sizes)).astype(np.float32)
    whole, pieces = StreamResampler(*pair), StreamResampler(*pair)
    cut = np.split(samples, np.cumsum(sizes)[:-1])
    at_once = np.concatenate([whole.feed(samples), whole.flush()])
    in_pieces = np.concatenate([*(pieces.feed(part) for part in cut), pieces.flush()])
    assert np.allclose(at_once, in_pieces, atol=1e-6)


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "stereo.wav"
    write_audio(path, [sine(8000, 440), np.zeros(100, np.float32)], 8000)
    samples, rate_hz = read_audio(path)
    assert (rate_hz, len(samples)) == (8000, 8000)
    assert samples == pytest.approx(sine(8000, 440) / 2, abs=1e-4)
    assert len(resample(samples, 8000, 16000)) == 16000


@pytest.mark.parametrize("content", [None, b"", b"not audio"])
def test_a_file_that_is_no_audio_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "x.wav"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UserError, match=r"x\.wav"):
        read_audio(path)
