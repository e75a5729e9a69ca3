"""When a sample of a stream reached us, on the monotonic clock, whatever the line's jitter."""

from __future__ import annotations

from dataclasses import dataclass

_NS_PER_S = 1_000_000_000
_FORGET = 2e-4  # of the time passed: sound cards drift by up to 100 ppm
_GAP_NS = 120_000_000
_SURE_AFTER_S = 0.4
_ANCHORS = 4


@dataclass
class _Anchor:
    start: int
    """The first sample position that this anchor speaks for."""
    offset_ns: int
    """The time of position 0, if there had been no gap before ``start``."""


class AudioClock:
    """Maps positions of a stream to times, from when its chunks arrived.

    A chunk can come late but never early, so the time of position 0 is the least that any chunk's
    arrival says; it is forgotten slowly, because clocks drift. A line that sends nothing for a
    while makes every later chunk late: such lateness, once it has lasted for 0.4 s of audio, is a
    gap, and the stream is anchored anew behind it. A delayed burst catches up before that.

    Args:
        rate_hz: the rate that positions are counted at.
    """

    def __init__(self, rate_hz: int) -> None:
        self._rate_hz = rate_hz
        self._anchors: list[_Anchor] = []
        self._suspect: _Anchor | None = None
        self._position = 0

    def arrived(self, position: int, now_ns: int) -> None:
        """All samples before ``position`` are here at ``now_ns``; positions only grow."""
        offset_ns = now_ns - self._span_ns(position)
        if not self._anchors:
            self._anchors.append(_Anchor(0, offset_ns))
        latest = self._anchors[-1]
        forgotten = int(self._span_ns(position - self._position) * _FORGET)
        latest.offset_ns = min(offset_ns, latest.offset_ns + forgotten)
        if offset_ns - latest.offset_ns <= _GAP_NS:
            self._suspect = None
        else:
            self._doubt(position, offset_ns)
        self._position = position

    def ns(self, position: int) -> int:
        """When the sample at ``position`` reached us, or will; ValueError before any audio."""
        if not self._anchors:
            raise ValueError("no audio has arrived yet")
        anchor = next((a for a in reversed(self._anchors) if a.start <= position), self._anchors[0])
        return anchor.offset_ns + self._span_ns(position)

    def _doubt(self, position: int, offset_ns: int) -> None:
        if self._suspect is None:
            self._suspect = _Anchor(self._position, offset_ns)
        suspect = self._suspect
        suspect.offset_ns = min(suspect.offset_ns, offset_ns)
        if position - suspect.start >= _SURE_AFTER_S * self._rate_hz:
            self._anchors = [*self._anchors[1 - _ANCHORS :], suspect]
            self._suspect = None

    def _span_ns(self, samples: int) -> int:
        return samples * _NS_PER_S // self._rate_hz
