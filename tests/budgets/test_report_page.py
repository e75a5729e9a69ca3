"""The report's page: what is on it, and how a browser takes it."""

from __future__ import annotations

import base64
import io
import re
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from budgets.errors import UserError
from budgets.playout import first_audible
from budgets.probe.budget_file import CallBudget
from budgets.probe.page import render_page, write_page
from budgets.probe.page.sound import excerpt, wav_uri
from budgets.probe.record import CallRecord, Finding
from budgets.probe.verdict import judge
from tests.budgets.browser import Page, browser, find_chromium
from tests.budgets.probe_calls import Told, a_call

HOSTILE = "</script><script>alert(1)</script><img src=http://example.com/x.png>\"'&"


def bad_call(name: str = "order number") -> CallRecord:
    late = Finding("late", 1, f"The answer to {name} came after 1,245 ms.")
    silent = Finding("silent", 3, "Nobody answered.")
    return a_call(
        [
            Told("opening hours", 431),
            Told(name, 1245, finding=late),
            Told("wait", 706, "barge-in", {"stop_ms": 412.0, "stale_ms": 300.0}),
            Told("thanks", None, finding=silent),
            Told("cut", 90, heard={"cutoff": True, "cutoff_ms": 240.0}),
            Told("mhm", None, "backchannel"),
        ],
        with_ledger=True,
    )


def test_the_worst_turns_come_first() -> None:
    page = render_page([bad_call()], judge([bad_call()]))
    order = [page.index(f'id="turn-1-{number}"') for number in (4, 5, 2, 3, 1)]
    assert order == sorted(order)
    assert page.count(" open>") == 3


def test_a_wait_is_drawn_in_the_spans_of_the_ledger_and_what_lies_beyond_them() -> None:
    call = a_call([Told("a", 600)], with_ledger=True)
    page = render_page([call], judge([call]))
    bar = page[page.index('<span class="bar">') : page.index('<span class="wait">')]
    assert re.findall('title="([a-z]+)', bar) == [
        "endpointing",
        "transcription",
        "ttft",
        "first",
        "synthesis",
        "line",
        "beyond",
    ]
    widths = [float(width) for width in re.findall(r"width:([\d.]+)%", bar)]
    assert sum(widths) == pytest.approx(100 * 600 / 1200, abs=0.05)


def test_text_from_outside_stays_text() -> None:
    call = bad_call(HOSTILE)
    call.target = HOSTILE
    page = render_page([call], judge([call]))
    assert page.count("<script>") == 1
    assert "<img" not in page


def test_an_excerpt_is_in_time_with_the_call() -> None:
    call = a_call([Told("a", 500), Told("b", 700)])
    turn = call.utterances[1]
    cut = excerpt(call, turn)
    content = base64.b64decode(wav_uri(cut, 16000).partition(",")[2])
    with wave.open(io.BytesIO(content)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 16000)
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768.0
    assert len(samples) / 16000 == pytest.approx(cut.length_s, abs=0.001)
    said = first_audible(samples.astype(np.float32))
    assert said is not None
    assert said / 16000 == pytest.approx(turn.start_s - cut.start_s, abs=0.01)
    quiet = round((turn.speech_end_s - cut.start_s + 0.02) * 16000)
    answered = first_audible(samples[quiet:].astype(np.float32))
    assert answered is not None
    assert answered / 16000 == pytest.approx(0.68, abs=0.01)


def test_a_page_of_many_calls_keeps_its_size() -> None:
    calls = [a_call([Told(f"t{at}", 300.0 + 7 * at) for at in range(12)]) for _ in range(12)]
    page = render_page(calls, judge(calls))
    assert len(page) < 14_000_000
    assert "audio of the worst turns only" in page
    first = page[page.index('data-worst="0"') : page.index('data-worst="1"')]
    assert "data:audio/wav" in first


def test_a_load_test_is_cut_to_its_worst_turns() -> None:
    call = a_call([Told(f"t{at}", 300.0 + at) for at in range(60)])
    page = render_page([call] * 4, judge([call] * 4))
    assert page.count("<details") == 200
    assert "40 more turns went better" in page


def test_a_page_that_cannot_be_written_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot write the page"):
        write_page(tmp_path, [], judge([]))


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    program = find_chromium()
    if program is None:
        pytest.skip("no Chromium is installed (on Debian: apt-get install chromium)")
    with browser(program, tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def report(tmp_path: Path) -> Path:
    call = bad_call(HOSTILE)
    path = tmp_path / "call.html"
    write_page(path, [call], judge([call], CallBudget(p95_ms=800, silent_turns=0)))
    return path


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_browser_asks_for_nothing_and_complains_of_nothing(
    tab: Page, report: Path, width: int, dark: bool
) -> None:
    tab.open(report, width=width, dark=dark)
    assert tab.evaluate("document.querySelector('h1').textContent") == "Fail"
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    paper = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(21, 21, 19)") is dark
    tab.evaluate("document.querySelectorAll('details').forEach((turn) => (turn.open = true))")
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    assert tab.requests == []
    assert tab.complaints == []


def test_the_browser_would_have_noticed(tab: Page, tmp_path: Path) -> None:
    """What the test above rests on: a page that does ask and complain is caught."""
    path = tmp_path / "bad.html"
    path.write_text("<img src='http://127.0.0.1:9/x.png'><script>console.error('no')</script>")
    tab.open(path, width=390)
    assert tab.requests == ["http://127.0.0.1:9/x.png"]
    assert tab.complaints
    tab.requests.clear()
    tab.complaints.clear()


def test_a_turn_plays_and_its_slider_follows(tab: Page, report: Path) -> None:
    tab.open(report, width=1280)
    tab.evaluate("document.querySelector('.play').focus()")
    tab.press("Enter", "Enter", 13, "\r")
    at_s = tab.evaluate("""new Promise((done) => {
      const audio = document.querySelector("audio");
      audio.ontimeupdate = () => audio.currentTime > 0.2 && done(audio.currentTime);
    })""")
    assert at_s > 0.2
    assert tab.evaluate("document.querySelector('.seek').value") != "0"
    assert "Pause" in tab.evaluate("document.querySelector('.play').ariaLabel")
    tab.press("Enter", "Enter", 13, "\r")
    assert tab.evaluate("document.querySelector('audio').paused") is True
    assert tab.complaints == []


def test_the_order_can_be_changed_and_a_dot_leads_to_its_turn(tab: Page, report: Path) -> None:
    tab.open(report, width=1280)
    order = "[...document.querySelectorAll('.turn')].map((turn) => turn.id.at(-1)).join('')"
    assert tab.evaluate(order).startswith("45")
    tab.evaluate("document.querySelector('[data-order=call]').click()")
    assert tab.evaluate(order) == "123456"
    closed = "document.getElementById('turn-1-1').open"
    assert tab.evaluate(closed) is False
    tab.evaluate("""new Promise((done) => {
      addEventListener("hashchange", () => setTimeout(done));
      document.querySelector("a[href='#turn-1-1']").click();
    })""")
    assert tab.evaluate(closed) is True
    assert tab.evaluate("document.activeElement.parentElement.id") == "turn-1-1"
    assert tab.complaints == []
