"""``under800 bench``: what this machine measures, ours beside stock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from budgets.errors import UserError
from budgets.figures import Figures
from voice.commands.options import JsonOption

if TYPE_CHECKING:
    from voice.bench.stt import Clip, Row

app = typer.Typer(no_args_is_help=True)


@app.callback()
def bench() -> None:
    """Measure ours beside stock, in one run."""


@app.command("tts")
def tts(
    voice: Annotated[
        str, typer.Option(help="A voice of the model store, or a Piper .onnx file.")
    ] = "piper-en_US-joe-medium",
    sentences: Annotated[
        Path | None, typer.Option(help="Your own sentences, one per line; default: 44 of ours.")
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Takes of each sentence by each side.")] = 3,
    json: JsonOption = None,
) -> None:
    """Time to first audio against stock piper, underruns, and whether the sound is the same."""
    from voice.bench.tts import OUR_SENTENCES, compare, read_sentences
    from voice.models import model_path

    model = model_path(voice)
    texts = read_sentences(sentences or OUR_SENTENCES)
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        task = progress.add_task("speaking", total=len(texts) * (repeats + 1))
        figures = compare(model, texts, repeats=repeats, step=lambda: progress.advance(task))
    Console().print(_tts_table(figures))
    if json:
        figures.write(json)


@app.command("stt")
def stt(
    data: Annotated[Path, typer.Option(help="A folder with a transcripts.tsv, or human/ in it.")],
    model: Annotated[
        str, typer.Option(help="The model for English clips: a name, or a folder.")
    ] = "whisper-tiny.en",
    multilingual: Annotated[
        str, typer.Option(help="The model for clips in other languages.")
    ] = "whisper-base",
    repeats: Annotated[int, typer.Option(min=1, help="Decodes of each clip by each side.")] = 3,
    beam_size: Annotated[int, typer.Option(min=1, max=10, help="Of both sides.")] = 1,
    threads: Annotated[int, typer.Option(min=1, help="Of both sides.")] = 2,
    json: JsonOption = None,
) -> None:
    """Word errors and decode time against stock faster-whisper (30 s window, same decoding)."""
    from voice.bench.stt import Duel, figures, read_clips

    by_language: dict[str, list[Clip]] = {}
    for clip in read_clips(data):
        by_language.setdefault(clip.language, []).append(clip)
    console = Console(stderr=True)
    folders = _stt_models(by_language, model=model, multilingual=multilingual, console=console)
    rows: list[Row] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        task = progress.add_task(
            "transcribing", total=sum(len(by_language[language]) for language in folders)
        )
        for language, folder in folders.items():
            duel = Duel(folder, language=language, threads=threads, beam_size=beam_size)
            for clip in by_language[language]:
                rows.append(duel.run(clip, repeats=repeats))
                progress.advance(task)
    found = figures(rows)
    _print_stt(rows, found)
    if json:
        found.write(json)


def _stt_models(
    languages: Iterable[str], *, model: str, multilingual: str, console: Console
) -> dict[str, Path]:
    """The model's folder for each language; languages without a model here are left out."""
    from voice.models import model_path

    languages = sorted(languages, key=lambda language: (language != "en", language))
    folders = {language: model_path(model) for language in languages if language == "en"}
    others = [language for language in languages if language != "en"]
    try:
        folders |= {language: model_path(multilingual) for language in others}
    except UserError as missing:
        if not folders:
            raise
        console.print(f"[yellow]without {', '.join(others)}:[/] {escape(str(missing))}")
    return folders


def _print_stt(rows: Sequence[Row], found: Figures) -> None:
    table = Table("clip", "lang", box=None, header_style="bold", pad_edge=False)
    for column in ("s", "WER ours", "WER stock", "ms ours", "ms stock", "ratio"):
        table.add_column(column, justify="right")
    table.add_column("")
    for row in rows:
        errors = (f"{100 * row.wer_ours:.0f} %", f"{100 * row.wer_stock:.0f} %")
        times = (f"{row.ms_ours:.0f}", f"{row.ms_stock:.0f}", f"{row.ms_ours / row.ms_stock:.2f}")
        note = "[red]loops[/]" if row.looped else "repaired" if row.repaired else ""
        name = escape(row.file)
        table.add_row(name, row.language, f"{row.seconds:.1f}", *errors, *times, note)
    console = Console()
    console.print(table)
    summary = Table("", "ours", "stock faster-whisper", box=None, header_style="bold")
    for key, rate in found.summary.items():
        if key.startswith("wer_ours"):
            language = key.removeprefix("wer_ours").strip("_") or "en"
            stock = found.summary[key.replace("ours", "stock")]
            summary.add_row(
                f"word errors, {language}", f"{100 * rate:.1f} %", f"{100 * stock:.1f} %"
            )
    ours, stock = (found.summary[f"decode_{who}_p50_ms"] for who in ("ours", "stock"))
    summary.add_row("decode of the final text, p50", f"{ours:.0f} ms", f"{stock:.0f} ms")
    console.print(summary)
    ratio, loops = found.summary["time_ratio_p50"], found.summary["loops"]
    console.print(
        f"time ratio, p50 of the clips: [bold]{ratio:.2f}[/]; clips that loop: {loops:.0f}"
    )


def _tts_table(figures: Figures) -> Table:
    found = figures.summary
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column(f"{found['sentences']:.0f} sentences")
    for column in ("ours", "stock piper", "ratio"):
        table.add_column(column, justify="right")
    for what in ("audio", "audible"):
        ours, stock = found[f"first_{what}_p50_ms"], found[f"stock_first_{what}_p50_ms"]
        ratio = found[f"first_{what}_ratio_p50"]
        table.add_row(f"first {what}, p50", f"{ours:.0f} ms", f"{stock:.0f} ms", f"{ratio:.2f}")
    p95, stock_p95 = found["first_audio_p95_ms"], found["stock_first_audio_p95_ms"]
    table.add_row("first audio, p95", f"{p95:.0f} ms", f"{stock_p95:.0f} ms", "")
    table.add_row("underruns in real time", f"{found['underruns']:.0f}", "", "")
    table.add_row("largest difference of a sample", f"{found['max_sample_difference']:.1e}", "", "")
    table.add_row("loudness to stock", f"{found['loudness_difference_p50_db']:+.1f} dB", "", "")
    return table
