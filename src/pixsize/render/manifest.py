"""MANIFEST.json: the files that pixsize wrote into a folder, with digests; all others belong to someone else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

NAME = "MANIFEST.json"
SCHEMA = "pixsize.manifest/1"
LARGEST = 64 * 2**20
"""Bytes. A manifest of a thousand modules has about two MiB; anything far larger is none of ours."""

ALL = "all"
"""The target for all targets that fit the plan. It is no renderer, and owns the run book."""
RUN_BOOK = "RUNBOOK.md"
"""The only file that lies in no target's folder."""
_ROOT = {RUN_BOOK: ALL}
"""The owner of each file at the folder's root."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_TARGET = re.compile(r"[a-z][a-z0-9_-]{0,30}")
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,127}")
"""A part of a path: no leading point or dash, so neither `..` nor a hidden file nor what reads as an option."""


class ManifestError(ValueError):
    """The text is no manifest that pixsize wrote, and says why."""


@dataclass(frozen=True, slots=True)
class Made:
    """Where a target's files came from: version and digests, no dates, so that the same input gives the same bytes."""

    version: str
    request: str
    observed: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The SHA-256 of each file by its path, where each target came from, and the targets that `all` left out, each
    with the reason.

    `stale` are those of its files that speak of all targets, and were made before one of these changed.
    """

    files: Mapping[str, str]
    targets: Mapping[str, Made]
    left_out: Mapping[str, str] = field(default_factory=dict)
    stale: tuple[str, ...] = ()


def target_of(path: str) -> str:
    """The render target of a file: the folder it lies in; `all` for the run book at the root."""
    return _ROOT.get(path) or path.partition("/")[0]


def is_inside(path: str) -> bool:
    """Whether a path stays below its folder and cannot meet pixsize's own files there."""
    parts = path.split("/")
    in_folder = 1 < len(parts) <= 16 and parts[0] != ALL and all(map(_PART.fullmatch, parts))
    return path in _ROOT or in_folder


def write(manifest: Manifest, last: Made) -> str:
    """The manifest as text; `last` is the run that wrote it, since kept targets may come from an earlier one."""
    document = {
        "schema": SCHEMA,
        "version": last.version,
        "request": last.request,
        "observed": last.observed,
        "targets": {name: asdict(made) for name, made in sorted(manifest.targets.items())},
        **({"left_out": dict(sorted(manifest.left_out.items()))} if manifest.left_out else {}),
        **({"stale": sorted(manifest.stale)} if manifest.stale else {}),
        "files": [
            {"path": path, "sha256": digest, "target": target_of(path)}
            for path, digest in sorted(manifest.files.items())
        ],
    }
    return json.dumps(document, indent=1) + "\n"


def read(text: bytes) -> Manifest:
    """The manifest in a file that anybody may have changed. Raises ManifestError."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ManifestError("it is no JSON") from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise ManifestError(f"its schema is not {SCHEMA}")
    targets, files = document.get("targets"), document.get("files")
    if not isinstance(targets, dict) or not isinstance(files, list):
        raise ManifestError("it lists no targets or no files")
    made = {name: _made(name, made) for name, made in targets.items()}
    listed = _files(files)
    return Manifest(listed, made, _left_out(document.get("left_out", {})), _stale(document.get("stale", []), listed))


def _made(name: object, made: object) -> Made:
    if not _fits(_TARGET, name) or not isinstance(made, dict):
        raise ManifestError("a target in it is none")
    version, request, observed = (made.get(k) for k in ("version", "request", "observed"))
    if not isinstance(version, str) or not isinstance(request, str) or not isinstance(observed, str):
        raise ManifestError(f"it does not say where the target {name} came from")
    return Made(version, request, observed)


def _left_out(reasons: object) -> dict[str, str]:
    if not isinstance(reasons, dict):
        raise ManifestError("what it says is left out is no mapping")
    for name, reason in reasons.items():
        if not _fits(_TARGET, name) or not isinstance(reason, str):
            raise ManifestError("a target that it says is left out is none, or has no reason")
    return reasons


def _stale(paths: object, files: Mapping[str, str]) -> tuple[str, ...]:
    if not isinstance(paths, list):
        raise ManifestError("what it says is stale is no list")
    for path in paths:
        if not isinstance(path, str) or path not in files or path not in _ROOT or paths.count(path) > 1:
            raise ManifestError(
                "a file that it says is stale is none that speaks of all targets, or stands there twice"
            )
    return tuple(paths)


def _files(entries: Iterable[Any]) -> dict[str, str]:
    files: dict[str, str] = {}
    for entry in entries:
        path, digest = _entry(entry)
        if path in files:
            raise ManifestError(f"the path {path} stands in it twice")
        files[path] = digest
    return files


def _entry(entry: object) -> tuple[str, str]:
    if not isinstance(entry, dict):
        raise ManifestError("a file in it is no mapping")
    path, digest = entry.get("path"), entry.get("sha256")
    if not isinstance(path, str) or not is_inside(path):
        raise ManifestError(f"the path {str(path)[:80]!r} in it is no path below the folder")
    if not isinstance(digest, str) or not _fits(_DIGEST, digest):
        raise ManifestError(f"the digest of {path} in it is no SHA-256")
    if entry.get("target") != target_of(path):
        raise ManifestError(f"the target of {path} in it is not the one that its place says")
    return path, digest


def _fits(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None
