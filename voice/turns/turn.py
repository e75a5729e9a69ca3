"""The turn as a pure state machine: windows of audio and decoded texts in, events and acts out.

It knows no thread, no task and no real time: every call says what time it is, and what comes back
is for the Listener to do. Positions are samples at 16 kHz since the stream began.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from voice.audio import Samples
from voice.config import TurnConfig
from voice.stt.transcript import Transcript
from voice.turns.audio_clock import AudioClock
from voice.turns.decodes import CallOff, Decode, Decodes, Kind
from voice.turns.endpoint import silence_needed_ms
from voice.turns.events import (
    EagerTurn,
    Interim,
    ListenerEvent,
    Retracted,
    SpeechDropped,
    SpeechStarted,
    TurnEnded,
)
from voice.turns.long_speech import LongSpeech
from voice.turns.speech_buffer import SpeechBuffer
from voice.turns.speech_end import SpeechEnd
from voice.turns.vad import WINDOW
from voice.turns.voicing import Voicing

RATE_HZ = 16000
_PER_MS = RATE_HZ // 1000
_BEFORE = 240 * _PER_MS  # decoded before the first voiced window: consonants are not voiced
_INTERIM_AT_LEAST = 400 * _PER_MS
_END_IS_CLEAR = 600 * _PER_MS  # what comes later says nothing more about where speech ended
_WINDOWS_ON_THE_WAY_MS = 64  # audio that has come but does not fill a window, and one chunk

Act = ListenerEvent | Decode | CallOff

_log = logging.getLogger(__name__)


@dataclass
class _Final:
    """The text of everything up to the pause that the caller is in."""

    transcript: Transcript | None
    """None where the decode failed."""
    ready_ns: int
    upto: int


@dataclass
class _Speech:
    """Speech that has begun and has not been judged."""

    started: int
    piece: int
    """Where the part that is not committed begins."""
    voiced_end: int
    end: int
    """End of speech as far as it is known: the position after the last speech sample."""
    paused: bool = False
    asked: bool = False
    """Whether the final text of this pause has been asked for."""
    final: _Final | None = None
    eager: bool = False
    """Whether an eager turn has been announced for this pause."""
    committed: list[str] = field(default_factory=list)
    interim_text: str = ""

    def text(self, latest: str) -> str:
        return " ".join(part for part in [*self.committed, latest] if part)


class Turn:
    """One stream's turns, one after the other.

    Args:
        config: thresholds and silences.
        clock: told of every chunk's arrival before its windows are heard here.
        interim_every_ms: the least time between two interim decodes.
        language: of the rules for how long to wait.
        decode_timeout_ms: after which a decode counts as failed.
    """

    def __init__(
        self,
        config: TurnConfig,
        *,
        clock: AudioClock,
        interim_every_ms: float = 400,
        language: str = "en",
        decode_timeout_ms: float = 8000,
    ) -> None:
        self._config, self._clock, self._language = config, clock, language
        self._interim_every_ns = int(interim_every_ms * 1e6)
        start_windows = max(1, round(config.start_ms * _PER_MS / WINDOW))
        self._voicing = Voicing(threshold=config.speech_threshold, start_windows=start_windows)
        self._kept_idle = _BEFORE + 2 * start_windows * WINDOW
        self._buffer, self._levels = SpeechBuffer(), SpeechEnd()
        self._long = LongSpeech()
        self._decodes = Decodes(timeout_ms=decode_timeout_ms)
        self._speech: _Speech | None = None
        self._fresh = 0  # no audio before this position belongs to the next turn
        self._heard_ns = 0
        self._next_id = 0
        self._interim_asked_ns = self._interim_ready_ns = 0

    def hear(self, window: Samples, probability: float, now_ns: int) -> list[Act]:
        """The next 512 samples and their probability of speech."""
        self._buffer.append(window)
        self._levels.add(window)
        self._heard_ns = now_ns
        if self._speech is None:
            return self._await_speech(probability, now_ns)
        return [*self._follow(self._speech, probability), *self.tick(now_ns)]

    def decoded(self, decode_id: int, result: Transcript | None, now_ns: int) -> list[Act]:
        """A decode is done; ``result`` is None where it failed."""
        job, acts = self._decodes.done(decode_id, now_ns)
        return [*acts, *(self._take(job, result, now_ns) if job else []), *self._judge(now_ns)]

    def tick(self, now_ns: int) -> list[Act]:
        """Time has passed: at the latest at ``deadline_ns``."""
        overdue = self._decodes.overdue(now_ns)
        if overdue is None:
            return self._judge(now_ns)
        _log.warning("a decode took more than %.0f ms and is given up", self._decodes.timeout_ms)
        return [CallOff(overdue), *self.decoded(overdue, None, now_ns)]

    def deadline_ns(self, now_ns: int) -> int | None:
        """When ``tick`` is due if nothing is heard before; None where nothing is waited for."""
        times = [self._decodes.deadline_ns]
        speech = self._speech
        if speech is not None:
            times.append(self._heard_ns + int(self._config.long_silence_ms * 1e6))
            if speech.final is not None:
                needed_ms = self._needed_ms(speech, speech.final)
                times.append(self._clock.ns(speech.end) + int(needed_ms * 1e6))
        return min((time for time in times if time is not None and time > now_ns), default=None)

    def give_up(self, now_ns: int) -> list[Act]:
        """The stream is over: speech that nobody has answered is dropped, not forgotten."""
        return [] if self._speech is None else self._drop(self._speech, "the line closed", now_ns)

    def _await_speech(self, probability: float, now_ns: int) -> list[Act]:
        windows = self._voicing.begins(probability)
        if windows is None:
            self._buffer.forget_before(self._buffer.end - self._kept_idle)
            return []
        position = self._buffer.end
        started = position - windows * WINDOW
        piece = max(started - _BEFORE, self._fresh, self._buffer.start)
        self._speech = _Speech(started, piece, voiced_end=position, end=position)
        self._long.begin(piece, position)
        self._interim_asked_ns = self._interim_ready_ns = now_ns
        return [SpeechStarted(at_ns=now_ns, speech_started_ns=self._clock.ns(started))]

    def _follow(self, speech: _Speech, probability: float) -> list[Act]:
        self._long.add(probability)
        speech.paused = not self._voicing.goes_on(probability)
        if speech.paused:
            return []
        resumed, final = speech.asked, speech.final
        speech.voiced_end = speech.end = self._buffer.end
        speech.asked, speech.final = False, None
        if not resumed:
            return []
        self._decodes.drop_waiting_final()
        acts = self._retract(speech, self._heard_ns)
        if final is None or final.transcript is None:
            return acts
        text = final.transcript.text
        acts += self._interim(speech, text, self._heard_ns)
        if self._long.long_enough(final.upto):
            speech.committed.append(text)
            self._begin_piece(speech, final.upto)
        return acts

    def _judge(self, now_ns: int) -> list[Act]:
        """What the present state asks for."""
        speech = self._speech
        if speech is None:
            return []
        stalled_ms = (now_ns - self._heard_ns) / 1e6
        stalled = stalled_ms >= self._config.long_silence_ms
        if not speech.paused and not stalled:
            return self._while_speaking(speech, now_ns)
        if speech.paused and self._buffer.end - speech.voiced_end <= _END_IS_CLEAR:
            speech.end = self._levels.near(speech.voiced_end)
        silence_ms = (self._buffer.end - speech.end) / _PER_MS + (stalled_ms if stalled else 0.0)
        if speech.final is not None:
            return self._in_silence(speech, speech.final, silence_ms, now_ns)
        if speech.asked or silence_ms < self._config.decode_after_ms:
            return []
        speech.asked = True
        return [*self._decodes.ask(self._job("final", speech, self._buffer.end), now_ns)]

    def _while_speaking(self, speech: _Speech, now_ns: int) -> list[Act]:
        cut = self._long.cut()
        if cut is not None:
            job = self._job("commit", speech, cut)
            speech.committed.append("")
            self._begin_piece(speech, cut)
            return [*self._decodes.ask(job, now_ns)]
        # An interim that took long is not followed at once: the machine has other work.
        pause_ns = max(
            self._interim_every_ns, 2 * (self._interim_ready_ns - self._interim_asked_ns)
        )
        due = now_ns - self._interim_asked_ns >= pause_ns
        enough = self._buffer.end - speech.piece >= _INTERIM_AT_LEAST
        if not (due and enough and self._decodes.idle):
            return []
        self._interim_asked_ns = self._interim_ready_ns = now_ns
        return [*self._decodes.ask(self._job("interim", speech, self._buffer.end), now_ns)]

    def _in_silence(
        self, speech: _Speech, final: _Final, silence_ms: float, now_ns: int
    ) -> list[Act]:
        if final.transcript is None:
            return self._drop(speech, "the transcription failed", now_ns)
        needed_ms = self._needed_ms(speech, final)
        met_ns = self._clock.ns(speech.end) + int(needed_ms * 1e6)
        by_clock = now_ns >= met_ns and silence_ms >= needed_ms - _WINDOWS_ON_THE_WAY_MS
        if silence_ms < needed_ms and not by_clock:
            return []
        text = speech.text(final.transcript.text)
        if not text:
            return self._drop(speech, final.transcript.rejected or "no words", now_ns)
        ended = TurnEnded(
            text=text,
            speech_started_ns=self._clock.ns(speech.started),
            speech_ended_ns=self._clock.ns(speech.end),
            silence_met_ns=min(met_ns, now_ns),
            text_ready_ns=final.ready_ns,
            ended_ns=now_ns,
        )
        return [*self._begin_anew(final.upto), ended]

    def _needed_ms(self, speech: _Speech, final: _Final) -> float:
        text = speech.text(final.transcript.text if final.transcript else "")
        if not text:
            return self._config.short_silence_ms
        return silence_needed_ms(text, self._config, language=self._language)

    def _take(self, job: Decode, result: Transcript | None, now_ns: int) -> list[Act]:
        speech = self._speech
        if speech is None:
            return []
        if job.kind == "commit":
            speech.committed[job.slot] = result.text if result else ""
            return []
        if job.kind == "final" and job.voiced_end == speech.voiced_end:
            speech.final = _Final(result, now_ns, job.upto)
            return self._announce(speech, speech.final, now_ns)
        if job.kind == "interim":
            self._interim_ready_ns = now_ns
        return self._interim(speech, result.text, now_ns) if result else []

    def _announce(self, speech: _Speech, final: _Final, now_ns: int) -> list[Act]:
        """An eager turn, unless the text plainly goes on: that work would be thrown away."""
        text = speech.text(final.transcript.text if final.transcript else "")
        if not text or self._needed_ms(speech, final) >= self._config.long_silence_ms:
            return []
        speech.eager = True
        return [EagerTurn(text=text, at_ns=now_ns)]

    def _retract(self, speech: _Speech, now_ns: int) -> list[Act]:
        eager, speech.eager = speech.eager, False
        return [Retracted(at_ns=now_ns)] if eager else []

    def _interim(self, speech: _Speech, latest: str, now_ns: int) -> list[Act]:
        text = speech.text(latest)
        if not latest or text == speech.interim_text:
            return []
        speech.interim_text = text
        return [Interim(text=text, at_ns=now_ns)]

    def _job(self, kind: Kind, speech: _Speech, upto: int) -> Decode:
        self._next_id += 1
        return Decode(
            id=self._next_id,
            kind=kind,
            samples=self._buffer.between(speech.piece, upto),
            upto=upto,
            voiced_end=speech.voiced_end,
            slot=len(speech.committed) if kind == "commit" else -1,
        )

    def _begin_piece(self, speech: _Speech, at: int) -> None:
        speech.piece = at
        self._buffer.forget_before(at)
        self._long.begin(at, self._buffer.end)

    def _drop(self, speech: _Speech, reason: str, now_ns: int) -> list[Act]:
        dropped = SpeechDropped(
            reason=reason,
            speech_started_ns=self._clock.ns(speech.started),
            speech_ended_ns=self._clock.ns(speech.end),
            at_ns=now_ns,
        )
        _log.info("speech dropped: %s", reason)
        retracted = self._retract(speech, now_ns)
        return [*self._begin_anew(self._buffer.end), *retracted, dropped]

    def _begin_anew(self, fresh: int) -> list[Decode | CallOff]:
        self._speech, self._fresh = None, fresh
        self._voicing.reset()
        return self._decodes.drop_all()
