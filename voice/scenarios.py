"""Scenarios by name or by file, ready to be spoken; and a voice for a caller who has only text."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from budgets.errors import UserError
from budgets.probe.prepare import PreparedScenario, Speak, prepare
from budgets.probe.record import Samples
from budgets.probe.scenario_file import load_scenario
from voice.audio import read_audio, resample
from voice.config import Config
from voice.resources import configs_dir

_DEMO_CLIPS = Path(__file__).parent / "demo" / "clips"
_PITCH = 1.15
"""Of the caller over the agent, where both have the same voice: another person, if a relative."""


def packaged_scenarios() -> list[Path]:
    """The scenario library, sorted by name."""
    return sorted((configs_dir() / "scenarios").glob("*.yaml"))


def scenario_path(name: str) -> Path:
    """A scenario of the library by its name, or a file. Raises UserError where there is none."""
    path = Path(name)
    if path.suffix in (".yaml", ".yml") or "/" in name:
        return path
    packaged = {scenario.stem: scenario for scenario in packaged_scenarios()}
    if name not in packaged:
        raise UserError(
            f"no scenario '{name}'; there are {', '.join(packaged)}; a file of your own is named "
            "with its ending: mine.yaml"
        )
    return packaged[name]


def open_scenario(name: str, config: Config) -> PreparedScenario:
    """A scenario with all its audio.

    Text in it is spoken by the configured voice, higher and as fast as before. Raises UserError
    that lists what is wrong with the file, a recording or the voice.
    """
    scenario = load_scenario(scenario_path(name), clip_folders=[_DEMO_CLIPS])
    speak = caller_voice(config) if scenario.needs_voice else None
    return prepare(scenario, read_clip=read_clip, speak=speak)


def read_clip(path: Path, rate_hz: int) -> Samples:
    """A recording at a rate."""
    samples, recorded_hz = read_audio(path)
    return resample(samples, recorded_hz, rate_hz)


def caller_voice(config: Config) -> Speak:
    """The agent's voice at another pitch, as a caller."""
    from voice.models import model_path
    from voice.tts.piper import StreamingPiper

    piper = StreamingPiper(
        model_path(config.tts.voice),
        speaker=config.tts.speaker,
        speed=config.tts.speed / _PITCH,
        noise=0.0,  # a scenario sounds the same in every call
        threads=config.tts.threads,
    )

    def speak(text: str, rate_hz: int) -> Samples:
        slices = list(piper.stream(text, cancelled=lambda: False))
        spoken = np.concatenate(slices) if slices else np.zeros(0, np.float32)
        return resample(spoken, round(piper.rate_hz * _PITCH), rate_hz)

    return speak
