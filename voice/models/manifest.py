"""What a model's folder should hold: written beside its files, read at every start."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from voice.models.disk import Written, sha256_of

FILE = "under800.json"


@dataclass(frozen=True)
class Record:
    """One file; ``mtime_ns`` tells without reading it that it was not written since."""

    size: int
    mtime_ns: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """The files of one model."""

    name: str
    files: dict[str, Record]
    commit: str | None = None
    """The commit that a hub's revision stood for."""

    @classmethod
    def of(cls, name: str, folder: Path, files: list[Written], commit: str | None) -> Manifest:
        """The manifest of files just written to ``folder``."""
        records = {
            file.name: Record(file.size, (folder / file.name).stat().st_mtime_ns, file.sha256)
            for file in files
        }
        return cls(name, records, commit)

    @classmethod
    def read(cls, folder: Path) -> Manifest | None:
        """The manifest in ``folder``; None where there is none that can be read."""
        try:
            content = json.loads((folder / FILE).read_text(encoding="utf-8"))
            records = {name: Record(**record) for name, record in content["files"].items()}
            return cls(content["name"], records, content["commit"])
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None

    def write(self, folder: Path) -> None:
        """Write and sync; atomic, for a folder that is in use. Raises OSError."""
        temporary = folder / f"{FILE}.{os.getpid()}"
        with temporary.open("w", encoding="utf-8") as target:
            json.dump(asdict(self), target, indent=1)
            target.flush()
            os.fsync(target.fileno())
        temporary.replace(folder / FILE)

    def total_bytes(self) -> int:
        """Bytes of all files."""
        return sum(record.size for record in self.files.values())

    def faults(self, folder: Path, *, full: bool) -> list[str]:
        """What is wrong with the files, in words; ``full`` reads and hashes every byte.

        Otherwise only a file that was written to since is hashed, and remembered if it is the
        same: a cache restored from a backup is slow once.
        """
        found = []
        refreshed = dict(self.files)
        for name, record in self.files.items():
            try:
                status = (folder / name).stat()
                if status.st_size != record.size:
                    found.append(f"{name} has {status.st_size} bytes and should have {record.size}")
                    continue
                untouched = status.st_mtime_ns == record.mtime_ns
                if untouched and not full:
                    continue
                if sha256_of(folder / name) != record.sha256:
                    found.append(f"{name} has been altered (its SHA-256 differs)")
                elif not untouched:
                    refreshed[name] = replace(record, mtime_ns=status.st_mtime_ns)
            except FileNotFoundError:
                found.append(f"{name} is missing")
            except OSError as fault:
                found.append(f"{name} cannot be read ({fault.strerror})")
        if not found and refreshed != self.files:
            self._remember(folder, refreshed)
        return found

    def _remember(self, folder: Path, files: dict[str, Record]) -> None:
        try:
            replace(self, files=files).write(folder)
        except OSError:  # a cache that may only be read: it is hashed again next time
            return
