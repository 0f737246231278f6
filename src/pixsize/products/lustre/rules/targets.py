"""Targets of Lustre: names, labels and indexes, the MGS, and a device each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from pixsize.check.context import Context, Hit, differences, grouped, listed
from pixsize.findings import Finding
from pixsize.plan.records import Target, Volume
from pixsize.products.lustre.plan import lustre, target_of

_FSNAME = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_KINDS = ("mgt", "mdt", "ost")
"""In the order of the first start (Lustre Operations Manual, Starting Lustre)."""


def fsname(context: Context) -> Iterator[Finding]:
    """PX531: mkfs.lustre takes the name of the file system."""
    name, longest = lustre(context.plan).name, context.limit("lustre.fsname_chars")
    if len(name) > longest or not _FSNAME.fullmatch(name):
        allowed = f"letters, digits, _ and - only, at most {longest} characters"
        message = f"{name!r} has {len(name)} characters; {allowed}"
        yield Finding("PX531", message, "filesystem.name", "a shorter name; the mount point may be longer")


def labels(context: Context) -> Iterator[Finding]:
    """PX532: the indexes of a kind count up from 0, without a gap, and each label holds its target's index."""
    last = context.limit("lustre.index_max")

    def hits() -> Iterator[Hit]:
        for kind in _KINDS[1:]:
            yield from (("", why) for why in _index_troubles(context.of_kind[kind], kind.upper(), last))
        order = [t.kind for t in context.plan.targets]
        if order != sorted(order, key=(*_KINDS, "nsd").index):
            yield "", "the targets do not stand in the order of their first start"
        for target in context.plan.targets:
            due = _label(context, target)
            if target.id != due:
                yield "", f"{target.id} is the label of what should be {due}"
            if (target.kind == "ost") != (target.purpose == "data"):
                yield "", f"{target.id} is to hold {target.purpose}"

    allowed = "the indexes of MDTs and of OSTs each count up from 0, without a gap, after the MGT"
    return grouped("PX532", hits(), allowed)


def one_mgs(context: Context) -> Iterator[Finding]:
    """PX533: there is one MGS: on the MGT where that has a volume of its own, on MDT0000 where it has none."""
    holders = [t for t in context.plan.targets if target_of(t).mgs]
    own = lustre(context.plan).mgt_own
    right = [t for t in holders if (t.kind == "mgt" if own else (t.kind, target_of(t).index) == ("mdt", 0))]
    if len(holders) == len(right) == 1 and len(context.of_kind["mgt"]) == int(own):
        return
    there = listed(t.id for t in holders) or "no target"
    due = "an MGT of its own" if own else "MDT0000"
    message = f"{there} holds the MGS, beside {len(context.of_kind['mgt'])} MGTs, where {due} is to hold it"
    yield Finding("PX533", message, "metadata.mgt")


def one_device_each(context: Context) -> Iterator[Finding]:
    """PX529: no two targets have one device."""
    devices = Counter(t.device for t in context.plan.targets if t.device)
    twice = {device for device, count in devices.items() if count > 1}
    users = [t for t in context.plan.targets if t.device in twice]
    hits = ((context.where_of(t), f"{t.device} is the device of {t.id} and of another target") for t in users)
    return grouped("PX529", hits, "a device holds one target")


def targets_in_order(context: Context) -> Iterator[Finding]:
    """PX532: targets stand in the order of the first start, and those of a kind in that of their volumes."""
    due: list[tuple[object, ...]] = []
    for kind in _KINDS:
        there = [v.id for v in context.plan.volumes if _kind_on(v) == kind]
        due += [(name, kind, None if kind == "mgt" else index) for index, name in enumerate(there)]
    why = differences("target on", ("volume", "kind", "index"), context.plan.targets, due)
    return grouped("PX532", (("", w) for w in why), "indexes are counted in the order of the volumes")


RULES = (fsname, labels, one_mgs, one_device_each)
EXACT = (targets_in_order,)
"""Asked last, where no other rule has found an error."""


def _kind_on(volume: Volume) -> str:
    """The kind of target that a volume is for: an MGT of its own is one by the name of its volume."""
    if volume.purpose == "data":
        return "ost"
    return "mgt" if volume.id == "mgt" or volume.id.endswith("_mgt01") else "mdt"


def _label(context: Context, target: Target) -> str:
    """What mkfs.lustre makes of name, kind and index (four hexadecimal digits)."""
    if target.kind == "mgt":
        return "MGS"
    own = target_of(target)
    index = -1 if own.index is None else own.index
    return f"{lustre(context.plan).name}-{target.kind.upper()}{index:04x}"


def _index_troubles(targets: list[Target], kind: str, last: int) -> Iterator[str]:
    there = Counter(target_of(t).index for t in targets)
    twice = [index for index, count in there.items() if count > 1]
    if twice:
        yield f"{there[twice[0]]} {kind}s have index {twice[0]}"
    absent = [index for index in range(max(len(targets), 1)) if index not in there]
    if absent:
        yield f"there is no {kind}{absent[0]:04x}"
    beyond = [t.id for t in targets if (index := target_of(t).index) is not None and index > last]
    if beyond:
        yield f"{listed(beyond)} lies beyond the last index, {last:,}"
