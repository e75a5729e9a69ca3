"""What was expected of a call against what was heard: every difference is a finding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from budgets.probe.record import CallRecord, Finding, Samples, Utterance, UtteranceSound

_KEEPS_ON_MS = 1000.0
"""An agent that goes on after a backchannel is heard for this long after it."""

HearWords = Callable[[Samples, int], str]
"""The words in a piece of audio at a rate in Hz."""


def unmet(utterance: Utterance, sound: UtteranceSound) -> list[Finding]:
    """What was wrong with one utterance, by its sound."""
    return [
        Finding(kind, utterance.index, f"'{utterance.name}': {words}", utterance.speech_end_s)
        for kind, words in _differences(utterance, sound)
    ]


def _differences(utterance: Utterance, sound: UtteranceSound) -> Iterator[tuple[str, str]]:
    expect = utterance.expect
    if sound.spoke:
        yield "spoke", "the agent spoke where it must not"
    if sound.cutoff and not expect.silent:
        yield (
            "cut-off",
            f"the agent began to speak {sound.cutoff_ms:.0f} ms before the caller had finished; "
            "let it wait longer where words or numbers go on",
        )
    if sound.silent:
        waited_s = utterance.until_s - utterance.speech_end_s
        yield "silent", f"the agent gave no answer in {waited_s:.1f} s"
    if _over(sound.v2v_ms, expect.v2v_ms):
        yield "late", f"the answer came after {sound.v2v_ms:.0f} ms, not {expect.v2v_ms:.0f}"
    if _over(sound.gap_max_ms, expect.gap_ms):
        yield "gap", f"{sound.gap_max_ms:.0f} ms of silence inside the reply"
    if _over(sound.stop_ms, expect.stop_ms):
        yield (
            "slow-stop",
            f"the agent went on for {sound.stop_ms:.0f} ms after the caller had begun to speak",
        )
    if sound.stale_ms > 0:
        yield (
            "stale",
            f"after it had stopped, {sound.stale_ms:.0f} ms of the old reply were played; the "
            "agent must drop what is queued when it is interrupted",
        )
    if sound.double_reply and expect.no_repetition:
        yield "double-reply", "the agent said its reply twice"
    if expect.keep_talking and sound.kind == "backchannel":
        caller_ms = (utterance.speech_end_s - utterance.onset_s) * 1000.0
        if sound.reply_ms < caller_ms + _KEEPS_ON_MS:
            yield "yielded", "the agent fell silent, though the caller did not want the turn"


def _over(value: float | None, limit: float | None) -> bool:
    return value is not None and limit is not None and value > limit


def not_said(record: CallRecord, hear_words: HearWords) -> list[Finding]:
    """Where a reply lacks the words that its scenario expects, as ``hear_words`` hears it."""
    findings = []
    for utterance in record.utterances:
        pattern = utterance.expect.says
        if pattern is None:
            continue
        start, end = (
            max(0, round(at_s * record.agent_hz))
            for at_s in (utterance.speech_end_s, utterance.until_s)
        )
        reply = record.agent[start:end]
        words = hear_words(reply, record.agent_hz) if len(reply) else ""
        if not re.search(pattern, words, re.IGNORECASE):
            findings.append(
                Finding(
                    "not-said",
                    utterance.index,
                    f"'{utterance.name}': nothing like /{pattern}/ was heard in the reply",
                    utterance.speech_end_s,
                )
            )
    return findings
