"""One turn on the page: its wait as a bar, and behind it its sound, its faults and its ledger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from budgets.ledger import SPANS
from budgets.probe.beside import outside_view_ms
from budgets.probe.page.markup import ms, percent, text
from budgets.probe.page.sound import WAVE_WIDTH, Excerpt, excerpt, wave_path
from budgets.probe.record import CallRecord, Finding, Utterance, UtteranceSound
from budgets.probe.verdict import answerable, within
from budgets.waterfall import COLOURS

_KINDS = {"barge-in": "barge-in", "backchannel": "backchannel", "silence": "silence"}


@dataclass(frozen=True)
class TurnView:
    """What the page needs to know of one turn."""

    record: CallRecord
    call: int
    calls: int
    utterance: Utterance
    sound: UtteranceSound
    entry: dict[str, Any] | None
    findings: list[Finding]
    budget_ms: float

    @property
    def anchor(self) -> str:
        return f"turn-{self.call + 1}-{self.utterance.index + 1}"

    @property
    def label(self) -> str:
        turn = f"turn {self.utterance.index + 1}, {self.utterance.name}"
        return f"call {self.call + 1}, {turn}" if self.calls > 1 else turn

    @property
    def due(self) -> bool:
        return answerable(self.utterance)

    @property
    def look(self) -> str:
        """How the turn went, as a CSS class."""
        if self.sound.silent:
            return "silent"
        if self.sound.cutoff:
            return "cut"
        if self.due:
            return "in" if within(self.sound, self.budget_ms) else "late"
        return "bad" if self.findings else "in"

    @property
    def badness(self) -> tuple[int, float]:
        """The worst turn has the largest: silent, then faulty, then late, then by the wait."""
        others = any(finding.kind != "late" for finding in self.findings)
        rank = 3 if self.sound.silent else 2 if others or self.sound.cutoff else self.look == "late"
        return int(rank), self.sound.v2v_ms or self.sound.stop_ms or 0.0


def turn(view: TurnView, place: int, end_ms: float, audio: str | None, *, is_open: bool) -> str:
    """A ``details`` element. ``place`` is its rank among the worst, ``audio`` its data URI."""
    unfolded = " open" if is_open else ""
    return f"""
<details class="turn {view.look}" id="{view.anchor}" data-worst="{place}"{unfolded}>
  <summary>
    <span class="no">{_number(view)}</span>
    <span class="name">{text(view.utterance.name)}{_tags(view)}</span>
    {_bar(view, end_ms)}
    <span class="wait">{_wait(view)}</span>
  </summary>
  <div class="body">
    {_timeline(view, audio)}
    {_findings(view.findings)}
    <div class="columns">{_facts(view)}{_ledger(view)}</div>
  </div>
</details>"""


def legend() -> str:
    """Which colour is which span of the agent's ledger."""
    spans = "".join(
        f'<li><i style="background:{COLOURS[name]}"></i>{text(name.replace("_", " "))}</li>'
        for name, _ in SPANS
    )
    return (
        f'<ul class="legend">{spans}<li><i class="beyond"></i>beyond the agent’s own view</li></ul>'
    )


def _number(view: TurnView) -> str:
    number = str(view.utterance.index + 1)
    return f"{view.call + 1}.{number}" if view.calls > 1 else number


def _tags(view: TurnView) -> str:
    kind = _KINDS.get(view.utterance.kind)
    tags = [f'<em class="kind">{kind}</em>'] if kind else []
    kinds = dict.fromkeys(finding.kind for finding in view.findings)
    tags += [f'<em class="fault">{text(name)}</em>' for name in kinds]
    return " " + " ".join(tags) if tags else ""


def _wait(view: TurnView) -> str:
    if view.sound.silent:
        return "silent"
    if view.sound.v2v_ms is not None:
        return ms(view.sound.v2v_ms)
    if view.sound.cutoff:
        return f"−{ms(view.sound.cutoff_ms)}"
    return "spoke" if view.sound.spoke else "quiet" if view.utterance.kind == "silence" else "–"


