"""Models from the hub by name."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from budgets.errors import UserError
from tests.voice.models.stand_ins import BIG, Server, left_behind, pull, sha256
from voice import models
from voice.commands.models import app
from voice.models import State, hub

COMMIT = "c" * 40
REF = "hf:owner/name@main/sub/model.gguf"


@pytest.fixture
def storage() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


@pytest.fixture
def huggingface(
    server: Server, storage: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> Server:
    """A hub that, like the real one, redirects to a storage on another host."""
    monkeypatch.setenv("HF_ENDPOINT", server.url)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    serve_file(server, storage, "main/sub/model.gguf", BIG)
    return server


def serve_file(
    server: Server, storage: Server, path: str, body: bytes, promised: str | None = None
) -> None:
    headers = {
        "Location": f"{storage.url}/blob/{path}",
        "X-Linked-ETag": f'"{promised or sha256(body)}"',
        "X-Repo-Commit": COMMIT,
    }
    server.answers[f"/owner/name/resolve/{path}"] = (302, headers, b"")
    storage.serve(f"/blob/{path}", body)


def test_a_file_of_the_hub_by_name(huggingface: Server, cache: Path) -> None:
    with pytest.raises(UserError, match=f"run `under800 models pull {REF}`"):
        models.model_path(REF)
    pull(REF)
    path = models.model_path(REF)
    assert path.name == "model.gguf"
    assert path.read_bytes() == BIG
    assert json.loads((path.parent / "under800.json").read_text())["commit"] == COMMIT
    assert models.known()[-1] == REF
    huggingface.asked.clear()
    pull(REF)
    assert huggingface.asked == []


def test_a_change_of_a_hub_file_is_noticed(huggingface: Server, cache: Path) -> None:
    pull(REF)
    path = models.model_path(REF)
    path.write_bytes(BIG[::-1])
    with pytest.raises(UserError, match="altered"):
        models.model_path(REF)
    verified = CliRunner().invoke(app, ["verify"])
    assert verified.exit_code == 1
    assert f"{REF} damaged: model.gguf has been altered" in verified.stdout
    pull(REF)
    assert path.read_bytes() == BIG


def test_the_hubs_hash_is_held_against_the_file(
    huggingface: Server, storage: Server, cache: Path
) -> None:
    serve_file(huggingface, storage, "main/sub/model.gguf", BIG, promised="0" * 64)
    with pytest.raises(UserError, match="arrived altered"):
        pull(REF)
    assert models.check(REF).state is State.MISSING
    assert not left_behind(cache)


def test_a_hub_file_that_breaks_off(huggingface: Server, storage: Server, cache: Path) -> None:
    storage.cut = 1000
    with pytest.raises(UserError, match=r"broke off|could not be reached"):
        pull(REF)
    assert models.check(REF).state is State.MISSING


def test_the_token_goes_to_the_hub_and_not_to_its_storage(
    huggingface: Server, storage: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    pull(REF)
    assert huggingface.tokens == ["Bearer hf_secret"]
    assert storage.tokens == [None]


def test_a_renamed_repository_is_followed_with_the_token(
    huggingface: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    moved = {"Location": "/owner/name/resolve/main/sub/model.gguf"}
    huggingface.answers["/old/name/resolve/main/sub/model.gguf"] = (307, moved, b"")
    pull("hf:old/name@main/sub/model.gguf")
    assert huggingface.tokens == ["Bearer hf_secret"] * 2


def test_a_voice_brings_its_settings(huggingface: Server, storage: Server, cache: Path) -> None:
    serve_file(huggingface, storage, "v1/a/voice.onnx", BIG)
    huggingface.serve(f"/owner/name/resolve/{COMMIT}/a/voice.onnx.json", b"{}")
    name = "hf:owner/name@v1/a/voice.onnx"
    pull(name)
    assert Path(f"{models.model_path(name)}.json").read_bytes() == b"{}"


def test_a_whisper_model_is_a_folder(huggingface: Server, storage: Server, cache: Path) -> None:
    serve_file(huggingface, storage, "main/model.bin", BIG)
    for part in ("config.json", "tokenizer.json", "vocabulary.txt"):
        huggingface.serve(f"/owner/name/resolve/{COMMIT}/{part}", part.encode())
    name = "hf:owner/name@main/model.bin"
    pull(name)
    folder = models.model_path(name)
    assert (folder / "model.bin").read_bytes() == BIG
    assert (folder / "vocabulary.txt").read_bytes() == b"vocabulary.txt"


@pytest.mark.parametrize(
    ("code", "words"), [(404, "check the owner"), (401, "HF_TOKEN"), (503, "HTTP 503")]
)
def test_a_refusal_of_the_hub(huggingface: Server, cache: Path, code: int, words: str) -> None:
    huggingface.answers["/owner/name/resolve/main/sub/model.gguf"] = (code, {}, b"")
    with pytest.raises(UserError, match=words):
        pull(REF)
    assert models.check(REF).state is State.MISSING


def test_no_hub(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", os.environ["PIP_INDEX_URL"])
    with pytest.raises(UserError, match=r"could not be reached.*HF_ENDPOINT"):
        pull(REF)


@pytest.mark.parametrize(
    "name",
    ["hf:owner/name/file.gguf", "hf:name@main/file", "hf:owner/name@main/../x", "hf:", "hf:a/b@c"],
)
def test_a_hub_name_that_is_not_whole_is_told_how_to_write_it(cache: Path, name: str) -> None:
    with pytest.raises(UserError, match=r"write hf:owner/name@revision/file"):
        models.model_path(name)


def test_a_hub_name_without_a_revision_is_told_so(cache: Path) -> None:
    with pytest.raises(UserError, match="it needs a revision"):
        hub.HubRef.parse("hf:owner/name/file.gguf")
