"""Figures for machines: what a measuring command writes with ``--json``."""

from __future__ import annotations

import importlib.metadata
import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from budgets.errors import UserError

_VERSIONED = (
    "under800",
    "pipecat-ai",
    "livekit-agents",
    "faster-whisper",
    "ctranslate2",
    "piper-tts",
    "onnxruntime",
    "xllamacpp",
    "numpy",
)


def percentile(values: Iterable[float], q: float) -> float:
    """The ``q``-th percentile (0 to 100), linearly interpolated; NaN of nothing."""
    data = np.asarray(list(values), dtype=np.float64)
    return float(np.percentile(data, q)) if data.size else float("nan")


def versions() -> dict[str, str]:
    """The versions that a figure depends on, of what is installed."""
    found = {"python": platform.python_version()}
    for name in _VERSIONED:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


@dataclass
class Figures:
    """One measurement: ``summary`` maps a name (with its unit and percentile) to a number."""

    what: str
    summary: dict[str, float]
    rows: Sequence[dict[str, Any]] = field(default_factory=list)

    def write(self, path: Path) -> None:
        """Write ``{"what", "versions", "summary", "rows"}``; a NaN becomes null.

        Raises UserError where the file cannot be written.
        """
        content = {
            "what": self.what,
            "versions": versions(),
            "summary": _plain(self.summary),
            "rows": _plain(list(self.rows)),
        }
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        except OSError as fault:
            raise UserError(f"cannot write the figures to {path}: {fault.strerror}") from fault


def _plain(value: Any) -> Any:
    """JSON has no NaN and knows no numpy."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return None if not np.isfinite(value) else round(value, 6)
    return value
