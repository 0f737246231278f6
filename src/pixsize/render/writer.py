"""Rendered files -> a folder: all of them or none, never over an edit, never outside the folder.

Everything is first written into a hidden folder beside its place. Only then are the files renamed, which takes a moment
and which Ctrl-C has to wait for. The manifest goes last; its staged copy says what was meant, so that a run that was
killed between two renames leaves nothing that the next run would take for an edit.
"""

from __future__ import annotations

import hashlib
import os
import signal
import stat
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pixsize import __version__
from pixsize.findings import Finding, Position
from pixsize.render import manifest
from pixsize.render.manifest import (
    ALL,
    MARK,
    NAME,
    RUN_BOOK,
    SETTLED,
    STAGE,
    Made,
    Manifest,
    ManifestError,
    target_of,
)
from pixsize.render.records import File, by_path

_CLOSED = "is not writable"


@dataclass(frozen=True, slots=True)
class Written:
    """What a run did: paths below the folder, sorted. With an error among the findings, nothing was done.

    `written` are new or changed, `unchanged` were there already, `removed` are no longer produced, `kept` likewise, but
    were edited.
    """

    findings: tuple[Finding, ...] = ()
    written: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Job:
    """What is to be done in a folder: the files to write by path, and the manifest afterwards."""

    out: Path
    changed: Mapping[str, File]
    removed: tuple[str, ...]
    manifest: str


