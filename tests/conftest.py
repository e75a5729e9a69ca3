"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from voice.logs import quiet_frameworks

quiet_frameworks()

_DATA = Path(__file__).parents[1].parent / "shared" / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of dialogues and speech that lies beside a checkout, never in it."""
    if not _DATA.is_dir():
        pytest.skip(f"the test data is not here ({_DATA})")
    return _DATA


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):  # type: ignore[no-untyped-def]
    """Where skips are forbidden, a skip is a failure that says why."""
    outcome = yield
    report = outcome.get_result()
    if (
        report.skipped
        and not hasattr(report, "wasxfail")
        and os.environ.get("UNDER800_FORBID_SKIPS")
    ):
        report.outcome = "failed"
        report.longrepr = f"skipped where skips are forbidden: {report.longrepr}"
