"""``under800 call``: call an agent, hear it as a caller does, and judge it by a budget."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from budgets.errors import UserError
from voice.commands.options import ConfigOption, JsonOption
from voice.logs import quiet_frameworks

if TYPE_CHECKING:
    from budgets.probe.budget_file import CallBudget
    from budgets.probe.prepare import PreparedScenario
    from budgets.probe.record import CallRecord, Target
    from budgets.probe.verdict import Verdict
    from voice.config import Config

console = Console()

_RAMP_TO = 16
"""Where a ramp stops, if nobody says how far it may go."""


def call(
    target: Annotated[
        str,
        typer.Argument(
            help="pipecat:module:factory, livekit:module:entry, twilio+ws://…, rtvi+ws://…, "
            "pcm+ws://… or config:FILE. See docs/doors.md."
        ),
    ],
    scenario: Annotated[
        str, typer.Argument(help="A scenario that ships (smoke, numbers, …), or a .yaml file.")
    ],
    budget: Annotated[
        Path | None, typer.Option(help="A budget file: what the call may cost.")
    ] = None,
    json: JsonOption = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", help="Write JUnit XML to this file, for CI.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the report, with its audio, as one page.")
    ] = None,
    calls: Annotated[
        int, typer.Option(min=1, max=200, help="Calls at once; with --ramp the most to try.")
    ] = 1,
    ramp: Annotated[
        bool, typer.Option("--ramp", help="Find the largest number of calls whose p95 holds.")
    ] = False,
    minutes: Annotated[
        float, typer.Option(min=0.1, max=240, help="When to give up, ramps and all.")
    ] = 30,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="A host besides this one that may get several calls. Repeatable."),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Call an agent, in real time, and measure what a caller hears.

    Exits with 0 when everything is as expected and within the budget, 1 when something is not,
    and 2 when the set-up is broken: a mistake in a file, or an agent that was not there or was
    lost in mid-call. ``--config`` names the voice and the ears of the caller.
    """
    quiet_frameworks()
    from budgets.probe.budget_file import CallBudget, load_budget
    from voice.config_file import load_config
    from voice.probe.load import check_may_load
    from voice.probe.targets import open_door, parse_target
    from voice.scenarios import open_scenario

    name = parse_target(target)
    if calls > 1 or ramp:
        check_may_load(name, allow_host or [])
    limits = load_budget(budget) if budget else CallBudget()
    if config is None and name.door == "config":
        config = Path(name.address)
    settings = load_config(config)
    prepared = open_scenario(scenario, settings)

    async def run() -> tuple[list[CallRecord], int | None]:
        with console.status("getting ready"):
            async with open_door(name) as new_target:
                console.print(
                    f"Calling [bold]{escape(name.text)}[/] with '{escape(prepared.scenario.name)}',"
                    f" {len(prepared.moves)} turns, in real time.",
                    highlight=False,
                )
                most = (calls if calls > 1 else _RAMP_TO) if ramp else calls
                return await _place(
                    prepared, new_target, name.text, limits, most, ramp, minutes * 60
                )

    records, largest = asyncio.run(run())
    _hear_words(records, settings)
    verdict = _report(records, limits, json=json, junit=junit, html=html, largest=largest)
    if largest is not None and verdict.outcome != "broken":
        raise typer.Exit(0 if largest else 1)
    raise typer.Exit(verdict.exit_code)


async def _place(
    prepared: PreparedScenario,
    new_target: Callable[[], Target],
    name: str,
    limits: CallBudget,
    most: int,
    ramp: bool,
    within_s: float,
) -> tuple[list[CallRecord], int | None]:
    """The records of the calls, and the largest number that held, for a ramp.

    A ramp's records are those of its largest number, or of its first where none held.
    """
    from voice.probe.load import Ramp, holds, place_calls

    if not ramp:
        try:
            async with asyncio.timeout(within_s):
                return await place_calls(prepared, new_target, name=name, calls=most), None
        except TimeoutError:
            raise UserError(
                f"the call was not over after {within_s / 60:g} minutes; a scenario of this "
                "length needs a larger --minutes"
            ) from None
    search, best = Ramp(most), list[CallRecord]()
    try:
        async with asyncio.timeout(within_s):
            while (count := search.next_calls()) is not None:
                records = await place_calls(prepared, new_target, name=name, calls=count)
                held = holds(records, limits)
                search.told(count, held=held)
                console.print(f"  {count:>3} at once: {_words(records, limits, held)}")
                if held or not best:
                    best = records
    except TimeoutError:
        console.print(f"[yellow]The ramp was stopped after {within_s / 60:g} minutes.[/]")
        if not best:
            raise UserError("not one call was over by then; give it more --minutes") from None
    return best, search.largest


