"""The whole page: verdict on top, then the waits, then the turns, the worst first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from budgets.errors import UserError
from budgets.figures import versions
from budgets.probe.beside import ledger_beside
from budgets.probe.page.distribution import Dot, distribution
from budgets.probe.page.markup import ms, scale_ms, text
from budgets.probe.page.sound import excerpt, wav_uri
from budgets.probe.page.turns import TurnView, legend, turn
from budgets.probe.record import CallRecord, Finding
from budgets.probe.verdict import FIGURE_UNITS, TITLES, Verdict, show

_WORDS = {"pass": "Pass", "fail": "Fail", "broken": "Broken set-up"}
_OPEN = {"pass": 1, "fail": 3, "broken": 3}
"""How many of the worst turns are unfolded when the page opens."""
_LISTED = 200
"""Turns that are listed at most, the worst of them: a load test has thousands."""
_AUDIO_BYTES = 8_000_000
"""Audio that a page carries at most, before base64: it must open on a telephone and fit a mail."""
_RATES_HZ = (16_000, 8_000)

# The page asks nobody for anything, and may not either.
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "img-src data:; media-src data:"
)


def write_page(path: Path, records: Sequence[CallRecord], verdict: Verdict) -> None:
    """Write the report. Raises UserError where the file cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render_page(records, verdict), encoding="utf-8")
    except OSError as fault:
        raise UserError(f"cannot write the page to {path}: {fault.strerror}") from fault


def render_page(records: Sequence[CallRecord], verdict: Verdict) -> str:
    """The report as one HTML document that needs no other file."""
    views = _views(records, verdict)
    worst = sorted(views, key=lambda view: view.badness, reverse=True)
    waits = [view.sound.v2v_ms for view in views if view.sound.v2v_ms is not None]
    budget_ms = verdict.budget.v2v_ms
    end_ms = scale_ms(waits, budget_ms)
    dots = [Dot(v.anchor, v.label, v.sound.v2v_ms, v.look) for v in views if v.due]
    heading = text(f"{_WORDS[verdict.outcome]}: {_names(records, 'target')}")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{heading}</title>
<link rel="icon" href="data:,">
<style>{_resource("page.css")}</style>
</head>
<body class="{verdict.outcome}">
<main>
{_verdict(records, verdict)}
{_waits(dots, budget_ms, end_ms)}
{_turns(worst, end_ms, unfolded=_OPEN[verdict.outcome])}
{_footer()}
</main>
<script>{_resource("page.js")}</script>
</body>
</html>
"""


def _views(records: Sequence[CallRecord], verdict: Verdict) -> list[TurnView]:
    return [
        TurnView(
            record,
            call,
            len(records),
            utterance,
            sound,
            entry,
            [finding for finding in record.findings if finding.turn == utterance.index],
            verdict.budget.v2v_ms,
        )
        for call, record in enumerate(records)
        for utterance, sound, entry in zip(
            record.utterances, record.sounds, ledger_beside(record), strict=True
        )
    ]


def _verdict(records: Sequence[CallRecord], verdict: Verdict) -> str:
    calls = "" if len(records) == 1 else f" · {len(records)} calls"
    target, scenario = (text(_names(records, field)) for field in ("target", "scenario"))
    return f"""<header>
  <p class="brand"><b>under800</b> call report</p>
  <h1>{_WORDS[verdict.outcome]}</h1>
  <p class="lead">{_lead(verdict)}</p>
  <p class="of"><code>{target}</code> · {scenario}{calls}</p>
