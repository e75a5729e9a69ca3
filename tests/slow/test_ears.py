"""The ears on real models: words, ends of speech, numbers at 8 kHz, and what is no speech at all.

Sound that is not speech is made here, so that its level and length are known.
"""

from __future__ import annotations

import csv
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("faster_whisper")

from budgets.errors import UserError
from tests.voice.virtual_call import VirtualCall
from voice.audio import Samples, read_audio, resample
from voice.bench.stt import Duel, read_clips, summary
from voice.bench.wer import corpus_rate, word_errors
from voice.config import TurnConfig
from voice.models import model_path
from voice.stt.transcript import SupersededError, Transcript
from voice.stt.whisper import WhisperEngine
from voice.turns.decodes import Decode
from voice.turns.vad import SileroVad

pytestmark = pytest.mark.slow

RATE = 16000


def _model(name: str) -> Path:
    try:
        return model_path(name)
    except UserError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def english() -> WhisperEngine:
    return WhisperEngine(_model("whisper-tiny.en"))


def _call(engine: WhisperEngine, rate_hz: int = RATE, **options: object) -> VirtualCall:
    def decode(job: Decode) -> Transcript:
        return engine.transcribe(job.samples)

    return VirtualCall(decode, SileroVad().probability, rate_hz=rate_hz, **options)  # type: ignore[arg-type]


def _room(seconds: float, rate_hz: int = RATE, seed: int = 0) -> Samples:
    dice = np.random.default_rng(seed)
    return (dice.standard_normal(int(seconds * rate_hz)) * 2e-4).astype(np.float32)


def _table(folder: Path) -> Iterator[dict[str, str]]:
    with (folder / "transcripts.tsv").open(encoding="utf-8") as lines:
        yield from csv.DictReader(lines, delimiter="\t")


def test_english_is_heard_as_well_as_by_stock_in_a_fraction_of_the_time(data: Path) -> None:
    duel = Duel(_model("whisper-tiny.en"), language="en")
    clips = [clip for clip in read_clips(data / "speech") if clip.language == "en"]
    found = summary([duel.run(clip, repeats=2) for clip in clips])
    assert found["wer_ours"] <= found["wer_stock"] + 0.02
    assert found["time_ratio_p50"] <= 0.4
    assert found["loops"] == 0


@pytest.mark.parametrize("language", ["es", "fr", "de", "it", "pt"])
def test_other_languages_are_heard_as_well_as_by_stock(data: Path, language: str) -> None:
    duel = Duel(_model("whisper-base"), language=language)
    clips = [clip for clip in read_clips(data / "speech") if clip.language == language]
    found = summary([duel.run(clip, repeats=1) for clip in clips])
    assert found[f"wer_ours_{language}"] <= found[f"wer_stock_{language}"] + 0.03
    assert found["loops"] == 0


def test_single_words_do_not_loop(data: Path) -> None:
    """Short clips on the multilingual model: what repeats itself most easily."""
    engine = WhisperEngine(_model("whisper-base"))
    folder = data / "speech" / "callers"
    short = [entry for entry in _table(folder) if float(entry["speech_end_s"]) < 1.0]
    errors = []
    for entry in short:
        samples, _ = read_audio(folder / entry["file"])
        text = engine.transcribe(samples).text
        assert len(text.split()) <= 4, text
        errors.append(word_errors(entry["text"], text))
    assert corpus_rate(errors) <= 0.35


@pytest.mark.parametrize("folder", ["callers", "digits", "questions"])
def test_the_end_of_speech_is_exact(data: Path, english: WhisperEngine, folder: str) -> None:
    off_ms = []
    for entry in list(_table(data / "speech" / folder))[::3]:
        samples, rate_hz = read_audio(data / "speech" / folder / entry["file"])
        line = _call(english, rate_hz)
        line.hear(np.concatenate([_room(0.5, rate_hz), samples, _room(2.5, rate_hz)]))
        assert line.turns, entry["file"]
        true_ns = (0.5 + float(entry["speech_end_s"])) * 1e9
        off_ms.append((line.turns[-1].speech_ended_ns - true_ns) / 1e6)
    assert abs(statistics.median(off_ms)) <= 15
    assert statistics.quantiles([abs(off) for off in off_ms], n=20)[-1] <= 80


def test_a_number_read_in_groups_is_one_turn(data: Path, english: WhisperEngine) -> None:
    """At 8 kHz, with pauses of up to a second inside. A group may be misheard as no number."""
    whole = 0
    numbers = list(_table(data / "speech" / "digits"))
    for entry in numbers:
        samples, rate_hz = read_audio(data / "speech" / "digits" / entry["file"])
        line = _call(english, rate_hz)
        line.hear(np.concatenate([_room(0.5, rate_hz), samples, _room(2.5, rate_hz)]))
        whole += len(line.turns) == 1
    assert whole >= 0.8 * len(numbers)


