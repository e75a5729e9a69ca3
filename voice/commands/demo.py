"""``under800 demo`` and ``under800 talk``: a call that one can hear."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from budgets.errors import UserError
from budgets.figures import Figures, percentile
from budgets.ledger import Ledger, write_ledger
from budgets.waterfall import draw_waterfall, legend, waterfall
from voice.commands.options import ConfigOption, JsonOption
from voice.logs import quiet_frameworks

console = Console()


def demo(
    config: ConfigOption = None,
    wav: Annotated[
        list[Path] | None,
        typer.Option("--wav", help="Your own recordings, one per turn, in place of the demo's."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for what the call leaves.")] = Path("out/demo"),
    text: Annotated[
        bool, typer.Option("--text", help="Keep what was said in the ledger, and print it.")
    ] = False,
    json: JsonOption = None,
) -> None:
    """Place a whole call on the service desk, in real time, and show where each turn's time went.

    Writes call.wav (stereo: the caller left, the agent right), ledger.jsonl and waterfall.png.
    Exits with 1 if a turn stays silent.
    """
    silent = asyncio.run(_demo(config, wav or [], out, text, json))
    raise typer.Exit(1 if silent else 0)


async def _demo(
    config_path: Path | None, wav: list[Path], out: Path, text: bool, json: Path | None
) -> int:
    quiet_frameworks()
    from voice.config_file import load_config, load_desk
    from voice.demo.clips import demo_clips, own_clips
    from voice.demo.rehearsal import rehearse
    from voice.engines import load_engines

    _make_folder(out)
    config = load_config(config_path)
    desk = load_desk(config)
    clips = own_clips(wav, config.line.in_hz) if wav else demo_clips(config.line.in_hz)
    with console.status("loading ears, brain and mouth"):
        async with load_engines(config, desk) as engines:
            console.print(f"Calling [bold]{desk.name}[/], {len(clips)} turns, in real time.")
            console.print(legend())
            ledger = Ledger(
                call="demo",
                budget_ms=config.budget.v2v_ms,
                keep_text=text,
                on_turn=lambda entry: _show(entry),
            )
            call = await rehearse(engines, clips, ledger)

    _save_call(out / "call.wav", call.tracks)
    write_ledger(out / "ledger.jsonl", call.entries)
    draw_waterfall(call.entries, out / "waterfall.png", title=f"A call to {desk.name}")
    figures = _figures(call.sounds, call.entries)
    summary = figures.summary
    console.print(
        f"\nvoice-to-voice from the caller's last sample: p50 [bold]{summary['v2v_p50_ms']:.0f} ms"
        f"[/], p95 [bold]{summary['v2v_p95_ms']:.0f} ms[/] "
        f"(budget {config.budget.v2v_ms:.0f} ms); "
        f"{summary['turns']:.0f} turns, {summary['silent']:.0f} silent, "
        f"{summary['cutoffs']:.0f} cut-offs"
    )
    console.print(f"Listen to {out / 'call.wav'}; the rest is beside it.")
    if json:
        figures.write(json)
    return int(summary["silent"])


def _make_folder(out: Path) -> None:
    """Before the call: afterwards it would be too late to say that it cannot be kept."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise UserError(f"--out {out}: cannot be made a folder ({fault.strerror})") from fault


def _show(entry: dict[str, Any]) -> None:
    for who in ("caller", "agent"):
        if words := entry.get(f"{who}_text"):
            console.print(f"  [dim]{who}:[/] {words}", highlight=False)
    console.print(waterfall(entry))


def _save_call(path: Path, tracks: Any) -> None:
    """Both tracks in true time, at one rate: the higher of the two."""
    from voice.audio import resample, write_audio

    rate_hz = max(tracks.caller_hz, tracks.agent_hz)
    caller = resample(tracks.caller, tracks.caller_hz, rate_hz)
    agent = resample(tracks.agent, tracks.agent_hz, rate_hz)
    write_audio(path, [caller, agent], rate_hz)


def _figures(sounds: list[Any], entries: list[dict[str, Any]]) -> Figures:
    """The outside measurement of each turn, beside the ledger's own."""
    heard = [sound.v2v_ms for sound in sounds if sound.v2v_ms is not None]
    errors = [
        abs(sum(entry["spans_ms"].values()) - entry["v2v_ms"])
        for entry in entries
        if entry["v2v_ms"] is not None
    ]
    return Figures(
        what="demo",
        summary={
            "turns": len(sounds),
            "silent": sum(sound.v2v_ms is None for sound in sounds),
            "cutoffs": sum(sound.cutoff for sound in sounds),
            "v2v_p50_ms": percentile(heard, 50),
            "v2v_p95_ms": percentile(heard, 95),
            "span_error_max_ms": max(errors, default=float("nan")),
        },
        rows=[
            {"turn": index, "v2v_ms": sound.v2v_ms, "cutoff": sound.cutoff}
            for index, sound in enumerate(sounds)
        ],
    )


def talk(config: ConfigOption = None) -> None:
    """Talk to the agent through this machine's microphone and loudspeaker. Ctrl-C ends the call."""
    asyncio.run(_talk(config))


async def _talk(config_path: Path | None) -> None:
    quiet_frameworks()
    from voice.config_file import load_config, load_desk
    from voice.engines import load_engines
    from voice.line.device import DeviceLine
    from voice.pipecat.agent import build_agent, greeting
    from voice.pipecat.call import running
    from voice.pipecat.line import LineTransport

    config = load_config(config_path)
    desk = load_desk(config)
    line = DeviceLine()
    async with load_engines(config, desk) as engines:
        await engines.prepare_call()
        ledger = Ledger(
            call="talk",
            budget_ms=config.budget.v2v_ms,
            on_turn=lambda entry: console.print(waterfall(entry)),
        )
        worker = build_agent(engines, LineTransport(line), ledger)
        console.print(f"[bold]{desk.name}[/] is listening. Ctrl-C hangs up.")
        console.print(legend())
        async with running(worker, first=greeting(engines)):
            await asyncio.Event().wait()