def _words(records: Sequence[CallRecord], limits: CallBudget, held: bool) -> str:
    from budgets.probe.verdict import call_figures, show

    figures = call_figures(records, limits.v2v_ms)
    lost = sum(record.failed for record in records)
    mark = "[green]holds[/]" if held else "[red]does not hold[/]"
    return (
        f"p95 {show(figures['v2v_p95_ms'], 'ms')}, {figures['silent_turns']:.0f} silent, "
        f"{lost} lost; {mark}"
    )


def _hear_words(records: Sequence[CallRecord], settings: Config) -> None:
    """Add what was not said, where the scenario expects words at all."""
    if not any(u.expect.says for record in records for u in record.utterances):
        return
    from budgets.probe.expectations import not_said
    from voice.probe.hearing import words_heard

    hear = words_heard(settings)
    for record in records:
        record.findings += not_said(record, hear)


def _report(
    records: list[CallRecord],
    limits: CallBudget,
    *,
    json: Path | None,
    junit: Path | None,
    html: Path | None,
    largest: int | None,
) -> Verdict:
    from budgets.probe.junit import write_junit
    from budgets.probe.page.document import write_page
    from budgets.probe.report import figures
    from budgets.probe.verdict import judge

    verdict = judge(records, limits)
    if len(records) == 1:
        console.print(_turns(records[0], limits.v2v_ms))
    console.print(_figures(verdict))
    for reason in verdict.reasons:
        console.print(f"  [red]✗[/] {escape(reason)}", highlight=False)
    word = {"pass": "[green]Pass[/]", "fail": "[red]Fail[/]", "broken": "[red]Broken set-up[/]"}
    console.print(f"[bold]{word[verdict.outcome]}[/]")
    if largest is not None:
        console.print(f"[bold]{largest}[/] calls at once is the most whose p95 holds.")
    if json:
        found = figures(records, verdict)
        if largest is not None:
            found.summary["calls_that_hold"] = largest
        found.write(json)
    if junit:
        write_junit(junit, records, verdict)
    if html:
        write_page(html, records, verdict)
        console.print(f"The report is {html}.", highlight=False)
    return verdict


def _turns(record: CallRecord, budget_ms: float) -> Table:
    table = Table("turn", box=None, header_style="bold", pad_edge=False)
    table.add_column("v2v", justify="right")
    table.add_column("stop", justify="right")
    table.add_column("findings")
    for utterance, sound in zip(record.utterances, record.sounds, strict=True):
        kinds = [f.kind for f in record.findings if f.turn == utterance.index]
        v2v = "" if sound.v2v_ms is None else f"{sound.v2v_ms:.0f} ms"
        colour = "green" if sound.v2v_ms is not None and sound.v2v_ms <= budget_ms else "yellow"
        table.add_row(
            escape(utterance.name),
            f"[{colour}]{v2v}[/]",
            "" if sound.stop_ms is None else f"{sound.stop_ms:.0f} ms",
            f"[red]{', '.join(dict.fromkeys(kinds))}[/]",
        )
    return table


def _figures(verdict: Verdict) -> Table:
    from budgets.probe.verdict import FIGURE_UNITS, TITLES, show

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column(style="dim")
    checks = {check.figure: check for check in verdict.checks}
    for figure, title in TITLES.items():
        unit = FIGURE_UNITS[figure]
        limit = ""
        if check := checks.get(figure):
            bound = "at least" if check.at_least else "at most"
            mark = "[green]✓[/]" if check.ok else "[red]✗[/]"
            limit = f"{mark} {bound} {show(check.limit, unit)}"
        table.add_row(title, show(verdict.figures[figure], unit), limit)
    return table
