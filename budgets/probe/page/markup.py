"""Small pieces of HTML. Text that comes from outside passes through ``text`` and nothing else."""

from __future__ import annotations

import html


def text(value: object) -> str:
    """Any value as text that is safe between tags and inside quoted attributes."""
    return html.escape(str(value), quote=True)


def ms(value: float | None) -> str:
    """``1,245 ms``, with a space that does not break; a dash for none."""
    return "–" if value is None else f"{value:,.0f}\u00a0ms"


def percent(value: float) -> str:
    """A position or a width for CSS, from a share of one."""
    return f"{100.0 * value:.2f}%"


def scale_ms(waits_ms: list[float], budget_ms: float) -> float:
    """Where the axis of waits ends: one slow turn must not make specks of the others."""
    return max(1.5 * budget_ms, min(1.06 * max(waits_ms, default=0.0), 4.0 * budget_ms))
