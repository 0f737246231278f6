"""Requests drawn over the whole space: sizes, counts, mixes, drives, variants, arrays, names."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.products.drawing import DATA_DRIVES, drives, fs_names, hosts

SSDS = drives("sas-ssd")


@st.composite
def storage_modules(draw: st.DrawFn, *, hdmd: bool) -> dict[str, Any]:
    """One entry of `storage_modules`."""
    entry: dict[str, Any] = {
        "size": draw(st.sampled_from(["small", "medium", "large"])),
        "data_drive": draw(st.sampled_from(DATA_DRIVES)),
    }
    optional: dict[str, st.SearchStrategy[Any]] = {
        "count": st.integers(1, 3),
        "expansion": st.booleans(),
        "chunk_size": st.sampled_from(["64 KiB", "128 KiB", "256 KiB", "512 KiB"]),
    }
    if not hdmd:
        optional["metadata_drive"] = st.sampled_from(SSDS)
    return entry | draw(st.fixed_dictionaries({}, optional=optional))


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    """A legal request in the user's words."""
    hdmd = draw(st.booleans())
    words: dict[str, Any] = {
        "name": draw(fs_names),
        "design": "pixstor-6",
        "storage_modules": draw(st.lists(storage_modules(hdmd=hdmd), min_size=1, max_size=3)),
        "filesystem": {"name": draw(fs_names)}
        | draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "block_size": st.sampled_from(["1 MiB", "4 MiB", "8 MiB", "16 MiB"]),
                    "inode_size": st.sampled_from(["512 B", "1 KiB", "4 KiB"]),
                    "metadata_replicas": st.integers(1, 2),
                    "failure_groups": st.sampled_from(["per_array", "sides"]),
                    "descriptor": st.just({"server": "mgmt1", "device": "/dev/disk/by-id/scsi-desc"}),
                },
            )
        ),
    }
    if hdmd:
        words["hdmd"] = {"drive": draw(st.sampled_from(SSDS))} | draw(
            st.fixed_dictionaries({}, optional={"modules": st.integers(1, 2), "arrays": st.integers(1, 4)})
        )
    if draw(st.booleans()):
        words["network"] = {"subnet": "10.10.0.0/22"} | draw(_networks)
    return _with_hosts(draw, words)


_networks = st.fixed_dictionaries(
    {},
    optional={
        "management": st.just({"subnet": "10.20.0.0/22"}),
        "bmc": st.just({"subnet": "10.30.0.0/22"}),
        "domain": st.sampled_from(["example.org", "hpc"]),
        "ntp": st.lists(st.sampled_from(["ntp1.example.org", "time", "192.0.2.1"]), unique=True),
        "dns": st.lists(st.sampled_from(["192.0.2.53", "192.0.2.54", "192.0.2.55"]), unique=True),
    },
)


def _with_hosts(draw: st.DrawFn, words: dict[str, Any]) -> dict[str, Any]:
    entries = [(e, e.get("count", 1)) for e in words["storage_modules"]]
    if "hdmd" in words:
        entries.append((words["hdmd"], words["hdmd"].get("modules", 1)))
    named = [(e, n) for e, n in entries if draw(st.booleans())]
    names = draw(
        st.lists(hosts, min_size=2 * sum(n for _, n in named), max_size=2 * sum(n for _, n in named), unique=True)
    )
    for entry, count in named:
        entry["hosts"], names = names[: 2 * count], names[2 * count :]
    return words
