"""The stock agents answer a real caller on the real models: else the comparison means nothing."""

from __future__ import annotations

import pytest

from voice.bench.agent import agents
from voice.config_file import load_config, load_desk
from voice.demo.clips import demo_clips
from voice.engines import load_engines

STOCK = ["stock-pipecat", "stock-pipecat-tuned", "stock-livekit", "stock-livekit-tuned"]


@pytest.mark.slow
async def test_every_stock_agent_answers() -> None:
    config = load_config()
    clips = demo_clips(config.line.in_hz)[:1]
    async with load_engines(config, load_desk(config)) as engines:
        callers = agents(engines, STOCK)
        for name in STOCK:
            [turn] = await callers[name](clips)
            assert turn.agent == name
            assert turn.sound.v2v_ms is not None, name
            assert turn.sound.reply_ms > 100, name
