"""Piper voices that start to sound before the sentence is done.

Phonemes come from piper-tts itself (GPL-3.0, installed by the user). The model is cut by
:mod:`voice.tts.vits_split` and decoded in slices; a voice that cannot be cut is decoded whole.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from budgets.errors import UserError
from voice.audio import Samples
from voice.tts.derived import Parts, derived
from voice.tts.level import levelled
from voice.tts.stages import SplitVits, proven, session
from voice.tts.vits_split import Cut, SplitError, split

logger = logging.getLogger(__name__)

_FORMAT = 1
"""Of the derived files; raise it with any change to how they are made."""

_CUTS: tuple[tuple[Cut, ...], ...] = (("flow", "decoder"), ("decoder",))
"""Tried in this order. The flow on windows saves another quarter of the wait for first audio."""

_MOST_PHONEMES = 400
"""The longest piece given to the model at once, some 70 words: attention takes memory with the
square of it."""

_PHONEMES_WITHOUT_SOUND = frozenset(" ,.;:!?-'\"()")

_CALIBRATION = (
    "Thank you for calling, how can I help you today?",
    "Your parcel left the depot this morning and should be with you before noon.",
    "I am afraid that appointment is taken.",
    "Would you like me to send a confirmation by email, or is a text message better?",
    "That comes to forty two pounds in total.",
)
"""Their peaks set the voice's gain. They are spoken without noise, so it is the same each time."""

_Feed = dict[str, npt.NDArray[Any]]

_NOISE_LOWERS_PEAKS = 1.15
"""How much lower a voice peaks with its own noise than without (44 sentences of one voice)."""

_INSTALL = "speech synthesis needs piper-tts: pip install 'under800[local]'"


def _never() -> bool:
    return False


class StreamingPiper:
    """One voice at one speed. ``stream`` may run in any thread, and several at once.

    Raises UserError for a missing or unusable voice file, a speaker that it does not have, or
    when the ``local`` extra is not installed.
    """

    def __init__(
        self,
        model: Path,
        *,
        speaker: int | None = None,
        speed: float = 1.0,
        threads: int = 2,
        noise: float = 1.0,
    ) -> None:
        """``noise`` multiplies the voice's own two noise scales: 0 says a text always alike."""
        content = _read(model)
        self._voice = _phonemizer(model)
        config = self._voice.config
        self.rate_hz: int = config.sample_rate
        """Of the audio, in Hz."""
        self._speaker = _checked_speaker(speaker, config, model)
        self._scales = [config.noise_scale * noise, config.length_scale / speed]
        self._scales.append(config.noise_w_scale * noise)
        digest = hashlib.sha256(content).hexdigest()
        try:
            parts = derived(f"vits-{digest}-{_FORMAT}", lambda: self._split(content))
            self._vits = SplitVits(parts, threads=threads) if parts else None
            self._whole = None if parts else session(content, threads=threads)
            self._gain = self._measured_gain(digest)
        except UserError:
            raise
        except Exception as fault:  # protobuf's, onnxruntime's and espeak's have no common base
            raise UserError(f"{model}: not a Piper voice that can be used ({fault})") from fault
        settings = [digest, self._speaker, self._scales, self.rate_hz, self._gain]
        self.fingerprint = hashlib.sha256(json.dumps([_FORMAT, *settings]).encode()).hexdigest()
        """Of everything that shapes the sound of a text."""

    def stream(
        self, text: str, *, cancelled: Callable[[], bool] = _never
    ) -> Generator[Samples, None, None]:
        """The audio of ``text``, already in spoken form: float32 slices of shape (n,).

        Text without anything to say gives none. ``cancelled`` is asked before each slice; once
        it says so, the stream ends.
        """
        for samples in self.raw(text, cancelled=cancelled):
            yield levelled(samples, self._gain)

    def raw(
        self, text: str, *, cancelled: Callable[[], bool] = _never
    ) -> Generator[Samples, None, None]:
        """Like ``stream``, at the model's own level."""
        for phonemes in self._pieces(text):
            if cancelled():
                return
            for samples in self._slices(self._feed(phonemes, self._scales)):
                yield samples
                if cancelled():
                    return

    def warm(self) -> None:
        """Run once, so that the first sentence does not pay for first use."""
        for _ in self.stream("One moment, please."):
            pass

    def _pieces(self, text: str) -> Iterator[list[str]]:
        # Double brackets would make piper take what is inside for phonemes; espeak takes neither
        # a NUL nor half a surrogate pair.
        plain = text.replace("[[", " ").replace("]]", " ").replace("\0", " ")
        plain = plain.encode("utf-8", "ignore").decode("utf-8")
        config = self._voice.config
        for phonemes in self._voice.phonemize(plain):
            if config.phoneme_type != "pinyin":  # whose ids are looked up in another way
                phonemes = [p for p in phonemes if p in config.phoneme_id_map]
            for piece in pieces(phonemes, _MOST_PHONEMES):
                if not _PHONEMES_WITHOUT_SOUND.issuperset(piece):
                    yield piece

    def _slices(self, feed: _Feed) -> Iterator[Samples]:
        if self._vits is not None:
            yield from self._vits.slices(feed)
        elif self._whole is not None:
            yield self._whole.run(None, feed)[0].reshape(-1)

    def _feed(self, phonemes: list[str], scales: list[float] | None = None) -> _Feed:
        """What the model takes for one piece; by default at its own speed and without noise."""
        scales = scales or [0.0, self._voice.config.length_scale, 0.0]
        ids = self._voice.phonemes_to_ids(phonemes)
        feed: _Feed = {
            "input": np.array([ids], dtype=np.int64),
            "input_lengths": np.array([len(ids)], dtype=np.int64),
            "scales": np.array(scales, dtype=np.float32),
        }
        if self._speaker is not None:
            feed["sid"] = np.array([self._speaker], dtype=np.int64)
        return feed

    def _split(self, content: bytes) -> Parts:
        """The parts of the model, proven on a sentence; none where it cannot be cut."""
        try:
            import onnx
        except ModuleNotFoundError as fault:
            raise UserError(_INSTALL) from fault
        model = onnx.load_model_from_string(content)
        whole = session(content, threads=1)
        sentence = next(self._pieces(_CALIBRATION[1]))
        for cuts in _CUTS:
            try:
                return proven(split(model, cuts), whole, self._feed(sentence))
            except SplitError as reason:
                logger.info("this voice cannot be cut at %s: %s", " and ".join(cuts), reason)
        logger.warning("this voice cannot be decoded in slices: it will answer later")
        return {}

    def _measured_gain(self, digest: str) -> float:
        """The constant gain that gives the level which piper's peak normalisation gives."""

        def measure() -> Parts:
            peaks = []
            for text in _CALIBRATION:
                feeds = (self._feed(piece) for piece in self._pieces(text))
                slices = (samples for feed in feeds for samples in self._slices(feed))
                peaks.append(max((float(np.abs(s).max(initial=0)) for s in slices), default=0.0))
            typical = float(np.median(peaks))
            gain = _NOISE_LOWERS_PEAKS / typical if typical > 1e-3 else 1.0
            return {"gain": json.dumps(round(gain, 2)).encode()}

        speaker = "" if self._speaker is None else f"-{self._speaker}"
        return float(json.loads(derived(f"gain-{digest}{speaker}-{_FORMAT}", measure)["gain"]))


