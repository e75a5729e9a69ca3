"""The first clauses of an answer that is held back, made into audio while it waits."""

from __future__ import annotations

import asyncio
import contextlib

from voice.tts.clauses import ClauseSplitter
from voice.tts.mouth import Mouth
from voice.tts.speech import SpeechError

_CLAUSES = 2
"""How many clauses are made ahead. While the first one plays, there is time for all others."""


class HeldSpeech:
    """Follows an answer as it is written and keeps the audio of its beginning ready.

    When the answer is released, the Mouth finds the clauses in its store, finished or still
    growing; when it is dropped, what nobody listens to is given up and freed.
    """

    def __init__(self, mouth: Mouth, *, locale: str = "en_US") -> None:
        self._mouth = mouth
        self._locale = locale
        self._splitter = ClauseSplitter(language=locale)
        self._clauses: list[str] = []
        self._making: list[asyncio.Task[None]] = []

    def begin(self) -> None:
        """A new answer is about to be written; the one before is no longer held."""
        self.drop()
        self._splitter = ClauseSplitter(language=self._locale)

    def written(self, text: str) -> None:
        """The model has written this much more."""
        if len(self._clauses) < _CLAUSES:
            self._prepare(self._splitter.push(text))

    def complete(self) -> None:
        """The answer is whole."""
        if len(self._clauses) < _CLAUSES:
            self._prepare(self._splitter.flush())

    def drop(self) -> None:
        """Free what has been made, unless somebody is listening to it."""
        for task in self._making:
            task.cancel()
        for clause in self._clauses:
            self._mouth.forget(clause)
        self._making, self._clauses = [], []

    def _prepare(self, pieces: list[str]) -> None:
        for clause in [piece.strip() for piece in pieces][: _CLAUSES - len(self._clauses)]:
            self._clauses.append(clause)
            self._making.append(asyncio.get_running_loop().create_task(self._make(clause)))

    async def _make(self, clause: str) -> None:
        with contextlib.suppress(SpeechError):  # on the log; the Mouth will say so when asked
            await self._mouth.prepare(clause)
