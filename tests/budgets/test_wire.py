"""The line and the room: what they do to the caller's audio is what the scenario says."""

from __future__ import annotations

import numpy as np
import pytest

from budgets.probe.call import speak_script
from budgets.probe.caller import Clip, Script, moves_of
from budgets.probe.noise import noise_loop, speech_power
from budgets.probe.record import Samples
from budgets.probe.scenario import LineEffects, Manners, Noise, NoiseKind
from budgets.probe.tracks import CallTracks
from budgets.probe.wire import Wire, mulaw_decode, mulaw_encode, telephone_band
from tests.budgets.scripted_agent import VirtualTime, said, silence, words


def test_mulaw_is_g711() -> None:
    # Values at the decoder's output and their codes, from ITU-T G.711, table 2a.
    levels = np.array([0, 8031, 4191, 2, -8031, -2], dtype=np.float32) * 4 / 32768
    assert list(mulaw_encode(levels)) == [0xFF, 0x80, 0x8F, 0xFE, 0x00, 0x7E]
    everything = bytes(range(256))
    again = mulaw_encode(mulaw_decode(everything))
    assert [b for b in range(256) if again[b] != b] == [0x7F]  # negative zero is zero


def test_mulaw_keeps_the_signal_38_db_over_its_noise() -> None:
    signal = words(1000, 8000, 1)
    error = mulaw_decode(mulaw_encode(signal)) - signal
    assert 10 * np.log10((signal**2).mean() / (error**2).mean()) > 36


def test_the_telephone_band_is_in_time_and_narrow() -> None:
    hz = 16000
    t = np.arange(hz) / hz
    kept, low, high = (np.sin(2 * np.pi * f * t).astype(np.float32) for f in (1000, 60, 5000))
    middle = slice(hz // 4, 3 * hz // 4)
    assert np.abs(telephone_band(kept, hz) - kept)[middle].max() < 0.01
    assert np.abs(telephone_band(low, hz))[middle].max() < 0.01
    assert np.abs(telephone_band(high, hz))[middle].max() < 0.01


@pytest.mark.parametrize("kind", ["white", "pink", "babble"])
def test_noise_has_the_level_that_was_asked_for(kind: NoiseKind) -> None:
    clips = [np.concatenate([words(1500, 8000, 3), silence(3000, 8000)])]
    loop = noise_loop(Noise(kind, 12.0), clips, 8000, seed=1)
    assert speech_power(clips, 8000) == pytest.approx(
        float((words(1500, 8000, 3) ** 2).mean()), rel=0.05
    )
    snr_db = 10 * np.log10(speech_power(clips, 8000) / float((loop**2).mean()))
    assert snr_db == pytest.approx(12.0, abs=0.1)
    assert np.array_equal(loop, noise_loop(Noise(kind, 12.0), clips, 8000, seed=1))


def test_lost_frames_arrive_as_silence_and_every_call_loses_the_same() -> None:
    frame = words(20, 8000, 1)
    lost = []
    for _ in range(2):
        wire = Wire(LineEffects(8000, loss=0.1), seed=4)
        lost.append([not wire.carry(frame)[0].any() for _ in range(2000)])
    assert lost[0] == lost[1]
    assert sum(lost[0]) / 2000 == pytest.approx(0.1, abs=0.02)


async def sent_with(effects: LineEffects, noise: Samples) -> tuple[list[float], CallTracks, Clip]:
    """When each frame came, in ms after it had been spoken; for a caller nobody answers."""
    time = VirtualTime()
    clip = said(800, effects.rate_hz)
    tracks = CallTracks(caller_hz=effects.rate_hz, agent_hz=effects.rate_hz, origin_ns=time.now_ns)
    late: list[float] = []

    async def send(samples: Samples) -> None:
        late.append((time.now_ns - tracks.origin_ns) / 1e6 - 20 * (len(late) + 1))

    script = Script(moves_of([clip]), effects.rate_hz, Manners(patience_s=1.0))
    await speak_script(
        script,
        tracks,
        send,
        wire=Wire(effects, seed=2),
        noise=noise,
        clock_ns=time.clock,
        sleep=time.sleep,
    )
    return late, tracks, clip


async def test_jitter_delays_frames_and_never_the_callers_clock() -> None:
    late, tracks, clip = await sent_with(LineEffects(8000, jitter_ms=40), np.zeros(0, np.float32))
    assert min(late) >= 0
    assert 25 < max(late) < 40.1
    assert len(tracks.caller) == len(late) * 160
    start = 8000  # one second of patience
    assert np.array_equal(tracks.caller[start : start + len(clip.samples)], clip.samples)


async def test_noise_is_heard_all_the_call_long() -> None:
    noise = noise_loop(Noise("white", 10), [words(800, 8000, 1)], 8000, seed=1)
    _, tracks, _ = await sent_with(LineEffects(8000), noise)
    frames = tracks.caller[: len(tracks.caller) // 160 * 160].reshape(-1, 160)
    assert (np.abs(frames).max(axis=1) > 0).all()
