"""What both ends of a call said, on one clock."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from budgets.playout import Playout

Samples = npt.NDArray[np.float32]

_SAME_SPAN_S = 0.1


class CallTracks:
    """Records a call as the caller's end hears it; time 0 is ``origin_ns``.

    The caller's track is written as it is sent. The agent's is laid out as the caller's player
    would: each chunk when it came or when the one before it was over, whichever is later.
    """

    def __init__(self, *, caller_hz: int, agent_hz: int, origin_ns: int) -> None:
        self.caller_hz, self.agent_hz = caller_hz, agent_hz
        self.origin_ns = origin_ns
        self._caller: list[Samples] = []
        self._said = 0  # samples
        self._agent: list[tuple[int, Samples]] = []
        self._playout = Playout(agent_hz)

    def said(self, samples: Samples) -> None:
        """The caller has sent this, right after what was sent before."""
        self._caller.append(samples)
        self._said += len(samples)

    def heard(self, samples: Samples, now_ns: int) -> None:
        """The agent has handed this to the line now."""
        start_ns = self._playout.play(len(samples), now_ns)
        self._agent.append((self._index(start_ns), samples))

    def clear(self, now_ns: int) -> None:
        """The agent takes back what has not been played yet."""
        self._playout.clear(now_ns)
        now = self._index(now_ns)
        kept = [(start, samples[: max(0, now - start)]) for start, samples in self._agent]
        self._agent = [(start, samples) for start, samples in kept if len(samples)]

    @property
    def said_s(self) -> float:
        """How much the caller has sent."""
        return self._said / self.caller_hz

    def waiting_ns(self, now_ns: int) -> int:
        """How much of the agent's audio is still to be played."""
        return self._playout.waiting_ns(now_ns)

    @property
    def caller(self) -> Samples:
        """The caller's track, shape (n,), at ``caller_hz``."""
        return np.concatenate(self._caller) if self._caller else np.zeros(0, np.float32)

    @property
    def agent(self) -> Samples:
        """The agent's track, shape (n,), at ``agent_hz``; silence where nothing was played."""
        end = max((start + len(samples) for start, samples in self._agent), default=0)
        track = np.zeros(end, dtype=np.float32)
        for start, samples in self._agent:
            track[start : start + len(samples)] = samples
        return track

    @property
    def agent_spans(self) -> list[tuple[int, int]]:
        """Where the agent sent audio, silent or not: (first, after last) sample, in order.

        Audio that pauses for less than it takes a late packet to come is one span.
        """
        spans: list[tuple[int, int]] = []
        for start, samples in self._agent:
            end = start + len(samples)
            if spans and start - spans[-1][1] <= _SAME_SPAN_S * self.agent_hz:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
        return spans

    def agent_between(self, start: int, end: int) -> Samples:
        """The agent's samples ``start`` to ``end``, without laying out the whole track."""
        part = np.zeros(max(0, end - start), dtype=np.float32)
        for at, samples in reversed(self._agent):
            if at + len(samples) <= start:
                break
            begin, stop = max(at, start), min(at + len(samples), end)
            if begin < stop:
                part[begin - start : stop - start] = samples[begin - at : stop - at]
        return part

    def _index(self, at_ns: int) -> int:
        return max(0, round((at_ns - self.origin_ns) * self.agent_hz / 1e9))
