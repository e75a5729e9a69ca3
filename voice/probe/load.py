"""Several calls at once, and how many at once still keep the budget."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence

from budgets.errors import UserError
from budgets.probe.budget_file import CallBudget
from budgets.probe.call import place_call
from budgets.probe.prepare import PreparedScenario
from budgets.probe.record import CallRecord, Target
from budgets.probe.verdict import judge
from voice.probe.targets import TargetName, is_loopback

MOST_CALLS = 200
"""At once: more is a load that one process cannot place in real time."""
_SPREAD_S = 2.0
"""The calls begin within this time, so that they do not speak in step."""


def check_may_load(name: TargetName, allowed: Iterable[str]) -> None:
    """Load goes to this process, to this machine, or to a host that was named for it.

    Raises UserError for any other.
    """
    if name.host is None or is_loopback(name.host) or name.host in set(allowed):
        return
    raise UserError(
        f"several calls at once to '{name.host}' need --allow-host {name.host}: say it only of "
        "a host that is yours, or whose owner has agreed"
    )


async def place_calls(
    prepared: PreparedScenario,
    new_target: Callable[[], Target],
    *,
    name: str,
    calls: int,
    clock_ns: Callable[[], int] = time.monotonic_ns,
) -> list[CallRecord]:
    """Place so many calls at once; their records, in the order in which they began."""

    async def one(number: int) -> CallRecord:
        await asyncio.sleep(number * _SPREAD_S / calls)
        target = new_target()
        record = await place_call(prepared, target, name=name, clock_ns=clock_ns)
        # Targets that can show the agent's own account of the call have it under this name.
        record.ledger = list(getattr(target, "ledger", []))
        return record

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(number)) for number in range(calls)]
    return [task.result() for task in tasks]


def holds(records: Sequence[CallRecord], budget: CallBudget) -> bool:
    """Whether the calls' p95 keeps the budget: its ``p95_ms``, or what one turn may take.

    A call that failed or a turn that nobody answered has no latency, and does not hold.
    """
    figures = judge(records, budget).figures
    limit_ms = budget.v2v_ms if budget.p95_ms is None else budget.p95_ms
    return (
        not any(record.failed for record in records)
        and figures["silent_turns"] == 0
        and figures["v2v_p95_ms"] <= limit_ms
    )


class Ramp:
    """Searches the largest number of calls that holds. Pure: told the results, it says what next.

    It doubles until a number does not hold, then halves the interval in between.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self.largest = 0
        """The largest number that held so far."""
        self._smallest_bad = most + 1

    def next_calls(self) -> int | None:
        """How many calls to place at once now; None when the answer is known."""
        if self._smallest_bad - self.largest <= 1:
            return None
        if self._smallest_bad > self._most:
            return min(self._most, max(1, 2 * self.largest))
        return (self.largest + self._smallest_bad) // 2

    def told(self, calls: int, *, held: bool) -> None:
        """The result of so many calls at once."""
        if held:
            self.largest = max(self.largest, calls)
        else:
            self._smallest_bad = min(self._smallest_bad, calls)
