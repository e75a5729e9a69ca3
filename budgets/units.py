"""Numbers with units as people write them in a configuration file."""

from __future__ import annotations

import re
from typing import Any

_QUANTITY = re.compile(r"^\s*([0-9]+(?:\.[0-9]+)?)\s*([a-zA-Z]*)\s*$")


def milliseconds(value: Any) -> Any:
    """``800``, ``"800 ms"`` or ``"0.8 s"`` in milliseconds; ValueError for another unit."""
    return _quantity(
        value, {"": 1.0, "ms": 1.0, "s": 1000.0}, "a duration", "800, '800 ms' or '0.8 s'"
    )


def hz(value: Any) -> Any:
    """``16000``, ``"16000 Hz"`` or ``"16 kHz"`` in hertz; ValueError for another unit."""
    number = _quantity(
        value,
        {"": 1.0, "hz": 1.0, "khz": 1000.0},
        "a sample rate",
        "16000, '16000 Hz' or '16 kHz'",
    )
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _quantity(value: Any, units: dict[str, float], what: str, examples: str) -> Any:
    if not isinstance(value, str):
        return value
    # A bare number is text where it came out of the environment.
    match = _QUANTITY.match(value)
    if match and match[2].lower() in units:
        return float(match[1]) * units[match[2].lower()]
    raise ValueError(f"'{value}' is not {what}; write {examples}")
