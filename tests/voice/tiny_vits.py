"""A synthesiser with VITS's shape and names and none of its size."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

CHANNELS = 4
HOP = 8
FRAMES_PER_ID = 3


def tiny_vits(
    *, decoder: str = "dec", global_op: bool = False, stride_in_flow: bool = False
) -> Any:
    """An ``onnx.ModelProto`` with two speakers, noise, a flow, a decoder with hop 8.

    Its decoder is called ``decoder``; ``global_op`` gives it a mean over all frames, so that it
    is no longer local.
    """
    rng = np.random.default_rng(7)
    weights: dict[str, np.ndarray[Any, Any]] = {}
    nodes: list[Any] = []

    def weight(name: str, *shape: int, scale: float = 0.3) -> str:
        weights[name] = (rng.standard_normal(shape) * scale).astype(np.float32)
        return name

    def node(op: str, name: str, inputs: list[str], output: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(op, inputs, [output], name=name, **attributes))
        return output

    def conv(
        name: str, source: str, kernel: int, dilation: int = 1, outputs: int = CHANNELS
    ) -> str:
        pad = (kernel - 1) * dilation // 2
        parameters = [weight(f"{name}.weight", outputs, CHANNELS, kernel)]
        scope = "/" + name.replace(".", "/")
        geometry = {"dilations": [dilation], "pads": [pad, pad], "kernel_shape": [kernel]}
        return node("Conv", f"{scope}/Conv", [source, *parameters], f"{scope}/out", **geometry)

    def up(name: str, source: str, kernel: int, stride: int) -> str:
        pad = (kernel - stride) // 2
        parameters = [weight(f"{name}.weight", CHANNELS, CHANNELS, kernel)]
        scope = "/" + name.replace(".", "/") + "/ConvTranspose"
        geometry = {"strides": [stride], "pads": [pad, pad], "kernel_shape": [kernel]}
        return node("ConvTranspose", scope, [source, *parameters], f"{scope}/out", **geometry)

    # Head: ids (1, n) -> a softmax over the whole sentence -> frames (1, CHANNELS, 3 n) + noise.
    weights["repeat"] = np.array([1, 1, FRAMES_PER_ID], dtype=np.float32)
    weights["axis"] = np.array([1], dtype=np.int64)
    weights["last"] = np.array([-1], dtype=np.int64)
    weights["third"] = np.array([1], dtype=np.int64)
    node("Gather", "/emb_g/Gather", [weight("emb_g", 2, CHANNELS), "sid"], "g_row")
    node("Unsqueeze", "/Unsqueeze_g", ["g_row", "last"], "g")  # (1, CHANNELS, 1)
    node("Gather", "/emb/Gather", [weight("emb", 40, CHANNELS, scale=1.0), "input"], "rows")
    node("Transpose", "/enc_p/Transpose", ["rows"], "columns", perm=[0, 2, 1])
    node("Softmax", "/enc_p/Softmax", ["columns"], "soft", axis=2)
    node("Add", "/enc_p/Add", ["soft", "columns"], "words")
    node("Add", "/enc_p/Add_1", ["words", "g"], "encoded")
    node("Resize", "/enc_p/Resize", ["encoded", "", "repeat"], "repeated", mode="nearest")
    node("ReduceMean", "/Mask", ["repeated"], "mean", axes=[1], keepdims=1)
    node("Sigmoid", "/Mask_1", ["mean"], "mask")  # one entry per frame, unlike g
    node("Mul", "/Mul_mask", ["repeated", "mask"], "means")
    node("RandomNormalLike", "/RandomNormalLike", ["means"], "noise")
    node("Gather", "/Gather_scale", ["scales", "third"], "noise_scale")
    node("Mul", "/Mul_noise", ["noise", "noise_scale"], "scaled_noise")
    node("Add", "/Add", ["means", "scaled_noise"], "z_p")

    # Flow: convolutions and a gate exported without a scope, as torch's fused gates are.
    node("Mul", "/flow/Mul", ["z_p", "mask"], "flow_in")
    hidden = conv("flow.in_layer", "flow_in", 5)
    cond = conv("flow.cond_layer", "g", 1)
    node("Add", "/flow/Add", [hidden, cond], "flow_sum")
    node("Tanh", "Tanh_99", ["flow_sum"], "gate")
    out = conv("flow.out_layer", "gate", 3)
    node("Add", "/flow/Add_1", [out, "z_p"], "flow_out")
    node("Mul", "/Mul_7", ["flow_out", "mask"], "z")

    # Decoder.
    pre = conv(f"{decoder}.conv_pre", "z", 7)
    node("Add", f"/{decoder}/Add", [pre, conv(f"{decoder}.cond", "g", 1)], "pre_g")
    node("LeakyRelu", f"/{decoder}/LeakyRelu", ["pre_g"], "pre_act")
    wide = up(f"{decoder}.ups.0", up(f"{decoder}.ups.1", "pre_act", 8, 4), 4, 2)
    if global_op:
        node("ReduceMean", f"/{decoder}/ReduceMean", [wide], "average", axes=[2], keepdims=1)
        wide = node("Sub", f"/{decoder}/Sub", [wide, "average"], "centred")
    res = conv(f"{decoder}.resblocks.0", wide, 3, dilation=5)
    node("Add", f"/{decoder}/Add_2", [res, wide], "res")
    post = conv(f"{decoder}.conv_post", "res", 7, outputs=1)
    node("Tanh", f"/{decoder}/Tanh", [post], "tanh")
    node("Unsqueeze", "/Unsqueeze_out", ["tanh", "axis"], "output")

    graph = helper.make_graph(
        nodes,
        "tiny",
        [
            helper.make_tensor_value_info("input", TensorProto.INT64, [1, "n"]),
            helper.make_tensor_value_info("input_lengths", TensorProto.INT64, [1]),
            helper.make_tensor_value_info("scales", TensorProto.FLOAT, [3]),
            helper.make_tensor_value_info("sid", TensorProto.INT64, [1]),
        ],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, 1, 1, "samples"])],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=8)


def feed(ids: int, *, speaker: int = 0, noise: float = 0.0) -> dict[str, Any]:
    """The model's inputs for a sentence of ``ids`` phonemes."""
    rng = np.random.default_rng(ids)
    return {
        "input": rng.integers(0, 40, (1, ids)),
        "input_lengths": np.array([ids], dtype=np.int64),
        "scales": np.array([noise, noise, noise], dtype=np.float32),
        "sid": np.array([speaker], dtype=np.int64),
    }
