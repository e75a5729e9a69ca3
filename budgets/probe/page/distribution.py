"""How long callers waited: a dot a turn, the budget as a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from budgets.figures import percentile
from budgets.probe.page.markup import ms, percent, text

_BINS = 56
_HIGH_PX = 150
_DOT_PX = 11
_LOOKS = {"in": "in the budget", "late": "late", "cut": "cut the caller off", "silent": "silent"}
_STEPS_MS = (50, 100, 200, 400, 500, 1000, 2000, 5000, 10_000)


@dataclass(frozen=True)
class Dot:
    """One turn in the picture."""

    anchor: str
    label: str
    v2v_ms: float | None
    look: str
    """A CSS class: a key of ``_LOOKS``."""


def distribution(dots: Sequence[Dot], budget_ms: float, end_ms: float) -> str:
    """The picture; empty where no turn was due an answer."""
    if not dots:
        return ""
    heard = sorted((dot for dot in dots if dot.v2v_ms is not None), key=lambda dot: dot.v2v_ms or 0)
    silent = [dot for dot in dots if dot.v2v_ms is None]
    columns = [_column(dot, end_ms) for dot in heard]
    tallest = max([*Counter(columns).values(), len(silent), 1])
    step_px = min(_DOT_PX + 2.0, _HIGH_PX / tallest)
    waits = [dot.v2v_ms for dot in heard if dot.v2v_ms is not None]
    height_px = max(64.0, tallest * step_px + 26)
    seen: Counter[int] = Counter()
    marks = []
    for dot, column in zip(heard, columns, strict=True):
        marks.append(_dot(dot, (column + 0.5) / _BINS, seen[column] * step_px))
        seen[column] += 1
    aside = [_dot(dot, 0.5, level * step_px) for level, dot in enumerate(silent)]
    limit = percent(budget_ms / end_ms)
    return f"""
<figure class="dist{" has-silent" if silent else ""}" style="--high:{height_px:.0f}px">
  <div class="plot">
    <div class="zone" style="width:{limit}"></div>
    <div class="limit" style="left:{limit}"><span>{ms(budget_ms)} budget</span></div>
    {_axis(end_ms)}
    {"".join(marks)}
    {_quantile("p50", percentile(waits, 50), end_ms) if waits else ""}
    {_quantile("p95", percentile(waits, 95), end_ms) if waits else ""}
  </div>
  {f'<div class="aside">{"".join(aside)}<span>silent</span></div>' if silent else ""}
  {_key(dots)}
</figure>"""


def _key(dots: Sequence[Dot]) -> str:
    """What the shapes mean, of those that are there."""
    there = {dot.look for dot in dots}
    items = "".join(
        f'<li><i class="dot {look}"></i>{words}</li>'
        for look, words in _LOOKS.items()
        if look in there
    )
    return f'<ul class="key">{items}</ul>'


def _column(dot: Dot, end_ms: float) -> int:
    return min(_BINS - 1, int((dot.v2v_ms or 0.0) / end_ms * _BINS))


def _dot(dot: Dot, across: float, bottom_px: float) -> str:
    wait = "silent" if dot.v2v_ms is None else ms(dot.v2v_ms)
    label = text(f"{dot.label}: {wait}")
    return (
        f'<a class="dot {dot.look}" href="#{dot.anchor}" title="{label}" aria-label="{label}" '
        f'style="left:{percent(across)};bottom:{bottom_px:.1f}px"></a>'
    )


def _axis(end_ms: float) -> str:
    step_ms = next((step for step in _STEPS_MS if end_ms / step <= 7), _STEPS_MS[-1])
    ticks = range(0, int(end_ms) + 1, step_ms)
    return "".join(
        f'<span class="tick" style="left:{percent(at / end_ms)}">{at:,}</span>'
        for at in ticks
        if at / end_ms < 0.97
    )


def _quantile(name: str, at_ms: float, end_ms: float) -> str:
    across = min(1.0, at_ms / end_ms)
    side = " leftward" if across > 0.7 else ""
    return (
        f'<span class="quantile {name}{side}" style="left:{percent(across)}">'
        f"<b>{name}</b> {ms(at_ms)}</span>"
    )
