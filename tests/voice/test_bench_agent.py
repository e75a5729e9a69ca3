"""Whole agents against each other: the ratio that the table shows, and how sure it is."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
import pytest

from budgets.errors import UserError
from voice.bench.agent import agents, ratio_of_medians


def test_the_ratio_is_of_the_medians_and_lies_in_its_interval() -> None:
    chance = np.random.default_rng(3)
    ours = list(chance.normal(500, 60, 60))
    theirs = list(chance.normal(2000, 240, 60))
    ratio, low, high = ratio_of_medians(ours, theirs)
    assert ratio == pytest.approx(np.median(ours) / np.median(theirs))
    assert low < ratio < high
    assert (low, high) == pytest.approx((0.25, 0.25), abs=0.03)


def test_more_turns_make_it_surer() -> None:
    chance = np.random.default_rng(4)

    def width(count: int) -> float:
        _, low, high = ratio_of_medians(
            list(chance.normal(500, 100, count)), list(chance.normal(500, 100, count))
        )
        return high - low

    assert width(400) < width(12) / 3


def test_the_same_latencies_are_a_ratio_of_one() -> None:
    assert ratio_of_medians([400.0], [400.0]) == (1.0, 1.0, 1.0)


def test_nothing_answered_is_no_ratio() -> None:
    assert all(math.isnan(value) for value in ratio_of_medians([], [400.0]))
    assert all(math.isnan(value) for value in ratio_of_medians([400.0], []))


def test_an_agent_that_is_none_is_answered_with_those_there_are() -> None:
    with pytest.raises(UserError, match="stock-livekit-tuned"):
        agents(cast(Any, None), ["stock-nobody"])
