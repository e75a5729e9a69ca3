"""The configuration: one typed object, whose every field says its unit and its default.

Read from YAML by :mod:`voice.config_file`. Durations are in milliseconds and their names end in
``_ms``; a file may write them as ``800`` or ``800 ms`` or ``0.8 s``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal, Self

from openai.types.chat import ChatCompletionMessageParam
from pydantic import (
    AfterValidator,
    Field,
    SecretStr,
    model_validator,
)

from budgets.yaml_model import Hz, Ms, Section, clash


def _language_code(code: str) -> str:
    if not re.fullmatch("[a-z]{2,3}", code):
        raise ValueError(f"'{code}' is not a language code; write it as 'en', 'es' or 'de'")
    return code


def _telephone_or_wide_band(rate_hz: int) -> int:
    if rate_hz not in (8000, 16000):
        raise ValueError(f"{rate_hz} Hz is not heard here; write 8000 or 16000")
    return rate_hz


class BudgetConfig(Section):
    """What a turn may take."""

    v2v_ms: Ms = 800
    """Voice-to-voice: the caller's last speech sample to the first audible agent sample."""


class SttConfig(Section):
    """The ears' model."""

    model: str = "whisper-tiny.en"
    """A name of the model store, or a folder that holds a CTranslate2 Whisper model."""
    language: Annotated[str, AfterValidator(_language_code)] = "en"
    """ISO 639-1. Other than English needs a multilingual model such as whisper-base."""
    compute_type: Literal["int8", "float32", "int8_float32", "float16", "int8_float16"] = "int8"
    device: Literal["cpu", "cuda", "auto"] = "cpu"
    threads: int = Field(default=2, ge=1)
    beam_size: int = Field(default=1, ge=1, le=10)
    interim_every_ms: Ms = 400
    """The least time between two interim decodes; they are skipped, not queued, under load."""

    @model_validator(mode="after")
    def _model_knows_language(self) -> Self:
        if self.language != "en" and self.model.endswith(".en"):
            raise clash(
                f"{self.model} knows English only and stt.language is '{self.language}'; "
                "write whisper-base",
                "model",
            )
        return self


class TurnConfig(Section):
    """When the caller speaks and when the caller is done."""

    speech_threshold: float = Field(default=0.5, gt=0, lt=1)
    """The voice-activity probability above which a window is speech."""
    start_ms: Ms = 96
    """Voiced time after which speech has started (and interrupts the agent)."""
    decode_after_ms: Ms = 100
    """Silence after which the text so far is decoded, in case this was the end."""
    silence_ms: Ms = 500
    """Silence that ends a turn whose text looks complete."""
    short_silence_ms: Ms = 400
    """Silence that ends a turn that is a short complete answer ("yes", "no thanks")."""
    long_silence_ms: Ms = 1400
    """Silence that ends a turn whose text plainly goes on ("my number is four one")."""
    attempts: int = Field(default=3, ge=0)
    """How often in one turn an answer may be begun before the turn is over; 0 never does."""

    @model_validator(mode="after")
    def _silences_in_order(self) -> Self:
        if self.short_silence_ms > self.silence_ms:
            raise clash(
                f"is longer than silence_ms ({self.silence_ms:g} ms); a short answer waits less",
                "short_silence_ms",
            )
        if self.silence_ms > self.long_silence_ms:
            raise clash(
                f"is shorter than silence_ms ({self.silence_ms:g} ms); an unfinished text waits "
                "longer",
                "long_silence_ms",
            )
        return self


class BackendConfig(Section):
    """One language model that can answer."""

    name: str = Field(min_length=1)
    kind: Literal["embedded", "openai"] = "embedded"
    """``embedded`` runs llama.cpp here; ``openai`` is any OpenAI-compatible server."""
    model: str = "smollm2-135m"
    """Embedded: a name of the model store or a GGUF file. OpenAI: the server's model name."""
    base_url: str | None = None
    api_key: SecretStr | None = None
    temperature: float = Field(default=0.0, ge=0, le=2)
    frequency_penalty: float = Field(default=0.0, ge=-2, le=2)
    """A little of it keeps very small models from repeating themselves without end."""
    max_tokens: int = Field(default=80, ge=1)
    context_tokens: int = Field(default=4096, ge=256)
    threads: int = Field(default=1, ge=1)
    """Of the embedded engine. Its threads wait for each other at every layer: with as many as
    there are cores, one that another program holds up holds up all, to under 1 token a second."""

    @model_validator(mode="after")
    def _reachable(self) -> Self:
        if self.kind == "embedded":
            for key in ("base_url", "api_key"):
                if getattr(self, key) is not None:
                    raise clash("an embedded backend has none; did you mean kind: openai?", key)
            return self
        if self.base_url is None and self.api_key is None:
            raise clash(
                "openai needs an api_key (a hosted service) or a base_url (a server of your own)",
                "kind",
            )
        if self.base_url is not None and not self.base_url.startswith(("http://", "https://")):
            raise clash("must start with http:// or https://", "base_url")
        if self.api_key is not None and not self.api_key.get_secret_value().strip():
            raise clash("is empty", "api_key")
        if self.base_url is None and "model" not in self.model_fields_set:
            raise clash("is missing: what the service calls the model", "model")
        return self


class LlmConfig(Section):
    """The brain."""

    backends: list[BackendConfig] = Field(
        default_factory=lambda: [BackendConfig(name="local", frequency_penalty=0.2)],
        min_length=1,
    )

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        seen: set[str] = set()
        for index, backend in enumerate(self.backends):
            if backend.name in seen:
                raise clash(
                    f"another backend is called '{backend.name}'", "backends", index, "name"
                )
            seen.add(backend.name)
        return self


class TtsConfig(Section):
    """The mouth."""

    voice: str = "piper-en_US-joe-medium"
    """A name of the model store, or a Piper ``.onnx`` file with its ``.onnx.json`` beside it."""
    speaker: int | None = None
    speed: float = Field(default=1.0, gt=0.3, lt=3)
    """1.2 speaks a fifth faster."""
    locale: str = "en_US"
    """How numbers, dates and money are said."""
    threads: int = Field(default=2, ge=1)


class LineConfig(Section):
    """The line: the rate of the audio in both directions."""

    in_hz: Annotated[Hz, AfterValidator(_telephone_or_wide_band)] = 16000
    """8000 or 16000."""
    out_hz: Hz = 22050


class Config(Section):
    """Everything an agent is made of."""

    desk: Path = Path("desks/courier.yaml")
    """The desk file: what the agent knows and how it greets. Relative to this file."""
    budget: BudgetConfig = BudgetConfig()
    stt: SttConfig = SttConfig()
    turn: TurnConfig = TurnConfig()
    llm: LlmConfig = LlmConfig()
    tts: TtsConfig = TtsConfig()
    line: LineConfig = LineConfig()


class Example(Section):
    """A question and the answer that the desk gives to it."""

    caller: str
    agent: str


class DeskConfig(Section):
    """A service desk: what the agent says first and what it knows."""

    name: str
    greeting: str
    prompt: str
    """The system prompt: role, manner, facts."""
    examples: list[Example] = Field(default_factory=list)
    """Put before the call as if they had been spoken: small models follow them best."""

    def messages(self) -> list[ChatCompletionMessageParam]:
        """The conversation's fixed beginning, in the form of the chat completions API."""
        return [self.system_message(), *self.examples_as_messages()]

    def system_message(self) -> ChatCompletionMessageParam:
        """The system prompt as a message."""
        return {"role": "system", "content": self.prompt}

    def examples_as_messages(self) -> list[ChatCompletionMessageParam]:
        """The examples as turns of a conversation."""
        messages: list[ChatCompletionMessageParam] = []
        for example in self.examples:
            messages.append({"role": "user", "content": example.caller})
            messages.append({"role": "assistant", "content": example.agent})
        return messages
