"""A Turn in virtual time: audio goes in chunk by chunk, decodes take as long as the test says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from voice.audio import Samples, StreamResampler
from voice.config import TurnConfig
from voice.stt.transcript import Transcript
from voice.turns.audio_clock import AudioClock
from voice.turns.decodes import CallOff, Decode
from voice.turns.events import Interim, ListenerEvent, SpeechDropped, SpeechStarted, TurnEnded
from voice.turns.turn import Act, Turn
from voice.turns.vad import WINDOW

MS = 1_000_000
CHUNK_MS = 32


@dataclass
class VirtualCall:
    """One call whose clock is the audio that was heard.

    Args:
        decode: the text of a decode; None makes it fail.
        decode_ms: how long one takes.
    """

    decode: Callable[[Decode], Transcript | None]
    probability: Callable[[Samples], float]
    config: TurnConfig = field(default_factory=TurnConfig)
    decode_ms: float = 100
    interim_every_ms: float = 1e9
    rate_hz: int = 16000
    now_ns: int = 0
    events: list[ListenerEvent] = field(default_factory=list)
    jobs: list[Decode] = field(default_factory=list)
    called_off: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clock = AudioClock(16000)
        self.turn = Turn(self.config, clock=self.clock, interim_every_ms=self.interim_every_ms)
        self._resampler = StreamResampler(self.rate_hz, 16000)
        self._samples: Samples = np.zeros(0, dtype=np.float32)
        self._arrived = 0
        self._due: list[tuple[int, Decode]] = []

    def hear(self, samples: Samples) -> None:
        """The line brings ``samples`` in real time."""
        step = self.rate_hz * CHUNK_MS // 1000
        for start in range(0, len(samples), step):
            chunk = samples[start : start + step]
            self.wait(len(chunk) * 1000 / self.rate_hz)
            self._arrived += len(chunk) * 16000 // self.rate_hz
            self.clock.arrived(self._arrived, self.now_ns)
            self._samples = np.concatenate([self._samples, self._resampler.feed(chunk)])
            while len(self._samples) >= WINDOW:
                window, self._samples = self._samples[:WINDOW], self._samples[WINDOW:]
                self._do(self.turn.hear(window, self.probability(window), self.now_ns))

    def wait(self, ms: float) -> None:
        """Time passes, and the line brings nothing."""
        until = self.now_ns + int(ms * MS)
        while True:
            tick = self.turn.deadline_ns(self.now_ns)
            times = [due for due, _ in self._due] + ([tick] if tick is not None else [])
            if not times or min(times) > until:
                break
            self.now_ns = max(self.now_ns, min(times))
            ready = [job for due, job in self._due if due <= self.now_ns]
            self._due = [(due, job) for due, job in self._due if due > self.now_ns]
            for job in ready:
                self._do(self.turn.decoded(job.id, self.decode(job), self.now_ns))
            self._do(self.turn.tick(self.now_ns))
        self.now_ns = until

    @property
    def turns(self) -> list[TurnEnded]:
        return [event for event in self.events if isinstance(event, TurnEnded)]

    @property
    def starts(self) -> list[SpeechStarted]:
        return [event for event in self.events if isinstance(event, SpeechStarted)]

    @property
    def interims(self) -> list[Interim]:
        return [event for event in self.events if isinstance(event, Interim)]

    @property
    def drops(self) -> list[SpeechDropped]:
        return [event for event in self.events if isinstance(event, SpeechDropped)]

    def _do(self, acts: list[Act]) -> None:
        for act in acts:
            if isinstance(act, Decode):
                self.jobs.append(act)
                self._due.append((self.now_ns + int(self.decode_ms * MS), act))
            elif isinstance(act, CallOff):
                self.called_off.append(act.id)
            else:
                self.events.append(act)
