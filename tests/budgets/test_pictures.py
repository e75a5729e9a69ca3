"""Figures for machines and pictures for people."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from budgets.errors import UserError
from budgets.figures import Figures, percentile
from budgets.ledger import Ledger
from budgets.waterfall import COLOURS, draw_waterfall, legend, waterfall

MS = 1_000_000


def entries() -> list[dict[str, Any]]:
    ledger = Ledger(call="c", budget_ms=800, origin_ns=0, clock_ns=lambda: 0)
    for v2v_ms in (400, 1600):
        ledger.begin(speech_ended=0, silence_met=v2v_ms // 2 * MS, turn_ended=v2v_ms // 2 * MS)
        ledger.mark("audible", v2v_ms * MS)
    ledger.drop("no words", speech_started_ns=0, speech_ended_ns=1)
    ledger.begin(speech_ended=0)
    ledger.close()
    return ledger.entries


def test_percentiles_are_of_the_values_and_of_nothing_there_is_none() -> None:
    assert percentile([1, 2, 3, 4], 50) == 2.5
    assert math.isnan(percentile([], 95))


def test_figures_are_plain_json(tmp_path: Path) -> None:
    summary = {"v2v_p50_ms": np.float64(1.5), "v2v_p95_ms": float("nan"), "turns": np.int64(3)}
    Figures("demo", summary, [{"ok": np.bool_(True)}]).write(tmp_path / "new" / "f.json")
    content = json.loads((tmp_path / "new" / "f.json").read_text())
    assert list(content) == ["what", "versions", "summary", "rows"]
    assert content["summary"] == {"v2v_p50_ms": 1.5, "v2v_p95_ms": None, "turns": 3}
    assert content["rows"] == [{"ok": True}]
    assert "python" in content["versions"]


def test_figures_that_cannot_be_written_name_the_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot write the figures"):
        Figures("x", {}).write(tmp_path)


def test_a_bar_is_as_long_as_the_turn_and_says_when_it_is_late() -> None:
    early, dropped, late, silent = entries()
    bar = waterfall(early, width=60)
    assert bar.plain.count("█") == 20  # 400 of 1200 ms
    assert bar.plain.endswith("400 ms")
    over = waterfall(late, width=60).plain
    assert over.count("█") == 60
    assert "▶ " in over
    assert "▶" not in bar.plain
    assert max(len(waterfall(entry).plain) for entry in (early, late)) <= 80
    assert "dropped (no words)" in waterfall(dropped).plain
    assert "silent" in waterfall(silent).plain


def test_every_span_has_a_colour_in_the_legend() -> None:
    assert all(name in legend().plain for name in COLOURS)


def test_the_chart_is_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "new" / "waterfall.png"
    draw_waterfall(entries(), path, title="A call")
    with Image.open(path) as picture:
        assert picture.width > 1000
        assert len(np.unique(np.asarray(picture.convert("L")))) > 20
    draw_waterfall([], path, title="An empty call")