def test_three_minutes_without_a_stop_are_one_turn(data: Path, english: WhisperEngine) -> None:
    folder = data / "speech" / "questions"
    entries = [entry for entry in _table(folder) if entry["voice"] == "jf_gongitsune"]
    spoken: list[Samples] = []
    for index, entry in enumerate(entries * 3):
        samples, _ = read_audio(folder / entry["file"])
        spoken += [samples[: int(float(entry["speech_end_s"]) * RATE)], _room(0.25, seed=index)]
    line = _call(english, config=TurnConfig(silence_ms=800, short_silence_ms=800))
    line.hear(np.concatenate([*spoken, _room(2.5)]))
    (turn,) = line.turns
    assert turn.speech_ended_ns - turn.speech_started_ns > 150e9
    said = " ".join(entry["text"] for entry in entries * 3)
    assert word_errors(said, turn.text).rate <= 0.2
    assert max(len(job.samples) for job in line.jobs) / RATE <= 25


def test_more_than_half_a_minute_at_once_is_transcribed_whole(
    data: Path, english: WhisperEngine
) -> None:
    clips = [clip for clip in read_clips(data / "speech") if clip.path.name.startswith("librivox")]
    samples = np.concatenate([np.concatenate([read_audio(c.path)[0], _room(0.6)]) for c in clips])
    said = " ".join(clip.text for clip in clips * 2)
    heard = english.transcribe(np.concatenate([samples, samples]))
    assert len(samples) * 2 / RATE > 40
    assert word_errors(said, heard.text).rate <= 0.15


def test_a_decode_that_is_called_off_stops(english: WhisperEngine) -> None:
    with pytest.raises(SupersededError):
        english.transcribe(_room(2.0), cancelled=lambda: True)


@pytest.mark.parametrize("samples", [0, 1, 100, 1600])
def test_next_to_nothing_is_nothing(english: WhisperEngine, samples: int) -> None:
    assert english.transcribe(np.zeros(samples, dtype=np.float32)).text == ""


def test_an_english_model_refuses_another_language() -> None:
    with pytest.raises(UserError, match="whisper-base"):
        WhisperEngine(_model("whisper-tiny.en"), language="es")


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(UserError, match="'xx'"):
        WhisperEngine(_model("whisper-base"), language="xx")


def test_a_broken_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"model\.bin is missing"):
        WhisperEngine(tmp_path)
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (tmp_path / name).write_text("{}")
    with pytest.raises(UserError, match="cannot load"):
        WhisperEngine(tmp_path)


# --- sound that is no speech ------------------------------------------------------------------

Wave = npt.NDArray[np.float64]


def _filtered(wave: Wave, gain: Callable[[Wave], Wave]) -> Wave:
    spectrum = np.fft.rfft(wave)
    return np.fft.irfft(spectrum * gain(np.fft.rfftfreq(len(wave), 1 / RATE)), len(wave))


def _white(n: int, seed: int = 7) -> Wave:
    return np.random.default_rng(seed).standard_normal(n)


def _pink(n: int) -> Wave:
    return _filtered(_white(n), lambda hz: 1 / np.sqrt(np.maximum(hz, 20)))


def _hum(n: int) -> Wave:
    t = np.arange(n) / RATE
    return np.sum([np.sin(2 * np.pi * 50 * k * t) / k for k in (1, 2, 3, 5, 7, 9)], axis=0)


def _babble(n: int) -> Wave:
    """Noise with the spectrum of speech, swelling as often as syllables do."""
    formants = _filtered(
        _white(n),
        lambda hz: np.sum(
            [np.exp(-(((hz - f) / 120) ** 2)) for f in (300, 500, 900, 1500)], axis=0
        ),
    )
    swell = np.abs(_filtered(_white(n, 8), lambda hz: (hz < 4).astype(np.float64)))
    return formants * (swell / swell.max() + 0.02)


