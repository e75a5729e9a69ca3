"""The caller's understanding: the words in the agent's audio, for scenarios that expect some."""

from __future__ import annotations

from budgets.probe.expectations import HearWords
from voice.audio import Samples, resample
from voice.config import Config
from voice.engines import load_ears

_HZ = 16000


def words_heard(config: Config) -> HearWords:
    """Ears with the configured speech recogniser. UserError for a model that is not there."""
    engine = load_ears(config)

    def hear(samples: Samples, rate_hz: int) -> str:
        return engine.transcribe(resample(samples, rate_hz, _HZ)).text

    return hear
