"""The house stands: imports point one way, and durations come from one clock."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FRAMEWORKS = {"pipecat", "livekit"}
ENGINES = {"faster_whisper", "ctranslate2", "piper", "xllamacpp", "onnx", "onnxruntime"}
HEAVY = {"torch", "transformers", "peft"}

FORBIDDEN = {
    "budgets": {"voice", "speculative"} | FRAMEWORKS | ENGINES | HEAVY,
    "speculative": {"voice"} | FRAMEWORKS | (ENGINES - {"onnxruntime"}) | HEAVY,
    "voice/stt": FRAMEWORKS | HEAVY,
    "voice/tts": FRAMEWORKS | HEAVY,
    "voice/llm": FRAMEWORKS | HEAVY,
    "voice/turns": FRAMEWORKS | HEAVY,
    "voice/line": FRAMEWORKS | ENGINES | HEAVY,
}


def modules(folder: str) -> list[Path]:
    found = sorted((ROOT / folder).rglob("*.py"))
    assert found
    return found


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_no_import_points_up(folder: str) -> None:
    wrong = {
        str(path.relative_to(ROOT)): found
        for path in modules(folder)
        if (found := imported(path) & FORBIDDEN[folder])
    }
    assert not wrong


@pytest.mark.parametrize("folder", ["budgets", "speculative", "voice"])
def test_wall_time_measures_nothing(folder: str) -> None:
    wrong = [p.name for p in modules(folder) if "time.time()" in p.read_text(encoding="utf-8")]
    assert not wrong


@pytest.mark.parametrize("folder", ["budgets", "speculative", "voice"])
def test_a_module_is_one_idea(folder: str) -> None:
    long = [p.name for p in modules(folder) if p.read_text(encoding="utf-8").count("\n") > 350]
    assert not long