</header>
{_reasons(records, verdict)}
{_tiles(verdict) if any(record.utterances for record in records) else ""}"""


def _lead(verdict: Verdict) -> str:
    figures = verdict.figures
    if not figures["turns"]:
        return (
            "No turn was due an answer." if verdict.outcome != "broken" else "No call took place."
        )
    turns = round(figures["turns"])
    inside = round(figures["within_budget"] * turns)
    said = f"{inside} of {turns} turns were answered inside {ms(verdict.budget.v2v_ms)}"
    if math.isnan(figures["v2v_p50_ms"]):
        return f"{said}; nobody answered."
    half, most = ms(figures["v2v_p50_ms"]), ms(figures["v2v_p95_ms"])
    return f"{said}. Half of the answers came within {half}, 95\u00a0% within {most}."


def _reasons(records: Sequence[CallRecord], verdict: Verdict) -> str:
    """Why it failed, in words; then how far the figures can be trusted."""
    broken = [f"<li>{text(check.words)}</li>" for check in verdict.checks if not check.ok]
    faults = {id(finding) for finding in verdict.faults}
    told = [
        _reason(finding, call)
        for call, record in enumerate(records)
        for finding in record.findings
        if id(finding) in faults
    ]
    remarks = [f"<li>{text(message)}</li>" for message in _once(verdict.remarks)]
    items = [*broken, *dict.fromkeys(told), *remarks]
    if not items:
        return ""
    more = "" if len(items) <= 8 else f"<li>and {len(items) - 8} more, with their turns below</li>"
    return f'<ul class="reasons">{"".join(items[:8])}{more}</ul>'


def _reason(finding: Finding, call: int) -> str:
    message = text(finding.message)
    if finding.turn is None:
        return f"<li>{message}</li>"
    anchor = f"turn-{call + 1}-{finding.turn + 1}"
    return f'<li><a href="#{anchor}">Turn {finding.turn + 1}</a>: {message}</li>'


def _once(findings: Sequence[Finding]) -> list[str]:
    """Their messages; calls at once often say the same."""
    return list(dict.fromkeys(finding.message for finding in findings))


def _tiles(verdict: Verdict) -> str:
    checks = {check.figure: check for check in verdict.checks}
    tiles = []
    for figure, name in TITLES.items():
        value, check = verdict.figures[figure], checks.get(figure)
        if math.isnan(value) and check is None:
            continue
        state, limit = "", "no limit"
        if check is not None:
            state = " ok" if check.ok else " broken"
            limit = check.bound
        shown = show(math.inf if check and math.isinf(check.value) else value, FIGURE_UNITS[figure])
        number, _, unit = shown.partition(" ")
        tiles.append(
            f'<div class="tile{state}"><span>{name}</span>'
            f"<strong>{text(number)}<small>{text(unit)}</small></strong><em>{limit}</em></div>"
        )
    columns = len(tiles) if len(tiles) <= 5 else math.ceil(len(tiles) / 2)
    style = f"--columns:{columns}"
    return f'<section class="tiles" style="{style}" aria-label="Figures">{"".join(tiles)}</section>'


def _waits(dots: list[Dot], budget_ms: float, end_ms: float) -> str:
    picture = distribution(dots, budget_ms, end_ms)
    return f"<section><h2>How long the caller waited</h2>{picture}</section>" if picture else ""


def _turns(worst: list[TurnView], end_ms: float, *, unfolded: int) -> str:
    if not worst:
        return ""
    listed = worst[:_LISTED]
    audio = _audio(listed)
    shown = [
        turn(view, place, end_ms, audio.get(view.anchor), is_open=place < unfolded)
        for place, view in enumerate(listed)
    ]
    rest = len(worst) - len(listed)
    more = f'<p class="rest">{rest:,} more turns went better than these.</p>' if rest else ""
    spans = legend() if any(view.entry for view in worst) else ""
    return f"""<section class="turns">
<div class="bar-head"><h2>Turns</h2>
<div class="sort" role="group" aria-label="Order of the turns" hidden>
<button type="button" data-order="worst" aria-pressed="true">Worst first</button>
<button type="button" data-order="call" aria-pressed="false">As called</button>
</div></div>
{spans}
<div class="list">{"".join(shown)}</div>
{more}
</section>"""


def _audio(worst: Sequence[TurnView]) -> dict[str, str]:
    """Audio by anchor: of all turns if a rate lets it fit, else of the worst that do."""
    cuts = [(view.anchor, excerpt(view.record, view.utterance)) for view in worst]
    total_s = sum(cut.length_s for _, cut in cuts)
    rate_hz = next(
        (rate for rate in _RATES_HZ if total_s * rate * 2 <= _AUDIO_BYTES), _RATES_HZ[-1]
    )
    found: dict[str, str] = {}
    left_s = _AUDIO_BYTES / (2 * rate_hz)
    for anchor, cut in cuts:
        left_s -= cut.length_s
        if left_s < 0:
            break
        found[anchor] = wav_uri(cut, rate_hz)
    return found


def _footer() -> str:
    built = " · ".join(f"{text(name)} {text(version)}" for name, version in versions().items())
    return f"""<footer>
<p>A wait runs from the caller’s last speech sample to the first sample of the answer over
−40&nbsp;dBFS, on the audio’s own clock: what a caller hears, silence at the answer’s start
included. Silent turns are counted, never averaged away.</p>
<p>{built}</p>
</footer>"""


def _names(records: Sequence[CallRecord], field: str) -> str:
    return ", ".join(dict.fromkeys(str(getattr(record, field)) for record in records)) or "no call"


def _resource(name: str) -> str:
    return files("budgets.probe.page").joinpath(name).read_text(encoding="utf-8")
