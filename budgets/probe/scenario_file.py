"""Reads scenario files. The classes below are the file's schema: their docstrings describe it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from budgets.errors import UserError
from budgets.probe.clip_notes import clip_note
from budgets.probe.record import Expect, Kind
from budgets.probe.scenario import (
    LineEffects,
    Manners,
    Noise,
    NoiseKind,
    Piece,
    Scenario,
    ScenarioTurn,
)
from budgets.units import milliseconds
from budgets.yaml_file import KeyPath, YamlFile
from budgets.yaml_model import Hz, Ms, Section, clash, validated

_PAUSE = re.compile(r"\[([^\]]*)\]")
_DURATION = re.compile(r"^\s*[0-9]+(?:\.[0-9]+)?\s*(ms|s)\s*$")


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as fault:
        raise ValueError(f"'{text}' is not a regular expression ({fault})") from None
    return text


def _narrow_or_wide_band(rate_hz: int) -> int:
    if rate_hz not in (8000, 16000):
        raise ValueError(f"{rate_hz} Hz is not spoken here; write 8000 or 16000")
    return rate_hz


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _pauses(text: str) -> str:
    """Pauses are marked ``[700 ms]``."""
    for mark in _PAUSE.findall(text):
        if not _DURATION.match(mark):
            raise ValueError(f"'[{mark}]' is not a pause; write one as '[700 ms]' or '[0.7 s]'")
    if not _PAUSE.sub("", text).strip():
        raise ValueError("nothing is said here; for silence, use the key 'silence_ms'")
    return text


class ExpectSection(Section):
    """What is expected after an utterance. At the top level: of every one that sets no other."""

    v2v_ms: Ms | None = None
    """An answer within this time of the end of speech."""
    stop_ms: Ms | None = None
    """Silence within this time of the first word of a barge-in."""
    gap_ms: Ms | None = None
    """No longer silence inside the reply."""
    silent: bool | None = None
    """The agent must not speak. Default: true for a silence, false for the rest."""
    keep_talking: bool | None = None
    """The agent goes on with its reply. Default: true for a backchannel, false for the rest."""
    no_repetition: bool | None = None
    """The agent does not say its reply twice. Default: true."""
    says: Annotated[str, AfterValidator(_pattern)] | None = None
    """A regular expression, found in any case in what is heard of the reply."""


class TurnSection(Section):
    """One thing that the caller does: exactly one of ``wav``, ``say`` and ``silence_ms``."""

    wav: Annotated[list[str], BeforeValidator(_as_list), Field(min_length=1)] | None = None
    """A recording, relative to the file; or a list of recordings and pauses such as 700 ms."""
    say: Annotated[str, AfterValidator(_pauses)] | None = None
    """A text that the caller's voice speaks; ``[700 ms]`` inside it is a pause."""
    silence_ms: Ms | None = None
    """The caller says nothing for this long."""
    barge_in_ms: Ms | None = None
    """Speak this far into the agent's reply, to take the turn."""
    backchannel_ms: Ms | None = None
    """Speak this far into the agent's reply, and do not want the turn ("mhm")."""
    name: str | None = None
    """How reports call it. Default: the words, where they are known."""
    speech_end_ms: Ms | None = None
    """Where speech ends in the last recording. Default: from the ``clips.json`` beside it, or
    found by level."""
    expect: ExpectSection = ExpectSection()

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        given = [name for name in ("wav", "say", "silence_ms") if getattr(self, name) is not None]
        if not given:
            raise clash("needs one of 'wav', 'say' and 'silence_ms'")
        if len(given) > 1:
            raise clash(f"has both '{given[0]}' and '{given[1]}'; a turn has one", given[1])
        if self.barge_in_ms is not None and self.backchannel_ms is not None:
            raise clash("is either a barge-in or a backchannel; remove one", "backchannel_ms")
        offset = "barge_in_ms" if self.barge_in_ms is not None else "backchannel_ms"
        if self.silence_ms is not None and getattr(self, offset) is not None:
            raise clash("silence cannot interrupt anybody; give it 'wav' or 'say'", offset)
        if self.speech_end_ms is not None and self.wav is None:
            raise clash("goes with 'wav' only", "speech_end_ms")
        return self

    @property
    def kind(self) -> Kind:
        """What the keys make of it."""
        if self.silence_ms is not None:
            return "silence"
        if self.barge_in_ms is not None:
            return "barge-in"
        return "turn" if self.backchannel_ms is None else "backchannel"


class LineSection(Section):
    """The line from the caller to the agent."""

    rate: Annotated[Hz, AfterValidator(_narrow_or_wide_band)] = 16000
    """8000 or 16000 Hz."""
    codec: Literal["none", "mulaw"] = "none"
    """``mulaw``: telephone band and G.711 μ-law, as on the phone."""
    jitter_ms: Annotated[Ms, Field(le=500)] = 0.0
    """Frames come up to this much late, in order."""
    loss: float = Field(default=0.0, ge=0, le=0.5)
    """The share of 20 ms frames that is lost; they arrive as silence."""


