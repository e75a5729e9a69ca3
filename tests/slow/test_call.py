"""A whole call on real models, through the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from budgets.ledger import read_ledger
from voice.audio import read_audio
from voice.config import BackendConfig
from voice.llm.backend import Backend, RequestRecord
from voice.llm.embedded import embedded_server

pytestmark = pytest.mark.slow


def under800(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "voice", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=280, **options)  # type: ignore[call-overload, no-any-return]


def test_the_demo_answers_every_turn(tmp_path: Path) -> None:
    figures, out = tmp_path / "figures.json", tmp_path / "out"
    run = under800("demo", "--out", str(out), "--json", str(figures), "--text")
    assert run.returncode == 0, run.stdout + run.stderr
    summary = json.loads(figures.read_text())["summary"]
    assert summary["turns"] >= 5
    assert summary["silent"] == 0
    assert summary["span_error_max_ms"] <= 1.0
    assert 0 < summary["v2v_p50_ms"] <= summary["v2v_p95_ms"]

    answered = [e for e in read_ledger(out / "ledger.jsonl") if e["outcome"] == "answered"]
    assert len(answered) >= summary["turns"] - 1
    assert all(e["agent_text"] and e["llm"]["ttft_ms"] > 0 for e in answered)
    samples, rate_hz = read_audio(out / "call.wav")
    assert len(samples) / rate_hz > 20
    assert (out / "waterfall.png").stat().st_size > 10_000
    assert "turn  0" in run.stdout


def test_own_recordings_are_answered_too(tmp_path: Path, data: Path) -> None:
    clips = [data / "speech" / "questions" / f"question_0{n}.wav" for n in (1, 5)]
    figures = tmp_path / "figures.json"
    wavs = [argument for clip in clips for argument in ("--wav", str(clip))]
    run = under800("demo", *wavs, "--out", str(tmp_path), "--json", str(figures))
    assert run.returncode == 0, run.stdout + run.stderr
    assert json.loads(figures.read_text())["summary"]["turns"] == 2


def test_a_recording_that_is_not_there_is_named(tmp_path: Path) -> None:
    run = under800("demo", "--wav", str(tmp_path / "gone.wav"), "--out", str(tmp_path))
    assert run.returncode == 2
    assert "gone.wav" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_folder_that_cannot_be_made_is_named_before_the_call(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run = under800("demo", "--out", str(tmp_path / "file" / "out"))
    assert run.returncode == 2
    assert "--out" in run.stderr
    assert "Calling" not in run.stdout


async def test_the_embedded_server_answers_and_remembers_its_prompt() -> None:
    config = BackendConfig(name="local")
    records: list[RequestRecord] = []
    messages = [{"role": "system", "content": "You are brief. " * 40}]
    async with embedded_server(config) as url:
        backend = Backend(config, base_url=url)
        await backend.prefill([*messages, {"role": "user", "content": ""}])  # type: ignore[list-item]
        stream = backend.chat(
            [*messages, {"role": "user", "content": "Say hello."}],  # type: ignore[list-item]
            on_finished=records.append,
            stream_options={"include_usage": True},
        )
        text = "".join([c.choices[0].delta.content or "" async for c in stream if c.choices])
        await backend.close()
    assert text.strip()
    [record] = records
    assert record.cached_tokens is not None
    assert record.cached_tokens > 100  # the prefix was evaluated before it was needed
    assert record.decode_tok_s is not None


def test_the_embedded_server_ends_with_its_parent() -> None:
    script = (
        "import asyncio, os\n"
        "from voice.config import BackendConfig\n"
        "from voice.llm.embedded import embedded_server\n"
        "async def main():\n"
        "    async with embedded_server(BackendConfig(name='local')) as url:\n"
        "        print(url, flush=True)\n"
        "        os.kill(os.getpid(), 9)\n"
        "asyncio.run(main())\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    port = run.stdout.strip().removesuffix("/v1").rsplit(":", 1)[1]
    assert run.returncode == -9
    wait = (
        "import socket, sys, time\n"
        "for _ in range(200):\n"
        "    try: socket.create_connection(('127.0.0.1', int(sys.argv[1])), 1).close()\n"
        "    except OSError: sys.exit(0)\n"
        "    time.sleep(0.05)\n"
        "sys.exit(1)\n"
    )
    assert subprocess.run([sys.executable, "-c", wait, port], timeout=60).returncode == 0


@pytest.mark.skipif(Path("/dev/snd").exists(), reason="there are sound devices here")
def test_talking_without_devices_says_what_is_missing() -> None:
    run = under800("talk")
    assert run.returncode == 2
    assert "microphone" in run.stderr or "PortAudio" in run.stderr
    assert "Traceback" not in run.stderr
