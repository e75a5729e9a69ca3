"""``bench stt``: our ears against stock faster-whisper, the same model on the same clips."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from budgets.errors import UserError
from budgets.figures import Figures, percentile
from voice.audio import Samples, read_audio, resample
from voice.bench.wer import Errors, corpus_rate, word_errors
from voice.stt.runaway import runs_away
from voice.stt.whisper import RATE_HZ, WhisperEngine

_COLUMNS = ("file", "text")


@dataclass(frozen=True)
class Clip:
    """One recording and what is said in it."""

    path: Path
    text: str
    language: str


@dataclass(frozen=True)
class Row:
    """One clip, transcribed by both."""

    file: str
    language: str
    seconds: float
    errors_ours: int
    errors_stock: int
    words: int
    wer_ours: float
    wer_stock: float
    ms_ours: float
    ms_stock: float
    looped: bool
    repaired: bool
    text_ours: str
    text_stock: str


def read_clips(data: Path) -> list[Clip]:
    """The clips of ``data/transcripts.tsv``, or else of ``data/human/transcripts.tsv``.

    Tab-separated with a header: ``file`` and ``text``, and ``language`` (en where missing). Raises
    UserError for what is missing or broken.
    """
    table = next(
        (t for t in (data / "transcripts.tsv", data / "human" / "transcripts.tsv") if t.is_file()),
        None,
    )
    if table is None:
        raise UserError(
            f"{data}: no transcripts.tsv here nor in human/; it lists the clips, tab-separated, "
            "with the columns file, text and (optional) language"
        )
    try:
        with table.open(encoding="utf-8", newline="") as lines:
            reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            clips = list(_clips(reader, table))
    except (OSError, UnicodeDecodeError, csv.Error) as fault:
        raise UserError(f"{table}: not a readable table ({fault})") from fault
    if not clips:
        raise UserError(f"{table}: lists no clips")
    return clips


def _clips(reader: csv.DictReader[str], table: Path) -> Iterator[Clip]:
    for column in _COLUMNS:
        if column not in (reader.fieldnames or ()):
            raise UserError(f"{table}: has no column '{column}'; it needs {' and '.join(_COLUMNS)}")
    for entry in reader:
        if not entry["file"] or entry["text"] is None:
            raise UserError(f"{table}, line {reader.line_num}: a clip needs a file and its text")
        path = table.parent / entry["file"]
        if not path.is_file():
            raise UserError(f"{table}, line {reader.line_num}: {path} does not exist")
        yield Clip(path, entry["text"], (entry.get("language") or "en").lower())


class Duel:
    """Our engine and stock faster-whisper on one model (int8, CPU), each with its own copy."""

    def __init__(
        self, model_dir: Path, *, language: str, threads: int = 2, beam_size: int = 1
    ) -> None:
        from faster_whisper import WhisperModel

        self._ours = WhisperEngine(
            model_dir,
            language=language,
            threads=threads,
            beam_size=beam_size,
        )
        self._stock = WhisperModel(
            str(model_dir), device="cpu", compute_type="int8", cpu_threads=threads
        )
        self._language, self._beam_size = language, beam_size
        self._ours.warm()
        self._stock_text(_second_of_silence())

    def run(self, clip: Clip, *, repeats: int) -> Row:
        """Both on one clip, in turns, so that what else the machine does hits both alike."""
        read, rate_hz = read_audio(clip.path)
        samples = resample(read, rate_hz, RATE_HZ)
        seconds = len(samples) / RATE_HZ
        times_ours, times_stock = [], []
        for _ in range(max(1, repeats)):
            ours, ms = _timed(lambda: self._ours.transcribe(samples))
            times_ours.append(ms)
            stock, ms = _timed(lambda: self._stock_text(samples))
            times_stock.append(ms)
        wrong_ours = word_errors(clip.text, ours.text, clip.language)
        wrong_stock = word_errors(clip.text, stock, clip.language)
        return Row(
            file=clip.path.name,
            language=clip.language,
            seconds=seconds,
            errors_ours=wrong_ours.errors,
            errors_stock=wrong_stock.errors,
            words=wrong_stock.words,
            wer_ours=wrong_ours.rate,
            wer_stock=wrong_stock.rate,
            ms_ours=percentile(times_ours, 50),
            ms_stock=percentile(times_stock, 50),
            looped=runs_away(ours.text, seconds),
            repaired=ours.repaired,
            text_ours=ours.text,
            text_stock=stock,
        )

    def _stock_text(self, samples: Samples) -> str:
        segments, _ = self._stock.transcribe(
            samples,
            language=self._language,
            beam_size=self._beam_size,
            without_timestamps=True,
            condition_on_previous_text=False,
            vad_filter=False,
        )
        return " ".join(segment.text.strip() for segment in segments)


def summary(rows: Sequence[Row]) -> dict[str, float]:
    """The figures of a run: word error rates by language, the time ratio and the loops."""
    english = [row for row in rows if row.language == "en"]
    found: dict[str, float] = {}
    if english:
        found["wer_ours"] = _rate(english, "ours")
        found["wer_stock"] = _rate(english, "stock")
    timed = english or rows
    found["time_ratio_p50"] = percentile((row.ms_ours / row.ms_stock for row in timed), 50)
    found["decode_ours_p50_ms"] = percentile((row.ms_ours for row in timed), 50)
    found["decode_stock_p50_ms"] = percentile((row.ms_stock for row in timed), 50)
    found["clips"] = len(rows)
    found["loops"] = sum(row.looped for row in rows)
    for language in sorted({row.language for row in rows} - {"en"}):
        theirs = [row for row in rows if row.language == language]
        found[f"wer_ours_{language}"] = _rate(theirs, "ours")
        found[f"wer_stock_{language}"] = _rate(theirs, "stock")
    return found


def figures(rows: Sequence[Row]) -> Figures:
    """The run as figures for machines."""
    return Figures("stt", summary(rows), [asdict(row) for row in rows])


def _rate(rows: Sequence[Row], who: str) -> float:
    return corpus_rate(Errors(getattr(row, f"errors_{who}"), row.words) for row in rows)


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    began = time.perf_counter_ns()
    result = work()
    return result, (time.perf_counter_ns() - began) / 1e6


def _second_of_silence() -> Samples:
    import numpy as np

    return np.zeros(RATE_HZ, dtype=np.float32)
