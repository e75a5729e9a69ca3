"""``under800 compare``: what got slower between two sets of calls."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from budgets.probe.compare import ALPHA, Answer, Comparison, read_rows, readable, v2v_or_silent
from budgets.probe.compare import compare as compare_rows
from voice.commands.options import JsonOption

console = Console()

_WORDS = {
    "worse": "[bold red]worse[/]",
    "better": "[green]better[/]",
    "same": "[dim]no change beyond noise[/]",
    "too few": "[yellow]too few turns to tell[/]",
}


def compare(
    before: Annotated[Path, typer.Argument(help="Figures that 'call --json' wrote, before.")],
    after: Annotated[Path, typer.Argument(help="The same, after the change.")],
    json: JsonOption = None,
) -> None:
    """Say what got slower from one set of calls to the next, turn by turn.

    Turns are paired by scenario, name and repetition. A change counts when it is both large
    enough to matter and surer than chance over everything that was asked. Exits with 1 if
    something got worse.
    """
    result = compare_rows(read_rows(before), read_rows(after))
    console.print(_table(result))
    console.print(_summary(result), highlight=False)
    if json:
        result.figures().write(json)
    raise typer.Exit(1 if result.worse else 0)


def _table(result: Comparison) -> Table:
    table = Table(title=f"{len(result.pairs)} turns, called before and after")
    table.add_column("")
    for column in ("before", "after", "change", "p"):
        table.add_column(column, justify="right")
    table.add_column("verdict")
    for answer in result.answers:
        unit = answer.question.unit
        table.add_row(
            answer.question.name,
            readable(answer.before, unit),
            readable(answer.after, unit),
            _signed(answer),
            f"{answer.p:.3f}",
            _WORDS[answer.change],
        )
    return table


def _signed(answer: Answer) -> str:
    value = readable(abs(answer.difference), answer.question.unit)
    if value == "silent" or not answer.difference:
        return value
    return f"{'+' if answer.difference > 0 else '−'}{value}"


def _summary(result: Comparison) -> str:
    lines = []
    if result.unpaired:
        lines.append(f"{result.unpaired} turns are in one file only and were left out.")
    for row in result.fell_silent():
        name = escape(str(row["name"]))
        lines.append(f"Answered before, silent now: {name} (turn {row['turn'] + 1})")
    if result.worse:
        names = ", ".join(answer.question.name for answer in result.worse)
        lines.append(f"[bold red]Worse:[/] {names}. The turns that lost most:")
        for (first, second), _ in result.slowest():
            was, now = (readable(v2v_or_silent(row), "ms") for row in (first, second))
            name = escape(str(second["name"]))
            lines.append(f"  {name} (turn {second['turn'] + 1}): {was} → {now}")
    elif any(answer.change == "too few" for answer in result.answers):
        lines.append(
            "Something moved, and these are too few turns to tell it from noise: place more "
            "calls (--calls 5), before and after."
        )
    else:
        lines.append(f"Nothing got worse (risk of a false alarm {ALPHA:.0%} for the whole table).")
    return "\n".join(lines)