def _bar(view: TurnView, end_ms: float) -> str:
    """The wait on the scale that all turns share, cut into the ledger's spans where it has any."""
    limit = f'<i class="limit" style="left:{percent(view.budget_ms / end_ms)}"></i>'
    v2v_ms = view.sound.v2v_ms
    if v2v_ms is None:
        return f'<span class="bar">{limit}</span>'
    parts = _parts(view, v2v_ms)
    shown, left_ms = [], 0.0
    for name, style, part_ms in parts:
        width_ms = min(part_ms, end_ms - left_ms)
        if width_ms <= 0:  # beyond the axis, or work that was done ahead of time
            continue
        label = text(f"{name}: {part_ms:,.0f} ms")
        shown.append(
            f'<i class="{style}" title="{label}" style="left:{percent(left_ms / end_ms)};'
            f'width:{percent(width_ms / end_ms)}{_colour(name)}"></i>'
        )
        left_ms += part_ms
    more = " more" if v2v_ms > end_ms else ""
    return f'<span class="bar{more}">{"".join(shown)}{limit}</span>'


def _parts(view: TurnView, v2v_ms: float) -> list[tuple[str, str, float]]:
    """Names, CSS classes and milliseconds of the pieces of a wait; they sum to it."""
    entry = view.entry
    beyond_ms = outside_view_ms(v2v_ms, entry)
    if entry and beyond_ms is not None and entry["spans_ms"]:
        spans = [
            (name.replace("_", " "), "span", float(span_ms))
            for name, span_ms in entry["spans_ms"].items()
        ]
        return [*spans, ("beyond the agent’s own view", "beyond", max(0.0, beyond_ms))]
    leading_ms = min(v2v_ms, view.sound.leading_silence_ms or 0.0)
    return [
        ("nothing sent", "waited", v2v_ms - leading_ms),
        ("silence that the agent sent", "beyond", leading_ms),
    ]


def _colour(name: str) -> str:
    colour = COLOURS.get(name.replace(" ", "_"))
    return f";background:{colour}" if colour else ""


def _timeline(view: TurnView, audio: str | None) -> str:
    cut = excerpt(view.record, view.utterance)
    loudest = [
        float(np.abs(track).max(initial=0.0)) for track in (view.record.caller, view.record.agent)
    ]
    player = (
        f'<button class="play" type="button" aria-label="Play {text(view.label)}"></button>'
        f'<audio controls preload="none" src="{audio}"></audio>'
        if audio
        else '<span class="unheard">audio of the worst turns only</span>'
    )
    seek = (
        f'<input class="seek" type="range" min="0" max="{cut.length_s:.2f}" step="0.05" value="0" '
        f'aria-label="Position in {text(view.label)}, in seconds">'
        if audio
        else ""
    )
    return f"""<div class="player">
      <div class="control">{player}</div>
      <div class="timeline">
        <div class="spans">{_waits(view, cut)}</div>
        <div class="lanes">
          <svg viewBox="0 0 {WAVE_WIDTH} 100" preserveAspectRatio="none" aria-hidden="true">
            <path class="caller" d="{wave_path(cut.caller, 25, 23, loudest[0])}"/>
            <path class="agent" d="{wave_path(cut.agent, 75, 23, loudest[1])}"/>
          </svg>
          <b class="who">caller</b><b class="who agent">agent</b>
          <i class="head"></i>{seek}
        </div>
        <div class="seconds">{_seconds(cut)}</div>
      </div>
    </div>"""


