"""Reads configuration and desk files; every fault is said with its file, line and key, at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from budgets.errors import UserError
from voice.config import Config, DeskConfig
from voice.config_hints import field_types, is_secret, plain_words, section_at, unknown_key
from voice.resources import configs_dir, packaged_configs
from voice.yaml_file import KeyPath, YamlFile, scalars

_Model = TypeVar("_Model", bound=BaseModel)
_LOOKS_LIKE_SECONDS = 10


def load_config(path: Path | None = None) -> Config:
    """The configuration in ``path``; None is the packaged ``default.yaml``.

    Paths in it are relative to the file; ``desk`` comes back absolute, and exists. Raises
    UserError that lists every fault of the file.
    """
    path = path or configs_dir() / "default.yaml"
    if not path.is_file():
        known = ", ".join(str(packaged) for packaged in packaged_configs())
        raise UserError(f"{path}: no such configuration file; packaged are {known}")
    file = YamlFile.read(path)
    config = _validated(file, Config)
    desk = _desk_path(file, config)
    if not desk.is_file():
        written = file.texts.get(("desk",), "")
        shown = written if "${" in written else desk
        file.fault(("desk",), f"no such file: {shown}{_desks_beside(desk)}")
        file.raise_faults()
    return _with_absolute_paths(config, desk, path.absolute().parent)


def load_desk(config: Config) -> DeskConfig:
    """The desk that a configuration names. Raises UserError that lists every fault of the file."""
    path = config.desk if config.desk.is_absolute() else configs_dir() / config.desk
    if not path.is_file():
        raise UserError(f"{path}: no such desk file{_desks_beside(path)}")
    return _validated(YamlFile.read(path), DeskConfig)


def _validated(file: YamlFile, model: type[_Model]) -> _Model:
    _fill_empty_sections(file.values, model)
    _note_loose_values(file, model)
    value = None
    try:
        value = model.model_validate(file.values)
    except ValidationError as invalid:
        _note_errors(file, model, invalid)
    # Raised out here, so that no validation error is chained to it: that would carry the values,
    # and secrets among them.
    file.raise_faults()
    assert value is not None
    return value


def _note_errors(file: YamlFile, model: type[BaseModel], invalid: ValidationError) -> None:
    # A key that is given twice is noted at its second line; its value may be wrong as well.
    noted = {fault.key for fault in file.faults if fault.line == file.line(fault.key)}
    for error in invalid.errors(include_url=False):
        key = (*error["loc"], *error.get("ctx", {}).get("key", ()))
        if key not in noted:
            file.fault(key, _words(file, model, key, error))


def _words(file: YamlFile, model: type[BaseModel], key: KeyPath, error: Any) -> str:
    """One pydantic error in plain words, without any value that came from the environment."""
    kind = error["type"]
    if kind == "extra_forbidden":
        return unknown_key(model, key)
    shown = None if is_secret(model, key) else file.texts.get(key)
    if kind == "cross_field":
        return str(error["ctx"]["text"])
    if kind == "value_error":
        said = str(error["ctx"]["error"])
        value = error["input"]
        return said.replace(value, shown or "it") if isinstance(value, str) else said
    return plain_words(kind, error.get("ctx", {}), error["msg"], shown)


def _fill_empty_sections(values: dict[str, Any], model: type[BaseModel]) -> None:
    """A section whose keys are all commented out has its defaults."""
    for name, value in values.items():
        try:
            section = section_at(model, (name,))
        except LookupError:
            continue
        takes_section = field_types(model, (name,)) == {section}
        if value is None and takes_section:
            values[name] = {}
        elif isinstance(value, dict):
            _fill_empty_sections(value, section)


def _note_loose_values(file: YamlFile, model: type[BaseModel]) -> None:
    """What YAML and pydantic would let pass: a yes for a number, seconds for milliseconds."""
    for key, value in scalars(file.values):
        expected = field_types(model, key) if key and isinstance(key[-1], str) else set()
        written = file.texts.get(key, "")
        if isinstance(value, bool) and expected and bool not in expected:
            if expected & {int, float}:
                file.fault(key, f"must be a number; found '{written}'")
            else:
                file.fault(key, f"must be text; YAML reads '{written}' as yes or no: quote it")
        elif float in expected and str(key[-1]).endswith("_ms") and _seconds(value):
            file.fault(
                key,
                f"{written} looks like seconds: write '{written} s' or {float(value) * 1000:g} "
                f"(or '{written} ms' where that is meant)",
            )


def _seconds(value: Any) -> bool:
    """0.8 or ``"0.8"``; a whole number, or one with its unit, is taken at its word."""
    if isinstance(value, str):
        try:
            value = float(value) if "." in value else None
        except ValueError:
            return False
    return isinstance(value, float) and 0 < value < _LOOKS_LIKE_SECONDS


def _desk_path(file: YamlFile, config: Config) -> Path:
    """Relative to the file that names it; the default is the packaged desk."""
    folder = file.path.absolute().parent if "desk" in file.values else configs_dir()
    return folder / config.desk.expanduser()


def _desks_beside(path: Path) -> str:
    known = sorted({*path.parent.glob("*.yaml"), *(configs_dir() / "desks").glob("*.yaml")})
    return f"; there are {', '.join(str(desk) for desk in known)}" if known else ""


def _with_absolute_paths(config: Config, desk: Path, folder: Path) -> Config:
    """Model files too are named relative to the configuration."""

    def placed(name: str) -> str:
        return str(folder / name) if "/" in name and (folder / name).exists() else name

    backends = [
        backend.model_copy(update={"model": placed(backend.model)})
        if backend.kind == "embedded"
        else backend
        for backend in config.llm.backends
    ]
    return config.model_copy(
        update={
            "desk": desk,
            "stt": config.stt.model_copy(update={"model": placed(config.stt.model)}),
            "tts": config.tts.model_copy(update={"voice": placed(config.tts.voice)}),
            "llm": config.llm.model_copy(update={"backends": backends}),
        }
    )
