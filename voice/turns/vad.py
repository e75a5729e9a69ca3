"""Silero VAD, streaming: how likely each 32 ms of 16 kHz audio is to be speech."""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from budgets.errors import UserError
from voice.audio import Samples

WINDOW = 512
"""Samples of a window: 32 ms at 16 kHz, what the model was trained on."""

_CONTEXT = 64  # samples of the window before, which the model wants in front


class Vad(Protocol):
    """What tells speech from other sound."""

    def probability(self, window: Samples) -> float:
        """The probability of speech in the next window, shape (512,), 16 kHz."""
        ...

    def reset(self) -> None:
        """Forget what was heard: the next window begins another stream."""
        ...


class SileroVad:
    """One stream's detector. The model is shared by all of them; the state is this one's.

    The model is the ``silero_vad_v6.onnx`` inside faster-whisper, whose code is not imported.
    Raises UserError where the extra ``local`` is not installed.
    """

    def __init__(self) -> None:
        self._session = _session()
        self.reset()

    def reset(self) -> None:
        """Forget what was heard: the next window begins another stream."""
        self._h = np.zeros((1, 1, 128), dtype=np.float32)
        self._c = np.zeros((1, 1, 128), dtype=np.float32)
        self._input = np.zeros((1, _CONTEXT + WINDOW), dtype=np.float32)

    def probability(self, window: Samples) -> float:
        """The probability of speech in the next window, shape (512,), 16 kHz."""
        self._input[0, :_CONTEXT] = self._input[0, -_CONTEXT:]
        self._input[0, _CONTEXT:] = window
        feed = {"input": self._input, "h": self._h, "c": self._c}
        speech, self._h, self._c = self._session.run(None, feed)
        return float(speech.reshape(-1)[0])


@lru_cache(maxsize=1)
def _session() -> Any:
    spec = importlib.util.find_spec("faster_whisper")
    try:
        import onnxruntime
    except ImportError:
        spec = None
    if spec is None or spec.origin is None:
        raise UserError(
            "voice activity detection needs the extra 'local': pip install 'under800[local]'"
        )
    model = Path(spec.origin).parent / "assets" / "silero_vad_v6.onnx"
    if not model.is_file():
        raise UserError(f"{model} is missing; reinstall faster-whisper 1.2 or later")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # a window takes 0.1 ms: threads would only wait
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(
        str(model), providers=["CPUExecutionProvider"], sess_options=options
    )
