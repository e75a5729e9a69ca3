"""Running a split VITS: the head once a sentence, then its stages on windows of frames."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from voice.audio import Samples
from voice.tts.vits_split import Split, SplitError

Array = npt.NDArray[Any]
Frames = Callable[[int, int], Array]
"""The frames from one position up to another, shape (1, channels, frames)."""

FIRST_SLICE = 32
LARGEST_SLICE = 96
"""Frames. The second slice is as long as the first, then they double. On two free cores the first
32 frames (370 ms of sound) cost 6 ms more than 24 would, and every slice is there 270 ms before it
is needed instead of 160; with both cores also busy with other programs none came late, where 24,
48, 96 had gaps in half the sentences. The largest bounds how long a cancelled sentence goes on;
context adds 24 frames to each."""

_TOLERANCE = 1e-4
"""The most by which windows may differ from the whole: three steps of 16-bit audio. Float noise
is 2e-7; a context that is 4 frames short gives 4e-4."""


@dataclass(frozen=True)
class StageInfo:
    """What is needed to run a stage besides its graph; see `vits_split.Stage`."""

    main: str
    sides: tuple[str, ...]
    timed: tuple[str, ...]
    """Those sides that have an entry per frame, like the mask."""
    context: int
    hop: int

    @classmethod
    def read(cls, info: dict[str, Any]) -> StageInfo:
        """From its JSON."""
        sides, timed = tuple(info["sides"]), tuple(info["timed"])
        return cls(info["main"], sides, timed, info["context"], info["hop"])


def session(model: bytes, *, threads: int) -> Any:
    """An ONNX Runtime session on the CPU that leaves the cores alone between its runs."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Spinning threads would steal the cores from the ears, the brain and the other stages: with
    # it, a sentence in three stages took 1.8 times as long.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Every sentence has a length of its own; a plan kept for each would only fill memory.
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


class SplitVits:
    """A VITS whose audio comes in slices, equal to what the whole graph gives at once."""

    def __init__(self, parts: dict[str, bytes], *, threads: int) -> None:
        self._infos = [StageInfo.read(info) for info in json.loads(parts["stages.json"])]
        self._head = session(parts["head.onnx"], threads=threads)
        self._sessions = [
            session(parts[f"stage{n}.onnx"], threads=threads) for n in range(len(self._infos))
        ]
        self._names = [output.name for output in self._head.get_outputs()]

    def slices(self, feed: dict[str, Array]) -> Iterator[Samples]:
        """The audio of one sentence, shape (n,) each. The head has run before the first."""
        tensors = dict(zip(self._names, self._head.run(None, feed), strict=True))
        main = tensors[self._infos[0].main]
        count = main.shape[-1]
        frames: Frames = lambda low, high: main[..., low:high]  # noqa: E731
        for info, stage in zip(self._infos[:-1], self._sessions[:-1], strict=True):
            frames = _kept(_windowed(info, stage, tensors, frames, count), count)
        decode = _windowed(self._infos[-1], self._sessions[-1], tensors, frames, count)
        for low, high in slice_plan(count):
            yield decode(low, high).reshape(-1)


def slice_plan(frames: int) -> Iterator[tuple[int, int]]:
    """Slices that cover ``frames``: small at first, then growing; no crumb at the end."""
    low, size = 0, FIRST_SLICE
    while low < frames:
        high = low + size if frames - low - size >= FIRST_SLICE else frames
        yield low, high
        size = min(2 * size, LARGEST_SLICE) if low else size
        low = high


def proven(split: Split, whole: Any, feed: dict[str, Array]) -> dict[str, bytes]:
    """The parts for SplitVits, once they have given the sound of the session ``whole``.

    ``feed`` is a sentence without noise, longer than the first few slices. Raises SplitError
    where the samples differ.
    """
    expected = whole.run(None, feed)[0].reshape(-1)
    parts = {"head.onnx": split.head}
    parts |= {f"stage{n}.onnx": stage.model for n, stage in enumerate(split.stages)}
    head = session(split.head, threads=1)
    names = [output.name for output in head.get_outputs()]
    shapes = {n: t.shape for n, t in zip(names, head.run(None, feed), strict=True)}
    frames = shapes[split.stages[0].main][-1]
    infos = []
    for stage in split.stages:
        timed = tuple(name for name in stage.sides if shapes[name][-1] == frames)
        infos.append(StageInfo(stage.main, stage.sides, timed, stage.context, stage.hop))
    parts["stages.json"] = json.dumps([asdict(info) for info in infos]).encode()
    got = np.concatenate(list(SplitVits(parts, threads=1).slices(feed)))
    if got.shape != expected.shape or not np.allclose(got, expected, rtol=0, atol=_TOLERANCE):
        raise SplitError("its slices do not sound like the whole")
    return parts


def _windowed(
    info: StageInfo, stage: Any, tensors: dict[str, Array], source: Frames, count: int
) -> Frames:
    """A stage run on just the frames that a window needs; exact also at the sentence's ends,
    where the whole graph pads with zeros just as the stage does."""

    def run(low: int, high: int) -> Array:
        start, end = max(0, low - info.context), min(count, high + info.context)
        feed = {info.main: source(start, end)}
        for name in info.sides:
            side = tensors[name]
            feed[name] = side[..., start:end] if name in info.timed else side
        output: Array = stage.run(None, feed)[0]
        return output[..., (low - start) * info.hop : (high - start) * info.hop]

    return run


def _kept(make: Frames, count: int) -> Frames:
    """Frames made as far as they have been asked for, each once."""
    made: list[Array] = []
    done = 0

    def get(low: int, high: int) -> Array:
        nonlocal done
        if high > done:
            fresh = make(done, high)
            if not made:
                made.append(np.empty((*fresh.shape[:-1], count), dtype=fresh.dtype))
            made[0][..., done:high] = fresh
            done = high
        return made[0][..., low:high]

    return get
