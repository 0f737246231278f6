"""What a request for GPFS on ME4 modules must keep beyond its shape, and how it is completed."""

from __future__ import annotations

from pixsize.catalog.records import ModuleSize
from pixsize.codes import CODES
from pixsize.load import names
from pixsize.load.draft import Draft, TooManyError, did_you_mean, named
from pixsize.load.drives import choose_drives
from pixsize.load.hosts import complete_hosts, judge_hosts, judge_total
from pixsize.load.positions import quoted
from pixsize.units import binary_bytes

_METADATA_DRIVE = "storage_modules[].metadata_drive"
_MOST_PLANNED = 1
"""Expansions behind an array that a request can ask for: its word is true or false."""


def complete(draft: Draft) -> None:
    """Fill in what was left out: the design's defaults, then the servers' names."""
    for pattern, value in draft.design.defaults.items():
        if pattern != _METADATA_DRIVE or "hdmd" not in draft.words:
            draft.complete(pattern, value)
    _judge_entries(draft)
    few = judge_total(draft, "storage_modules[].count", draft.limit("pixsize.modules"))
    few = judge_total(draft, "hdmd.modules", draft.limit("pixsize.modules")) and few
    if few:
        complete_hosts(draft, "storage_modules[]", "count", "sm", draft.design.storage.servers.count)
        complete_hosts(draft, "hdmd", "modules", "hm", draft.design.metadata.servers.count)
    else:
        unnamed = (found for parent in ("storage_modules[]", "hdmd") for found in draft.each(f"{parent}.hosts"))
        draft.bad |= {path for node, word, path in unnamed if word not in node}


def _judge_entries(draft: Draft) -> None:
    """More entries than modules may be planned are refused at once: to judge each would take seconds."""
    most, entries = draft.limit("pixsize.modules"), draft.words.get("storage_modules")
    if isinstance(entries, list) and len(entries) > most:
        message = f"{len(entries):,} entries, each a module or more; pixsize plans at most {most:,}"
        draft.report("PX114", "storage_modules", message)
        raise TooManyError


def judge(draft: Draft) -> None:
    """Note everything that the words' shape alone does not show."""
    _judge_variant(draft)
    _judge_sizes(draft)
    _judge_expansion(draft)
    _judge_arrays(draft)
    choose_drives(draft, "storage_modules[].data_drive", draft.design.storage.data_media)
    choose_drives(draft, _METADATA_DRIVE, draft.design.storage.metadata_media)
    choose_drives(draft, "hdmd.drive", draft.design.metadata.media)
    management = [f"mgmt{n + 1}" for n in range(draft.design.management.count)]
    judge_hosts(draft, ("storage_modules[]", "hdmd"), management)
    draft.judge_choice("storage_modules[].chunk_size", "me4.chunk_sizes")
    draft.judge_choice("filesystem.inode_size", "scale.inode_sizes")
    _judge_block_size(draft)
    _judge_replicas(draft)
    _judge_names(draft)
    _judge_descriptor(draft)
    _judge_accepted(draft)


def _judge_variant(draft: Draft) -> None:
    if "hdmd" not in draft.words:
        return
    for _, path in list(draft.values(_METADATA_DRIVE)):
        message = (
            "unknown word 'metadata_drive': with hdmd, the last four slots hold spares and the HDMD arrays all metadata"
        )
        draft.report("PX101", path, message, "Leave it out, or leave out hdmd.", at_key=True)


def _judge_sizes(draft: Draft) -> None:
    design = draft.design.id
    sizes = [s.size for s in draft.catalog.all(ModuleSize) if draft.catalog.record(s.design).id == design]
    for value, path in list(draft.values("storage_modules[].size")):
        if isinstance(value, str) and value not in sizes:
            draft.report(
                "PX102",
                path,
                f"unknown size {quoted(value)}; this design has {named(sizes)}",
                did_you_mean(value, sizes),
            )


