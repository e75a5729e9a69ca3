"""A caller who has only text speaks with a real voice, the same in every call."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from voice.config import Config
from voice.scenarios import open_scenario

pytestmark = pytest.mark.slow


def test_text_is_spoken_with_its_pause_and_always_alike(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "line: {rate: 8000}\nturns:\n  - say: My number is four one five [800 ms] two six seven\n"
    )
    first, second = (open_scenario(str(path), Config()).moves[0].clip for _ in range(2))
    assert first is not None
    assert second is not None
    assert np.array_equal(first.samples, second.samples)
    assert 2.0 < first.speech_end / 8000 < 8.0
    loud = np.flatnonzero(np.abs(first.samples) > 0.01)
    assert np.diff(loud).max() / 8000 == pytest.approx(0.8, abs=0.06)
