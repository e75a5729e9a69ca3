"""The model store: models by name, checked by hash, shared by all programs of one user."""

from voice.models.store import State, Status, cache_dir, check, known, model_path, pull, verify

__all__ = ["State", "Status", "cache_dir", "check", "known", "model_path", "pull", "verify"]
