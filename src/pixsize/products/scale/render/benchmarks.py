"""What GPFS is to benchmarks: the page pool of each test, and clients whose cache goes with an unmount."""

from __future__ import annotations

from pixsize import units
from pixsize.bench.records import Command, Settings, Surroundings
from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.scale.plan import scale
from pixsize.products.scale.records import ScaleBenchmark
from pixsize.render.template import binary_size, word

_MMFS = "/usr/lpp/mmfs/bin/"
"""Where the commands lie: another node's shell need not have the folder on its path."""


def surroundings(plan: Plan, catalog: Catalog) -> Surroundings:
    """Where the file system is mounted, and the page pools of the design's document.

    The page pool is a cache of its own, which `drop_caches` of the kernel does not empty; an unmount does.
    """
    name = word(scale(plan).name)
    settings = {
        test: _page_pool(record) for record in catalog.of_design(ScaleBenchmark, plan.design) for test in record.tests
    }
    return Surroundings(
        mount=f"/{name}",
        fstype="gpfs",
        admin=word(scale(plan).cluster.admin),
        clients=tuple(word(client.name) for client in scale(plan).clients),
        drop=(
            Command("admin", (f"{_MMFS}mmumount", name, "-N", "{clients}")),
            Command("admin", (f"{_MMFS}mmmount", name, "-N", "{clients}")),
        ),
        settings=settings,
        layouts={},
        make={},
        healthy=(Command("admin", (f"{_MMFS}mmlsdisk", name, "-e")),),
    )


def _page_pool(record: ScaleBenchmark) -> Settings:
    clients, servers = binary_size(record.clients_pool_bytes), binary_size(record.servers_pool_bytes)
    shown = units.binary_bytes(record.clients_pool_bytes), units.binary_bytes(record.servers_pool_bytes)
    return Settings(
        word(record.id.rpartition(".")[2]),
        f"page pool of {shown[0]} on clients and {shown[1]} on servers",
        "bench/pagepool.sh.j2",
        {"clients_pool": clients, "servers_pool": servers, "mmfs": _MMFS},
    )