class NoiseSection(Section):
    """Noise at the caller's end, all the call long."""

    kind: NoiseKind = "babble"
    """``white``, ``pink``, or ``babble``: the caller's own clips, several at once, backwards."""
    snr_db: float = Field(default=15.0, ge=-10, le=60)
    """The level of the caller's speech over it."""


class MannersSection(Section):
    """How the caller waits."""

    after_reply_ms: Annotated[Ms, Field(ge=300)] = 1200.0
    """Quiet after which a reply is over."""
    patience_ms: Annotated[Ms, Field(gt=0)] = 10_000.0
    """How long to wait for an answer, or for the greeting, before going on."""
    longest_reply_ms: Annotated[Ms, Field(gt=0)] = 60_000.0
    """How long to listen to an agent that does not stop."""


class ScenarioSection(Section):
    """A scenario file."""

    description: str = ""
    turns: list[TurnSection] = Field(min_length=1)
    expect: ExpectSection = ExpectSection()
    line: LineSection = LineSection()
    noise: NoiseSection | None = None
    manners: MannersSection = MannersSection()
    repeat: int = Field(default=1, ge=1, le=1000)
    """How often the turns are gone through in one call."""
    seed: int = 1


def load_scenario(path: Path, *, clip_folders: Sequence[Path] = ()) -> Scenario:
    """The scenario in ``path``.

    A recording is looked for beside the file and then in ``clip_folders``. Raises UserError that
    lists every fault of the file, each with its line.
    """
    if not path.is_file():
        raise UserError(f"{path}: no such scenario file")
    file = YamlFile.read(path)
    section = validated(file, ScenarioSection)
    folders = [path.parent, *clip_folders]
    turns = tuple(
        _turn(turn, section.expect, file, ("turns", index), folders)
        for index, turn in enumerate(section.turns)
    )
    file.raise_faults()
    manners, line, noise = section.manners, section.line, section.noise
    return Scenario(
        name=path.stem,
        turns=turns,
        description=section.description,
        line=LineEffects(line.rate, line.codec, line.jitter_ms, line.loss),
        noise=Noise(noise.kind, noise.snr_db) if noise else None,
        manners=Manners(
            manners.after_reply_ms / 1000,
            manners.patience_ms / 1000,
            manners.longest_reply_ms / 1000,
        ),
        repeat=section.repeat,
        seed=section.seed,
    )


def _turn(
    turn: TurnSection,
    common: ExpectSection,
    file: YamlFile,
    key: KeyPath,
    folders: Sequence[Path],
) -> ScenarioTurn:
    pieces: list[Piece] = []
    if turn.silence_ms is not None:
        pieces, name = [turn.silence_ms], f"{turn.silence_ms / 1000:g} s of silence"
    elif turn.say is not None:
        pieces, name = _spoken(turn.say), " ".join(_PAUSE.sub(" … ", turn.say).split())
    else:
        assert turn.wav is not None
        pieces, name = _recorded(turn.wav, file, (*key, "wav"), folders), ""
        recordings = [piece for piece in pieces if isinstance(piece, Path)]
        notes = [(recording, clip_note(recording)) for recording in recordings]
        name = " … ".join(note.text if note else recording.stem for recording, note in notes)
    return ScenarioTurn(
        name=turn.name or name,
        kind=turn.kind,
        pieces=tuple(pieces),
        offset_ms=turn.barge_in_ms or turn.backchannel_ms or 0.0,
        speech_end_ms=turn.speech_end_ms,
        expect=_expect(turn, common),
    )


def _spoken(text: str) -> list[Piece]:
    pieces: list[Piece] = []
    for index, part in enumerate(_PAUSE.split(text)):
        if index % 2:
            pieces.append(float(milliseconds(part)))
        elif part.strip():
            pieces.append(part.strip())
    return pieces


def _recorded(
    parts: Sequence[str], file: YamlFile, key: KeyPath, folders: Sequence[Path]
) -> list[Piece]:
    pieces: list[Piece] = []
    for index, part in enumerate(parts):
        if _DURATION.match(part):
            pieces.append(float(milliseconds(part)))
            continue
        found = next((f / part for f in folders if (f / part).is_file()), None)
        if found is None:
            file.fault((*key, index), f"no such recording: {folders[0] / part}")
        else:
            pieces.append(found)
    if not file.faults and not any(isinstance(piece, Path) for piece in pieces):
        file.fault(key, "nothing but pauses; for silence, use the key 'silence_ms'")
    return pieces


def _expect(turn: TurnSection, common: ExpectSection) -> Expect:
    given = common.model_dump(exclude_none=True) | turn.expect.model_dump(exclude_none=True)
    given.setdefault("silent", turn.kind == "silence")
    given.setdefault("keep_talking", turn.kind == "backchannel")
    return Expect(**given)
