"""From a scenario to audio: every word that the caller will say, ready before the call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from budgets.errors import UserError
from budgets.probe.caller import Clip, Move
from budgets.probe.clip_notes import clip_note
from budgets.probe.noise import noise_loop
from budgets.probe.record import Samples
from budgets.probe.scenario import Piece, Scenario, ScenarioTurn
from budgets.probe.speech_bounds import speech_end, speech_start
from budgets.probe.wire import telephone_band

ReadClip = Callable[[Path, int], Samples]
"""A recording's samples at a rate in Hz. Raises UserError for one that cannot be read."""
Speak = Callable[[str, int], Samples]
"""A text in the caller's voice, at a rate in Hz."""


@dataclass(frozen=True)
class PreparedScenario:
    """A scenario whose words are audio. May be used for any number of calls."""

    scenario: Scenario
    moves: tuple[Move, ...]
    noise: Samples
    """A loop that is heard all the call long, shape (n,); empty for none."""


def prepare(
    scenario: Scenario, *, read_clip: ReadClip, speak: Speak | None = None
) -> PreparedScenario:
    """Read or speak everything once.

    Raises UserError for a recording that cannot be read, and for text where nobody speaks.
    """
    if scenario.needs_voice and speak is None:
        raise UserError(
            f"scenario '{scenario.name}' has text to be spoken ('say'), and there is no voice for "
            "the caller; choose one, or give recordings ('wav')"
        )
    rate_hz = scenario.line.rate_hz
    moves = [
        _move(index, turn, rate_hz, read_clip, speak) for index, turn in enumerate(scenario.turns)
    ]
    if scenario.line.codec == "mulaw":
        moves = [_in_telephone_band(move, rate_hz) for move in moves]
    noise = np.zeros(0, dtype=np.float32)
    clips = [move.clip.samples for move in moves if move.clip is not None]
    if scenario.noise is not None and clips:
        noise = noise_loop(scenario.noise, clips, rate_hz, seed=scenario.seed)
        if scenario.line.codec == "mulaw":
            noise = telephone_band(noise, rate_hz)
    return PreparedScenario(scenario, tuple(moves) * scenario.repeat, noise)


def _move(
    index: int, turn: ScenarioTurn, rate_hz: int, read_clip: ReadClip, speak: Speak | None
) -> Move:
    if turn.kind == "silence":
        silence_ms = sum(piece for piece in turn.pieces if isinstance(piece, float))
        return Move(
            index, turn.name, turn.kind, None, silence_s=silence_ms / 1000, expect=turn.expect
        )
    clip = _clip(turn, rate_hz, read_clip, speak)
    return Move(
        index, clip.name, turn.kind, clip, offset_s=turn.offset_ms / 1000, expect=turn.expect
    )


def _clip(turn: ScenarioTurn, rate_hz: int, read_clip: ReadClip, speak: Speak | None) -> Clip:
    """The pieces joined; a pause is from the last word before it to the first word after it."""
    heard = [_heard(piece, rate_hz, read_clip, speak) for piece in turn.pieces]
    spoken = [index for index, piece in enumerate(heard) if piece.end]
    if not spoken:
        raise UserError(f"'{turn.name}': nothing can be heard in it")
    last = heard[spoken[-1]]
    if turn.speech_end_ms is not None:
        end = min(len(last.samples), round(turn.speech_end_ms * rate_hz / 1000))
        heard[spoken[-1]] = last = _Heard(last.samples, min(last.start, end), end)
    parts = []
    for index, piece in enumerate(heard):
        begin = piece.start if spoken[0] < index else 0
        stop = piece.end if piece.end and index < spoken[-1] else len(piece.samples)
        parts.append(piece.samples[begin:stop])
    length = sum(map(len, parts[: spoken[-1]]))
    end = length + last.end - (last.start if len(spoken) > 1 else 0)
    before = sum(map(len, parts[: spoken[0]]))
    return Clip(turn.name, np.concatenate(parts), end, before + heard[spoken[0]].start)


@dataclass(frozen=True)
class _Heard:
    """A piece as audio; ``end`` is 0 for a pause."""

    samples: Samples
    start: int = 0
    end: int = 0


def _heard(piece: Piece, rate_hz: int, read_clip: ReadClip, speak: Speak | None) -> _Heard:
    if isinstance(piece, float):
        return _Heard(np.zeros(round(piece * rate_hz / 1000), np.float32))
    if isinstance(piece, Path):
        samples, note = read_clip(piece, rate_hz), clip_note(piece)
    else:
        assert speak is not None
        samples, note = speak(piece, rate_hz), None
    end = speech_end(samples, rate_hz) if note is None else round(note.speech_end_s * rate_hz)
    return _Heard(samples, speech_start(samples, rate_hz), min(end, len(samples)))


def _in_telephone_band(move: Move, rate_hz: int) -> Move:
    if move.clip is None:
        return move
    narrow = telephone_band(move.clip.samples, rate_hz)
    return replace(move, clip=replace(move.clip, samples=narrow))
