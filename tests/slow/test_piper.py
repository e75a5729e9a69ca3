from __future__ import annotations

import logging
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("piper")

from budgets.errors import UserError
from voice.audio import Samples
from voice.bench.tts import StockPiper
from voice.models import model_path
from voice.tts.level import LeadTrim
from voice.tts.piper import StreamingPiper
from voice.tts.stages import FIRST_SLICE, LARGEST_SLICE

pytestmark = pytest.mark.slow

HOP = 256
SENTENCES = (
    "Hello!",
    "Your parcel left the depot this morning, and it should be with you before noon.",
    "The last payment of forty two dollars came on the third of May. Nothing is owed now.",
)


@pytest.fixture(scope="module")
def model() -> Path:
    try:
        return model_path("piper-en_US-joe-medium")
    except UserError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def voice(model: Path) -> StreamingPiper:
    return StreamingPiper(model)


@pytest.fixture(scope="module")
def calm(model: Path) -> StreamingPiper:
    return StreamingPiper(model, noise=0)


@pytest.fixture(scope="module")
def stock(model: Path) -> StockPiper:
    return StockPiper(model)


def _all(slices: Any) -> Samples:
    return np.concatenate([np.zeros(0, np.float32), *slices])


@pytest.mark.parametrize("text", SENTENCES)
def test_the_sound_is_that_of_whole_sentence_synthesis(
    calm: StreamingPiper, stock: StockPiper, text: str
) -> None:
    settings = {"noise_scale": 0.0, "noise_w_scale": 0.0, "normalize_audio": False}
    whole = _all(stock.stream(text, **settings))
    np.testing.assert_allclose(_all(calm.raw(text)), whole, rtol=0, atol=1e-3)


def test_the_level_is_about_that_of_stock_and_never_clips(
    voice: StreamingPiper, stock: StockPiper
) -> None:
    ours, theirs = (_all(v.stream(SENTENCES[1])) for v in (voice, stock))
    assert np.abs(ours).max() <= 1.0
    assert abs(20 * np.log10(ours.std() / theirs.std())) < 5  # stock itself varies by 3


def test_audio_starts_with_a_short_slice_and_no_slice_is_long(voice: StreamingPiper) -> None:
    lengths = [len(samples) for samples in voice.stream(SENTENCES[1])]
    assert lengths[0] == FIRST_SLICE * HOP
    assert max(lengths) < (LARGEST_SLICE + FIRST_SLICE) * HOP


def test_a_text_of_hundreds_of_words_without_a_stop_is_spoken(voice: StreamingPiper) -> None:
    text = " ".join(["the small grey parcel went over the hill"] * 40)
    seconds = sum(map(len, voice.stream(text))) / voice.rate_hz
    assert 50 < seconds < 200


@pytest.mark.parametrize("text", ["", "  \n", "...", "?!", "—", "\0", "[[", "\ud800"])
def test_text_with_nothing_to_say_gives_no_audio_and_no_error(
    voice: StreamingPiper, text: str
) -> None:
    assert list(voice.stream(text)) == []


@pytest.mark.parametrize("text", ["你好 hello", "a [[ b ]] c", "naïve 😀 \u200b façade", "x\0y"])
def test_odd_characters_do_not_stop_the_rest(voice: StreamingPiper, text: str) -> None:
    assert len(_all(voice.stream(text))) > 0.2 * voice.rate_hz


def test_a_cancelled_stream_ends_at_the_next_slice(voice: StreamingPiper) -> None:
    heard: list[Samples] = []
    for samples in voice.stream(SENTENCES[1], cancelled=lambda: len(heard) >= 2):
        heard.append(samples)
    assert len(heard) == 2
    assert list(voice.stream(SENTENCES[1], cancelled=lambda: True)) == []


def test_two_streams_may_be_interleaved(calm: StreamingPiper) -> None:
    one, two = calm.stream(SENTENCES[1]), calm.stream(SENTENCES[2])
    mixed = [part for pair in zip(one, two, strict=False) for part in pair]
    np.testing.assert_array_equal(mixed[0], next(calm.stream(SENTENCES[1])))
    np.testing.assert_array_equal(mixed[1], next(calm.stream(SENTENCES[2])))


def test_the_lead_is_trimmed_to_about_10_ms(voice: StreamingPiper) -> None:
    trim = LeadTrim(voice.rate_hz)
    audio = _all(trim.feed(samples) for samples in voice.stream(SENTENCES[1]))
    audible_ms = int(np.argmax(np.abs(audio) > 0.01)) / voice.rate_hz * 1000
    assert 5 < audible_ms < 40


def test_the_fingerprint_is_of_what_shapes_the_sound(
    model: Path, voice: StreamingPiper, calm: StreamingPiper
) -> None:
    fast = StreamingPiper(model, speed=1.5, threads=1)
    prints = {engine.fingerprint for engine in (voice, calm, fast)}
    assert len(prints) == 3
    assert StreamingPiper(model, threads=1).fingerprint == voice.fingerprint
    ratio = len(_all(fast.stream(SENTENCES[1]))) / len(_all(voice.stream(SENTENCES[1])))
    assert 0.5 < ratio < 0.85


def test_a_damaged_derived_file_is_made_again(
    model: Path, calm: StreamingPiper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNDER800_CACHE", str(tmp_path))
    StreamingPiper(model, noise=0)
    derived = sorted((tmp_path / "derived").glob("vits-*"))
    assert len(derived) == 1
    with derived[0].open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"\xff" * 100)
    again = StreamingPiper(model, noise=0)
    np.testing.assert_array_equal(_all(again.stream("Hello!")), _all(calm.stream("Hello!")))


def test_a_voice_that_cannot_be_cut_speaks_all_the_same(
    model: Path,
    calm: StreamingPiper,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    onnx = pytest.importorskip("onnx")
    monkeypatch.setenv("UNDER800_CACHE", str(tmp_path))
    graph = onnx.load(str(model))
    for node in graph.graph.node:
        node.name = node.name.replace("/dec/", "/vocoder/")
        for names in (node.input, node.output):
            names[:] = [name.replace("dec.", "vocoder.") for name in names]
    for tensor in graph.graph.initializer:
        tensor.name = tensor.name.replace("dec.", "vocoder.")
    other = tmp_path / "other.onnx"
    onnx.save(graph, str(other))
    shutil.copy(f"{model}.json", f"{other}.json")
    with caplog.at_level(logging.WARNING):
        engine = StreamingPiper(other, noise=0)
    assert "cannot be decoded in slices" in caplog.text
    (whole,) = engine.raw(SENTENCES[1])
    np.testing.assert_allclose(whole, _all(calm.raw(SENTENCES[1])), rtol=0, atol=1e-3)


def test_what_is_wrong_with_a_voice_is_said(model: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no Piper voice"):
        StreamingPiper(tmp_path / "none.onnx")
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(model.read_bytes()[:100_000])
    with pytest.raises(UserError, match=r"broken\.onnx\.json is missing"):
        StreamingPiper(broken)
    description = tmp_path / "broken.onnx.json"
    description.write_text("{}")
    with pytest.raises(UserError, match="not the description"):
        StreamingPiper(broken)
    shutil.copy(f"{model}.json", description)
    with pytest.raises(UserError, match="not a Piper voice that can be used"):
        StreamingPiper(broken)
    with pytest.raises(UserError, match="one speaker"):
        StreamingPiper(model, speaker=3)
