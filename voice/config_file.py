"""Reads configuration and desk files; every fault is said with its file, line and key, at once."""

from __future__ import annotations

from pathlib import Path

from budgets.errors import UserError
from budgets.yaml_file import YamlFile
from budgets.yaml_model import validated
from voice.config import Config, DeskConfig
from voice.resources import configs_dir, packaged_configs


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
    config = validated(file, Config)
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
    return validated(YamlFile.read(path), DeskConfig)


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
