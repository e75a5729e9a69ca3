"""Configuration files: the default, the environment, and what every slip is told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, SecretStr, ValidationError

from budgets.errors import UserError
from budgets.units import hz, milliseconds
from budgets.yaml_hints import section_at
from voice.config import BackendConfig, Config
from voice.config_file import load_config, load_desk
from voice.resources import configs_dir, packaged_configs

ROOT = Path(__file__).parents[2]
DESK = "name: Test\ngreeting: Hello.\nprompt: You are a test.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "desks").mkdir()
    (tmp_path / "desks" / "courier.yaml").write_text(DESK)
    return tmp_path


def write(folder: Path, text: str) -> Path:
    path = folder / "agent.yaml"
    path.write_text(text)
    return path


def faults(folder: Path, text: str) -> list[str]:
    """The lines of the error for a file with ``text``, without the file's name."""
    path = write(folder, text)
    with pytest.raises(UserError) as caught:
        load_config(path)
    lines = str(caught.value).splitlines()
    assert all(line.startswith(f"{path}:") for line in lines)
    return [line.removeprefix(f"{path}:") for line in lines]


# The packaged files


def test_the_packaged_default_equals_the_defaults_in_the_code() -> None:
    config = load_config()
    assert config.desk == configs_dir() / Config().desk
    assert config.model_copy(update={"desk": Config().desk}) == Config()


def test_the_packaged_default_writes_out_every_key() -> None:
    text = (configs_dir() / "default.yaml").read_text()
    absent = {"llm.backends.base_url", "llm.backends.api_key"}  # nothing to write without a server
    for dotted in set(all_keys(Config)) - absent:
        assert re.search(rf"^\s*(- )?{dotted.rpartition('.')[2]}:", text, re.MULTILINE), dotted


def test_every_packaged_file_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    for path in packaged_configs():
        assert load_desk(load_config(path)).greeting


