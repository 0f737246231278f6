"""The parameters of Lustre and of the driver hfi1 that a tuning may set, and what their values look like.

lctl has one command for parameters and for what acts the moment it is written: `force_lbug` stops a server,
`evict_client` throws clients out, `abort_recovery` ends a recovery, `readonly` and `active` take a target away. A list
of those could never be complete, so this is the list of what is only a setting: sizes of RPCs and caches, numbers of
locks and threads, times, and how data is checked on the wire (Lustre Operations Manual, Tuning a Lustre File System,
Lustre Parameters, Configuring Adaptive Timeouts; of hfi1, `modinfo hfi1`). What it leaves out on purpose: who may do
what, how safe data is, when a recovery ends, which programs the kernel calls, and everything that writes a log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pixsize.product import Place

if TYPE_CHECKING:
    from pixsize.catalog.tunings import Tuning

_FLAG, _COUNT, _SECONDS = "[01]", "[0-9]{1,9}", "[1-9][0-9]{0,5}"
_THREADS, _SIZE, _BITS = "[1-9][0-9]{0,4}", "[0-9]{1,9}[KMG]?", "[0-9]{1,9}|0x[0-9a-fA-F]{1,16}"
_CHECKSUM = "adler|crc32|crc32c|t10ip512|t10ip4K|t10crc512|t10crc4K"
_POLICY = "fifo|crrn|orr|trr"
_JOB = "disable|nodelocal|procname_uid|session|[A-Z][A-Z0-9_]{0,39}"
_LOOKS = {
    _FLAG: "0 or 1",
    _COUNT: "a whole number of at most nine digits",
    _SECONDS: "1 to 999999",
    _THREADS: "1 to 99999",
    _SIZE: "a whole number of at most nine digits, with K, M or G behind it or none",
    _BITS: "a whole number, or 0x and hexadecimal digits",
    _CHECKSUM: "one of adler, crc32, crc32c, t10ip512, t10ip4K, t10crc512 and t10crc4K",
    _POLICY: "one of fifo, crrn, orr and trr",
    _JOB: "disable, nodelocal, procname_uid, session, or the name of a variable in capital letters",
}

Values = Mapping[str, str]
"""Names of parameters, and a pattern for the value of each."""


def _all(pattern: str, *names: str) -> dict[str, str]:
    return dict.fromkeys(names, pattern)


_NODE: Values = {
    **_all(_SECONDS, "timeout", "ldlm_timeout", "at_early_margin", "at_history"),
    **_all(_COUNT, "at_min", "at_max", "at_extra", "debug_mb"),
    "jobid_var": _JOB,
}
_CLIENT_TO_TARGET: Values = {
    **_all(_COUNT, "max_rpcs_in_flight", "max_dirty_mb", "short_io_bytes", "idle_timeout", "grant_shrink_interval"),
    **_all(_COUNT, "contention_seconds"),
    **_all(_FLAG, "checksums", "grant_shrink"),
    **_all(_SIZE, "max_pages_per_rpc"),
    **_all(_CHECKSUM, "checksum_type"),
}
_MDC: Values = {**_CLIENT_TO_TARGET, "max_mod_rpcs_in_flight": _COUNT}
_LLITE: Values = {
    **_all(_SIZE, "max_read_ahead_mb", "max_read_ahead_per_file_mb", "max_read_ahead_whole_mb", "max_cached_mb"),
    **_all(_SIZE, "read_ahead_async_file_threshold_mb", "read_ahead_range_kb"),
    **_all(_COUNT, "max_read_ahead_async_active", "statahead_max", "statahead_running_max", "statahead_batch_max"),
    **_all(_COUNT, "opencache_threshold_count", "opencache_threshold_ms", "opencache_max_ms"),
    **_all(
        _FLAG, "statahead_agl", "checksums", "checksum_pages", "fast_read", "lazystatfs", "xattr_cache", "tiny_write"
    ),
    **_all(_FLAG, "file_heat", "parallel_dio"),
}
_PLACING: Values = _all(_COUNT, "qos_maxage", "qos_prio_free", "qos_threshold_rr")
_CACHE: Values = {
    **_all(_FLAG, "read_cache_enable", "writethrough_cache_enable"),
    **_all(_SIZE, "readcache_max_filesize", "readcache_max_io_mb"),
}
_LOCKS: Values = {
    **_all(_COUNT, "lru_size", "lru_max_age", "ctime_age_limit", "dirty_age_limit", "max_nolock_bytes"),
    **_all(_COUNT, "contention_seconds", "contended_locks", "max_parallel_ast", "lru_cancel_batch"),
}
_LOCK_SERVICE: Values = _all(_THREADS, "threads_min", "threads_max")
_SERVICE: Values = {**_LOCK_SERVICE, "nrs_policies": _POLICY}

_DEVICE = "DEVICE"
_FAMILIES: dict[str, Values] = {
    "": _NODE,
    f"osc.{_DEVICE}.": _CLIENT_TO_TARGET,
    f"mdc.{_DEVICE}.": _MDC,
    f"llite.{_DEVICE}.": _LLITE,
    f"lmv.{_DEVICE}.": _PLACING,
    f"lov.{_DEVICE}.": _PLACING,
    f"lod.{_DEVICE}.": _PLACING,
    f"ldlm.namespaces.{_DEVICE}.": _LOCKS,
    f"obdfilter.{_DEVICE}.": {**_CACHE, "brw_size": _SIZE, "job_cleanup_interval": _COUNT},
    f"osd-ldiskfs.{_DEVICE}.": _CACHE,
    f"mdt.{_DEVICE}.": _all(_COUNT, "job_cleanup_interval"),
    f"mdd.{_DEVICE}.": _all(_COUNT, "atime_diff"),
    **{f"ost.OSS.{service}.": _SERVICE for service in ("ost", "ost_io", "ost_create", "ost_out", "ost_seq")},
    **{f"mds.MDS.{service}.": _SERVICE for service in ("mdt", "mdt_io", "mdt_readpage", "mdt_setattr", "mdt_out")},
    **{f"ldlm.services.{service}.": _LOCK_SERVICE for service in ("ldlm_canceld", "ldlm_cbd")},
}
"""What may stand before a name (DEVICE: one device, or a pattern of some), and the names that may follow it."""
_DEVICES = r"(?:[A-Za-z0-9_{}-]|\[\^M\]|\*(?!\*)){1,80}"
_MOST_STARS = 3
"""lctl matches each pattern against all devices of a server: very many stars would keep it busy."""
_HFI1: Values = {
    **_all(_BITS, "krcvqs", "piothreshold", "sge_copy_mode", "wss_threshold", "cap_mask", "num_sdma", "rcvhdrcnt"),
    **_all(_BITS, "hdrq_entsize", "num_user_contexts", "eager_buffer_size", "max_mtu", "pcie_caps", "sdma_comp_size"),
    **_all(_BITS, "user_credit_return_threshold"),
}


def _values(tuning: Tuning) -> list[tuple[str, str]]:
    return [(word, value) for word, value in (("value", tuning.value), ("default", tuning.default)) if value]


def refusal_of_lustre(tuning: Tuning) -> str:
    """Why lctl is not to set the parameter of a tuning to its values: the word and the reason; empty where it may."""
    before, dot, name = tuning.parameter.rpartition(".")
    family = _family(before + dot)
    if family is None:
        return f"parameter: {tuning.parameter!r} is none that a tuning sets: {_nearest(before)}"
    return _refusal(name, family, _values(tuning))


def refusal_of_hfi1(tuning: Tuning) -> str:
    """Why a tuning is no option of the driver hfi1 with its values: the word and the reason; empty where it is."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", tuning.parameter):
        return "parameter: an option of a driver is a plain name"
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", tuning.printed_name):
        return "printed: an option of a driver is a plain name"
    return _refusal(tuning.parameter, _HFI1, _values(tuning))


