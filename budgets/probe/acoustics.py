"""What a caller hears, measured from the two tracks of a call."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from budgets.playout import AUDIBLE, first_audible

Samples = npt.NDArray[np.float32]


@dataclass(frozen=True)
class CallerTurn:
    """One turn that the caller spoke; times in seconds on the call's clock."""

    name: str
    start_s: float
    speech_end_s: float
    """The caller's last speech sample: the origin of the turn's latency."""
    until_s: float
    """When the caller stopped waiting for an answer to it."""


@dataclass(frozen=True)
class TurnSound:
    """What came of one turn, as heard from outside."""

    name: str
    v2v_ms: float | None
    """End of speech to the agent's first audible sample after it; None for a silent agent."""
    cutoff: bool
    """The agent began to speak before the caller's end of speech."""
    reply_ms: float
    """Audible time between the end of speech and the end of the turn."""


def hear_turn(turn: CallerTurn, agent: Samples, rate_hz: int) -> TurnSound:
    """Measure one turn on the agent's track (shape (n,), ``rate_hz``).

    An agent that already speaks when the caller ends is a cut-off; its latency is then counted
    to the next thing it says, and is None if it says nothing more.
    """
    start, end, until = (
        min(len(agent), max(0, round(at_s * rate_hz)))
        for at_s in (turn.start_s, turn.speech_end_s, turn.until_s)
    )
    cutoff = first_audible(agent[start:end]) is not None
    if cutoff:
        quiet = _quiet_from(agent[end:until], rate_hz)
        onset = first_audible(agent[end + quiet : until])
        onset = None if onset is None else onset + quiet
    else:
        onset = first_audible(agent[end:until])
    return TurnSound(
        turn.name,
        None if onset is None else onset / rate_hz * 1000.0,
        cutoff,
        float((np.abs(agent[end:until]) > AUDIBLE).sum()) / rate_hz * 1000.0,
    )


def _quiet_from(samples: Samples, rate_hz: int, *, gap_s: float = 0.3) -> int:
    """Where speech that is under way at the start has been quiet for ``gap_s``."""
    loud = np.flatnonzero(np.abs(samples) > AUDIBLE)
    if not len(loud) or loud[0] > gap_s * rate_hz:
        return 0
    gaps = np.flatnonzero(np.diff(loud) > gap_s * rate_hz)
    return int(loud[gaps[0]] if len(gaps) else loud[-1]) + 1


def speech_end(samples: Samples, rate_hz: int) -> int:
    """Index after the last speech sample of a recording whose end of speech is not known.

    The last 10 ms window within 35 dB of the loudest one, and over −55 dBFS: room sound and
    breath after the words lie below that.
    """
    window = max(1, rate_hz // 100)
    count = len(samples) // window
    if not count:
        return len(samples)
    power = (samples[: count * window].reshape(count, window).astype(np.float64) ** 2).mean(axis=1)
    speech = np.flatnonzero(power > max(power.max() * 10 ** (-35 / 10), 10 ** (-55 / 10)))
    return (int(speech[-1]) + 1) * window if len(speech) else len(samples)
