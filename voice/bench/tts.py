"""The mouth against stock piper: how soon each starts, and whether it sounds the same."""

from __future__ import annotations

import itertools
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from budgets.errors import UserError
from budgets.figures import Figures, percentile
from budgets.playout import Playout, first_audible
from voice.audio import Samples
from voice.tts.level import LeadTrim
from voice.tts.piper import StreamingPiper

OUR_SENTENCES = Path(__file__).with_name("sentences.txt")
"""44 sentences that service desks say, 5 to 25 words each."""

ClockNs = Callable[[], int]


@dataclass(frozen=True)
class Take:
    """One synthesis of one sentence, timed from the moment its text was handed over."""

    first_audio_ms: float
    """Until the first samples were in hand."""
    first_audible_ms: float
    """Until a listener, to whom all is played as it comes, hears a sample over -40 dBFS."""
    underruns: int
    """Slices that came after what was there before had been played."""
    rms: float


@dataclass(frozen=True)
class Row:
    """One sentence, the medians of its takes; ``ratio`` is ours to stock."""

    sentence: int
    words: int
    first_audio_ms: float
    stock_first_audio_ms: float
    ratio: float
    first_audible_ms: float
    stock_first_audible_ms: float
    underruns: int
    loudness_difference_db: float


def read_sentences(path: Path) -> list[str]:
    """One sentence per line; empty lines and those that start with # do not count."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        raise UserError(f"{path}: no sentences can be read here ({fault})") from fault
    sentences = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not sentences:
        raise UserError(f"{path}: holds no sentences")
    return sentences


def compare(
    model: Path,
    sentences: Sequence[str],
    *,
    repeats: int,
    step: Callable[[], None] = lambda: None,
    clock_ns: ClockNs = time.monotonic_ns,
) -> Figures:
    """Ours and stock piper on the same sentences, turn and turn about in one run.

    ``step`` is called after each pair: ``repeats + 1`` times a sentence.
    """
    ours = StreamingPiper(model)
    stock = StockPiper(model)
    ours.warm()
    stock.warm()
    rows = []
    for number, text in enumerate(sentences):
        takes: list[Take] = []
        stock_takes: list[Take] = []
        for repeat in range(repeats):
            for mine in (True, False) if (number + repeat) % 2 else (False, True):
                if mine:
                    takes.append(timed(ours.stream(text), ours.rate_hz, clock_ns))
                else:
                    whole = stock.stream(text)
                    stock_takes.append(timed(whole, ours.rate_hz, clock_ns, trim=False))
            step()
        rows.append(_row(number, text, takes, stock_takes))
    difference = _largest_difference(StreamingPiper(model, noise=0), stock, sentences, step)
    return Figures("tts", _summary(rows, difference), [asdict(row) for row in rows])


class StockPiper:
    """piper-tts as its users call it: its own session, whole sentences."""

    def __init__(self, model: Path) -> None:
        from piper import PiperVoice

        # It warns of each phoneme that a voice does not know, in the middle of our progress bar.
        logging.getLogger("piper").setLevel(logging.ERROR)
        self._voice = PiperVoice.load(model)

    def warm(self) -> None:
        """Run once."""
        for _ in self.stream("One moment, please."):
            pass

    def stream(self, text: str, **settings: Any) -> Iterable[Samples]:
        """One array of shape (n,) per sentence; ``settings`` are those of a SynthesisConfig."""
        from piper.config import SynthesisConfig

        for chunk in self._voice.synthesize(text, SynthesisConfig(**settings)):
            yield chunk.audio_float_array


def timed(slices: Iterable[Samples], rate_hz: int, clock_ns: ClockNs, *, trim: bool = True) -> Take:
    """Pull all audio as it comes and play it in virtual time.

    ``trim`` drops the near-silence at the start, as for the first clause of a reply: there is
    then less to play while the next slice is made.
    """
    begun_ns = clock_ns()
    lead = LeadTrim(rate_hz)
    playout = Playout(rate_hz)
    first_ns = audible_ns = due_ns = None
    underruns = 0
    kept = []
    for samples in itertools.chain(slices, [None]):
        now_ns = clock_ns()
        first_ns = first_ns or now_ns
        played = lead.flush() if samples is None else (lead.feed(samples) if trim else samples)
        if not len(played):
            continue
        underruns += due_ns is not None and now_ns > due_ns
        starts_ns = playout.play(len(played), now_ns)
        due_ns = starts_ns + len(played) * 1_000_000_000 // rate_hz
        if audible_ns is None and (at := first_audible(played)) is not None:
            audible_ns = starts_ns + at * 1_000_000_000 // rate_hz
        kept.append(played)
    if first_ns is None or audible_ns is None:
        raise UserError("a sentence gave no sound: is its language that of the voice?")
    return Take(
        first_audio_ms=(first_ns - begun_ns) / 1e6,
        first_audible_ms=(audible_ns - begun_ns) / 1e6,
        underruns=underruns,
        rms=float(np.sqrt(np.mean(np.concatenate(kept) ** 2))),
    )


def _row(number: int, text: str, takes: list[Take], stock: list[Take]) -> Row:
    first_ms, stock_ms = _median(takes, "first_audio_ms"), _median(stock, "first_audio_ms")
    return Row(
        sentence=number + 1,
        words=len(text.split()),
        first_audio_ms=first_ms,
        stock_first_audio_ms=stock_ms,
        ratio=first_ms / stock_ms,
        first_audible_ms=_median(takes, "first_audible_ms"),
        stock_first_audible_ms=_median(stock, "first_audible_ms"),
        underruns=sum(take.underruns for take in takes),
        loudness_difference_db=20 * float(np.log10(_median(takes, "rms") / _median(stock, "rms"))),
    )


def _median(takes: list[Take], name: str) -> float:
    return percentile((getattr(take, name) for take in takes), 50)


def _largest_difference(
    ours: StreamingPiper, stock: StockPiper, sentences: Sequence[str], step: Callable[[], None]
) -> float:
    """Between the samples of both without noise, at the model's own level; inf if one is longer."""
    largest = 0.0
    for text in sentences:
        mine = np.concatenate(list(ours.raw(text)))
        settings = {"noise_scale": 0.0, "noise_w_scale": 0.0, "normalize_audio": False}
        theirs = np.concatenate(list(stock.stream(text, **settings)))
        same_length = mine.shape == theirs.shape
        largest = max(largest, float(np.abs(mine - theirs).max()) if same_length else np.inf)
        step()
    return largest


def _summary(rows: list[Row], difference: float) -> dict[str, float]:
    def over(name: str, q: float) -> float:
        return percentile((getattr(row, name) for row in rows), q)

    audible = [row.first_audible_ms / row.stock_first_audible_ms for row in rows]
    return {
        "sentences": len(rows),
        "first_audio_ratio_p50": over("ratio", 50),
        "first_audio_p50_ms": over("first_audio_ms", 50),
        "first_audio_p95_ms": over("first_audio_ms", 95),
        "stock_first_audio_p50_ms": over("stock_first_audio_ms", 50),
        "stock_first_audio_p95_ms": over("stock_first_audio_ms", 95),
        "first_audible_ratio_p50": percentile(audible, 50),
        "first_audible_p50_ms": over("first_audible_ms", 50),
        "stock_first_audible_p50_ms": over("stock_first_audible_ms", 50),
        "underruns": sum(row.underruns for row in rows),
        "max_sample_difference": difference,
        "loudness_difference_p50_db": over("loudness_difference_db", 50),
    }
