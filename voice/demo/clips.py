"""The caller's recordings: those that ship with the demo, or a user's own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from budgets.errors import UserError
from budgets.probe.caller import Clip
from budgets.probe.speech_bounds import speech_end, speech_start
from voice.audio import read_audio, resample

_CLIPS = Path(__file__).parent / "clips"


def demo_clips(rate_hz: int) -> list[Clip]:
    """The demo's caller, at ``rate_hz``; ends of speech are exact, from the clips' index."""
    index = json.loads((_CLIPS / "clips.json").read_text(encoding="utf-8"))
    return [
        _clip(_CLIPS / entry["file"], rate_hz, end_s=entry["speech_end_s"], name=entry["text"])
        for entry in index["clips"]
    ]


def own_clips(paths: Sequence[Path], rate_hz: int) -> list[Clip]:
    """A user's recordings as the turns of a call; their ends of speech are found by level."""
    return [_clip(path, rate_hz, end_s=None, name=path.name) for path in paths]


def folder_clips(folder: Path, rate_hz: int) -> list[Clip]:
    """The clips of a folder with a ``transcripts.tsv`` that has ``file`` and ``speech_end_s``."""
    table = folder / "transcripts.tsv"
    try:
        header, *lines = table.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError, ValueError) as fault:
        raise UserError(f"{table}: not a readable table of clips ({fault})") from fault
    columns = header.split("\t")
    for column in ("file", "speech_end_s"):
        if column not in columns:
            raise UserError(f"{table}:1: has no column '{column}'")
    clips = []
    for number, line in enumerate(lines, start=2):
        row = dict(zip(columns, line.split("\t"), strict=False))
        try:
            end_s = float(row["speech_end_s"])
        except (KeyError, ValueError) as fault:
            raise UserError(f"{table}:{number}: speech_end_s is not a number") from fault
        clips.append(_clip(folder / row["file"], rate_hz, end_s=end_s, name=row["file"]))
    return clips


def _clip(path: Path, rate_hz: int, *, end_s: float | None, name: str) -> Clip:
    recorded, recorded_hz = read_audio(path)
    samples = resample(recorded, recorded_hz, rate_hz)
    end = speech_end(samples, rate_hz) if end_s is None else round(end_s * rate_hz)
    return Clip(name, samples, min(end, len(samples)), speech_start(samples, rate_hz))