def _waits(view: TurnView, cut: Excerpt) -> str:
    """The spans that are measured in the sound, drawn above it.

    Labels of neighbours lean away from each other.
    """
    utterance, sound = view.utterance, view.sound
    spans = []
    before = sound.stop_ms is not None or sound.cutoff
    if sound.v2v_ms is not None:
        end_s = utterance.speech_end_s + sound.v2v_ms / 1000.0
        spans.append(
            (utterance.speech_end_s, end_s, ms(sound.v2v_ms), view.look, "toright" * before)
        )
    elif sound.silent:
        spans.append((utterance.speech_end_s, utterance.until_s, "no answer", "silent", ""))
    if sound.stop_ms is not None:
        end_s = utterance.onset_s + sound.stop_ms / 1000.0
        spans.append((utterance.onset_s, end_s, f"stop {ms(sound.stop_ms)}", "stop", "toleft"))
    if sound.cutoff and sound.cutoff_ms:
        start_s = utterance.speech_end_s - sound.cutoff_ms / 1000.0
        spans.append(
            (start_s, utterance.speech_end_s, f"cut off {ms(sound.cutoff_ms)}", "cut", "toleft")
        )
    return "".join(_span(cut, *span) for span in spans)


def _span(cut: Excerpt, start_s: float, end_s: float, label: str, look: str, lean: str) -> str:
    left, right = cut.share(start_s), cut.share(end_s)
    middle = (left + right) / 2
    lean = "toright" if middle < 0.12 else "toleft" if middle > 0.88 else lean
    return (
        f'<i class="span {look} {lean}" style="left:{percent(left)};width:{percent(right - left)}">'
        f"<span>{label}</span></i>"
    )


def _seconds(cut: Excerpt) -> str:
    step = next(step for step in (1, 2, 5, 10) if cut.length_s / step <= 7)
    return "".join(
        f'<span style="left:{percent(at / cut.length_s)}">{at}&nbsp;s</span>'
        for at in range(0, int(cut.length_s) + 1, step)
        if at / cut.length_s < 0.97
    )


def _findings(findings: list[Finding]) -> str:
    if not findings:
        return ""
    items = "".join(
        f"<li><b>{text(finding.kind)}</b> {text(finding.message)}</li>" for finding in findings
    )
    return f'<ul class="findings">{items}</ul>'


def _facts(view: TurnView) -> str:
    """What else was heard; only what applies."""
    sound = view.sound
    facts = [
        ("first heard after", None if sound.v2v_ms is None else ms(sound.v2v_ms)),
        (
            "of it, silence that was sent",
            ms(sound.leading_silence_ms) if sound.leading_silence_ms else None,
        ),
        ("cut the caller off by", ms(sound.cutoff_ms) if sound.cutoff else None),
        ("stopped after", None if sound.stop_ms is None else ms(sound.stop_ms)),
        ("old audio after that", ms(sound.stale_ms) if sound.stale_ms else None),
        ("talked over the caller for", ms(sound.talk_over_ms) if sound.talk_over_ms else None),
        ("length of the reply", ms(sound.reply_ms) if sound.reply_ms else None),
        ("longest gap in it", ms(sound.gap_max_ms) if sound.reply_ms else None),
        ("said twice", "yes" if sound.double_reply else None),
        ("the caller began at", f"{view.utterance.start_s:,.1f}&nbsp;s"),
    ]
    rows = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts if value)
    return f'<section class="facts"><h4>Heard from outside</h4><dl>{rows}</dl></section>'


def _ledger(view: TurnView) -> str:
    entry = view.entry
    if not entry:
        return ""
    rows = "".join(
        f'<dt><i style="background:{COLOURS.get(name, "currentColor")}"></i>'
        f"{text(name.replace('_', ' '))}</dt><dd>{ms(span_ms)}</dd>"
        for name, span_ms in entry["spans_ms"].items()
    )
    beyond_ms = outside_view_ms(view.sound.v2v_ms, entry)
    total = f'<dt class="sum">the agent’s count</dt><dd class="sum">{ms(entry["v2v_ms"])}</dd>'
    difference = ""
    if beyond_ms is not None:
        sign = "+" if beyond_ms >= 0 else "−"
        difference = (
            f"<dt>the caller’s</dt><dd>{ms(view.sound.v2v_ms)}</dd>"
            f"<dt>difference</dt><dd>{sign}{ms(abs(beyond_ms))}</dd>"
        )
    outcome = text(entry["outcome"])
    return (
        f'<section class="ledger"><h4>The agent’s ledger: {outcome}</h4>'
        f"<dl>{rows}{total}{difference}</dl></section>"
    )