def test_every_key_and_its_default_are_in_the_documentation() -> None:
    rows = {}
    for line in (ROOT / "docs" / "config.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 3 and cells[1].startswith("`"):
            rows[cells[1].strip("`")] = cells[2].strip("`")
    leaves = {k: v for k, v in defaults(Config).items() if "." in k or k == "desk"}
    assert rows == leaves


# What a file says


def test_an_empty_file_is_the_default(folder: Path) -> None:
    config = load_config(write(folder, "# nothing\n"))
    assert config.desk == configs_dir() / "desks" / "courier.yaml"
    assert config.stt == Config().stt


def test_a_section_whose_keys_are_commented_out_has_its_defaults(folder: Path) -> None:
    assert load_config(write(folder, "stt:\n  # model: x\nturn:\n")).stt == Config().stt


@pytest.mark.parametrize("written", ["1200", "1200 ms", "1.2 s", "1.2s", "'1200'", "1200.0"])
def test_durations_may_carry_their_unit(folder: Path, written: str) -> None:
    assert load_config(write(folder, f"budget: {{v2v_ms: {written}}}")).budget.v2v_ms == 1200


@pytest.mark.parametrize("written", ["8000", "8 kHz", "8000 Hz", "8khz"])
def test_rates_may_carry_their_unit(folder: Path, written: str) -> None:
    assert load_config(write(folder, f"line: {{in_hz: {written}}}")).line.in_hz == 8000


def test_units_refuse_another_unit() -> None:
    with pytest.raises(ValueError, match="not a duration"):
        milliseconds("500 hz")
    with pytest.raises(ValueError, match="not a sample rate"):
        hz("8 ms")


def test_paths_are_relative_to_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "models").mkdir()
    (folder / "models" / "x.gguf").touch()
    text = (
        "desk: desks/courier.yaml\n"
        "llm: {backends: [{name: a, model: models/x.gguf}, {name: b, model: hf:o/n@v/f.gguf}]}\n"
        "tts: {voice: elsewhere/v.onnx}"
    )
    write(folder, text)
    monkeypatch.chdir(folder)
    config = load_config(Path("agent.yaml"))
    assert config.desk == folder / "desks" / "courier.yaml"
    assert [b.model for b in config.llm.backends] == [
        str(folder / "models" / "x.gguf"),
        "hf:o/n@v/f.gguf",
    ]
    assert config.tts.voice == "elsewhere/v.onnx"
    assert load_desk(config).name == "Test"


def test_an_alias_repeats_a_value(folder: Path) -> None:
    config = load_config(write(folder, "stt: {threads: &t 3}\ntts: {threads: *t}"))
    assert (config.stt.threads, config.tts.threads) == (3, 3)


# The environment

REMOTE = "llm:\n  backends:\n    - {name: r, kind: openai, model: m, api_key: '${KEY_X}'}\n"


def test_variables_are_filled_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY_X", "12345")
    monkeypatch.setenv("THREADS_X", "3")
    monkeypatch.setenv("EMPTY_X", "")
    monkeypatch.delenv("ABSENT_X", raising=False)
    text = (
        REMOTE + "stt: {threads: '${THREADS_X}', model: '${EMPTY_X:-whisper}-${ABSENT_X:-base}'}\n"
        "budget: {v2v_ms: '${BUDGET_X:-900}'}\ntts: {locale: 'a$${b}'}\n"
    )
    config = load_config(write(folder, text))
    assert config.stt.threads == 3
    assert config.stt.model == "whisper-base"
    assert config.budget.v2v_ms == 900
    assert config.tts.locale == "a${b}"
    key = config.llm.backends[0].api_key
    assert isinstance(key, SecretStr)
    assert key.get_secret_value() == "12345"


def test_a_variable_that_is_not_set_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KEY_X", raising=False)
    (fault,) = faults(folder, REMOTE)
    assert fault.startswith("3: llm.backends[0].api_key: the environment variable KEY_X is not set")


def test_a_variable_needs_a_name(folder: Path) -> None:
    (fault,) = faults(folder, "stt: {model: '${}'}")
    assert "${NAME}" in fault


def test_a_secret_never_shows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "sk-very-secret"
    monkeypatch.setenv("KEY_X", secret)
    assert secret not in repr(load_config(write(folder, REMOTE)))
    assert secret not in load_config(write(folder, REMOTE)).model_dump_json()
    # Put where it does not belong, it fails there in every way that a value can.
    places = ["stt.threads", "stt.device", "budget.v2v_ms", "turn.speech_threshold", "line.in_hz"]
    places += ["stt.language", "desk", "tts.speaker"]
    for place in places:
        section, _, key = place.rpartition(".")
        entry = f"{key}: ${{KEY_X}}\n"
        text = faults(folder, f"{section}:\n  {entry}" if section else entry)
        assert secret not in "\n".join(text)


def test_no_traceback_carries_a_secret(folder: Path) -> None:
    text = "llm: {backends: [{name: r, kind: openai, api_key: sk-very-secret, threads: x}]}"
    with pytest.raises(UserError) as caught:
        load_config(write(folder, text))
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    with pytest.raises(ValidationError) as invalid:
        BackendConfig.model_validate({"name": "a", "base_url": "sk-very-secret"})
    assert "sk-very-secret" not in str(invalid.value)


# Files that are not there or not YAML


def test_a_missing_file_is_named_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"gone\.yaml: no such configuration file.*default\.yaml"):
        load_config(tmp_path / "gone.yaml")


def test_a_missing_desk_is_named_with_file_line_and_key(folder: Path) -> None:
    (fault,) = faults(folder, "budget: {}\ndesk: desks/curier.yaml\n")
    assert fault.startswith("2: desk: no such file")
    assert "desks/courier.yaml" in fault


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        ("stt:\n\tmodel: x\n", "2:1", "tab"),
        ("stt:\n  model: a: b\n", "2:11", "':'"),
        ("stt:\n  model: 'x\n", "3:1", "never closed"),
        ("stt:\n  model: x\n threads: 2\n", "3:2", "indentation"),
        ("stt: [1, 2\n", "2:1", "bracket"),
        ("stt: *nobody\n", "1:6", "nobody"),
        ("stt: {}\n---\nstt: {}\n", "2:1", "second document"),
        ("- stt\n", "1", "key: value"),
        ("a: 1\nb: \x01\n", "2", "character"),
    ],
)
def test_a_syntax_error_has_its_place_and_plain_words(
    folder: Path, text: str, where: str, words: str
) -> None:
    (fault,) = faults(folder, text)
    assert fault.startswith(f"{where}: ")
    assert words in fault


def test_a_file_that_is_not_text(folder: Path) -> None:
    (folder / "agent.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="UTF-8"):
        load_config(folder / "agent.yaml")


def test_a_section_inside_itself(folder: Path) -> None:
    text = "\n".join(faults(folder, "stt: &s\n  model: *s\n"))
    assert "2: stt.model: an alias of a section inside itself" in text


# Slips


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("stt:\n  modle: x", "2: stt.modle: unknown key; did you mean 'model'?"),
        ("stt:\n  Model: x", "2: stt.Model: unknown key; did you mean 'model'?"),
        ("turn: {silence-ms: 1}", "1: turn.silence-ms: unknown key; did you mean 'silence_ms'?"),
        (
            "budget: {v2v_s: 1}",
            "1: budget.v2v_s: unknown key; did you mean 'v2v_ms' (in milliseconds)?",
        ),
        (
            "turn: {silence: 1}",
            "1: turn.silence: unknown key; did you mean 'silence_ms' (in milliseconds)?",
        ),
        (
            "line: {in_khz: 8}",
            "1: line.in_khz: unknown key; did you mean 'in_hz' (in hertz)?",
        ),
        ("v2v_ms: 800", "1: v2v_ms: unknown key; did you mean 'budget.v2v_ms'?"),
        (
            "budget: {temperature: 1}",
            "1: budget.temperature: unknown key; did you mean 'llm.backends.temperature'?",
        ),
        ("budget: {qqq: 1}", "1: budget.qqq: unknown key; known here: v2v_ms"),
        ("stt: {threads: two}", "1: stt.threads: must be a whole number; found 'two'"),
        ("stt: {threads: 0}", "1: stt.threads: must be at least 1; found '0'"),
        ("stt: {threads: yes}", "1: stt.threads: must be a number; found 'yes'"),
        ("stt: {beam_size: 11}", "1: stt.beam_size: must be at most 10; found '11'"),
        ("stt: {model: 7}", "1: stt.model: must be text; put it in quotes; found '7'"),
        ("stt: {model: }", "1: stt.model: is empty; give it a value, or remove the key"),
        (
            "stt: {language: no}",
            "1: stt.language: must be text; YAML reads 'no' as yes or no: quote it",
        ),
        (
            "stt: {language: en-US}",
            "1: stt.language: 'en-US' is not a language code; write it as 'en', 'es' or 'de'",
        ),
        (
            "stt: {device: gpu}",
            "1: stt.device: must be 'cpu', 'cuda' or 'auto'; did you mean 'cpu'?",
        ),
        ("stt: 3", "1: stt: must be a section, with keys of its own indented under it; found '3'"),
        ("llm: {backends: x}", "1: llm.backends: must be a list, whose entries start with '- '"),
        ("llm: {backends: []}", "1: llm.backends: needs at least 1 entry"),
        ("llm:\n  backends:\n    - model: x", "3: llm.backends[0].name: is missing"),
        (
            "turn: {silence_ms: 500 hz}",
            "1: turn.silence_ms: '500 hz' is not a duration; write 800, '800 ms' or '0.8 s'",
        ),
        (
            "line: {in_hz: 8 ms}",
            "1: line.in_hz: '8 ms' is not a sample rate; write 16000, '16000 Hz' or '16 kHz'",
        ),
        ("turn: {speech_threshold: 1.5}", "1: turn.speech_threshold: must be less than 1"),
        ("budget: {v2v_ms: .inf}", "1: budget.v2v_ms: must be a finite number; found '.inf'"),
        ("budget: {v2v_ms: -1}", "1: budget.v2v_ms: must be at least 0; found '-1'"),
        (
            "budget: {v2v_ms: 0.8}",
            "1: budget.v2v_ms: 0.8 looks like seconds: write '0.8 s' or 800 "
            "(or '0.8 ms' where that is meant)",
        ),
        (
            "stt:\n  threads: 2\n  threads: 3",
            "3: stt.threads: the same key is already given on line 2",
        ),
    ],
)
def test_a_slip_is_told_its_line_its_key_and_the_way_out(
    folder: Path, text: str, expected: str
) -> None:
    (fault,) = faults(folder, text)
    assert fault.startswith(expected)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("stt: {language: es}", "1: stt.model:", "write whisper-base"),
        ("turn:\n  short_silence_ms: 600", "2: turn.short_silence_ms:", "silence_ms (500 ms)"),
        ("turn:\n  long_silence_ms: 450", "2: turn.long_silence_ms:", "silence_ms (500 ms)"),
        ("line: {in_hz: 44100}", "1: line.in_hz:", "8000 or 16000"),
        (
            "llm:\n  backends:\n    - name: a\n    - name: a",
            "4: llm.backends[1].name:",
            "another backend is called 'a'",
        ),
        ("llm: {backends: [{name: a, kind: openai}]}", "1: llm.backends[0].kind:", "base_url"),
        (
            "llm: {backends: [{name: a, kind: openai, base_url: localhost}]}",
            "1: llm.backends[0].base_url:",
            "http://",
        ),
        (
            "llm: {backends: [{name: a, kind: openai, model: m, api_key: ''}]}",
            "1: llm.backends[0].api_key:",
            "is empty",
        ),
        (
            "llm: {backends: [{name: a, kind: openai, api_key: k}]}",
            "1: llm.backends[0].model:",
            "is missing",
        ),
        (
            "llm: {backends: [{name: a, base_url: 'http://x'}]}",
            "1: llm.backends[0].base_url:",
            "did you mean kind: openai?",
        ),
    ],
)
def test_values_that_do_not_go_together(folder: Path, text: str, place: str, words: str) -> None:
    (fault,) = faults(folder, text)
    assert fault.startswith(place)
    assert words in fault


def test_all_faults_are_told_at_once_in_order(folder: Path) -> None:
    text = "zz: 1\nstt:\n  modle: x\n  threads: x\nbudget: {v2v_ms: 0.8}\nline: {in_hz: 1}\n"
    assert [fault.split(":")[0] for fault in faults(folder, text)] == ["1", "3", "4", "5", "6"]


def test_a_desk_is_held_to_the_same_rules(folder: Path) -> None:
    desk = folder / "desks" / "courier.yaml"
    desk.write_text("name: T\ngreting: Hello.\nprompt: x\nexamples:\n  - {caler: a, agent: b}\n")
    config = load_config(write(folder, "desk: desks/courier.yaml"))
    with pytest.raises(UserError) as caught:
        load_desk(config)
    text = str(caught.value)
    assert f"{desk}:2: greting: unknown key; did you mean 'greeting'?" in text
    assert f"{desk}:5: examples[0].caler: unknown key; did you mean 'caller'?" in text
    desk.unlink()
    with pytest.raises(UserError, match="no such desk file"):
        load_desk(config)


# Any typing error in any key

DEFAULT_LINES = (configs_dir() / "default.yaml").read_text().splitlines()
KEY_LINES = [
    (number, match["key"])
    for number, line in enumerate(DEFAULT_LINES)
    if (match := re.match(r"\s*(- )?(?P<key>\w+):", line))
]
LETTERS = "abcdefghijklmnopqrstuvwxyz_"


@st.composite
def typing_errors(draw: st.DrawFn) -> tuple[int, str, str]:
    """A line of the default configuration, its key, and the key with one typing error."""
    number, key = draw(st.sampled_from(KEY_LINES))
    at = draw(st.integers(0, len(key) - 1))
    letter = draw(st.sampled_from(LETTERS))
    slip = draw(
        st.sampled_from(
            [
                key[:at] + letter + key[at:],
                key[:at] + letter + key[at + 1 :],
                key[:at] + key[at + 1 :],
                key[:at] + key[at : at + 2][::-1] + key[at + 2 :],
            ]
        ).filter(lambda slip: slip != key)
    )
    return number, key, slip


@settings(max_examples=300, deadline=None)
@given(typing_errors())
def test_any_typing_error_is_told_its_line_and_the_key_that_was_meant(
    tmp_path_factory: pytest.TempPathFactory, error: tuple[int, str, str]
) -> None:
    number, key, slip = error
    lines = list(DEFAULT_LINES)
    lines[number] = lines[number].replace(key, slip, 1)
    path = tmp_path_factory.mktemp("typo") / "agent.yaml"
    path.write_text("\n".join(lines))
    with pytest.raises(UserError) as caught:
        load_config(path)
    told = [
        line
        for line in str(caught.value).splitlines()
        if line.startswith(f"{path}:{number + 1}: ") and "unknown key" in line
    ]
    assert len(told) == 1
    assert f"'{key}'" in told[0]


def all_keys(model: type[BaseModel], prefix: str = "") -> list[str]:
    return list(defaults(model, prefix))


def defaults(model: type[BaseModel], prefix: str = "") -> dict[str, str]:
    """Every key that holds a value, with its default as the documentation writes it."""
    found: dict[str, str] = {}
    for name, info in model.model_fields.items():
        try:
            found |= defaults(section_at(model, (name,)), f"{prefix}{name}.")
        except LookupError:
            default: Any = info.get_default(call_default_factory=True)
            found[f"{prefix}{name}"] = (
                "required"
                if info.is_required()
                else "none"
                if default is None
                else f"{default:g}"
                if isinstance(default, float)
                else str(default)
            )
    return found
