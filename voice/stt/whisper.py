"""Whisper on CTranslate2, looking at as much audio as there is instead of at thirty seconds.

Stock Whisper pads every utterance to 30 s and most of its time goes into encoding the padding.
The encoder also takes a shorter window, but then the decoder, which has learned that speech ends
in a long silence, often does not find the end and repeats itself. So the encoder sees the speech
and a short margin, and the decoder sees that, followed by the encoding of silence for the
positions up to 30 s, which is made once when the model is loaded. The text is that of the full
window; the cost is that of the short one.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from budgets.errors import UserError
from voice.audio import Samples
from voice.stt.pieces import pieces
from voice.stt.runaway import (
    compression_ratio,
    nobody_spoke,
    runs_away,
    token_cap,
    unlooped,
    without_sounds,
)
from voice.stt.transcript import SupersededError, Transcript

__all__ = ["SupersededError", "Transcript", "WhisperEngine"]

RATE_HZ = 16000
_FRAMES_PER_S = 100
_FULL_FRAMES = 3000
_MARGIN_S = 1.0
# Below this the multilingual models begin to repeat single words, even with the silence after.
_WINDOW_AT_LEAST_S = 3.0
_SHORTEST = RATE_HZ // 10

_log = logging.getLogger(__name__)


class WhisperEngine:
    """A Whisper model for utterances. Safe to share: calls from several threads take turns.

    Args:
        model_dir: a CTranslate2 Whisper model with its ``tokenizer.json``.
        language: ISO 639-1; an English-only model takes ``en`` alone.
        beam_size: 1 is greedy.

    Raises UserError for a missing or broken model, a language or a device that it has not.
    """

    def __init__(
        self,
        model_dir: Path,
        *,
        language: str = "en",
        compute_type: str = "int8",
        device: str = "cpu",
        threads: int = 2,
        beam_size: int = 1,
    ) -> None:
        self._model = _load(model_dir, compute_type=compute_type, device=device, threads=threads)
        self._language = language
        self._beam_size = beam_size
        self._tokenizer, self._suppressed = _tokenizer(self._model, language, model_dir)
        self._prompt = [*self._tokenizer.sot_sequence, self._tokenizer.no_timestamps]
        self._silence = self._encode(self._features(_faint_noise()), _FULL_FRAMES)

    def warm(self) -> None:
        """Decode a second of nothing, so that the first caller does not pay for the first run."""
        self.transcribe(_faint_noise())

    def transcribe(
        self, samples: Samples, *, cancelled: Callable[[], bool] | None = None
    ) -> Transcript:
        """The text of ``samples``, shape (n,), 16 kHz, float32.

        More than half a minute is cut at its quietest points. Raises SupersededError soon after
        ``cancelled()`` has become true; a step of the model itself is not interrupted.
        """
        began = time.perf_counter_ns()
        parts = [self._piece(piece, cancelled) for piece in pieces(samples, RATE_HZ)]
        if not parts:
            return Transcript("")
        text = " ".join(part.text for part in parts if part.text)
        return Transcript(
            text=text,
            avg_logprob=min(part.avg_logprob for part in parts),
            no_speech_prob=max(part.no_speech_prob for part in parts),
            compression_ratio=compression_ratio(text),
            window_ms=sum(part.window_ms for part in parts),
            repaired=any(part.repaired for part in parts),
            rejected=None if text else next((p.rejected for p in parts if p.rejected), None),
            decode_ms=(time.perf_counter_ns() - began) / 1e6,
        )

    def _piece(self, samples: Samples, cancelled: Callable[[], bool] | None) -> Transcript:
        seconds = len(samples) / RATE_HZ
        features = self._features(samples)
        _stop_if(cancelled)
        frames = round(max(seconds + _MARGIN_S, _WINDOW_AT_LEAST_S) * _FRAMES_PER_S)
        frames = min(_FULL_FRAMES, frames + frames % 2)
        encoded = self._encode(features, frames)
        encoded = np.concatenate([encoded, self._silence[:, encoded.shape[1] :]], axis=1)
        _stop_if(cancelled)
        cap = token_cap(seconds, self._language)
        text, logprob, no_speech, capped = self._decode(encoded, cap)
        repaired = capped or runs_away(text, seconds)
        if repaired:
            _stop_if(cancelled)
            _log.debug("a decode of %.1f s ran away; once more on the full window", seconds)
            frames = _FULL_FRAMES
            full = self._encode(features, frames)
            text, logprob, no_speech, capped = self._decode(full, cap)
            if capped or runs_away(text, seconds):
                text = unlooped(text)
        said = without_sounds(text)
        made_up = nobody_spoke(said, avg_logprob=logprob, no_speech_prob=no_speech)
        return Transcript(
            text="" if made_up else said,
            avg_logprob=logprob,
            no_speech_prob=no_speech,
            window_ms=frames * 1000.0 / _FRAMES_PER_S,
            repaired=repaired,
            rejected="noise" if made_up or not said else None,
        )

    def _features(self, samples: Samples) -> npt.NDArray[np.float32]:
        """Log-mel features, shape (mels, frames)."""
        if len(samples) < _SHORTEST:
            samples = np.pad(samples, (0, _SHORTEST - len(samples)))
        features: npt.NDArray[np.float32] = self._model.feature_extractor(samples)
        return features[:, :-1]

    def _encode(self, features: npt.NDArray[np.float32], frames: int) -> npt.NDArray[np.float32]:
        """The encoding, shape (1, frames / 2, width), of the features cut or padded with zeros.

        Zeros in feature space, as faster-whisper pads, and not the features of digital silence.
        """
        window = np.zeros((1, features.shape[0], frames), dtype=np.float32)
        kept = min(frames, features.shape[1])
        window[0, :, :kept] = features[:, :kept]
        return np.array(self._model.model.encode(_storage(window), to_cpu=True))

    def _decode(self, encoded: npt.NDArray[np.float32], cap: int) -> tuple[str, float, float, bool]:
        """Text, mean log probability, no-speech probability, and whether ``cap`` stopped it."""
        result = self._model.model.generate(
            _storage(np.ascontiguousarray(encoded)),
            [self._prompt],
            beam_size=self._beam_size,
            max_length=2 * cap,  # CTranslate2 generates at most half of it, as OpenAI does
            return_scores=True,
            return_no_speech_prob=True,
            suppress_tokens=self._suppressed,
        )[0]
        tokens = result.sequences_ids[0]
        logprob = result.scores[0] * len(tokens) / (len(tokens) + 1)
        text = self._tokenizer.decode(tokens).strip()
        return text, float(logprob), float(result.no_speech_prob), len(tokens) >= cap


def _stop_if(cancelled: Callable[[], bool] | None) -> None:
    if cancelled is not None and cancelled():
        raise SupersededError


def _faint_noise() -> Samples:
    """A second of noise at -80 dBFS: what a line carries when nobody speaks."""
    return np.random.default_rng(0).standard_normal(RATE_HZ).astype(np.float32) * np.float32(1e-4)


def _storage(array: npt.NDArray[np.float32]) -> Any:
    import ctranslate2

    return ctranslate2.StorageView.from_array(array)


def _load(model_dir: Path, *, compute_type: str, device: str, threads: int) -> Any:
    try:
        from faster_whisper import WhisperModel
    except ImportError as missing:
        raise UserError(
            f"speech recognition needs the extra 'local' (pip install 'under800[local]'): {missing}"
        ) from missing
    for name in ("model.bin", "config.json", "tokenizer.json"):
        if not (model_dir / name).is_file():
            raise UserError(f"{model_dir}: not a CTranslate2 Whisper model, {name} is missing")
    try:
        return WhisperModel(
            str(model_dir), device=device, compute_type=compute_type, cpu_threads=threads
        )
    except (RuntimeError, ValueError, OSError) as fault:
        raise UserError(f"cannot load the Whisper model {model_dir}: {fault}") from fault


def _tokenizer(model: Any, language: str, model_dir: Path) -> tuple[Any, list[int]]:
    from faster_whisper.tokenizer import Tokenizer
    from faster_whisper.transcribe import get_suppressed_tokens

    multilingual = bool(model.model.is_multilingual)
    if not multilingual and language != "en":
        raise UserError(
            f"the model {model_dir} knows English only; for '{language}' set stt.model to "
            "whisper-base or another multilingual model"
        )
    if language not in model.supported_languages:
        raise UserError(
            f"stt.language: Whisper does not know '{language}'; write an ISO 639-1 code"
        )
    tokenizer = Tokenizer(model.hf_tokenizer, multilingual, task="transcribe", language=language)
    return tokenizer, list(get_suppressed_tokens(tokenizer, [-1]))
