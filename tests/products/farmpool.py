"""A pool product that only tests know: servers that share their drives, and nothing else in common with PowerFlex."""

from __future__ import annotations

from pydantic import Field

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import PoolDesign
from pixsize.catalog.records import Drive
from pixsize.check import pools
from pixsize.observed import Observed
from pixsize.plan.orders import BuiltStorage, PoolOrder, servers_of
from pixsize.plan.records import Drives, Pool, Volume
from pixsize.product import Product, Sizing, Volumes
from pixsize.registry import Registry
from pixsize.request import PoolWords
from pixsize.terms import Contents, SharedDrives, VolumeTerms

GIB = 2**30

TERMS = VolumeTerms(
    name="FarmPool",
    page="",
    missing="Does `farmpool volume list` show it?",
    compare=("", "", ""),
    drives_of="servers",
    drive_list="the vendor's list",
    reserved_names={},
    reported={},
    device=lambda volume: f"/dev/farmpool/{volume.id}",
    collect="",
    exist=("- `farmpool volume list` shows the volumes.",),
    services=("farmpoolclient.service",),
    unit_of="to FarmPool (farmpoolclient), ",
    contents=Contents(
        zeroed="",
        identity=": is it the volume of the plan?",
        old_data=("3. Were the drives used before?",),
        maps="`farmpool attachments`",
    ),
    sharing=SharedDrives(
        protected=lambda pool: "mirrored",
        fenced=("Fencing an {server} takes its drives away beside its {targets}.",),
        rebuilt=(("`farmpool status`", "no rebuild"),),
        ports="pacemaker.ports",
        mtu="powerflex.mtu",
    ),
    commands={},
    labels={},
    multipath="",
)


class FarmPool(PoolWords):
    """The pool of FarmPool."""

    parity: int = Field(2, ge=1, description="drives of a stripe that hold parity")


def _largest(raw: int, spare: int, others: int, volumes: int, _catalog: Catalog) -> int:
    return max((raw * (100 - spare) // 200 - others) // volumes // GIB, 1) * GIB


SIZING = Sizing(spare_percent=lambda _: 10, largest=_largest, judge=lambda partial, pattern, room: None)


def build(order: PoolOrder, _design: PoolDesign, _observed: Observed, catalog: Catalog) -> BuiltStorage:
    """The servers of an order, their pool, and the volumes asked for."""
    drives = len(order.sharing.hosts) * order.drives
    sharing = (s._replace(drives=Drives(order.drive, order.drives)) for s in servers_of(order.sharing, None))
    others = (s for role in order.others for s in servers_of(role, None))
    raw = drives * catalog.get(Drive, order.drive).capacity_bytes
    pool = Pool(order.pool, order.domain, order.sharing.hosts, None, order.drive, drives, order.spare_percent, raw)
    volumes = tuple(Volume(v.id, "farmpool", pool.id, v.bytes, v.purpose) for v in order.volumes)
    return BuiltStorage((), (*servers_of(order.metadata, None), *sharing, *others), (), (), (), (pool,), volumes)


PARTS, RULES, EXACT = frozenset({"pools"}), pools.RULES, pools.EXACT
_FILLED = {
    "design": "farmpool:PoolDesign",
    "build": "farmpool:build",
    "terms": "farmpool:TERMS",
    "pool_words": "farmpool:FarmPool",
    "sizing": "farmpool:SIZING",
    "parts": "farmpool:PARTS",
    "rules": "farmpool:RULES",
    "exact": "farmpool:EXACT",
}
PRODUCT = Product(
    name="farmpool",
    gives="pool",
    volumes=Volumes("tests.products", **dict.fromkeys(Volumes.__annotations__) | _FILLED),
    adds_word="",
    adds_to="",
    adds=None,
    filesystem=None,
    kinds=Registry({}),
    targets=Registry({}),
    steps=Registry({}),
    replies=None,
    places=Registry({}),
)
