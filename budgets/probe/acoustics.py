"""What a caller hears, measured from the two tracks of a call."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from budgets.playout import AUDIBLE
from budgets.probe.caller import STOPPED_S
from budgets.probe.record import Samples, Utterance
from budgets.probe.record import UtteranceSound as UtteranceSound
from budgets.probe.repetition import says_twice

REACTION_S = 0.1
"""Nobody hears a barge-in end and answers it sooner: what begins before is the old reply."""

Spans = Sequence[tuple[int, int]]
"""Where the agent sent audio at all, silent or not: (first, after last) sample, in order."""


def hear(utterance: Utterance, agent: Samples, rate_hz: int, *, sent: Spans = ()) -> UtteranceSound:
    """Measure what came of one utterance on the agent's track (shape (n,), ``rate_hz``).

    ``sent`` allows leading silence to be told from waiting. An agent that already speaks when the
    caller ends is a cut-off; its latency is then counted to the next thing it says, and is None
    if it says nothing more.
    """
    track = _Track(agent, rate_hz)
    if utterance.kind == "silence":
        return _hear_silence(utterance, track)
    if utterance.kind == "backchannel":
        return _hear_backchannel(utterance, track)
    if utterance.kind == "barge-in":
        return _hear_barge_in(utterance, track, sent)
    return _hear_turn(utterance, track, sent)


class _Track:
    """The agent's track and the questions that are asked of it. Positions are in samples."""

    def __init__(self, samples: Samples, rate_hz: int) -> None:
        self._samples = samples
        self._rate_hz = rate_hz
        self._stopped = STOPPED_S * rate_hz

    def at(self, seconds: float) -> int:
        return min(len(self._samples), max(0, round(seconds * self._rate_hz)))

    def ms(self, samples: int) -> float:
        return samples / self._rate_hz * 1000.0

    def loud(self, begin: int, end: int) -> npt.NDArray[np.intp]:
        """The audible samples."""
        return np.flatnonzero(np.abs(self._samples[begin:end]) > AUDIBLE) + begin

    def onset(self, begin: int, end: int) -> int | None:
        loud = self.loud(begin, end)
        return int(loud[0]) if len(loud) else None

    def runs(self, begin: int, end: int) -> list[tuple[int, int]]:
        """Stretches of sound with no longer quiet inside than one may have who has not stopped."""
        loud = self.loud(begin, end)
        if not len(loud):
            return []
        gaps = np.flatnonzero(np.diff(loud) > self._stopped)
        starts = [int(loud[0]), *(int(loud[gap + 1]) for gap in gaps)]
        stops = [*(int(loud[gap]) + 1 for gap in gaps), int(loud[-1]) + 1]
        return list(zip(starts, stops, strict=True))

    def stop(self, begin: int, end: int) -> int:
        """Where what is being said at ``begin`` has stopped; ``begin`` if nothing is."""
        first = next(iter(self.runs(begin, end)), None)
        return begin if first is None or first[0] - begin > self._stopped else first[1]

    def reply(self, begin: int, end: int) -> tuple[float, float, bool]:
        """Length and longest gap (ms) of what is said, and whether it is said twice."""
        loud = self.loud(begin, end)
        if not len(loud):
            return 0.0, 0.0, False
        gap = int(np.diff(loud).max()) - 1 if len(loud) > 1 else 0
        said = self._samples[loud[0] : loud[-1] + 1]
        return self.ms(len(said)), self.ms(max(0, gap)), says_twice(said, self._rate_hz)

    def talk_over_ms(self, begin: int, end: int) -> float:
        return self.ms(sum(stop - start for start, stop in self.runs(begin, end)))


def _hear_turn(utterance: Utterance, track: _Track, sent: Spans) -> UtteranceSound:
    start, end, until = (
        track.at(s) for s in (utterance.start_s, utterance.speech_end_s, utterance.until_s)
    )
    early = track.onset(start, end)
    under_way = next((run for run in track.runs(start, until) if run[0] < end < run[1]), None)
    answer = track.onset(end if under_way is None else under_way[1], until)
    # With nothing said later, what began too early was the reply.
    reply_from = answer if answer is not None else end
    reply_ms, gap_ms, twice = track.reply(reply_from, until)
    must_not = utterance.expect.silent
    return UtteranceSound(
        utterance.name,
        "turn",
        v2v_ms=None if answer is None else track.ms(answer - end),
        leading_silence_ms=_leading_silence_ms(answer, end, track, sent),
        cutoff=early is not None,
        cutoff_ms=0.0 if early is None else track.ms(end - early),
        gap_max_ms=gap_ms,
        reply_ms=reply_ms,
        double_reply=twice,
        talk_over_ms=track.talk_over_ms(start, end),
        spoke=must_not and (early is not None or reply_ms > 0),
        silent=answer is None and early is None and not must_not,
    )


def _hear_barge_in(utterance: Utterance, track: _Track, sent: Spans) -> UtteranceSound:
    onset, end, until = (
        track.at(s) for s in (utterance.onset_s, utterance.speech_end_s, utterance.until_s)
    )
    stop = track.stop(onset, until)
    soonest = track.at(utterance.speech_end_s + REACTION_S)
    stale = [run for run in track.runs(stop, until) if run[0] < soonest]
    answer = track.onset(max([end, stop, *(run[1] for run in stale)]), until)
    reply_ms, gap_ms, twice = track.reply(until if answer is None else answer, until)
    must_not = utterance.expect.silent
    return UtteranceSound(
        utterance.name,
        "barge-in",
        v2v_ms=None if answer is None else track.ms(answer - end),
        leading_silence_ms=_leading_silence_ms(answer, end, track, sent),
        gap_max_ms=gap_ms,
        reply_ms=reply_ms,
        stop_ms=track.ms(stop - onset),
        stale_ms=sum(track.ms(run[1] - run[0]) for run in stale),
        double_reply=twice,
        talk_over_ms=track.talk_over_ms(onset, end),
        spoke=must_not and answer is not None,
        silent=answer is None and not must_not,
    )


def _hear_backchannel(utterance: Utterance, track: _Track) -> UtteranceSound:
    """The reply here is what the agent goes on to say from the caller's first sound."""
    onset, end, until = (
        track.at(s) for s in (utterance.onset_s, utterance.speech_end_s, utterance.until_s)
    )
    loud = track.loud(onset, until)
    _, gap_ms, _ = track.reply(onset, until)
    return UtteranceSound(
        utterance.name,
        "backchannel",
        gap_max_ms=gap_ms,
        reply_ms=track.ms(int(loud[-1]) + 1 - onset) if len(loud) else 0.0,
        talk_over_ms=track.talk_over_ms(onset, end),
        spoke=utterance.expect.silent and len(loud) > 0,
    )


def _hear_silence(utterance: Utterance, track: _Track) -> UtteranceSound:
    reply_ms, gap_ms, twice = track.reply(track.at(utterance.start_s), track.at(utterance.until_s))
    return UtteranceSound(
        utterance.name,
        "silence",
        gap_max_ms=gap_ms,
        reply_ms=reply_ms,
        double_reply=twice,
        spoke=utterance.expect.silent and reply_ms > 0,
    )


def _leading_silence_ms(answer: int | None, end: int, track: _Track, sent: Spans) -> float | None:
    """From the first sample of the audio that brought the answer to its first audible one."""
    if answer is None:
        return None
    began = next((first for first, last in sent if first <= answer < last), None)
    if began is None or began <= end:
        return None  # it was sending before the caller had ended: silence, all the time
    return track.ms(answer - began)
