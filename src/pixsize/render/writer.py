"""Writes rendered files into a folder: all of them or none, never over an edited file, never outside the folder.

This module decides what is written, removed and kept. `stage` does it, so that a killed run mixes no two plans.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pixsize import __version__
from pixsize.findings import Finding, Position
from pixsize.render import manifest
from pixsize.render.manifest import ALL, NAME, RUN_BOOK, Made, Manifest, ManifestError, target_of
from pixsize.render.records import File, by_path
from pixsize.render.stage import CLOSED, Job, Refused, carry_out, digest, recover, refusals, sha256


@dataclass(frozen=True, slots=True)
class Written:
    """What a run did: paths below the folder, sorted. With an error among the findings, nothing was done,
    but that the moves of a run that was killed are undone (PX626).

    `written` are new or changed, `unchanged` were there already, `removed` are no longer produced, `kept` likewise, but
    were edited.
    """

    findings: tuple[Finding, ...] = ()
    written: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Run:
    """What a run is to write: its files by path, the targets they are of, and where they came from."""

    wanted: Mapping[str, File]
    targets: frozenset[str]
    made: Made
    left_out: Mapping[str, str]
    force: bool

    def owns(self, path: str) -> bool:
        """Whether the run decides about a file that an earlier one wrote."""
        return ALL in self.targets or target_of(path) in self.targets


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

    Files of other targets stay, with their entries in the manifest. But `all` among the targets owns everything that
    pixsize wrote here: the run book at the root, and the files of targets that are not made this time, which would
    belong to another plan. It brings `left_out`: the targets that it left out, each with the reason. Errors come back
    as PX602 (edited, unless `force`), PX603 (the folder) and PX604 (the manifest).
    """
    run = _Run(
        by_path(files), frozenset(targets), Made(__version__, request_digest, observed_digest), left_out or {}, force
    )
    for path in run.wanted:
        if not manifest.is_inside(path) or (target_of(path) == ALL and ALL not in run.targets):
            raise ValueError(f"{path!r} is no path for a rendered file")
    undone: tuple[Finding, ...] = ()
    try:
        with _locked(out):
            if recover(out):
                message = "a run that wrote here was killed; what it had moved is back in its place"
                undone = (Finding("PX626", message, position=Position(str(out))),)
            done = _write(run, out)
            return replace(done, findings=(*undone, *done.findings))
    except Refused as refused:
        return Written((*undone, refused.finding))
    except OSError as error:
        path = error.filename if isinstance(error.filename, str) else str(out)
        return Written((*undone, Finding("PX603", f"{error.strerror or error}", position=Position(path))))


def _write(run: _Run, out: Path) -> Written:
    old = _manifest(out / NAME) or Manifest({}, {})
    new_files, recorded = run.wanted, old.files
    digests = {path: sha256(f.text) for path, f in new_files.items()}
    taken = tuple(refusals(out, new_files))
    if taken:
        return Written(taken)
    present = {path: digest(out / path) for path in new_files}
    edited = sorted(p for p, d in present.items() if d is not None and d not in (digests[p], recorded.get(p)))
    if edited and not run.force:
        return Written(tuple(_edited(out, p, known=p in recorded) for p in edited))
    obsolete = sorted(p for p in recorded if run.owns(p) and p not in new_files)
    removed, kept, closed = _obsolete(out, obsolete, recorded)
    if closed:
        return Written(closed)
    changed = {
        p: f
        for p, f in new_files.items()
        if present[p] != digests[p] or (f.executable and not os.access(out / p, os.X_OK))
    }
    after = _after(run, old, digests, obsolete, kept)
    carry_out(Job(out, changed, removed, manifest.write(after, run.made)))
    return Written(
        (*_kept_findings(out, kept), *_foreign_targets(out, after, run.made), *_stale(out, after)),
        tuple(sorted(changed)),
        tuple(sorted(new_files.keys() - changed.keys())),
        removed,
        kept,
    )


def _after(run: _Run, old: Manifest, digests: dict[str, str], obsolete: Sequence[str], kept: Sequence[str]) -> Manifest:
    """The manifest afterwards.

    An edited file that is no longer made stays in it, so that every run names it until somebody has dealt with it, and
    so does its target. A target that was rendered since is no longer one of those left out.
    """
    others = {p: d for p, d in old.files.items() if not run.owns(p) or p in kept}
    other_targets = {target_of(path) for path in others}
    targets = {name: made for name, made in old.targets.items() if name in other_targets or ALL not in run.targets}
    left_out = run.left_out if ALL in run.targets else old.left_out
    return Manifest(
        others | digests,
        targets | dict.fromkeys(run.targets, run.made),
        {name: why for name, why in left_out.items() if name not in run.targets},
        _stale_after(run, old, digests, set(obsolete) - set(kept)),
    )


def _stale_after(run: _Run, old: Manifest, digests: Mapping[str, str], removed: Set[str]) -> tuple[str, ...]:
    """The run book of `all`, once a later run made other files, or made them from something else, until the next `all`.

    What is compared are the files as they were made: one that somebody deleted or edited, and that is written again as
    it was, changes nothing in the book.
    """
    if ALL in run.targets or RUN_BOOK not in old.files:
        return ()
    differs = removed or any(old.files.get(path) != made for path, made in digests.items())
    return (RUN_BOOK,) if old.stale or differs or old.targets.get(ALL) != run.made else ()


def _manifest(path: Path) -> Manifest | None:
    try:
        info = path.lstat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(info.st_mode):
        raise Refused("PX603", path, f"{path.name} is no plain file")
    if info.st_size > manifest.LARGEST:
        raise Refused("PX604", path, f"the manifest is larger than {manifest.LARGEST // 2**20} MiB")
    try:
        return manifest.read(path.read_bytes())
    except ManifestError as error:
        raise Refused("PX604", path, f"the manifest cannot be used: {error}", "choose an empty folder") from error


def _obsolete(
    out: Path, paths: Sequence[str], recorded: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Finding, ...]]:
    """Of the files no longer made: those to remove, as written; those to keep, since they were edited; and a finding
    for each folder that lets a file of ours not go."""
    removed: list[str] = []
    kept: list[str] = []
    closed: dict[Finding, None] = {}
    for path in paths:
        why = tuple(refusals(out, [path]))
        if not os.path.lexists(out / path):
            continue
        if any(not f.message.endswith(CLOSED) for f in why) or digest(out / path) != recorded[path]:
            kept.append(path)
        elif why:
            closed.update(dict.fromkeys(why))
        else:
            removed.append(path)
    return tuple(removed), tuple(kept), tuple(closed)


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
            raise Refused("PX603", out, "another run writes into this folder", "wait for it to end") from error
        except OSError:  # a file system that knows no locks
            pass
        if not os.access(out, os.W_OK | os.X_OK):
            raise Refused("PX603", out, "the folder is not writable")
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
        raise Refused("PX603", out, "there is a file where the folder should be")
    out.mkdir(parents=True, exist_ok=True)
    return missing


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


def _stale(out: Path, after: Manifest) -> Iterator[Finding]:
    """The run book of `all` where targets were rendered since that it does not know: its steps need not be theirs."""
    for path in after.stale:
        if os.path.lexists(out / path):
            message = f"{path} was made with other targets, and may not fit these files"
            yield Finding("PX606", message, hint="render all again", position=Position(str(out / path)))


__all__ = ["Written", "write"]
