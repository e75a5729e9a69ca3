"""What a schema knows about a slip in a file: which key was meant, and plain words."""

from __future__ import annotations

import difflib
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, SecretStr

from budgets.yaml_file import KeyPath, dotted

_UNITS = {
    "ms": "in milliseconds",
    "hz": "in hertz",
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "msec", "millis", "us", "khz"), ""),
}
_NEAR, _NEAR_ELSEWHERE = 0.6, 0.75
_TIE = 0.1
"""Similarities this close are one: both keys are offered."""

_WORDS = {
    "missing": "is missing",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "string_type": "must be text; put it in quotes",
    "path_type": "must be the path of a file",
    "list_type": "must be a list, whose entries start with '- '",
    "model_type": "must be a section, with keys of its own indented under it",
    "greater_than": "must be greater than {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than": "must be less than {lt:g}",
    "less_than_equal": "must be at most {le:g}",
    "string_too_short": "must not be empty",
    "too_short": "needs at least {min_length} entry",
    "literal_error": "must be {expected}",
}


def unknown_key(root: type[BaseModel], key: KeyPath) -> str:
    """Words for a key that the schema does not have, with the nearest that it has."""
    section, name = key[:-1], str(key[-1])
    here = list(section_at(root, section).model_fields)
    plain = name.lower().replace("-", "_").replace(" ", "_")
    stem, unit = _split_unit(plain)
    for other in here:
        other_stem, other_unit = _split_unit(other)
        if plain == other:
            return _meant([f"'{other}'"])
        if stem == other_stem and (unit or other_unit):
            return _meant([f"'{other}'"], _UNITS.get(other_unit, ""))
    elsewhere = {path: path.rpartition(".")[2] for path in _all_keys(root)}
    exact = [path for path, last in elsewhere.items() if last == plain]
    offers = [*exact[:3], *_near(plain, here, _NEAR)]
    if not offers:
        offers = [
            path
            for last in _near(plain, list(elsewhere.values()), _NEAR_ELSEWHERE)
            for path, name in elsewhere.items()
            if name == last
        ][:3]
    if offers:
        return _meant([f"'{offer}'" for offer in offers])
    return f"unknown key; known here: {', '.join(here)}"


def section_at(root: type[BaseModel], key: KeyPath) -> type[BaseModel]:
    """The section that a key path leads to, list entries included; LookupError for none."""
    for part in key:
        if isinstance(part, str):
            found = _section_of(root.model_fields[part].annotation)
            if found is None:
                raise LookupError(part)
            root = found
    return root


def field_types(root: type[BaseModel], key: KeyPath) -> set[Any]:
    """The types that a key may have (``{str, NoneType}``); empty for an unknown key."""
    try:
        annotation = section_at(root, key[:-1]).model_fields[str(key[-1])].annotation
    except LookupError:
        return set()
    union = get_origin(annotation) in (typing.Union, types.UnionType)
    return {_bare(part) for part in get_args(annotation)} if union else {annotation}


def plain_words(kind: str, context: Mapping[str, Any], fallback: str, shown: str | None) -> str:
    """A pydantic error in plain words; ``shown`` is the value where it may be shown."""
    if shown == "":
        return "is empty; give it a value, or remove the key"
    words = _WORDS.get(kind, fallback).format(**context)
    if kind == "literal_error" and shown is not None:
        near = difflib.get_close_matches(shown, words.split("'")[1::2], n=1)
        words += f"; did you mean '{near[0]}'?" if near else f"; found '{shown}'"
    elif shown is not None:
        words += f"; found '{shown}'"
    return words


def is_secret(root: type[BaseModel], key: KeyPath) -> bool:
    """Whether a key's value must never be shown."""
    return SecretStr in field_types(root, key)


def _bare(annotation: Any) -> Any:
    """``float`` of ``Annotated[float, …]``."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _meant(offers: list[str], unit: str = "") -> str:
    return f"unknown key; did you mean {' or '.join(offers)}{unit and f' ({unit})'}?"


def _split_unit(name: str) -> tuple[str, str]:
    stem, _, unit = name.rpartition("_")
    return (stem, unit) if stem and unit in _UNITS else (name, "")


def _near(name: str, keys: list[str], cutoff: float) -> list[str]:
    scores = {key: difflib.SequenceMatcher(a=key, b=name).ratio() for key in keys}
    best = max(scores.values(), default=0.0)
    near = [key for key, score in scores.items() if score >= max(cutoff, best - _TIE)]
    return sorted(near, key=lambda key: -scores[key])[:3]


def _all_keys(root: type[BaseModel], key: KeyPath = ()) -> Iterator[str]:
    for name, info in root.model_fields.items():
        here = (*key, name)
        yield dotted(here)
        section = _section_of(info.annotation)
        if section is not None:
            yield from _all_keys(section, here)


def _section_of(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, (_section_of(inner) for inner in get_args(annotation))), None)
