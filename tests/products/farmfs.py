"""A file system that only tests know: its targets lie in a pool, and its requests have no word of Lustre's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import PoolDesign
from pixsize.catalog.fabrics import FabricChoice
from pixsize.expected import Expected, ExpectedPool
from pixsize.plan.networks import DeviceNetwork
from pixsize.plan.orders import BuiltStorage, PoolOrder, PoolVolume, partners, role_servers
from pixsize.plan.records import Server, Target
from pixsize.product import FileSystem, Product, terms_of_volume
from pixsize.products.lustre.terms import TERMS as OF_LUSTRE
from pixsize.registry import Registry
from pixsize.request import Accepted, PoolWords
from pixsize.terms import PoolTerms

BRICKS = 2
"""How many bricks a node serves."""
GIVES: frozenset[str] = frozenset()
CLIENT_PORTS = lambda _: 0  # noqa: E731  a field of the product
FABRIC = lambda _: FabricChoice()  # noqa: E731  a field of the product
DEVICE_NETWORK = lambda _: DeviceNetwork()  # noqa: E731  a field of the product
NETWORKS = lambda _: ()  # noqa: E731  a field of the product
KINDS = frozenset({"index", "brick"})
NO_RULES = ()


class FarmPool(PoolWords):
    """The sizes of the volumes."""

    brick_bytes: int
    index_bytes: int


class FarmRequest(NamedTuple):
    """A completed request: `nodes` share their drives, `masters` keep the index."""

    name: str
    design: str
    nodes: tuple[str, ...]
    masters: tuple[str, ...]
    disk: str
    twins: bool
    backbone: dict[str, str]
    pool: FarmPool
    accept: tuple[Accepted, ...] = ()


class FarmSettings(NamedTuple):
    """The settings of the file system."""

    name: str


class FarmTarget(NamedTuple):
    """What the file system has of a target."""

    number: int


def order(request: FarmRequest, design: PoolDesign, _catalog: Catalog) -> PoolOrder:
    """The servers and volumes of a request."""
    network = request.pool.network
    return PoolOrder(
        pool=design.pool,
        domain=design.domain,
        metadata=role_servers("metadata", design.metadata, request.masters),
        sharing=role_servers("storage", design.storage.servers, request.nodes),
        others=(),
        takeover=request.twins,
        interface=network.interface if network else "",
        drive=request.disk,
        drives=design.storage.drives,
        spare_percent=request.pool.spare,
        volumes=(
            PoolVolume("index", request.pool.index_bytes, "metadata"),
            *(PoolVolume(f"brick{n}", request.pool.brick_bytes, "data") for n in range(BRICKS * len(request.nodes))),
        ),
    )


def settings(_request: FarmRequest, _design: PoolDesign, _catalog: Catalog) -> FarmSettings:
    """The settings, which are the same for every request."""
    return FarmSettings("farm")


def addressed(request: FarmRequest, _settings: FarmSettings, servers: Iterable[Server]) -> tuple[Server, ...]:
    """The servers with their addresses on the network of the pool."""
    network = request.pool.network
    return tuple(s._replace(storage_ips=(network.addresses[s.id],) if network else ()) for s in servers)


def targets(
    request: FarmRequest, _settings: FarmSettings, built: BuiltStorage, _catalog: Catalog
) -> tuple[Target, ...]:
    """A target a volume: the index, then the bricks of each node, with its partner where twins are asked for."""
    partner = partners(request.nodes)
    made = []
    for number, volume in enumerate(built.volumes):
        node = request.nodes[(number - 1) // BRICKS]
        served = (node, partner[node]) if volume.purpose == "data" else request.masters
        made.append(
            Target(
                id=f"farm-{volume.id}",
                kind="brick" if volume.purpose == "data" else "index",
                volume=volume.id,
                device=terms_of_volume(volume).device(volume),
                servers=served if request.twins else served[:1],
                purpose=volume.purpose,
                own=FarmTarget(number),
            )
        )
    return tuple(made)


def _pool(request: FarmRequest, _design: PoolDesign) -> ExpectedPool:
    return ExpectedPool(
        words=request.pool,
        sharing=request.nodes,
        metadata=request.masters,
        drive=request.disk,
        takeover=request.twins,
        volumes=(("index", "metadata"), *((f"brick{n}", "data") for n in range(BRICKS * len(request.nodes)))),
        sizes={"index": request.pool.index_bytes, "brick": request.pool.brick_bytes},
        other_addresses=frozenset(request.backbone.values()),
        sharing_at="nodes",
        drive_at="disk",
        takeover_at="twins",
        takeover_word="twins: true",
    )


EXPECTED = Expected(
    modules=lambda _request, _sizes: iter(()),
    variant=lambda _: "plain",
    metadata="masters",
    managed=lambda _: False,
    addresses=lambda _: {},
    subnet=lambda _: "",
    small_volume=lambda _: ("", ""),
    drives=lambda request: [("disk", request.disk)],
    pool=_pool,
    records=lambda _: (),
)
TERMS = OF_LUSTRE._replace(
    makes="mkfarm",
    targets="bricks",
    user="a brick",
    grows_at={"pool": "nodes"},
    in_pool=PoolTerms(
        target="a brick",
        server="node",
        data="brick",
        kinds={"index": "indexes", "brick": "bricks"},
        named_by="",
        lvm="",
        two_servers=(),
        starts=lambda _plan, _first: (),
        stops=lambda _: (),
        seen=(),
        mounts=lambda _: (),
    ),
)


def variant_of(_request: FarmRequest) -> str:
    """The only variant."""
    return "plain"


def refusals(_request: FarmRequest, _order: PoolOrder, _catalog: Catalog) -> tuple[()]:
    """Nothing is refused."""
    return ()


_FILLED = {
    **{field: f"farmfs:{field}" for field in ("order", "variant_of", "refusals", "settings", "addressed", "targets")},
    **{
        field: f"farmfs:{field.upper()}"
        for field in ("kinds", "client_ports", "fabric", "device_network", "networks", "gives", "expected", "terms")
    },
    "rules": "farmfs:NO_RULES",
    "rules_on": {"pool": "farmfs:NO_RULES"},
    "exact": "farmfs:NO_RULES",
    "exact_on": {"pool": "farmfs:NO_RULES"},
    "record": "farmfs:FarmSettings",
    "target_record": "farmfs:FarmTarget",
}
PRODUCT = Product(
    name="farmfs",
    gives="",
    volumes=None,
    adds_word="",
    adds_to="",
    adds=None,
    filesystem=FileSystem("tests.products", **dict.fromkeys(FileSystem.__annotations__) | _FILLED),
    kinds=Registry({}),
    targets=Registry({}),
    steps=Registry({}),
    replies=None,
    places=Registry({}),
)
