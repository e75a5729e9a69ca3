"""Scenario files: what they say, and what is said about a slip in one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from budgets.errors import UserError
from budgets.probe.prepare import prepare
from budgets.probe.record import Samples
from budgets.probe.scenario import Noise
from budgets.probe.scenario_file import load_scenario

HZ = 16000


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def a_word(path: Path, rate_hz: int) -> Samples:
    """Every recording is 50 ms of quiet, 400 ms of sound and 200 ms of quiet."""
    count = round(0.4 * rate_hz)
    sound = np.sin(np.arange(count) * 2 * np.pi * 500 / rate_hz).astype(np.float32) * 0.4
    return np.concatenate(
        [np.zeros(rate_hz // 20, np.float32), sound, np.zeros(rate_hz // 5, np.float32)]
    )


def speak(text: str, rate_hz: int) -> Samples:
    return a_word(Path(text), rate_hz)


FULL = """
description: everything at once
line: {rate: 8 kHz, codec: mulaw, jitter_ms: 40, loss: 0.02}
noise: {kind: white, snr_db: 20}
manners: {after_reply_ms: 0.9 s, patience_ms: 5000}
expect: {v2v_ms: 800, says: "thank"}
repeat: 2
turns:
  - say: "My number is four one [700 ms] two six"
  - wav: a.wav
    barge_in_ms: 900
    expect: {stop_ms: 500}
  - wav: a.wav
    backchannel_ms: 1.2 s
    name: mhm
  - silence_ms: 3000
  - wav: [a.wav, 600 ms, a.wav]
    speech_end_ms: 300
