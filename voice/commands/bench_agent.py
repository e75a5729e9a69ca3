"""``under800 bench agent``: whole agents on the same calls, heard from outside."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from voice.commands.options import ConfigOption, JsonOption
from voice.logs import quiet_frameworks

if TYPE_CHECKING:
    from budgets.probe.caller import Clip
    from voice.bench.agent import AgentResults

console = Console()

_STOCK = ("stock-pipecat", "stock-pipecat-tuned", "stock-livekit", "stock-livekit-tuned")


def agent(
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            help="An agent to compare with: stock-pipecat, stock-livekit, or either with -tuned. "
            "Repeatable; default: all four.",
        ),
    ] = None,
    clips: Annotated[
        Path | None,
        typer.Option(help="A folder of clips with transcripts.tsv; default: the demo's caller."),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often each call is placed.")] = 3,
    limit: Annotated[
        int | None, typer.Option(min=1, help="At most so many calls of the folder.")
    ] = None,
    config: ConfigOption = None,
    json: JsonOption = None,
) -> None:
    """Our agent and others on the same models and clips, their calls interleaved in one run.

    Latency is from the caller's exact last speech sample to the agent's first audible one.
    """
    asyncio.run(_agent(against or list(_STOCK), clips, rounds, limit, config, json))


async def _agent(
    against: list[str],
    folder: Path | None,
    rounds: int,
    limit: int | None,
    config_path: Path | None,
    json: Path | None,
) -> None:
    quiet_frameworks()
    from budgets.figures import Figures
    from voice.bench.agent import AgentResults, agents, rows, summarise
    from voice.config_file import load_config, load_desk
    from voice.demo.clips import demo_clips, folder_clips
    from voice.engines import load_engines

    config = load_config(config_path)
    rate_hz = config.line.in_hz
    calls = _calls(folder_clips(folder, rate_hz)) if folder else [demo_clips(rate_hz)]
    calls = calls[:limit] * rounds
    async with load_engines(config, load_desk(config)) as engines:
        callers = agents(engines, against)
        results = {name: AgentResults(name) for name in callers}
        with _progress() as progress:
            task = progress.add_task("calls", total=len(calls) * len(callers))
            for turn, clips in enumerate(calls):
                # Every other time in the opposite order, so that no agent always goes first.
                for name in list(callers)[:: -1 if turn % 2 else 1]:
                    progress.update(task, description=f"{name} answers")
                    results[name].turns += await callers[name](clips)
                    progress.advance(task)
    summary = summarise(results)
    console.print(_table(results, summary))
    if json:
        Figures("bench agent", summary, rows(results)).write(json)


def _calls(clips: Sequence[Clip]) -> list[list[Clip]]:
    """Clips as calls: what stands before ``_turn`` in their names is the call's."""
    calls: dict[str, list[Clip]] = {}
    for clip in clips:
        calls.setdefault(re.split(r"_turn\d+", clip.name)[0], []).append(clip)
    # A folder of single questions is calls of a few turns, not as many calls as questions.
    if len(calls) > len(clips) / 2:
        return [list(clips[at : at + 5]) for at in range(0, len(clips), 5)]
    return list(calls.values())


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )


def _table(results: dict[str, AgentResults], summary: dict[str, float]) -> Table:
    table = Table(
        title="voice-to-voice, from the caller's last speech sample",
        box=None,
        padding=(0, 1, 0, 0),
        header_style="bold",
    )
    table.add_column("agent", no_wrap=True)
    for column in ("p50 ms", "p95 ms", "cut off", "half", "silent", "turns", "ours to it (95 %)"):
        table.add_column(column, justify="right", no_wrap=True)
    for name in results:
        ratio = summary.get(f"ratio_p50.{name}")
        table.add_row(
            name,
            f"{summary[f'{name}.v2v_p50_ms']:.0f}",
            f"{summary[f'{name}.v2v_p95_ms']:.0f}",
            f"{summary[f'{name}.cutoff_rate']:.0%}",
            f"{summary[f'{name}.half_turn_rate']:.0%}",
            f"{summary[f'{name}.silent']:.0f}",
            f"{summary[f'{name}.turns']:.0f}",
            "" if ratio is None else _ratio(name, summary),
        )
    return table


def _ratio(name: str, summary: dict[str, float]) -> str:
    """The ratio of the medians, with its 95 % confidence interval."""
    low, high = (summary[f"ratio_p50_{end}.{name}"] for end in ("low", "high"))
    return f"{summary[f'ratio_p50.{name}']:.2f} ({low:.2f}–{high:.2f})"
