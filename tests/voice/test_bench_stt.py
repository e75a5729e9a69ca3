from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from budgets.errors import UserError
from voice.audio import write_audio
from voice.bench.stt import Row, figures, read_clips


def folder(path: Path, table: str) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    (path / "transcripts.tsv").write_text(table, encoding="utf-8")
    write_audio(path / "a.wav", [np.zeros(1600, dtype=np.float32)], 16000)
    return path


def test_any_folder_with_a_table_will_do(tmp_path: Path) -> None:
    table = "file\ttext\nextra\ta.wav\n".replace("extra\t", "") + ""
    here = folder(tmp_path / "own", table.replace("a.wav", 'a.wav\tsay "yes"'))
    (clip,) = read_clips(here)
    assert (clip.text, clip.language) == ('say "yes"', "en")


def test_the_human_clips_are_found_inside_a_data_folder(tmp_path: Path) -> None:
    folder(tmp_path / "human", "file\tlanguage\ttext\na.wav\tES\thola\n")
    (clip,) = read_clips(tmp_path)
    assert (clip.text, clip.language) == ("hola", "es")


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("file\twords\na.wav\thello\n", "no column 'text'"),
        ("file\ttext\ngone.wav\thello\n", "line 2: .*gone.wav does not exist"),
        ("file\ttext\na.wav\n", "line 2: a clip needs a file and its text"),
        ("file\ttext\n", "lists no clips"),
        ("", "no column 'file'"),
    ],
)
def test_a_broken_table_says_where(tmp_path: Path, table: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        read_clips(folder(tmp_path, table))


def test_a_folder_without_a_table_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no transcripts\.tsv here nor in human/"):
        read_clips(tmp_path / "nowhere")


def test_a_table_that_is_not_text_is_a_users_mistake(tmp_path: Path) -> None:
    (tmp_path / "transcripts.tsv").write_bytes(b"\xff\xfe\x00broken\x81")
    with pytest.raises(UserError, match="not a readable table"):
        read_clips(tmp_path)


def row(
    language: str, *, ours: int, stock: int, words: int, ms: float, looped: bool = False
) -> Row:
    return Row(
        file="a.wav", language=language, seconds=1.0, errors_ours=ours, errors_stock=stock,
        words=words, wer_ours=ours / words, wer_stock=stock / words, ms_ours=ms, ms_stock=400.0,
        looped=looped, repaired=False, text_ours="", text_stock="",
    )  # fmt: skip


def test_the_summary_keeps_languages_apart_and_times_english() -> None:
    found = figures(
        [
            row("en", ours=1, stock=2, words=10, ms=100.0),
            row("en", ours=0, stock=0, words=10, ms=120.0),
            row("en", ours=0, stock=0, words=20, ms=400.0, looped=True),
            row("es", ours=3, stock=1, words=6, ms=4000.0),
        ]
    ).summary
    assert found["wer_ours"] == pytest.approx(1 / 40)
    assert found["wer_stock"] == pytest.approx(2 / 40)
    assert found["time_ratio_p50"] == pytest.approx(0.3)
    assert (found["loops"], found["clips"]) == (1, 4)
    assert (found["wer_ours_es"], found["wer_stock_es"]) == (0.5, pytest.approx(1 / 6))