class _Refused(Exception):
    """The folder cannot be used as it is; carries the finding."""

    def __init__(self, code: str, path: Path, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.finding = Finding(code, message, hint=hint, position=Position(str(path)))


def write(
    files: Iterable[File],
    out: Path,
    *,
    targets: Iterable[str],
    request_digest: str,
    observed_digest: str = "",
    left_out: Mapping[str, str] | None = None,
    force: bool = False,
) -> Written:
    """Write the files of `targets` into `out` and remove those that these targets no longer make.

    Files of other targets stay, with their entries in the manifest. `all` among the targets owns the run book at the
    root, and brings `left_out`: the targets that it left out, each with the reason. Errors come back as PX602 (edited,
    unless `force`), PX603 (the folder) and PX604 (the manifest).
    """
    wanted = by_path(files)
    made = Made(__version__, request_digest, observed_digest)
    job_targets = dict.fromkeys(targets, made)
    for path in wanted:
        if not manifest.safe(path) or (target_of(path) == ALL and ALL not in job_targets):
            raise ValueError(f"{path!r} is no path for a rendered file")
    try:
        with _locked(out):
            return _write(wanted, out, job_targets, made, left_out or {}, force=force)
    except _Refused as refused:
        return Written((refused.finding,))
    except OSError as error:
        return Written((_os_finding(error, out),))


def _write(
    wanted: Mapping[str, File],
    out: Path,
    targets: Mapping[str, Made],
    made: Made,
    left_out: Mapping[str, str],
    *,
    force: bool,
) -> Written:
    old, ours, torn = _known(out)
    digests = {path: _sha256(f.text) for path, f in wanted.items()}
    refusals = tuple(_refusals(out, wanted))
    if refusals:
        return Written(refusals)
    there = {path: _digest(out / path) for path in wanted}
    edited = sorted(p for p, d in there.items() if d is not None and d != digests[p] and d not in ours.get(p, ()))
    if edited and not force:
        return Written(tuple(_edited(out, p, known=p in ours) for p in edited))
    gone = sorted(p for p in ours if target_of(p) in targets and p not in wanted)
    removed, kept, closed = _obsolete(out, gone, ours)
    if closed:
        return Written(closed)
    changed = {p: f for p, f in wanted.items() if there[p] != digests[p] or _lacks_mode(out / p, f)}
    # An edited file that is no longer made is remembered, so that every run names it until somebody has dealt with it.
    others = {p: d for p, d in old.files.items() if target_of(p) not in targets or p in kept}
    after = Manifest(others | digests, dict(old.targets) | dict(targets), _still_left_out(old, targets, left_out))
    if torn:
        _settle(out, old, ours, made)
    _carry_out(_Job(out, changed, removed, manifest.write(after, made)))
    return Written(
        (*_kept_findings(out, kept), *_foreign_targets(out, after, made), *_stale(out, after, targets)),
        tuple(sorted(changed)),
        tuple(sorted(wanted.keys() - changed.keys())),
        removed,
        kept,
    )


def _still_left_out(old: Manifest, targets: Mapping[str, Made], left_out: Mapping[str, str]) -> Mapping[str, str]:
    """What `all` left out, this time or the last time; a target that was rendered since is no longer one of them."""
    said = left_out if ALL in targets else old.left_out
    return {name: why for name, why in said.items() if name not in targets}


def _known(out: Path) -> tuple[Manifest, dict[str, set[str]], bool]:
    """The manifest of the folder; every digest that pixsize wrote or was about to write, by path; whether a run was
    killed here."""
    old = _manifest(out / NAME) or Manifest({}, {})
    ours = {path: {digest} for path, digest in old.files.items()}
    if os.path.lexists(out / STAGE):
        _own_stage(out / STAGE)
        with suppress(_Refused):  # torn: then nothing had been renamed yet
            for path, digest in (_manifest(out / STAGE / NAME) or Manifest({}, {})).files.items():
                ours.setdefault(path, set()).add(digest)
    return old, ours, os.path.lexists(out / STAGE)


def _manifest(path: Path) -> Manifest | None:
    try:
        info = path.lstat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(info.st_mode):
        raise _Refused("PX603", path, f"{path.name} is no plain file")
    if info.st_size > manifest.LARGEST:
        raise _Refused("PX604", path, f"the manifest is larger than {manifest.LARGEST // 2**20} MiB")
    try:
        return manifest.read(path.read_bytes())
    except ManifestError as error:
        raise _Refused("PX604", path, f"the manifest cannot be used: {error}", "choose an empty folder") from error


def _refusals(out: Path, paths: Iterable[str]) -> Iterator[Finding]:
    """A finding for each part of a path that is no folder of its own in this file system, or whose place is taken."""
    device = out.stat().st_dev
    seen: set[str] = set()
    for path in paths:
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            part = "/".join(parts[:depth])
            if part not in seen:
                seen.add(part)
                why = _unusable(out / part, device, is_file=depth == len(parts))
                if why:
                    yield Finding("PX603", f"{part} {why}", position=Position(str(out / part)))


def _unusable(path: Path, device: int, *, is_file: bool) -> str:
    try:
        info = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    if stat.S_ISLNK(info.st_mode):
        return "is a link, and could lead out of the folder"
    if is_file:
        return "" if stat.S_ISREG(info.st_mode) else "is no plain file"
    if not stat.S_ISDIR(info.st_mode):
        return "is no folder"
    if info.st_dev != device:
        return "is another file system"
    return "" if os.access(path, os.W_OK | os.X_OK) else _CLOSED


def _digest(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _lacks_mode(path: Path, file: File) -> bool:
    return file.executable and not os.access(path, os.X_OK)


def _obsolete(
    out: Path, gone: Sequence[str], ours: Mapping[str, set[str]]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Finding, ...]]:
    """Of the files no longer made: those to remove, as written; those to keep, since they were edited; and a finding
    for each folder that lets a file of ours not go."""
    removed: list[str] = []
    kept: list[str] = []
    closed: dict[Finding, None] = {}
    for path in gone:
        why = tuple(_refusals(out, [path]))
        if not os.path.lexists(out / path):
            continue
        if any(not f.message.endswith(_CLOSED) for f in why) or _digest(out / path) not in ours[path]:
            kept.append(path)
        elif why:
            closed.update(dict.fromkeys(why))
        else:
            removed.append(path)
    return tuple(removed), tuple(kept), tuple(closed)


def _settle(out: Path, old: Manifest, ours: Mapping[str, set[str]], made: Made) -> None:
    """Put into the manifest what a killed run had renamed already, and take away what it left."""
    there = {path: digest for path, digests in ours.items() if (digest := _digest(out / path)) in digests}
    _mark(out / STAGE)
    place = out / STAGE / SETTLED
    place.unlink(missing_ok=True)
    _put(place, manifest.write(replace(old, files=dict(old.files) | there), made), 0o666)
    place.replace(out / NAME)
    _clear(out / STAGE)


def _carry_out(job: _Job) -> None:
    if not job.changed and not job.removed and _digest(job.out / NAME) == _sha256(job.manifest):
        return
    stage = job.out / STAGE
    renaming = False
    try:
        places = _staged(job, stage)
        with _undisturbed():
            renaming = True
            for place, path in places.items():
                (job.out / path).parent.mkdir(parents=True, exist_ok=True)
                place.replace(job.out / path)
            for path in job.removed:
                (job.out / path).unlink()
                _prune((job.out / path).parent, job.out)
            (stage / NAME).replace(job.out / NAME)
            _clear(stage)
    except BaseException:
        if not renaming:  # otherwise the staged manifest stays, and tells the next run what was meant
            _clear(stage)
        raise


def _staged(job: _Job, stage: Path) -> dict[Path, str]:
    """Write every file and the manifest into the stage: place there -> path in the folder."""
    stage.mkdir()
    _mark(stage)
    places = {}
    for number, (path, file) in enumerate(sorted(job.changed.items())):
        place = stage / f"{number}"
        _put(place, file.text, 0o777 if file.executable else 0o666)
        places[place] = path
    _put(stage / NAME, job.manifest, 0o666)
    return places


def _put(place: Path, text: str, mode: int) -> None:
    """A new file with this text; the user's umask takes from the mode what it takes from any file."""
    with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(text.encode())


def _mark(stage: Path) -> None:
    """Say that the stage is pixsize's, before anything else is in it."""
    (stage / MARK).touch()


def _clear(stage: Path) -> None:
    """Remove the stage with its files, the mark last; it never holds folders, nor anything of anybody else."""
    with suppress(OSError):
        for place in stage.iterdir():
            if place.name != MARK and manifest.staged(place.name):
                place.unlink()
        (stage / MARK).unlink(missing_ok=True)
        stage.rmdir()


def _prune(folder: Path, out: Path) -> None:
    """Remove empty folders from here up to the output folder."""
    with suppress(OSError):
        while folder != out:
            folder.rmdir()
            folder = folder.parent


@contextmanager
def _locked(out: Path) -> Iterator[None]:
    """The folder exists, and no other run writes into it. Folders made for a run that fails are taken away again."""
    import fcntl

    made = _make(out)
    handle = os.open(out, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise _Refused("PX603", out, "another run writes into this folder", "wait for it to end") from error
        except OSError:  # a file system that knows no locks
            pass
        if not os.access(out, os.W_OK | os.X_OK):
            raise _Refused("PX603", out, "the folder is not writable")
        yield
    finally:
        os.close(handle)
        with suppress(OSError):  # the first that holds something ends it
            for folder in made:
                folder.rmdir()


def _make(out: Path) -> list[Path]:
    """Make the folder and its parents; returns those that were not there, the innermost first."""
    missing = [p for p in (out, *out.parents) if not os.path.lexists(p)]
    if out.exists() and not out.is_dir():
        raise _Refused("PX603", out, "there is a file where the folder should be")
    out.mkdir(parents=True, exist_ok=True)
    return missing


def _own_stage(path: Path) -> None:
    """Refuse a stage that is no folder, or that holds anything but what a run left that was killed."""
    if not stat.S_ISDIR(path.lstat().st_mode):
        raise _Refused("PX603", path, f"{path.name} is no folder")
    there = list(path.iterdir())
    marked = not there or (path / MARK) in there
    if not marked or not all(manifest.staged(p.name) and stat.S_ISREG(p.lstat().st_mode) for p in there):
        message = f"{path.name} holds files that pixsize did not put there"
        raise _Refused("PX603", path, message, "move them elsewhere: the folder is for files on their way")


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold back the signals that end a run until the block is through. Only the main thread gets any."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    held = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {s: signal.signal(s, lambda number, _: came.append(number)) for s in held}
    try:
        yield
    finally:
        for held_one, handler in before.items():
            signal.signal(held_one, handler or signal.SIG_DFL)
        for number in came[:1]:
            signal.raise_signal(number)


def _edited(out: Path, path: str, *, known: bool) -> Finding:
    message = "was edited since pixsize wrote it" if known else "is there already, and pixsize did not write it"
    return Finding("PX602", f"{path} {message}", hint="keep a copy, then --force", position=Position(str(out / path)))


def _kept_findings(out: Path, kept: Iterable[str]) -> Iterator[Finding]:
    for path in kept:
        message = f"{path} is no longer made, but was edited, and stays"
        yield Finding("PX605", message, hint="remove it when you are done with it", position=Position(str(out / path)))


def _foreign_targets(out: Path, after: Manifest, made: Made) -> Iterator[Finding]:
    """Targets in the folder that were rendered from something else: their files need not fit the new ones."""
    older = sorted(n for n, m in after.targets.items() if n != ALL and replace(m, version=made.version) != made)
    if older:
        message = f"{', '.join(older)} in this folder came from another request or other replies"
        yield Finding("PX606", message, hint=f"render {' '.join(older)} again", position=Position(str(out / NAME)))


def _stale(out: Path, after: Manifest, targets: Mapping[str, Made]) -> Iterator[Finding]:
    """The run book of `all` where this run rendered targets of their own: its steps need not be those of the files."""
    if ALL not in targets and RUN_BOOK in after.files and os.path.lexists(out / RUN_BOOK):
        message = f"{RUN_BOOK} was made with other targets, and may not fit these files"
        yield Finding("PX606", message, hint="render all again", position=Position(str(out / RUN_BOOK)))


def _os_finding(error: OSError, out: Path) -> Finding:
    path = Path(error.filename) if isinstance(error.filename, str) else out
    return Finding("PX603", f"{error.strerror or error}", position=Position(str(path)))


__all__ = ["Written", "write"]
