"""A folder of replies -> what was observed. Each product reads its own; the folder as a whole is judged here."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from pixsize.findings import Finding, Position
from pixsize.load import files
from pixsize.load.positions import Positions, quoted
from pixsize.load.replies import ReadBudget, Reader, Reply, ReplyError, TooMuchError
from pixsize.observed import Observed
from pixsize.product import PRODUCTS, Replies
from pixsize.texts import listed

_MOST_BYTES = 4 * files.MIB
"""Of one file; its text is dropped once it is read, so that only one is in memory."""
_MOST_FILES = 5_000
"""Six replies of each of 126 arrays, the most of a file system, six times over. To open 5,000 files takes 0.5 s."""
_MOST_FINDINGS = 200
"""Of a folder: a wrong folder with thousands of files would otherwise print as many findings."""
_MANIFEST = "MANIFEST.json"
"""What `render -o` leaves in its folder, which may be this one: no reply."""
_ARRAY_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
"""The part of a reply's name before its first point. It goes into messages and files, so it is short and plain."""


class _ProductReader:
    """Reads the replies of one product. `unread` counts the files that it claims and that were not read.

    `foreign` says that the product makes the volumes of other designs only: its replies are not read.
    """

    def __init__(self, replies: Replies, foreign: bool) -> None:
        self.claims = replies.claims
        self.foreign = foreign
        self.reader: Reader = replies.reader()
        self.unread = 0


def load_observed(folder: Path, products: Sequence[str] = ()) -> tuple[Observed, tuple[Finding, ...]]:
    """What the replies in a folder report, and what is wrong with them. Files that no product claims are left alone.

    `products` are those of the design: where two claim one name, theirs is asked first. Replies that only another maker
    of such volumes claims, such as another family of arrays, are PX302.
    """
    maker = next((PRODUCTS[name] for name in products if PRODUCTS[name].volumes), None)
    if maker and maker.volumes and maker.replies is None:
        message = f"pixsize reads no replies of {maker.volumes.terms.name}"
        return Observed(), (Finding("PX302", message, hint="leave it out", position=Position(str(folder))),)
    foreign = {p.name for p in PRODUCTS.values() if maker and p.gives == maker.gives and p.name not in products}
    order = sorted(PRODUCTS, key=lambda name: (name not in products, name in foreign))
    known = {name: replies for name in order if (replies := PRODUCTS[name].replies)}
    owners = [_ProductReader(replies, name in foreign) for name, replies in known.items()]
    names, findings = _names(folder, owners)
    if not names and not findings:  # a user who names a folder expects that its replies are used
        of_design = [replies for name, replies in known.items() if name in products]
        expected = "; ".join(replies.names for replies in of_design or known.values())
        message = f"no replies lie in the folder: their names are {expected}"
        hint = "another folder, or other names"
        findings.append(Finding("PX302", message, hint=hint, position=Position(str(folder))))
    observed = Observed(digest=_read(folder, names, findings))
    more: list[Finding] = []
    for owner in owners:
        observed, lacking = owner.reader.finish(observed, owner.unread > 0)
        more += lacking
    return observed, (*_capped(findings), *more)


def _names(folder: Path, owners: Sequence[_ProductReader]) -> tuple[list[tuple[str, _ProductReader]], list[Finding]]:
    """The replies in a folder, sorted, each with who claims it, and PX302 for files that name no array."""
    try:
        entries = sorted(os.listdir(folder))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the system refuses"
        return [], [Finding("PX001", f"the folder of replies cannot be read: {reason}", position=Position(str(folder)))]
    names = [(n, c) for n in entries if n != _MANIFEST and (c := next((c for c in owners if c.claims(n)), None))]
    if len(names) > _MOST_FILES:
        message = f"more than {_MOST_FILES:,} files that could be replies lie in the folder"
        return [], [Finding("PX311", message, position=Position(str(folder)))]
    foreign = [n for n, owner in names if owner.foreign]
    if foreign:
        message = f"{listed(map(quoted, foreign))}: replies of other storage than that of the design"
        strange = [Finding("PX302", message, hint="another folder, or another design", position=Position(str(folder)))]
        return [], strange
    for _, owner in names:
        owner.unread += 1
    misnamed = {n for n, _ in names if not _ARRAY_ID.fullmatch(n.partition(".")[0]) or not n.isprintable()}
    return [(n, c) for n, c in names if n not in misnamed], [
        Finding("PX302", f"{quoted(n)} does not begin with the id of an array", position=Position(_shown(folder, n)))
        for n, _ in names
        if n in misnamed
    ]


def _read(folder: Path, names: Sequence[tuple[str, _ProductReader]], findings: list[Finding]) -> str:
    """Have each file read, and add what is wrong; returns the checksum of all that were read."""
    import hashlib

    checksum, budget, wrong, any_read = hashlib.sha256(), ReadBudget(), 0, False
    for name, owner in names:
        data = files.read_bytes(folder / name, _shown(folder, name), _MOST_BYTES)
        if isinstance(data, Finding):
            findings.append(data)
            continue
        try:
            budget.take_bytes(len(data))
            found = _take(_shown(folder, name), name, data, owner, budget)
        except TooMuchError as error:
            hint = "leave out what is not needed any more; as JSON, replies take a fourth of what they take as XML"
            place = Position(_shown(folder, name))
            findings.append(Finding("PX311", f"the replies up to this one {error}", hint=hint, position=place))
            break
        checksum.update(f"{name}\0{len(data)}\0".encode() + data)
        any_read = any_read or bool(data)
        findings += found
        wrong += sum(f.severity == "error" for f in found)
        if wrong > _MOST_FINDINGS:
            break
    return checksum.hexdigest() if any_read else ""


def _take(shown: str, name: str, data: bytes, owner: _ProductReader, budget: ReadBudget) -> list[Finding]:
    """Have one file read by who claims it; returns what is wrong with it."""
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        message = f"the file is no UTF-8 text: byte 0x{data[error.start]:02x}"
        return [Finding("PX301", message, position=Position(shown))]
    places = Positions(shown, text)
    try:
        found = owner.reader.take(Reply(name, text, places), budget)
    except ReplyError as error:
        return [Finding("PX301", str(error), position=places.at(error.line, error.column))]
    owner.unread -= 1
    return found


def _capped(findings: list[Finding]) -> list[Finding]:
    """The findings up to the limit; where there are more, errors are kept first."""
    if len(findings) <= _MOST_FINDINGS:
        return findings
    kept = sorted(findings, key=lambda f: f.severity != "error")[:_MOST_FINDINGS]
    last = kept[-1]
    return [*kept[:-1], last._replace(message=f"{last.message} (more was found; these come first)")]


def _shown(folder: Path, name: str) -> str:
    return str(folder / name) if name.isprintable() else f"{folder}/{quoted(name)}"
