"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", help="A configuration file; default: the one that ships."),
]
JsonOption = Annotated[
    Path | None, typer.Option("--json", help="Write the figures to this file, for machines.")
]