def _chords(n: int) -> Wave:
    out = np.zeros(n)
    roots = ((261.6, 329.6, 392.0), (220.0, 261.6, 329.6), (174.6, 220.0, 261.6))
    step = RATE // 2
    for beat, start in enumerate(range(0, n, step)):
        t = np.arange(min(step, n - start)) / RATE
        for hz in roots[beat // 4 % 3]:
            for k in range(1, 8):
                out[start : start + len(t)] += (
                    np.sin(2 * np.pi * hz * k * t) / k**1.5 * np.exp(-3 * t)
                )
    return out


def _melody(n: int) -> Wave:
    out, start, dice = np.zeros(n), 0, np.random.default_rng(7)
    while start < n:
        t = np.arange(min(int(dice.choice([0.2, 0.3, 0.45]) * RATE), n - start)) / RATE
        hz = dice.choice([261.6, 293.7, 329.6, 349.2, 392.0, 440.0])
        turns = np.cumsum(hz * (1 + 0.01 * np.sin(2 * np.pi * 5.5 * t))) / RATE
        tone = np.sum([np.sin(2 * np.pi * k * turns) / k for k in range(1, 10)], axis=0)
        out[start : start + len(t)] = tone * np.minimum(1, 30 * np.minimum(t, t[-1] - t))
        start += len(t)
    return out


def _drums(n: int) -> Wave:
    out = np.zeros(n)
    for beat, start in enumerate(range(0, n, RATE // 4)):
        t = np.arange(min(RATE // 5, n - start)) / RATE
        kick = np.sin(2 * np.pi * (60 + 80 * np.exp(-30 * t)) * t) * np.exp(-12 * t)
        hat = _white(len(t), start) * np.exp(-40 * t)
        out[start : start + len(t)] = kick if beat % 2 == 0 else hat
    return out


def _music(n: int) -> Wave:
    return _chords(n) + _melody(n) / 2 + _drums(n)


def _breath(n: int) -> Wave:
    air = _filtered(_white(n), lambda hz: np.exp(-(((hz - 1200) / 900) ** 2)))
    return air * np.clip(np.sin(2 * np.pi * 0.4 * np.arange(n) / RATE), 0, None) ** 2


def _coughs(n: int) -> Wave:
    out = np.zeros(n)
    for start in range(RATE // 3, n - RATE // 2, RATE):
        t = np.arange(int(0.35 * RATE)) / RATE
        burst = _filtered(_white(len(t), start), lambda hz: np.exp(-(((hz - 1500) / 1200) ** 2)))
        pitch = 2 * np.pi * (180 - 150 * t) * t
        voice = np.sum([np.sin(k * pitch) for k in range(1, 12)], axis=0)
        voice *= 0.5 * np.exp(-(((t - 0.15) / 0.06) ** 2))
        out[start : start + len(t)] = 3 * burst * np.exp(-18 * t) + voice
    return out


def _clicks(n: int) -> Wave:
    out = np.zeros(n)
    out[:: RATE // 2] = 1
    return out


def _dial_tone(n: int) -> Wave:
    t = np.arange(n) / RATE
    return np.sin(2 * np.pi * 425 * t) * (np.sin(2 * np.pi * 0.5 * t) > 0)


def _silence(n: int) -> Wave:
    return np.zeros(n)


SOUNDS = [
    *[_white, _pink, _hum, _babble, _chords, _melody, _drums, _music],
    *[_breath, _coughs, _clicks, _dial_tone, _silence],
]


@pytest.mark.parametrize("sound", SOUNDS, ids=lambda sound: sound.__name__.strip("_"))
@pytest.mark.parametrize("level_db", [-50, -35, -22, -12])
@pytest.mark.parametrize("rate_hz", [16000, 8000])
def test_sound_that_is_no_speech_makes_no_turn(
    english: WhisperEngine, sound: Callable[[int], Wave], level_db: float, rate_hz: int
) -> None:
    wave = sound(5 * RATE)
    rms = float(np.sqrt(np.mean(wave**2))) or 1.0
    samples = np.clip(wave / rms * 10 ** (level_db / 20), -1, 1).astype(np.float32)
    line = _call(english, rate_hz)
    line.hear(resample(samples, RATE, rate_hz))
    line.hear(_room(2.0, rate_hz))
    assert not line.turns
    assert len(line.starts) == len(line.drops)  # what began as speech was taken back


@pytest.mark.parametrize("file", ["call06_turn04.wav", "call07_turn02.wav", "call03_turn04.wav"])
def test_a_real_thank_you_is_heard(data: Path, english: WhisperEngine, file: str) -> None:
    samples, _ = read_audio(data / "speech" / "callers" / file)
    line = _call(english)
    line.hear(np.concatenate([_room(0.5), samples, _room(2.0)]))
    assert "thank you" in line.turns[-1].text.lower() or "yes please" in line.turns[-1].text.lower()


@pytest.mark.parametrize("rate_hz", [16000, 8000])
def test_a_quiet_caller_is_heard(data: Path, english: WhisperEngine, rate_hz: int) -> None:
    """A twentieth of the usual loudness."""
    samples, _ = read_audio(data / "speech" / "callers" / "call03_turn04.wav")
    line = _call(english, rate_hz)
    quiet = resample(samples * np.float32(0.05), RATE, rate_hz)
    line.hear(np.concatenate([_room(0.5, rate_hz) / 10, quiet, _room(2.0, rate_hz) / 10]))
    assert [turn.text.lower().strip(".").replace(",", "") for turn in line.turns] == ["yes please"]


def test_voice_activity_costs_next_to_nothing() -> None:
    vad, window = SileroVad(), _room(0.032)
    vad.probability(window)
    times = []
    for _ in range(200):
        began = time.perf_counter_ns()
        vad.probability(window)
        times.append((time.perf_counter_ns() - began) / 1e6)
    assert statistics.median(times) < 3  # of 32 ms


def test_voice_activity_forgets_when_it_is_reset(data: Path) -> None:
    samples, _ = read_audio(data / "speech" / "callers" / "call00_turn01.wav")
    windows = samples[: len(samples) // 512 * 512].reshape(-1, 512)[:60]
    vad = SileroVad()
    first = [vad.probability(window) for window in windows]
    vad.reset()
    assert [vad.probability(window) for window in windows] == pytest.approx(first, abs=1e-6)
    assert max(first) > 0.9
