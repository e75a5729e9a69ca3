"""What the frameworks may write to the terminal while a command runs."""

from __future__ import annotations

import logging
import sys


def quiet_frameworks() -> None:
    """Only errors, and never what was said: at lower levels pipecat logs whole transcripts."""
    from loguru import logger

    logger.remove()
    logger.add(sys.stderr, level="ERROR", format="{name}: {message}")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    logging.getLogger("livekit").setLevel(logging.ERROR)
