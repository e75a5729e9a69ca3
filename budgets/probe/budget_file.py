"""The budget that a call is judged by, read from a YAML file.

    v2v_ms: 800            # what one turn may take; within_budget counts against it
    p50_ms: 700
    p95_ms: 1200
    within_budget: 90 %    # at least this share of the turns
    cutoff_rate: 0.02      # at most
    silent_turns: 0

Every key but the first is a limit, and is not judged where it is left out. A finding that has a
limit here (a gap, a cut-off) is judged by it; any other finding fails the call.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from budgets.errors import UserError
from budgets.yaml_file import YamlFile
from budgets.yaml_model import Ms, Section, validated

Unit = Literal["ms", "share", "count"]


def _share(value: Any) -> Any:
    """``0.95``, ``"0.95"`` or ``"95 %"`` as a share of one; ValueError for what is none."""
    if not isinstance(value, str):
        return value
    digits = value.strip().removesuffix("%").rstrip()
    try:
        return float(digits) / (100.0 if value.strip().endswith("%") else 1.0)
    except ValueError:
        raise ValueError(f"'{value}' is not a share; write 0.95 or '95 %'") from None


Share = Annotated[float, BeforeValidator(_share), Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class CallBudget(Section):
    """What calls may cost. None: not judged."""

    v2v_ms: Annotated[Ms, Field(gt=0)] = 800.0
    """What a turn may take, from the caller's last speech sample to the first audible answer."""
    p50_ms: Ms | None = None
    p95_ms: Ms | None = None
    """Of the turns that were answered."""
    within_budget: Share | None = None
    """The least share of the turns with an answer due that is answered within ``v2v_ms``; one
    that was silent or cut off is not."""
    cutoff_rate: Share | None = None
    """The largest share of the same turns in which the agent began before the caller's end."""
    silent_turns: Count | None = None
    """The most turns that nobody answered."""
    gap_max_ms: Ms | None = None
    """The longest silence inside a reply."""
    stop_p95_ms: Ms | None = None
    """From the caller's first sample of a barge-in to the agent's last audible one."""
    stale_ms_max: Ms | None = None
    """The most old audio that began again after a barge-in."""
    double_replies: Count | None = None
    """The most turns in which the agent said its reply twice."""


UNITS: dict[str, Unit] = {
    "p50_ms": "ms",
    "p95_ms": "ms",
    "within_budget": "share",
    "cutoff_rate": "share",
    "silent_turns": "count",
    "gap_max_ms": "ms",
    "stop_p95_ms": "ms",
    "stale_ms_max": "ms",
    "double_replies": "count",
}
"""The limits that a budget may have, with the unit of each."""


def load_budget(path: Path) -> CallBudget:
    """Read a budget file. UserError lists every fault of it with its line."""
    if not path.is_file():
        raise UserError(f"{path}: no such budget file")
    file = YamlFile.read(path)
    if not file.values:
        raise UserError(f"{path}: sets no limit; known are {', '.join(CallBudget.model_fields)}")
    return validated(file, CallBudget)
