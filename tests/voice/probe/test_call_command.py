"""``under800 call`` from its arguments to its exit code, on a scripted agent, in real time."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from websockets.asyncio.server import ServerConnection

from budgets.playout import first_audible
from tests.voice.probe.scripted_agent import serving, tone
from voice.audio import from_s16, to_s16, write_audio
from voice.cli import main

HZ = 8000


async def agent(socket: ServerConnection) -> None:
    """Answers 200 ms after the caller; at ``/dies`` it goes while the caller speaks."""
    await socket.recv()
    await socket.send(json.dumps({"type": "format", "rate": HZ}))
    speaking = False
    assert socket.request is not None
    async for message in socket:
        loud = first_audible(from_s16(message)) is not None  # type: ignore[arg-type]
        if loud and socket.request.path == "/dies":
            await socket.close(1011)
            return
        if speaking and not loud:
            await asyncio.sleep(0.2)
            await socket.send(to_s16(tone(300, HZ)))
        speaking = loud


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The agent, on a loop of its own."""
    started, over, url = threading.Event(), asyncio.Event(), list[str]()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        async with serving(agent) as where:
            url.append(where.removesuffix("/call"))
            started.set()
            await over.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert started.wait(10)
    yield f"pcm+{url[0]}"
    loop.call_soon_threadsafe(over.set)
    thread.join(10)
    loop.close()


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    clip = np.concatenate([tone(400, HZ), np.zeros(HZ // 10, np.float32)])
    write_audio(tmp_path / "clip.wav", [clip], HZ)
    path = tmp_path / "tones.yaml"
    path.write_text(
        "line: {rate: 8000}\n"
        "manners: {after_reply_ms: 400, patience_ms: 800}\n"
        "turns:\n"
        "  - wav: clip.wav\n"
    )
    return path


def under800(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    """The exit code of a command line."""
    monkeypatch.setattr("sys.argv", ["under800", *map(str, arguments)])
    with pytest.raises(SystemExit) as exited:
        main()
    return int(exited.value.code or 0)


def test_a_good_call_passes_and_leaves_its_reports(
    address: str, scenario: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "budget.yaml").write_text("p95_ms: 500\nsilent_turns: 0\n")
    reports = [tmp_path / name for name in ("call.json", "call.xml", "call.html")]
    options = zip(("--json", "--junit", "--html"), reports, strict=True)
    code = under800(
        monkeypatch,
        *("call", address, scenario, "--budget", tmp_path / "budget.yaml"),
        *(word for option in options for word in option),
    )
    assert code == 0
    found = json.loads(reports[0].read_text())
    assert found["what"] == "call"
    assert found["summary"]["turns"] == 1
    assert 190 <= found["summary"]["v2v_p50_ms"] < 400
    assert ElementTree.parse(reports[1]).getroot().get("failures") == "0"
    assert "<html" in reports[2].read_text()


def test_a_budget_that_is_not_kept_fails(
    address: str,
    scenario: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "budget.yaml").write_text("p95_ms: 100\n")
    budget = tmp_path / "budget.yaml"
    assert under800(monkeypatch, "call", address, scenario, "--budget", budget) == 1
    said = capsys.readouterr().out
    assert "p95 wait: 2" in said
    assert "100 ms" in said


def test_an_agent_that_dies_in_mid_call_is_a_broken_set_up(
    address: str,
    scenario: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = tmp_path / "call.html"
    code = under800(monkeypatch, "call", f"{address}/dies", scenario, "--html", report)
    assert code == 2
    assert "ended the connection in mid-call with code 1011" in " ".join(
        capsys.readouterr().out.split()
    )
    assert report.is_file()


def test_an_agent_that_is_not_there_is_a_broken_set_up(
    scenario: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert under800(monkeypatch, "call", "pcm+ws://127.0.0.1:9/", scenario) == 2
    assert "start the agent, or check host and port" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["SCENARIO"], ":4: turns[0].wave"),
        (["no-such"], "no scenario 'no-such'"),
        (["SCENARIO", "--budget", "no-such.yaml"], "no such budget file"),
        (["SCENARIO", "--calls", "3"], "--allow-host voice.example.com"),
    ],
)
def test_a_mistake_is_one_clear_message(
    arguments: list[str],
    said: str,
    scenario: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    scenario.write_text(scenario.read_text().replace("wav:", "wave:"))
    words = [str(scenario) if word == "SCENARIO" else word for word in arguments]
    assert under800(monkeypatch, "call", "pcm+ws://voice.example.com/", *words) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert "Traceback" not in captured.err
