"""Files made from a model, kept so that the next start need not make them again."""

from __future__ import annotations

import io
import logging
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from voice.models import cache_dir

logger = logging.getLogger(__name__)

Parts = dict[str, bytes]


def derived(name: str, make: Callable[[], Parts]) -> Parts:
    """The parts kept under ``name``, or those that ``make`` gives, which are then kept.

    ``name`` must change with whatever the parts are made from. They lie in one archive, put in
    place by a rename and checked by its checksums, so a damaged one is made again. A disk that
    cannot be written costs time at the next start, nothing else.
    """
    path = cache_dir().parent / "derived" / f"{name}.zip"
    try:
        return _read(path)
    except FileNotFoundError:
        pass
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as fault:
        logger.warning("%s is damaged (%s); making it again", path, fault)
    parts = make()
    try:
        _write(path, parts)
    except OSError as fault:
        logger.warning("cannot keep %s (%s)", path, fault.strerror)
    return parts


def _read(path: Path) -> Parts:
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _write(path: Path, parts: Parts) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=".partial-")
    try:
        with os.fdopen(handle, "wb") as target:
            with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
                for name, content in parts.items():
                    archive.writestr(name, content)
            target.flush()
            os.fsync(target.fileno())
        Path(partial).replace(path)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise
