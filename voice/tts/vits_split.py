"""Cutting a VITS graph where its audio starts to depend only on what is near in time.

VITS (Kim et al. 2021) turns text into frames in one go: the text encoder attends to the whole
sentence. From there on, the flow and the HiFi-GAN decoder are convolutions, so each sample needs
only a known number of frames on each side. :func:`split` cuts the graph at those two borders
into a head and one or two stages that can be run on windows of frames, with the same result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Literal

Cut = Literal["flow", "decoder"]

_LOCAL_OPS = {
    *("Constant", "ConstantOfShape", "Shape", "Cast", "Identity", "Expand", "Gather"),
    *("Reshape", "Slice", "Split", "Concat", "Squeeze", "Unsqueeze", "Transpose"),
    *("Add", "Sub", "Mul", "Div", "Neg", "Exp", "Pow", "Sqrt", "Sin"),
    *("Tanh", "Sigmoid", "Relu", "LeakyRelu"),
}
"""Ops that in VITS act on channels or on single frames. That they do so here is not read off
the graph: whoever splits a model must prove the stages on it (`voice.tts.stages.proven`)."""


class SplitError(Exception):
    """The graph is not of the kind that can be cut here; the message says why."""


@dataclass(frozen=True)
class Stage:
    """Frames in, frames or samples out, both along the last axis."""

    model: bytes
    main: str
    """The input that holds the frames, shape (1, channels, frames)."""
    sides: tuple[str, ...]
    """Its other inputs, which the head computes: masks, the speaker's embedding."""
    output: str
    context: int
    """Frames needed on each side of a window for its output to be exact."""
    hop: int
    """Output positions per frame."""


@dataclass(frozen=True)
class Split:
    """``head`` takes the inputs of the whole model and gives what the stages take."""

    head: bytes
    stages: tuple[Stage, ...]


def split(model: Any, cuts: Sequence[Cut]) -> Split:
    """Cut an ``onnx.ModelProto`` before the flow, before the decoder, or both (in that order).

    Raises SplitError.
    """
    graph = _Graph(model)
    mains = [graph.flow_input() if cut == "flow" else graph.decoder_input() for cut in cuts]
    regions = [graph.reach(main) for main in mains]
    ends = [*mains[1:], graph.output(regions[-1])]
    stages = []
    for main, end, region in zip(mains, ends, regions, strict=True):
        nodes, inputs = graph.part([end], stop=graph.dynamic - graph.outputs_of(region))
        sides = tuple(name for name in inputs if name != main)
        if main not in inputs or set(sides) & graph.outputs_of(regions[0]):
            raise SplitError(f"what follows {main} also depends on other parts of the graph")
        context, hop = _field(nodes, main, end, graph.shapes)
        stages.append(Stage(graph.model(nodes, inputs, [end]), main, sides, end, context, hop))
    wanted = list(dict.fromkeys([mains[0], *(side for stage in stages for side in stage.sides)]))
    if graph.inputs.keys() & set(wanted):
        raise SplitError("an input of the whole model feeds a stage directly")
    nodes, _ = graph.part(wanted, stop=set(graph.inputs))
    return Split(graph.model(nodes, list(graph.inputs), wanted), tuple(stages))


