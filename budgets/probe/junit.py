"""The verdict as JUnit XML, the form that every continuous-integration service shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as Xml

from budgets.errors import UserError
from budgets.probe.record import CallRecord, Finding, Utterance, UtteranceSound
from budgets.probe.verdict import TITLES, Check, Verdict, show

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(path: Path, records: Sequence[CallRecord], verdict: Verdict) -> None:
    """Write one test suite for each call, a test case for each turn, and one suite of limits.

    Raises UserError where the file cannot be written.
    """
    tree = Xml.ElementTree(junit(records, verdict))
    Xml.indent(tree)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        tree.write(path, encoding="utf-8", xml_declaration=True)
    except OSError as fault:
        raise UserError(f"cannot write the report to {path}: {fault.strerror}") from fault


def junit(records: Sequence[CallRecord], verdict: Verdict) -> Xml.Element:
    """The ``testsuites`` element: a fault is a failure, a set-up that is broken an error."""
    root = Xml.Element("testsuites", name="under800 call")
    for number, record in enumerate(records, start=1):
        root.append(_call(record, number, verdict.faults))
    if verdict.checks:
        root.append(_limits(verdict))
    for count in ("tests", "failures", "errors"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    return root


def _call(record: CallRecord, number: int, faults: Sequence[Finding]) -> Xml.Element:
    name = f"{record.scenario} call {number}"
    suite = Xml.Element("testsuite", name=_text(name))
    of_call = [finding for finding in record.findings if _among(finding, faults)]
    for utterance, sound in zip(record.utterances, record.sounds, strict=True):
        case = _case(suite, f"{record.target}.{record.scenario}", _turn_name(utterance))
        case.set("time", f"{(sound.v2v_ms or 0.0) / 1000.0:.3f}")
        _fail(case, [finding for finding in of_call if finding.turn == utterance.index])
        Xml.SubElement(case, "system-out").text = _text(_heard(sound))
    known = {utterance.index for utterance in record.utterances}
    rest = [finding for finding in of_call if finding.turn not in known]
    if rest or record.failed or not record.utterances:
        case = _case(suite, f"{record.target}.{record.scenario}", "the call as a whole")
        _fail(case, rest, "error" if record.failed else "failure")
        if record.failed and not rest:
            Xml.SubElement(case, "error", message="the call failed", type="failed")
    return _counted(suite)


def _limits(verdict: Verdict) -> Xml.Element:
    suite = Xml.Element("testsuite", name="budget")
    for check in verdict.checks:
        case = _case(suite, "budget", TITLES[check.figure])
        if not check.measured:
            Xml.SubElement(case, "skipped", message="nothing of the kind occurred")
        elif not check.ok:
            Xml.SubElement(case, "failure", message=check.words, type=check.figure)
        Xml.SubElement(case, "system-out").text = _measured(check)
    return _counted(suite)


def _case(suite: Xml.Element, classname: str, name: str) -> Xml.Element:
    return Xml.SubElement(suite, "testcase", classname=_text(classname), name=_text(name))


def _fail(case: Xml.Element, findings: Sequence[Finding], tag: str = "failure") -> None:
    """One element for all findings: most readers show only the first of a case."""
    if findings:
        messages = [finding.message for finding in findings]
        kinds = ", ".join(dict.fromkeys(finding.kind for finding in findings))
        failure = Xml.SubElement(case, tag, message=_text(messages[0]), type=_text(kinds))
        failure.text = _text("\n".join(messages))


def _among(finding: Finding, faults: Sequence[Finding]) -> bool:
    return any(finding is fault for fault in faults)


def _turn_name(utterance: Utterance) -> str:
    kind = "" if utterance.kind == "turn" else f" ({utterance.kind})"
    return f"{utterance.index + 1} {utterance.name}{kind}"


def _heard(sound: UtteranceSound) -> str:
    wait = "no answer" if sound.v2v_ms is None else f"answered after {sound.v2v_ms:.0f} ms"
    stop = "" if sound.stop_ms is None else f", stopped after {sound.stop_ms:.0f} ms"
    return wait + stop


def _measured(check: Check) -> str:
    return f"{show(check.value, check.unit)} against {show(check.limit, check.unit)}"


def _counted(suite: Xml.Element) -> Xml.Element:
    suite.set("tests", str(len(suite.findall("testcase"))))
    for tag, count in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(count, str(len(suite.findall(f"testcase/{tag}"))))
    return suite


def _text(text: str) -> str:
    """XML has no place for control characters, not even escaped."""
    return _NOT_XML.sub("�", text)
