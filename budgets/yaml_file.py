"""A YAML file as plain values that remember their lines, with ``${VARIABLE}`` filled in.

``${NAME}`` takes an environment variable, ``${NAME:-text}`` has a default for one that is unset
or empty, and ``$${`` stands for ``${``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from budgets.errors import UserError

KeyPath = tuple[str | int, ...]
"""Where a value stands: ``("llm", "backends", 0, "name")``."""

_VARIABLE = re.compile(r"\$(?P<escaped>\$)?\{(?P<name>[A-Za-z_]\w*)?(?::-(?P<default>[^}]*))?\}")
_UNSET = "unset"
"""Stands for a missing variable until all faults of the file are gathered."""

_PLAIN_WORDS = {
    "found character '\\t'": "a tab; YAML is indented with spaces",
    "mapping values are not allowed": "a ':' where none can be; check the indentation, or put the "
    "text in quotes",
    "could not find expected ':'": "a ':' is missing after a key",
    "found unexpected end of stream": "a quote that is never closed",
    "expected <block end>": "this does not fit the indentation of the lines above",
    "expected ',' or": "a bracket that is never closed, or a comma is missing",
    "but found another document": "a second document ('---'); a file holds one",
}


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong in a file."""

    line: int
    key: KeyPath
    text: str


@dataclass
class YamlFile:
    """What a file says."""

    path: Path
    values: dict[str, Any] = field(default_factory=dict)
    lines: dict[KeyPath, int] = field(default_factory=dict)
    texts: dict[KeyPath, str] = field(default_factory=dict)
    """Each scalar as it is written: before variables are filled in, so fit to be shown."""
    faults: list[Fault] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> YamlFile:
        """Read a file whose top level is a mapping; an empty one has no keys.

        Raises UserError for a file that cannot be read or is not YAML; what is wrong with single
        keys (given twice, a variable that is not set) is gathered in ``faults``.
        """
        root = _compose(path)
        found = cls(path)
        if root is None:
            return found
        if not isinstance(root, yaml.MappingNode):
            line = root.start_mark.line + 1
            raise UserError(f"{path}:{line}: the file must hold 'key: value' lines")
        found.values = _Reader(found).value(root, ())
        return found

    def line(self, key: KeyPath) -> int:
        """The line of a key, or of the nearest key above it that the file has."""
        while key and key not in self.lines:
            key = key[:-1]
        return self.lines.get(key, 1)

    def fault(self, key: KeyPath, text: str) -> None:
        """Add a fault at a key."""
        self.faults.append(Fault(self.line(key), key, text))

    def raise_faults(self) -> None:
        """Raise one UserError that lists all faults in the order of the lines, if there are any."""
        if self.faults:
            ordered = sorted(self.faults, key=lambda fault: fault.line)
            raise UserError(
                "\n".join(f"{self.path}:{f.line}: {dotted(f.key)}: {f.text}" for f in ordered)
            )


def dotted(key: KeyPath) -> str:
    """``llm.backends[0].name``."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in key)
    return text.removeprefix(".")


def _compose(path: Path) -> yaml.Node | None:
    try:
        text = path.read_text(encoding="utf-8")
        node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
        return node
    except UnicodeDecodeError:
        raise UserError(f"{path}: not a text file in UTF-8") from None
    except OSError as fault:
        raise UserError(f"{path}: cannot be read ({fault.strerror})") from None
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        where = f"{mark.line + 1}:{mark.column + 1}" if mark else "1:1"
        problem = fault.problem or "not YAML"
        plain = next((text for sign, text in _PLAIN_WORDS.items() if sign in problem), problem)
        raise UserError(f"{path}:{where}: {plain}") from None
    except yaml.reader.ReaderError as fault:
        line = text.count("\n", 0, fault.position) + 1
        raise UserError(f"{path}:{line}: a character that YAML does not allow") from None


class _Reader:
    """Turns nodes into values and writes down where they were."""

    def __init__(self, file: YamlFile) -> None:
        self._file = file
        self._construct = yaml.SafeLoader("").construct_object
        self._open: set[int] = set()

    def value(self, node: yaml.Node, key: KeyPath) -> Any:
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, key)
        if id(node) in self._open:
            self._file.fault(key, "an alias of a section inside itself")
            return None
        self._open.add(id(node))
        try:
            if isinstance(node, yaml.MappingNode):
                return self._mapping(node, key)
            return self._sequence(node, key)
        finally:
            self._open.remove(id(node))

    def _mapping(self, node: yaml.MappingNode, key: KeyPath) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name_node, value_node in node.value:
            line = name_node.start_mark.line + 1
            if not isinstance(name_node, yaml.ScalarNode):
                self._file.faults.append(Fault(line, key, "a key must be a single word"))
                continue
            here = (*key, name_node.value)
            if here in self._file.lines:
                first = self._file.lines[here]
                self._file.faults.append(
                    Fault(line, here, f"the same key is already given on line {first}")
                )
                continue
            self._file.lines[here] = line
            values[name_node.value] = self.value(value_node, here)
        return values

    def _sequence(self, node: yaml.Node, key: KeyPath) -> list[Any]:
        values = []
        for index, item in enumerate(node.value):
            here = (*key, index)
            self._file.lines[here] = item.start_mark.line + 1
            values.append(self.value(item, here))
        return values

    def _scalar(self, node: yaml.ScalarNode, key: KeyPath) -> Any:
        self._file.texts[key] = node.value
        try:
            value = self._construct(node)
        except (yaml.YAMLError, ValueError):
            value = node.value
        return self._filled_in(value, key) if isinstance(value, str) else value

    def _filled_in(self, text: str, key: KeyPath) -> str:
        def value_of(match: re.Match[str]) -> str:
            if match["escaped"]:
                return match[0][1:]
            name, default = match["name"], match["default"]
            if name is None:
                self._file.fault(key, "'${' needs a name: ${NAME} or ${NAME:-default}")
                return _UNSET
            value = os.environ.get(name)
            if default is not None:
                return value or default
            if value is None:
                self._file.fault(
                    key,
                    f"the environment variable {name} is not set; set it, or give a default: "
                    f"${{{name}:-default}}",
                )
                return _UNSET
            return value

        return _VARIABLE.sub(value_of, text)


def scalars(value: Any, key: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    """Every value that is neither a mapping nor a list, with where it stands."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from scalars(item, (*key, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from scalars(item, (*key, index))
    else:
        yield key, value
