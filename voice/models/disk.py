"""Bytes onto the disk: hashed while they are written, synced before they count."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from budgets.errors import UserError

CHUNK = 1 << 20


@dataclass(frozen=True)
class Written:
    """A file as it was written; ``size`` in bytes."""

    name: str
    size: int
    sha256: str


def write_file(path: Path, chunks: Iterable[bytes]) -> Written:
    """Write ``chunks`` to ``path`` and sync it. Raises OSError, ENOSPC among them."""
    digest = hashlib.sha256()
    size = 0
    with path.open("wb") as target:
        for chunk in chunks:
            target.write(chunk)
            digest.update(chunk)
            size += len(chunk)
        target.flush()
        os.fsync(target.fileno())
    return Written(path.name, size, digest.hexdigest())


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def sync_folder(path: Path) -> None:
    """Make the names in a folder as durable as the files behind them."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def disk_faults(cache: Path) -> Iterator[None]:
    """Turn what goes wrong with the disk in this block into a UserError that says what to do."""
    try:
        yield
    except OSError as fault:
        raise cache_error(cache, fault.errno, fault.strerror) from fault


def cache_error(cache: Path, code: int | None, text: str | None) -> UserError:
    """The message for a disk that will not take a model."""
    elsewhere = "set UNDER800_CACHE to a folder"
    if code in (errno.ENOSPC, errno.EDQUOT):
        return UserError(
            f"the disk of the model cache {cache} is full; make room and pull again, "
            f"or {elsewhere} on another disk"
        )
    if code in (errno.EACCES, errno.EPERM, errno.EROFS):
        return UserError(f"cannot write to the model cache {cache}; {elsewhere} that you may write")
    return UserError(f"the model cache {cache} cannot be used ({text}); {elsewhere} that can")