def _judge_expansion(draft: Draft) -> None:
    """The word is true or false; who writes a number means how many. The design's limit says how many there may be."""
    limit = f"{draft.design.id}.expansions"
    most = draft.limit(limit) if limit in draft.catalog else _MOST_PLANNED
    for value, path in list(draft.values("storage_modules[].expansion")):
        count = int(value) if isinstance(value, int) else 0
        if count > most:
            title = draft.catalog.record(draft.design.storage.expansion).title
            message = f"{count} {title} behind an array; this design allows {most} (catalog: {limit})"
            draft.report("PX111", path, message, CODES["PX111"].why)
        elif count > _MOST_PLANNED:
            message = f"{count} expansions behind an array: {limit} allows {most}, but pixsize plans one at the most"
            draft.report("PX104", path, message, "expansion: true")


def _judge_arrays(draft: Draft) -> None:
    role = draft.design.metadata
    for value, path in list(draft.values("hdmd.arrays")):
        if type(value) is int and not role.arrays_min <= value <= role.arrays_max:
            draft.report(
                "PX108", path, f"{value:,} arrays a module; this design takes {role.arrays_min} to {role.arrays_max}"
            )


def _judge_block_size(draft: Draft) -> None:
    low, high = draft.limit("scale.block_min"), draft.limit("scale.block_max")
    for value, path in list(draft.values("filesystem.block_size")):
        size = draft.quantity(value)
        if size is not None and (size & (size - 1) or not low <= size <= high):
            allowed = f"a power of two from {binary_bytes(low)} to {binary_bytes(high)}"
            legal = [1 << n for n in range(high.bit_length()) if low <= 1 << n]
            closest = min(legal, key=lambda b: abs(b - size), default=None)
            hint = f"The nearest is {binary_bytes(closest)}." if closest else ""
            draft.report("PX518", path, f"{quoted(value)} is no block size of GPFS: {allowed}", hint)


def _judge_replicas(draft: Draft) -> None:
    most = draft.limit("scale.replicas_max")
    for value, path in list(draft.values("filesystem.metadata_replicas")):
        if type(value) is int and value > most:
            draft.report(
                "PX108", path, f"{value:,} copies of the metadata; GPFS keeps 1 to {most} (catalog: scale.replicas_max)"
            )


def _judge_names(draft: Draft) -> None:
    longest = draft.limit("pixsize.name_chars")
    for pattern, what, trouble_of in (
        ("name", "the system", names.system_trouble),
        ("filesystem.name", "a file system", names.filesystem_trouble),
    ):
        for value, path in list(draft.values(pattern)):
            trouble = trouble_of(value, longest) if isinstance(value, str) else ""
            if trouble:
                draft.report("PX107", path, f"{quoted(value)} cannot name {what}: {trouble}")


def _judge_descriptor(draft: Draft) -> None:
    for pattern, what, trouble_of in (
        ("filesystem.descriptor.server", "is no server's name", names.host_trouble),
        ("filesystem.descriptor.device", "is no device that keeps its name", names.device_trouble),
    ):
        for value, path in list(draft.values(pattern)):
            trouble = trouble_of(value) if isinstance(value, str) else ""
            if trouble:
                draft.report("PX107", path, f"{quoted(value)} {what}: {trouble}")


def _judge_accepted(draft: Draft) -> None:
    first: dict[str, str] = {}
    for value, path in list(draft.values("accept[].code")):
        if isinstance(value, str):
            _judge_code(draft, value, path)
            if first.setdefault(value, path) != path and not draft.is_bad(path):
                draft.report("PX113", path, f"{value} is accepted twice, first in {first[value]}", "Give one reason.")
    for value, path in list(draft.values("accept[].reason")):
        trouble = names.line_trouble(value) if isinstance(value, str) else ""
        if trouble:
            draft.report("PX104", path, f"a reason is one line of text: {trouble}")


def _judge_code(draft: Draft, value: str, path: str) -> None:
    warnings = [code for code, entry in CODES.items() if entry.severity == "warning"]
    if value not in CODES:
        draft.report("PX113", path, f"there is no finding {quoted(value)}", did_you_mean(value, warnings, 0.7))
    elif value not in warnings:
        draft.report("PX113", path, f"{value} is of severity {CODES[value].severity}; only warnings can be taken on")
