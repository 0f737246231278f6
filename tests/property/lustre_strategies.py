"""Requests for Lustre drawn over the whole space: on arrays and on a pool, releases, sizes, names, networks."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.property.strategies import DATA_DRIVES, SSDS, fs_names, hosts

VERSIONS = ["2.10.4", "2.10.8", "2.12.9", "2.15.0", "2.15.8"]
fsnames = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,6}[A-Za-z0-9]", fullmatch=True).filter(
    lambda n: (
        n.lower() not in {"all", "none", "default", "any", "null", "true", "false", "yes", "no", "on", "off"}
        and n.lower() not in {"con", "prn", "aux", "nul"}
        and not (n.lower()[:3] in {"com", "lpt"} and n[3:].isdigit())
    )
)
networks = st.builds(
    lambda lnet, interface, third, how: {
        "lnet": lnet,
        "interface": interface,
        "subnet": f"10.{third}.0.0/22",
        **({} if how is None else {"configured_by": how}),
    },
    st.sampled_from(["o2ib", "o2ib0", "o2ib1", "tcp"]),
    st.sampled_from(["ib0", "ens3f0", "hsi0"]),
    st.integers(0, 99),
    st.sampled_from([None, "lnet_conf", "modprobe"]),
)
fencings = st.builds(
    lambda agent, third: {"agent": agent, "subnet": f"10.{third}.0.0/22"},
    st.sampled_from(["fence_idrac", "fence_ipmilan"]),
    st.integers(100, 199),
)


@st.composite
def _filesystem(draw: st.DrawFn) -> dict[str, Any]:
    return {"name": draw(fsnames)} | draw(
        st.fixed_dictionaries(
            {},
            optional={
                "stripe_count": st.sampled_from([-1, 1, 4, 32]),
                "stripe_size": st.sampled_from(["64 KiB", "1 MiB", "4 MiB", "16 MiB"]),
            },
        )
    )


@st.composite
def on_arrays(draw: st.DrawFn) -> dict[str, Any]:
    """A legal request for Lustre on ME4."""
    module = st.fixed_dictionaries(
        {"size": st.sampled_from(["small", "medium", "large"]), "data_drive": st.sampled_from(DATA_DRIVES)},
        optional={"count": st.integers(1, 3), "chunk_size": st.sampled_from(["64 KiB", "128 KiB", "512 KiB"])},
    )
    metadata = st.fixed_dictionaries(
        {},
        optional={
            "dne": st.booleans(),
            "pairs": st.integers(1, 3),
            "mgt": st.sampled_from(["own", "with_mdt0"]),
            "drive": st.sampled_from(SSDS[:4]),
            "chunk_size": st.sampled_from(["64 KiB", "128 KiB"]),
        },
    )
    words: dict[str, Any] = {
        "name": draw(fs_names),
        "design": "lustre-me4",
        "lustre_version": draw(st.sampled_from(VERSIONS)),
        "storage_modules": draw(st.lists(module, min_size=1, max_size=3)),
        "metadata": draw(metadata),
        "filesystem": draw(_filesystem()),
    }
    words |= draw(st.fixed_dictionaries({}, optional={"network": networks, "fencing": fencings}))
    if draw(st.booleans()):
        pairs = words["metadata"].get("pairs", 1)
        words["metadata"]["hosts"] = draw(st.lists(hosts, min_size=2 * pairs, max_size=2 * pairs, unique=True))
    return words


@st.composite
def on_pool(draw: st.DrawFn) -> dict[str, Any]:
    """A legal request for Lustre on PowerFlex; the sizes are the plan's, or smaller."""
    servers = draw(st.integers(3, 11))
    words: dict[str, Any] = {
        "name": draw(fs_names),
        "design": "lustre-powerflex",
        "lustre_version": draw(st.sampled_from(VERSIONS)),
        "servers": servers,
        "drive": "2 TB",
        "filesystem": draw(_filesystem()),
    }
    words |= draw(
        st.fixed_dictionaries(
            {},
            optional={
                "metadata": st.fixed_dictionaries(
                    {}, optional={"dne": st.booleans(), "mgt": st.sampled_from(["own", "with_mdt0"])}
                ),
                "failover": st.booleans(),
                "network": networks,
                "fencing": fencings,
                "powerflex": st.fixed_dictionaries(
                    {},
                    optional={
                        "network": st.just({"interface": "p2p1", "subnet": "10.250.0.0/24"}),
                        "ost": st.integers(1, 140).map(lambda n: f"{8 * n} GiB"),
                        "mdt": st.integers(8, 69).map(lambda n: f"{8 * n} GiB"),
                    },
                ),
            },
        )
    )
    return words


lustre_requests = st.one_of(on_arrays(), on_pool())
