"""Requests for Lustre drawn over the whole space: on arrays and on a pool, releases, sizes, names, networks."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import strategies as st

from pixsize.codes import codes
from tests.products.drawing import DATA_DRIVES, drives, fs_names, hosts

VERSIONS = ["2.10.4", "2.10.8", "2.12.0", "2.12.9", "2.15.0", "2.15.8"]
CHUNKS = ["64 KiB", "128 KiB", "256 KiB", "512 KiB"]
WARNINGS = sorted(code for code, entry in codes().items() if entry.severity == "warning")
fsnames = st.from_regex(r"[A-Za-z]([A-Za-z0-9_-]{0,6}[A-Za-z0-9_])?", fullmatch=True).filter(
    lambda name: name.lower() not in ("y", "n")  # PyYAML writes them without the quotes that pixsize wants
)
_mgt = st.sampled_from(["own", "with_mdt0"])
_managements = st.sampled_from(["none", "iml_monitored"])
_reasons = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=40).map(
    "Known: {}".format
)
_accepted = st.lists(
    st.fixed_dictionaries({"code": st.sampled_from(WARNINGS), "reason": _reasons}),
    max_size=2,
    unique_by=lambda entry: str(entry["code"]),
)


@st.composite
def _addressed(draw: st.DrawFn, servers: list[str], seconds: st.SearchStrategy[int]) -> dict[str, Any]:
    """Addresses in 10.SECOND.0.0/20: a subnet to take them from, one by one, or both."""
    net = f"10.{draw(seconds)}"
    how = draw(st.sampled_from(["subnet", "addresses", "both"]))
    subnet = {"subnet": f"{net}.0.0/20"}
    if how == "subnet":
        return subnet
    first, step = draw(st.integers(1, 300)), draw(st.integers(1, 30))
    order = draw(st.sampled_from([servers, servers[::-1]]))
    numbers = {server: first + step * n for n, server in enumerate(order)}
    addresses = {server: f"{net}.{n // 256}.{n % 256}" for server, n in numbers.items()}
    return {"addresses": addresses} | (subnet if how == "both" else {})


@st.composite
def _networks(draw: st.DrawFn, servers: list[str]) -> dict[str, Any]:
    words = {
        "lnet": draw(st.sampled_from(["o2ib", "o2ib0", "o2ib1", "tcp", "tcp12"])),
        "interface": draw(st.sampled_from(["ib0", "ens3f0", "hsi0", "bond0.12"])),
    }
    words |= draw(_addressed(servers, st.integers(0, 97)))  # 10.98 and 10.99 are a ring and PDUs
    how = draw(st.sampled_from([None, "lnet_conf", "modprobe"]))
    return words | ({} if how is None else {"configured_by": how})


@st.composite
def _fencings(draw: st.DrawFn, servers: list[str]) -> dict[str, Any]:
    agent = draw(st.sampled_from(["fence_idrac", "fence_ipmilan", "fence_redfish"]))
    words: dict[str, Any] = {"agent": agent} | draw(_addressed(servers, st.integers(100, 199)))
    how = draw(st.sampled_from([None, None, "outlets", "devices"]))
    if how == "outlets":
        feeds = draw(st.integers(1, 2))
        outlets = {s: [f"10.99.{pdu}.1/{n}" for pdu in range(feeds)] for n, s in enumerate(servers, 1)}
        snmp = draw(st.sampled_from(["fence_apc_snmp", "fence_eaton_snmp"]))
        words["second"] = {"agent": snmp, "outlets": outlets}
    if how == "devices":
        paths = draw(st.sampled_from([("sbd1",), ("sbd1", "sbd2", "sbd3")]))
        words["second"] = {"agent": "fence_sbd", "devices": [f"/dev/mapper/{p}" for p in paths]}
    return words | draw(st.sampled_from([{}, {"ring": {"subnet": "10.98.0.0/16"}}]))


@st.composite
def _storage_networks(draw: st.DrawFn, servers: list[str]) -> dict[str, Any]:
    return {"interface": draw(st.sampled_from(["p2p1", "team0"]))} | draw(_addressed(servers, st.integers(200, 250)))


@st.composite
def _filesystem(draw: st.DrawFn) -> dict[str, Any]:
    counts = st.one_of(st.sampled_from([-1, 1, 4, 16, 17, 32, 160]), st.integers(1, 160))
    sizes = st.one_of(
        st.sampled_from(["64 KiB", "1 MiB", "4 MiB", "16 MiB"]), st.integers(1, 9999).map(lambda n: f"{64 * n} KiB")
    )
    optional = {"stripe_count": counts, "stripe_size": sizes}
    return {"name": draw(fsnames)} | draw(st.fixed_dictionaries({}, optional=optional))


@st.composite
def _common(draw: st.DrawFn, design: str) -> dict[str, Any]:
    words = {
        "name": draw(fs_names),
        "design": design,
        "lustre_version": draw(st.sampled_from(VERSIONS)),
        "filesystem": draw(_filesystem()),
    }
    return words | draw(st.fixed_dictionaries({}, optional={"management": _managements, "accept": _accepted}))


def _named(draw: st.DrawFn, rows: list[tuple[dict[str, Any], int, str]]) -> list[str]:
    """Give some of the words names for their servers; the names of all servers, as pixsize makes the others."""
    domain = draw(st.sampled_from(["", ".lab", ".hpc.example.org"]))
    own = [draw(st.booleans()) for _ in rows]
    due = sum(count for (_, count, _), is_own in zip(rows, own, strict=True) if is_own)
    names = draw(st.lists(hosts, min_size=due, max_size=due, unique=True))
    servers: list[str] = []
    earlier: Counter[str] = Counter()
    for (words, count, prefix), is_own in zip(rows, own, strict=True):
        if is_own:
            words["hosts"], names = [n + domain for n in names[:count]], names[count:]
        servers += words.get("hosts") or [f"{prefix}{earlier[prefix] + n:02d}" for n in range(1, count + 1)]
        earlier[prefix] += count
    return servers


@st.composite
def on_arrays(draw: st.DrawFn, *, complete: bool = False) -> dict[str, Any]:
    """A legal request for Lustre on ME4; a `complete` one has all that files are made of."""
    module = st.fixed_dictionaries(
        {"size": st.sampled_from(["small", "medium", "large"]), "data_drive": st.sampled_from(DATA_DRIVES)},
        optional={"count": st.integers(1, 3), "chunk_size": st.sampled_from(CHUNKS)},
    )
    metadata = st.fixed_dictionaries(
        {},
        optional={
            "dne": st.booleans(),
            "pairs": st.integers(1, 6),
            "mgt": _mgt,
            "drive": st.sampled_from(drives("sas-ssd", most=2 * 10**12)),
            "chunk_size": st.sampled_from(CHUNKS),
        },
    )
    words = draw(_common("lustre-me4"))
    words |= {"storage_modules": draw(st.lists(module, min_size=1, max_size=3)), "metadata": draw(metadata)}
    rows = [(words["metadata"], 2 * words["metadata"].get("pairs", 1), "mds")]
    rows += [(entry, 2 * entry.get("count", 1), "oss") for entry in words["storage_modules"]]
    servers = _named(draw, rows)
    return words | _with(draw, {"network": _networks(servers), "fencing": _fencings(servers)}, complete)


@st.composite
def on_pool(draw: st.DrawFn, *, complete: bool = False, most: int = 24) -> dict[str, Any]:
    """A legal request for Lustre on PowerFlex; the sizes are the plan's, or smaller."""
    words = draw(_common("lustre-powerflex"))
    words |= {"servers": draw(st.one_of(st.integers(3, 11), st.integers(3, most))), "drive": "2 TB"}
    words["metadata"] = draw(st.fixed_dictionaries({}, optional={"dne": st.booleans(), "mgt": _mgt}))
    own_row: dict[str, Any] = {}
    servers = _named(draw, [(words["metadata"], 2, "mds"), (own_row, words["servers"], "oss")])
    words |= own_row
    if not words["metadata"] and draw(st.booleans()):
        del words["metadata"]
    spare = draw(st.one_of(st.none(), st.integers(0, 50)))
    # A spare share of half of the pool leaves three servers with twelve OSTs of 480 GiB and more beside the MDTs.
    sizes: dict[str, st.SearchStrategy[Any]] = {
        "ost": st.integers(1, 140 if spare is None else 60).map(lambda n: f"{8 * n} GiB"),
        "mdt": st.integers(8, 69).map(lambda n: f"{8 * n} GiB"),
    }
    if words.get("metadata", {}).get("mgt", "own") == "own":
        sizes["mgt"] = st.integers(1, 8).map(lambda n: f"{8 * n} GiB")
    pool = draw(st.fixed_dictionaries({}, optional=sizes)) | ({} if spare is None else {"spare": spare})
    pool |= _with(draw, {"network": _storage_networks(servers)}, complete)
    if pool or draw(st.booleans()):
        words["powerflex"] = pool
    if draw(st.booleans()):
        words["failover"] = draw(st.booleans())
    return words | _with(draw, {"network": _networks(servers), "fencing": _fencings(servers)}, complete)


def _with(draw: st.DrawFn, words: dict[str, st.SearchStrategy[Any]], complete: bool) -> dict[str, Any]:
    """All of the words, or some of them where a complete request is not needed."""
    return {word: draw(strategy) for word, strategy in words.items() if complete or draw(st.booleans())}


lustre_requests = st.one_of(on_arrays(), on_pool())
