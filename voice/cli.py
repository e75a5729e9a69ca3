"""The command line: ``under800``. Subcommands live in :mod:`voice.commands`, one file each."""

from __future__ import annotations

import sys

import typer
from rich.console import Console
from rich.markup import escape

from budgets.errors import UserError
from voice.commands import bench, bench_agent, call, compare, demo, models

app = typer.Typer(
    name="under800",
    help="Voice agents that answer inside an 800 ms turn budget.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("talk")(demo.talk)
app.add_typer(models.app, name="models")
app.command("call")(call.call)
app.command("compare")(compare.compare)
bench.app.command("agent")(bench_agent.agent)
app.add_typer(bench.app, name="bench")


def main() -> None:
    """Run the command line; a user's mistake is one clear message and exit code 2."""
    try:
        app()
    except UserError as mistake:
        message = f"[bold red]under800:[/] {escape(str(mistake))}"
        Console(stderr=True).print(message, highlight=False, soft_wrap=True)
        sys.exit(2)