def _family(before: str) -> Values | None:
    """The parameters whose names may follow `before`, with the patterns of their values; None where none may."""
    if before.count("*") > _MOST_STARS:
        return None
    for prefix, names in _FAMILIES.items():
        if re.fullmatch(_DEVICES.join(map(re.escape, prefix.split(_DEVICE))), before):
            return names
    return None


def _nearest(before: str) -> str:
    """The families with the same first word, or else the first words of all families, as the end of a message."""
    first, prefixes = before.partition(".")[0], [prefix for prefix in _FAMILIES if prefix]
    same_start = [f"{prefix}NAME" for prefix in prefixes if prefix.startswith(f"{first}.")]
    beginnings = sorted({f"{prefix.partition('.')[0]}." for prefix in prefixes})
    return (
        f"those here are {', '.join(same_start)}, with at most {_MOST_STARS} `*`"
        if same_start
        else f"they begin with {', '.join(beginnings)}"
    )


def _refusal(name: str, known: Values, values: Iterable[tuple[str, str]]) -> str:
    """Why a parameter may not have these values, as `WORD: reason`; empty where it may."""
    if name not in known:
        return f"parameter: {name!r} is no setting that a tuning makes there: {', '.join(sorted(known))}"
    for word, value in values:
        if not re.fullmatch(known[name], value):
            return f"{word}: {value!r} is no value of {name}: {_LOOKS[known[name]]}"
    return ""


_PARTS = ("client", "oss", "mds")
MGS = Place("permanent", _PARTS, refusal_of_lustre, ())
NODE = Place("temporary", _PARTS, refusal_of_lustre, ("client_dirty", "client_read_ahead"))
DRIVER = Place("module", _PARTS, refusal_of_hfi1, ())
"""Where a setting is given, and how long it lasts (Lustre Operations Manual, Setting Parameters with lctl)."""
