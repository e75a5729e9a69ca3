"""Models from Hugging Face by name: ``hf:owner/name@revision/file``.

Two kinds of model are more than one file, and name their main file: with ``model.bin`` (a
CTranslate2 Whisper folder) come its vocabulary and settings, with a Piper ``.onnx`` its
``.onnx.json``. Honours HF_ENDPOINT (a mirror), HF_TOKEN (gated repositories) and the proxy
variables.
"""

from __future__ import annotations

import os
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from email.message import Message
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import IO, Any

from budgets.errors import UserError
from voice.models.disk import CHUNK, Written, write_file

Report = Callable[[int, int], None]

_REF = re.compile(r"hf:(?P<repo>[\w.-]+/[\w.-]+)@(?P<revision>[\w.-]+)/(?P<file>[\w./+ -]+)")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_TIMEOUT_S = 30.0
_WHISPER_PARTS = (
    "config.json",
    "tokenizer.json",
    "vocabulary.txt",
    "vocabulary.json",
    "preprocessor_config.json",
)


@dataclass(frozen=True)
class HubRef:
    """A file of a repository at a revision (a commit, tag or branch)."""

    repo: str
    revision: str
    file: str

    @classmethod
    def parse(cls, name: str) -> HubRef:
        """Read ``hf:owner/name@revision/file``. Raises UserError that shows how to write it."""
        match = _REF.fullmatch(name)
        if match and ".." not in match["file"].split("/"):
            return cls(match["repo"], match["revision"], match["file"])
        lack = " it needs a revision (a commit, a tag or `main`):" if "@" not in name else ""
        raise UserError(f"model '{name}':{lack} write hf:owner/name@revision/file")

    @property
    def main(self) -> str | None:
        """What an engine opens, in the model's folder; None for the folder itself."""
        base = self.file.rsplit("/", 1)[-1]
        return None if base == "model.bin" else base

    def beside(self, base: str) -> HubRef:
        """Another file of the same folder."""
        head, slash, _ = self.file.rpartition("/")
        return replace(self, file=f"{head}{slash}{base}")

    def companions(self) -> list[HubRef]:
        """The files that may belong to the main file; those that do not exist are left out."""
        if self.main is None:
            return [self.beside(base) for base in _WHISPER_PARTS]
        return [self.beside(f"{self.main}.json")] if self.main.endswith(".onnx") else []

    def url(self) -> str:
        """Its address on the hub, or on the mirror that HF_ENDPOINT names."""
        endpoint = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
        path = f"{self.repo}/resolve/{self.revision}/{self.file}"
        return f"{endpoint.rstrip('/')}/{urllib.parse.quote(path)}"


def fetch_ref(ref: HubRef, *, into: Path, report: Report) -> tuple[list[Written], str | None]:
    """Fetch a model into the folder ``into``: the files, and the commit that the hub named.

    The hub's SHA-256, where it gives one, is checked. Raises UserError where the hub has no such
    file, refuses it, cannot be reached or breaks off, and OSError where it cannot be written.
    """
    with _opened(ref) as (response, headers):
        files = [_save(ref, response, headers, into, report)]
    commit = headers.get("X-Repo-Commit")
    if commit:  # a branch may move between two requests
        ref = replace(ref, revision=commit)
    for other in ref.companions():
        try:
            with _opened(other) as (response, headers):
                files.append(_save(other, response, headers, into, lambda done, total: None))
        except _NotThereError:
            continue
    return files, commit


class _NotThereError(UserError):
    pass


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows the hub to its storage, and keeps what only the hub's own answer says."""

    def __init__(self, token: str | None) -> None:
        self._token = token
        self.seen: list[Message] = []

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Any,
        newurl: str,
    ) -> urllib.request.Request | None:
        self.seen.append(headers)
        following = super().redirect_request(req, fp, code, msg, headers, newurl)
        # A repository that was renamed redirects within the hub; the storage must not see a token.
        if following and self._token and _origin(newurl) == _origin(req.full_url):
            following.add_unredirected_header("Authorization", f"Bearer {self._token}")
        return following


def _origin(url: str) -> tuple[str, str]:
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.netloc


@contextmanager
def _opened(ref: HubRef) -> Iterator[tuple[HTTPResponse, dict[str, str]]]:
    """The response to a file's address, and the headers of all answers on the way, hub's first."""
    token = os.environ.get("HF_TOKEN")
    redirects = _Redirects(token)
    request = urllib.request.Request(ref.url(), headers={"User-Agent": "under800"})
    if token:
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    try:
        response = urllib.request.build_opener(redirects).open(request, timeout=_TIMEOUT_S)
    except urllib.error.HTTPError as refusal:
        raise _refusal(ref, refusal.code) from None
    except (OSError, HTTPException) as fault:
        raise _unreachable(ref, fault) from None
    headers: dict[str, str] = {}
    for answer in [*redirects.seen, response.headers]:
        for key, value in answer.items():
            headers.setdefault(key.title(), value)
    with response:
        yield response, headers


def _save(
    ref: HubRef, response: HTTPResponse, headers: dict[str, str], into: Path, report: Report
) -> Written:
    length = response.headers.get("Content-Length")
    expected = int(length) if length else None
    base = ref.file.rsplit("/", 1)[-1]
    written = write_file(into / base, _chunks(ref, response, expected, report))
    if expected is not None and written.size != expected:
        raise UserError(f"{base} broke off after {written.size} of {expected} bytes; pull it again")
    promised = headers.get("X-Linked-Etag", "").strip('"')
    if _SHA256.fullmatch(promised) and promised != written.sha256:
        raise UserError(
            f"{base} arrived altered (its SHA-256 is not the one that the hub names), so it was "
            "not used; pull it again"
        )
    return written


def _chunks(
    ref: HubRef, response: HTTPResponse, expected: int | None, report: Report
) -> Iterator[bytes]:
    done = 0
    while True:
        try:
            chunk = response.read(CHUNK)
        except (OSError, HTTPException) as fault:
            raise _unreachable(ref, fault) from None
        if not chunk:
            return
        done += len(chunk)
        report(done, expected or done)
        yield chunk


def _refusal(ref: HubRef, code: int) -> UserError:
    if code == 404:
        return _NotThereError(
            f"the hub has no {ref.file} in {ref.repo} at {ref.revision}; check the owner, the "
            "name, the revision and the path of the file"
        )
    if code in (401, 403):
        return UserError(
            f"the hub does not give out {ref.repo} (HTTP {code}); check its name, accept its terms "
            "on its page, and set HF_TOKEN to a token that may read it"
        )
    return UserError(f"the hub answered HTTP {code} for {ref.repo}; pull again later")


def _unreachable(ref: HubRef, fault: Exception) -> UserError:
    reason = getattr(fault, "reason", None) or fault
    host = urllib.parse.urlsplit(ref.url()).hostname
    return UserError(
        f"{host} could not be reached for {ref.repo} ({reason}); check the network and the proxy, "
        "or set HF_ENDPOINT to a mirror, then pull again"
    )
