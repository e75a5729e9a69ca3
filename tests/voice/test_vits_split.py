from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from tests.voice.tiny_vits import CHANNELS, FRAMES_PER_ID, HOP, feed, tiny_vits
from voice.tts.stages import FIRST_SLICE, LARGEST_SLICE, SplitVits, proven, session, slice_plan
from voice.tts.vits_split import Split, SplitError, split


def _whole(model: Any, inputs: dict[str, Any]) -> Any:
    return session(model.SerializeToString(), threads=1).run(None, inputs)[0].reshape(-1)


def _parts(model: Any, *cuts: Any) -> dict[str, bytes]:
    whole = session(model.SerializeToString(), threads=1)
    return proven(split(model, cuts), whole, feed(60))


@pytest.mark.parametrize("cuts", [("decoder",), ("flow", "decoder")])
@pytest.mark.parametrize("ids", [1, 7, 8, 9, 16, 50, 120])
@pytest.mark.parametrize("speaker", [0, 1])
def test_slices_are_the_whole_for_any_length_and_speaker(cuts: Any, ids: int, speaker: int) -> None:
    model = tiny_vits()
    inputs = feed(ids, speaker=speaker)
    slices = list(SplitVits(_parts(model, *cuts), threads=1).slices(inputs))
    np.testing.assert_allclose(np.concatenate(slices), _whole(model, inputs), atol=2e-6)
    assert len(slices) == len(list(slice_plan(ids * FRAMES_PER_ID)))


def test_the_stages_take_the_frames_and_what_else_crosses_the_cut() -> None:
    flow, decoder = split(tiny_vits(), ("flow", "decoder")).stages
    assert flow.main == "z_p"
    assert set(flow.sides) == {"mask", "/flow/cond_layer/out"}
    assert decoder.main == "z"
    assert set(decoder.sides) == {"/dec/cond/out"}  # the speaker reaches the decoder, too
    assert (flow.hop, decoder.hop) == (1, HOP)


def _reach(stage: Any) -> int:
    """How many frames away a changed frame is heard, tried out on the stage."""
    run = session(stage.model, threads=1).run
    rng = np.random.default_rng(3)
    frames = rng.standard_normal((1, CHANNELS, 81)).astype(np.float32)
    mask, speaker = np.ones((1, 1, 81), np.float32), np.ones((1, CHANNELS, 1), np.float32)
    inputs = {name: mask if name == "mask" else speaker for name in stage.sides}
    changed = frames.copy()
    changed[..., 40] += 1
    before = run(None, {stage.main: frames, **inputs})[0]
    after = run(None, {stage.main: changed, **inputs})[0]
    differing = np.flatnonzero(np.abs(after - before).max(axis=tuple(range(before.ndim - 1))) > 0)
    return max(40 - differing[0] // stage.hop, differing[-1] // stage.hop - 40)


def test_context_is_the_receptive_field_and_no_more_than_a_frame_above_it() -> None:
    for stage in split(tiny_vits(), ("flow", "decoder")).stages:
        assert _reach(stage) <= stage.context <= _reach(stage) + 1


def test_a_voice_with_a_decoder_of_another_name_cannot_be_cut() -> None:
    with pytest.raises(SplitError, match="conv_pre"):
        split(tiny_vits(decoder="vocoder"), ("decoder",))


def test_a_decoder_that_looks_at_all_frames_cannot_be_cut() -> None:
    with pytest.raises(SplitError, match="ReduceMean"):
        split(tiny_vits(global_op=True), ("decoder",))


def test_too_little_context_is_found_out_before_the_parts_are_used() -> None:
    model = tiny_vits()
    good = split(model, ("decoder",))
    stage = good.stages[0]
    short = Split(good.head, (type(stage)(**{**vars(stage), "context": 1}),))
    whole = session(model.SerializeToString(), threads=1)
    with pytest.raises(SplitError, match="sound"):
        proven(short, whole, feed(60))


def test_noise_is_made_once_a_sentence_so_slices_of_one_sentence_fit_together() -> None:
    vits = SplitVits(_parts(tiny_vits(), "flow", "decoder"), threads=1)
    noisy = [np.concatenate(list(vits.slices(feed(50, noise=1.0)))) for _ in range(2)]
    calm = np.concatenate(list(vits.slices(feed(50))))
    assert noisy[0].shape == calm.shape
    assert np.abs(noisy[0] - noisy[1]).max() > 1e-3


@pytest.mark.parametrize("frames", [0, 1, 31, 32, 33, 63, 64, 65, 96, 500, 2001])
def test_the_plan_covers_each_frame_once_in_slices_that_grow_and_stay_bounded(frames: int) -> None:
    plan = list(slice_plan(frames))
    assert [n for low, high in plan for n in range(low, high)] == list(range(frames))
    sizes = [high - low for low, high in plan]
    assert max(sizes, default=0) < LARGEST_SLICE + FIRST_SLICE
    assert sizes[:4] == [32, 32, 64, 96] or frames < 256
