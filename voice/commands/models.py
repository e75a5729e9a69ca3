"""``under800 models``: list, pull and verify the models on this machine."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from budgets.errors import UserError
from voice.models import State, Status, cache_dir, check, known, pull, verify
from voice.models.catalog import CATALOG

app = typer.Typer(help="The models on this machine: list, pull, verify.", no_args_is_help=True)

_COLOURS = {State.HERE: "green", State.MISSING: "dim", State.DAMAGED: "bold red"}
_NAMES_HELP = "Names from `models list`, or hf:owner/name@revision/file."


@app.command("list")
def list_models(
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON instead of a table.")] = False,
) -> None:
    """Show every known model and whether it is here."""
    statuses = [check(name) for name in known()]
    console = Console()
    if as_json:
        rows = [_row(status) for status in statuses]
        console.out(json.dumps(rows, indent=1), highlight=False)
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("name", overflow="fold", min_width=max(len(name) for name in CATALOG) + 2)
    table.add_column("what")
    table.add_column("licence")
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("state", no_wrap=True)
    for status in statuses:
        name = Text(f"{status.name}{' *' if _is_default(status) else ''}")
        state = Text(status.state.value, style=_COLOURS[status.state])
        size = f"{status.size / 1e6:.0f} MB"
        table.add_row(name, _what(status), _licence(status), size, state)
    console.print(table)
    console.print(Text(f"* pulled by default. Cache: {cache_dir()}", style="dim"), soft_wrap=True)


@app.command("pull")
def pull_models(
    names: Annotated[list[str] | None, typer.Argument(help=_NAMES_HELP)] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every model of the list.")] = False,
) -> None:
    """Fetch models, or mend damaged ones; without names, those that the default needs."""
    if everything and names:
        raise UserError("name models or give --all, not both")
    pull(list(CATALOG) if everything else names, console=Console())


@app.command("verify")
def verify_models(
    names: Annotated[list[str] | None, typer.Argument(help=_NAMES_HELP)] = None,
) -> None:
    """Read every byte of the models and compare; exit code 1 where one is damaged or missing."""
    if not verify(names, console=Console()):
        raise typer.Exit(1)


def _row(status: Status) -> dict[str, object]:
    return {
        "name": status.name,
        "what": _what(status),
        "licence": _licence(status),
        "size_bytes": status.size,
        "state": status.state.value,
        "default": _is_default(status),
        "faults": list(status.faults),
        "folder": str(status.folder),
    }


def _what(status: Status) -> str:
    model = CATALOG.get(status.name)
    return model.what if model else "from the hub"


def _licence(status: Status) -> str:
    model = CATALOG.get(status.name)
    return model.licence if model else "see its page"


def _is_default(status: Status) -> bool:
    model = CATALOG.get(status.name)
    return model is not None and model.default
