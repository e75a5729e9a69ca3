"""Where the files that ship with the package lie: the configurations."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent


def configs_dir() -> Path:
    """The packaged ``configs/``: inside the package when installed, beside it in a checkout."""
    installed = _HERE / "configs"
    return installed if installed.is_dir() else _HERE.parent / "configs"


def packaged_configs() -> list[Path]:
    """The packaged configuration files (not the desks), sorted by name."""
    return sorted(configs_dir().glob("*.yaml"))
