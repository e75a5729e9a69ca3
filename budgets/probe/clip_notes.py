"""What is known of a recording: the ``clips.json`` that lies beside it."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path

from budgets.errors import UserError


@dataclass(frozen=True)
class ClipNote:
    """One recording."""

    text: str
    speech_end_s: float


def clip_note(recording: Path) -> ClipNote | None:
    """What ``clips.json`` says of a recording; None where there is none, or nothing in it.

    Raises UserError for an index that cannot be read.
    """
    index = recording.parent / "clips.json"
    return _notes(index).get(recording.name) if index.is_file() else None


@functools.lru_cache(maxsize=64)
def _notes(index: Path) -> dict[str, ClipNote]:
    try:
        entries = json.loads(index.read_text(encoding="utf-8"))["clips"]
        return {e["file"]: ClipNote(e["text"], float(e["speech_end_s"])) for e in entries}
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise UserError(
            f'{index}: not an index of clips, which is {{"clips": [{{"file": …, "text": …, '
            f'"speech_end_s": …}}]}} ({fault})'
        ) from fault