def pieces(phonemes: list[str], most: int) -> Iterator[list[str]]:
    """Phonemes in runs of at most ``most``, cut after a comma or between words where possible."""
    while len(phonemes) > most:
        cut = _last(phonemes, ",;:", most) or _last(phonemes, " ", most) or most
        yield phonemes[:cut]
        phonemes = phonemes[cut:]
    if phonemes:
        yield phonemes


def _last(phonemes: list[str], marks: str, most: int) -> int:
    """Where the last of ``marks`` in the second half of the first ``most`` ends; 0 for none."""
    found = (at for at in range(most, most // 2, -1) if phonemes[at - 1] in marks)
    return next(found, 0)


def _read(model: Path) -> bytes:
    try:
        return model.read_bytes()
    except OSError as fault:
        raise UserError(f"{model}: no Piper voice can be read here ({fault.strerror})") from fault


def _phonemizer(model: Path) -> Any:
    """Piper's own text to phonemes to ids, without its session."""
    try:
        from piper import PiperVoice
        from piper.config import PiperConfig
    except ModuleNotFoundError as fault:
        raise UserError(_INSTALL) from fault
    path = model.with_name(f"{model.name}.json")
    try:
        config = PiperConfig.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError as fault:
        raise UserError(
            f"{path} is missing: a Piper voice needs its .onnx.json beside it"
        ) from fault
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
        raise UserError(f"{path}: not the description of a Piper voice ({fault!r})") from fault
    return PiperVoice(session=None, config=config)


def _checked_speaker(speaker: int | None, config: Any, model: Path) -> int | None:
    if speaker is not None and not 0 <= speaker < max(1, config.num_speakers):
        raise UserError(
            f"{model.name} has no speaker {speaker}: choose 0 to {config.num_speakers - 1}"
            if config.num_speakers > 1
            else f"{model.name} has one speaker: leave `speaker` out"
        )
    if config.num_speakers <= 1:
        return None
    return int(config.default_speaker_id if speaker is None else speaker)
