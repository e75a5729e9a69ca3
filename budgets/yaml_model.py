"""A YAML file as a pydantic model; every fault is said with its file, line and key, at once."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from budgets.units import hz, milliseconds
from budgets.yaml_file import KeyPath, YamlFile, scalars
from budgets.yaml_hints import field_types, is_secret, plain_words, section_at, unknown_key

Ms = Annotated[float, BeforeValidator(milliseconds), Field(ge=0)]
"""A duration: ``800``, ``800 ms`` or ``0.8 s``. Names of such fields end in ``_ms``."""
Hz = Annotated[int, BeforeValidator(hz), Field(gt=0)]

_Model = TypeVar("_Model", bound=BaseModel)
_LOOKS_LIKE_SECONDS = 10


class Section(BaseModel):
    """A part of a file; unknown keys are errors."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, hide_input_in_errors=True
    )


def clash(text: str, *key: str | int) -> PydanticCustomError:
    """Values that do not go together; ``key`` is the one to change, within its section."""
    return PydanticCustomError("cross_field", "{text}", {"text": text, "key": key})


def validated(file: YamlFile, model: type[_Model]) -> _Model:
    """What a file says as ``model``.

    Raises UserError that lists every fault of the file, each with its line and key.
    """
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