class _Graph:
    """An ONNX graph with what is asked of it again and again looked up once."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self.nodes = list(model.graph.node)
        self.initializers = {tensor.name: tensor for tensor in model.graph.initializer}
        self.shapes = {name: list(tensor.dims) for name, tensor in self.initializers.items()}
        self.inputs = {
            value.name: value
            for value in model.graph.input
            if value.name not in self.initializers  # old exports list their weights here too
        }
        self._producer = {name: node for node in self.nodes for name in node.output}
        self.dynamic = self._dynamic()

    def _dynamic(self) -> set[str]:
        """Tensors that differ from run to run."""
        found = set(self.inputs)
        for node in self.nodes:
            if node.op_type.startswith("Random") or found.intersection(_uses(node)):
                found.update(node.output)
        return found

    def reach(self, *tensors: str) -> list[Any]:
        """The nodes that depend on any of these tensors, in order."""
        reached, nodes = set(tensors), []
        for node in self.nodes:
            if reached.intersection(_uses(node)):
                reached.update(node.output)
                nodes.append(node)
        return nodes

    @staticmethod
    def outputs_of(nodes: Iterable[Any]) -> set[str]:
        return {name for node in nodes for name in node.output}

    def decoder_input(self) -> str:
        for node in self.nodes:
            if node.op_type == "Conv" and _belongs(node, "dec.conv_pre"):
                return str(node.input[0])
        raise SplitError("the graph has no decoder that starts with conv_pre")

    def flow_input(self) -> str:
        """The tensor that enters the flow on which the least of the graph depends.

        The speaker's embedding and the mask enter it too, but the frames depend on both.
        """
        flow = [node for node in self.nodes if _belongs(node, "flow")]
        inside = self.outputs_of(flow)
        inside |= self.outputs_of(self.reach(*inside))
        entering = {name for node in flow for name in _uses(node)} & self.dynamic - inside
        target = self.decoder_input()
        reached = {name: self.outputs_of(self.reach(name)) for name in sorted(entering)}
        candidates = [name for name in reached if target in reached[name]]
        if not candidates:
            raise SplitError("the graph has no flow before its decoder")
        return min(candidates, key=lambda name: len(reached[name]))

    def output(self, region: list[Any]) -> str:
        produced = self.outputs_of(region)
        for value in self._model.graph.output:
            if value.name in produced:
                return str(value.name)
        raise SplitError("no output of the graph comes from its decoder")

    def part(self, outputs: Sequence[str], *, stop: set[str]) -> tuple[list[Any], list[str]]:
        """The nodes that make ``outputs`` from tensors in ``stop``, and which of those they use."""
        needed: set[int] = set()
        inputs: dict[str, None] = {}
        pending = list(reversed(outputs))
        while pending:
            name = pending.pop()
            node = self._producer.get(name)
            if name in stop or name in self.inputs:
                inputs[name] = None
            elif node is not None and id(node) not in needed:
                needed.add(id(node))
                pending.extend(reversed(_uses(node)))
        return [node for node in self.nodes if id(node) in needed], list(inputs)

    def model(self, nodes: list[Any], inputs: Sequence[str], outputs: Sequence[str]) -> bytes:
        """These nodes as a model of their own, with the weights they use."""
        from onnx import helper

        used = {name for node in nodes for name in _uses(node)}
        graph = helper.make_graph(
            nodes,
            "part",
            [self._value(name) for name in inputs],
            [self._value(name) for name in outputs],
            [tensor for name, tensor in self.initializers.items() if name in used],
        )
        part = helper.make_model(
            graph, opset_imports=self._model.opset_import, ir_version=self._model.ir_version
        )
        return bytes(part.SerializeToString())

    def _value(self, name: str) -> Any:
        from onnx import TensorProto, helper

        # Whatever crosses a cut in VITS is float; its shape is left for the runtime to infer.
        return self.inputs.get(name) or helper.make_tensor_value_info(name, TensorProto.FLOAT, None)


def _uses(node: Any) -> list[str]:
    """Names that a node reads, those captured by the bodies of its Ifs and Loops included."""
    names = [name for name in node.input if name]
    for attribute in node.attribute:
        for body in [*attribute.graphs, *([attribute.g] if attribute.HasField("g") else [])]:
            names += [name for inner in body.node for name in _uses(inner)]
    return names


def _belongs(node: Any, module: str) -> bool:
    """Whether a node was exported from a torch module, by its own name or its weights' names."""
    scope = "/" + module.replace(".", "/") + "/"
    return node.name.startswith(scope) or any(n.startswith(module + ".") for n in node.input)


def _field(
    nodes: list[Any], main: str, output: str, shapes: dict[str, list[int]]
) -> tuple[int, int]:
    """Frames of context that ``output`` needs on each side, and its positions per frame."""
    rates = {main: 1}
    for node in nodes:
        known = {rates[name] for name in node.input if name in rates}
        if len(known) > 1:
            raise SplitError(f"{node.name} joins tensors of different rates")
        if known:
            stride = _Kernel(node, shapes).stride if node.op_type == "ConvTranspose" else 1
            rates.update(dict.fromkeys(node.output, known.pop() * stride))
    needs = {output: 0}
    for node in reversed(nodes):
        needed = max((needs[name] for name in node.output if name in needs), default=None)
        if needed is not None and any(name in rates for name in node.input):
            before = _needed_before(node, needed, shapes)
            for name in node.input:
                needs[name] = max(needs.get(name, 0), before)
    return needs[main], rates[output]


def _needed_before(node: Any, needed: int, shapes: dict[str, list[int]]) -> int:
    """Input positions needed beside a window when ``needed`` output positions are."""
    if node.op_type in _LOCAL_OPS:
        return needed
    if node.op_type not in ("Conv", "ConvTranspose"):
        raise SplitError(f"{node.name} ({node.op_type}) may look at any frame")
    kernel = _Kernel(node, shapes)
    if node.op_type == "Conv":
        if kernel.stride != 1 or kernel.left + kernel.right != kernel.reach:
            raise SplitError(f"{node.name} changes the number of frames")
        return needed + max(kernel.left, kernel.right)
    if kernel.reach + 1 - kernel.left - kernel.right != kernel.stride:
        raise SplitError(f"{node.name} does not give {kernel.stride} positions per frame")
    return max(
        ceil((needed + kernel.reach - kernel.left) / kernel.stride),
        ceil((needed + kernel.left) / kernel.stride),
    )


class _Kernel:
    """The one-dimensional geometry of a convolution."""

    def __init__(self, node: Any, shapes: dict[str, list[int]]) -> None:
        from onnx import helper

        values = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        size = values.get("kernel_shape") or shapes.get(node.input[1], [])[2:]
        automatic = values.get("auto_pad", b"NOTSET") != b"NOTSET"
        if len(size) != 1 or automatic or any(values.get("output_padding", [])):
            raise SplitError(f"{node.name} is not a plain convolution in time")
        self.stride = int(values.get("strides", [1])[0])
        self.left, self.right = (int(pad) for pad in values.get("pads", [0, 0]))
        self.reach = (int(size[0]) - 1) * int(values.get("dilations", [1])[0])
