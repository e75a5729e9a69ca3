"""A bar while a model arrives; nothing where no terminal shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)


@contextmanager
def progress_bar(name: str, console: Console) -> Iterator[Callable[[int, int], None]]:
    """Yields what to call with the bytes that have arrived and the bytes in all."""
    columns = (
        TextColumn("{task.fields[name]}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task("", total=None, name=name)
        yield lambda done, total: progress.update(task, completed=done, total=total)
