"""Pictures of where a turn's time went: a line of text while it happens, a chart afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from budgets.errors import UserError
from budgets.figures import percentile
from budgets.ledger import SPANS

# Okabe and Ito's palette, which stays apart for every kind of colour vision.
COLOURS = {
    "endpointing": "#999999",
    "transcription": "#56B4E9",
    "handover": "#F0E442",
    "ttft": "#0072B2",
    "first_clause": "#009E73",
    "synthesis": "#E69F00",
    "line": "#CC79A7",
}
"""The colour of each span of the ledger."""


_MOST_CELLS = 1000  # a turn of minutes must not become a bar of minutes


def legend() -> Text:
    """One line that says which colour is which span."""
    text = Text()
    for name, _ in SPANS:
        text.append("■", style=COLOURS[name])
        text.append(f"{name} ", style="dim")
    return text


def waterfall(entry: dict[str, Any], *, width: int = 54) -> Text:
    """One turn of the ledger as a bar; ``width`` cells are one and a half budgets.

    A longer turn ends in an arrow. The line is 26 characters longer than ``width`` at most.
    """
    budget_ms, v2v_ms = entry["budget_ms"], entry["v2v_ms"]
    text = Text(f"turn {entry['turn']:>2} ", style="bold")
    if v2v_ms is None:
        text.append(entry["outcome"], style="red" if entry["outcome"] == "silent" else "yellow")
        reason = entry.get("reason")
        return text.append(f" ({reason})", style="dim") if reason else text
    per_cell_ms = budget_ms * 1.5 / width
    deadline = round(budget_ms / per_cell_ms)
    cells = _cells(entry["spans_ms"], per_cell_ms)
    for at in range(width):
        if at == deadline:
            text.append("│", style="red")
        text.append(*(("█", COLOURS[cells[at]]) if at < len(cells) else (" ", "")))
    text.append("▶" if len(cells) > width else " ", style="red")
    style = "bold green" if entry["within_budget"] else "bold red"
    text.append(f" {v2v_ms:6.0f} ms", style=style)
    if entry["outcome"] != "answered":
        text.append(f" {entry['outcome']}", style="yellow")
    return text


def _cells(spans_ms: dict[str, float], per_cell_ms: float) -> list[str]:
    """The span that each cell shows: the one its middle lies in."""
    cells: list[str] = []
    end_ms = 0.0
    for name, span_ms in spans_ms.items():
        end_ms += span_ms
        while (len(cells) + 0.5) * per_cell_ms < end_ms and len(cells) < _MOST_CELLS:
            cells.append(name)
    return cells


def draw_waterfall(entries: Sequence[dict[str, Any]], path: Path, *, title: str) -> None:
    """Draw the turns of a ledger as a waterfall and write it as a picture (PNG or SVG)."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    turns = [entry for entry in entries if entry["outcome"] != "dropped"]
    height = max(2.6, 1.5 + 0.38 * len(turns))
    figure = Figure(figsize=(9.0, height), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    for row, entry in enumerate(turns):
        left = 0.0
        for name, span_ms in entry["spans_ms"].items():
            axes.barh(row, span_ms, left=left, height=0.66, color=COLOURS[name])
            left += span_ms
        label = entry["outcome"] if entry["v2v_ms"] is None else f"{entry['v2v_ms']:.0f} ms"
        paper = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
        axes.text(left + 12, row, label, va="center", fontsize=9, bbox=paper)
    if turns:
        budget_ms = turns[0]["budget_ms"]
        axes.axvline(budget_ms, color="#D55E00", linewidth=1.5, linestyle="--")
        axes.text(budget_ms, -0.75, f" budget {budget_ms:.0f} ms", color="#D55E00", fontsize=9)
    measured = [entry["v2v_ms"] for entry in turns if entry["v2v_ms"] is not None]
    widest = max([*measured, *(entry["budget_ms"] for entry in turns), 1.0])
    axes.set_xlim(0, widest * 1.14)
    axes.set_ylim(len(turns) - 0.4, -1.1)
    axes.set_yticks(range(len(turns)), [f"turn {entry['turn']}" for entry in turns])
    axes.set_xlabel("milliseconds after the caller's last speech sample")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(left=False)
    summary = f"  (p50 {percentile(measured, 50):.0f} ms, p95 {percentile(measured, 95):.0f} ms)"
    axes.set_title(title + (summary if measured else ""), loc="left", fontsize=11)
    figure.legend(
        handles=[Patch(color=COLOURS[name], label=name) for name, _ in SPANS],
        loc="outside lower center",
        ncols=len(SPANS),
        frameon=False,
        fontsize=8,
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path)
    except OSError as fault:
        raise UserError(f"cannot write the picture to {path}: {fault.strerror}") from fault