"""


def test_a_file_says_it_all(tmp_path: Path) -> None:
    (tmp_path / "a.wav").touch()
    scenario = load_scenario(write(tmp_path, FULL))
    assert scenario.name == "mine"
    assert scenario.repeat == 2
    assert (scenario.line.rate_hz, scenario.line.codec, scenario.line.loss) == (8000, "mulaw", 0.02)
    assert scenario.noise == Noise("white", 20)
    assert (scenario.manners.after_reply_s, scenario.manners.patience_s) == (0.9, 5.0)
    said, barge, mhm, quiet, joined = scenario.turns
    assert said.pieces == ("My number is four one", 700.0, "two six")
    assert said.name == "My number is four one … two six"
    assert (barge.kind, barge.offset_ms, barge.expect.stop_ms) == ("barge-in", 900, 500)
    assert barge.expect.v2v_ms == 800
    assert (mhm.kind, mhm.offset_ms, mhm.name) == ("backchannel", 1200, "mhm")
    assert mhm.expect.keep_talking
    assert (quiet.kind, quiet.expect.silent) == ("silence", True)
    assert joined.pieces == (tmp_path / "a.wav", 600.0, tmp_path / "a.wav")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("turns:\n  - way: a.wav\n", 2, "did you mean 'wav'"),
        ("turns:\n  - wav: b.wav\n", 2, "no such recording"),
        ("turns:\n  - wav:\n      - a.wav\n      - c.wav\n", 4, "c.wav"),
        ("turns:\n  - wav: a.wav\n    say: hello\n", 3, "has both"),
        ("turns:\n  - name: nothing\n", 2, "needs one of"),
        ("turns:\n  - say: 'one [700] two'\n", 2, "[700 ms]"),
        ("turns:\n  - say: '[700 ms]'\n", 2, "silence_ms"),
        ("turns:\n  - wav: [700 ms]\n", 2, "silence_ms"),
        ("turns:\n  - silence_ms: 10\n    barge_in_ms: 10\n", 3, "cannot interrupt"),
        ("turns:\n  - wav: a.wav\n    barge_in_ms: 1\n    backchannel_ms: 1\n", 4, "either"),
        ("turns:\n  - wav: a.wav\n    expect: {says: '(('}\n", 3, "regular expression"),
        ("turns:\n  - wav: a.wav\nline: {rate: 44100}\n", 3, "write 8000 or 16000"),
        ("turns:\n  - wav: a.wav\nline:\n  loss: 2\n", 4, "at most 0.5"),
        ("turns:\n  - wav: a.wav\nnoise:\n  kind: brown\n", 4, "brown"),
        ("turns:\n  - wav: a.wav\nexpect:\n  v2v_ms: 0.8\n", 4, "looks like seconds"),
        ("turns: []\n", 1, "at least 1"),
        ("description: none\n", 1, "turns"),
    ],
)
def test_a_slip_is_named_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    (tmp_path / "a.wav").touch()
    path = write(tmp_path, text)
    with pytest.raises(UserError) as error:
        load_scenario(path)
    assert f"{path}:{line}:" in str(error.value)
    assert words in str(error.value)


def test_pauses_are_from_word_to_word(tmp_path: Path) -> None:
    (tmp_path / "a.wav").touch()
    scenario = load_scenario(write(tmp_path, "turns:\n  - wav: [a.wav, 600 ms, a.wav]\n"))
    [move] = prepare(scenario, read_clip=a_word).moves
    assert move.clip is not None
    clip = move.clip
    loud = np.flatnonzero(np.abs(clip.samples) > 0.01)
    assert loud[0] / HZ == pytest.approx(0.05, abs=0.001)
    assert np.diff(loud).max() / HZ == pytest.approx(0.6, abs=0.002)
    assert clip.speech_start / HZ == pytest.approx(0.05, abs=0.011)
    assert clip.speech_end / HZ == pytest.approx(0.05 + 0.4 + 0.6 + 0.4, abs=0.011)
    assert len(clip.samples) / HZ == pytest.approx(0.05 + 0.4 + 0.6 + 0.4 + 0.2, abs=0.002)


def test_the_index_beside_a_recording_knows_its_words_and_its_end(tmp_path: Path) -> None:
    (tmp_path / "a.wav").touch()
    (tmp_path / "clips.json").write_text(
        '{"clips": [{"file": "a.wav", "text": "Hello.", "speech_end_s": 0.4321}]}'
    )
    scenario = load_scenario(write(tmp_path, "turns:\n  - wav: a.wav\n"))
    [move] = prepare(scenario, read_clip=a_word).moves
    assert move.name == "Hello."
    assert move.clip is not None
    assert move.clip.speech_end == round(0.4321 * HZ)


def test_a_stated_end_of_speech_wins(tmp_path: Path) -> None:
    (tmp_path / "a.wav").touch()
    text = "turns:\n  - wav: [a.wav, 600 ms, a.wav]\n    speech_end_ms: 300\n"
    [move] = prepare(load_scenario(write(tmp_path, text)), read_clip=a_word).moves
    assert move.clip is not None
    # 300 ms into the second recording, of which the first 50 ms are cut: it begins with its word.
    assert move.clip.speech_end / HZ == pytest.approx(0.05 + 0.4 + 0.6 + 0.25, abs=0.011)


def test_text_needs_a_voice(tmp_path: Path) -> None:
    scenario = load_scenario(write(tmp_path, "turns:\n  - say: hello [300 ms] there\n"))
    with pytest.raises(UserError, match="no voice"):
        prepare(scenario, read_clip=a_word)
    [move] = prepare(scenario, read_clip=a_word, speak=speak).moves
    assert move.clip is not None
    assert move.clip.speech_end / HZ == pytest.approx(0.05 + 0.4 + 0.3 + 0.4, abs=0.02)


def test_repeating_keeps_the_index_of_the_turn(tmp_path: Path) -> None:
    (tmp_path / "a.wav").touch()
    text = "repeat: 3\nturns:\n  - wav: a.wav\n  - silence_ms: 500\n"
    moves = prepare(load_scenario(write(tmp_path, text)), read_clip=a_word).moves
    assert [move.index for move in moves] == [0, 1, 0, 1, 0, 1]
