"""What the house sees of a product: one record, each of its fields filled.

A field names the code that holds it as `module:attribute` below the product's folder, and loads when it is first read:
a start pays for what it uses.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from pixsize.registry import Registry

if TYPE_CHECKING:
    from pixsize.bench.records import Surroundings
    from pixsize.catalog.catalog import Catalog
    from pixsize.catalog.designs import Design, OfDesign
    from pixsize.catalog.fabrics import FabricChoice
    from pixsize.catalog.measurements import MeasuredSystem
    from pixsize.catalog.records import Record
    from pixsize.catalog.tunings import Tuning
    from pixsize.check.context import Rule
    from pixsize.estimate.evidence import Evidence
    from pixsize.estimate.make import Rates
    from pixsize.estimate.rates import Most
    from pixsize.estimate.system import Conditions, DependsOn, FigureTerms, Hardware, Lookup, Part, System
    from pixsize.expected import Expected, ExpectedServer, ExpectedVolume
    from pixsize.figures import Figure
    from pixsize.findings import Finding
    from pixsize.load.partial_request import PartialRequest
    from pixsize.load.replies import Reader
    from pixsize.observed import Observed
    from pixsize.plan.networks import DeviceNetwork
    from pixsize.plan.orders import BuiltAddition, BuiltStorage
    from pixsize.plan.records import Filesystem, FilledPool, Network, Own, Plan, Server, Target, Volume
    from pixsize.render.records import Added, Renderer
    from pixsize.render.steps import Steps
    from pixsize.request import PoolWords, Request, Words
    from pixsize.size.records import Offers
    from pixsize.terms import Licences, PoolTerms, Terms, VolumeTerms


class Fields:
    """Frozen fields that load when they are first read. TypeError where a field is missing or unknown."""

    def __init__(self, folder: str, **places: str | Mapping[str, str] | None) -> None:
        fields = {name for name in type(self).__annotations__ if not name.startswith("_")}
        if fields != set(places):
            raise TypeError(f"{type(self).__name__} in {folder}: {', '.join(sorted(fields ^ set(places)))}")
        self._folder = folder
        self._places = places

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  the class says which field has which type
        places = self.__dict__.get("_places", {})
        if name not in places:
            raise AttributeError(name)
        place = places[name]
        found: Any = None
        if isinstance(place, str):
            module, _, attribute = place.partition(":")
            found = getattr(import_module(f"{self._folder}.{module}"), attribute)
        elif place is not None:
            found = Registry(place, self._folder)
        self.__dict__[name] = found
        return found


class RequestShape(NamedTuple):
    """How requests are written: the model, what completes them, and what else they must keep."""

    model: type[Words]
    """The words of a request; `COMPLETED` marks a word that a user may leave out.

    For arrays, the modules are the list `storage_modules`, each with `size`, `count`, `data_drive` and `chunk_size`:
    the loader judges their sizes, and measured systems have them in the same words. TypeError for any other model.
    For a pool, the field `pool` has the sizes of volumes: requests call it by the name of the product of the volumes.
    """
    complete: Callable[[PartialRequest], None]
    """Fills in the words that were left out: the defaults of the design, names, addresses, sizes."""
    judge: Callable[[PartialRequest], None]
    """Notes what is wrong with the words, beyond what the model refuses by itself."""


class Sizing(NamedTuple):
    """How the sizes of volumes in a request are completed and judged."""

    spare_percent: Callable[[int], int]
    """The share of a pool that stays free for a rebuild, in per cent, for so many servers."""
    largest: Callable[[int, int, int, int, Catalog], int]
    """The bytes of the largest of equal volumes; the arguments are the bytes of the drives as sold, that share, the
    bytes of other volumes, and the number of equal volumes."""
    judge: Callable[[PartialRequest, str, int], None]
    """Notes each size at a path that the product cannot make, or that is more than the bytes of all drives as sold;
    these are 0 where they are not known yet."""


class Volumes(Fields):
    """How a product turns drives into volumes."""

    design: type[Design]
    """The class of its design records: `ArrayDesign` or `PoolDesign`."""
    build: Callable[[Any, Any, Observed, Catalog], BuiltStorage]
    """Makes servers and volumes from an order, the design and the replies."""
    parts: frozenset[str]
    """The lists of a plan that it fills and that its rules judge, such as `disk_groups`."""
    pool_record: type[Own] | None
    """The class of what it alone has of a pool; None where it has nothing of its own."""
    pool_words: type[PoolWords] | None
    """The words of a request for a pool, which stand beside the sizes of volumes; None for arrays."""
    terms: VolumeTerms
    """What others have to know of its volumes."""
    rules: tuple[Rule, ...]
    """Rules for its part of a plan."""
    exact: tuple[Rule, ...]
    """Rules that compare names, numbers and order part by part, asked where no other rule has found an error."""
    reply_rules: tuple[Rule, ...]
    """Rules for its replies, asked in every plan: replies of this product may lie in the folder of another design."""
    sizing: Sizing | None
    """How sizes are completed and judged; None where requests give no sizes of volumes."""
    steps: Callable[[Plan, FigureTerms, Catalog], tuple[tuple[Figure, ...], tuple[Figure, ...]]]
    """Capacities of the data, from the drives as sold as far as the volumes decide them; then those of the metadata."""
    throughput: Callable[[System, Evidence, Catalog, Collection[str] | None], Rates]
    """The rates of the data, and a finding for each that no measurement supports; of some figures where they are given.
    """
    links: Callable[[System, Catalog], tuple[Figure, ...]]
    """What the network between the servers and the drives carries; empty where drives are not reached by a network."""
    adapter_of: Callable[[Any], str]
    """The catalog id of the servers' adapter on that network, given the design; the file system's own network uses the
    other adapters. Empty where there is no such network."""
    most_of_module: Callable[[System, Part, str, Catalog], Most | None]
    """The most that a module of a part brings to a rate, for any number of modules; None without evidence."""
    data_tier: Callable[[Plan, Catalog], tuple[Part, ...]]
    """The storage of a plan, in the form in which it is compared with systems that were measured."""
    measured: Callable[[MeasuredSystem, Lookup], Hardware | None]
    """The storage of a measured system in the same form; None where the catalog lacks a size of it."""
    depends_on: Callable[[Any, str, bool], DependsOn]
    """The servers, adapters and arrays that a measurement holds for, given the design, its variant, and whether it has
    expansions."""


class FileSystem(Fields):
    """How a product turns volumes into a file system."""

    requests: Mapping[str, RequestShape]
    """How requests are written, by what the product of the volumes `gives`: `arrays`, `pool`, or both."""
    order: Callable[[Any, Any, Catalog], Any]
    """What a request asks of the maker of volumes: an `ArrayOrder` or a `PoolOrder`."""
    variant_of: Callable[[Any], str]
    """The variant of the design that a request asks for."""
    refusals: Callable[[Any, Any, Catalog], tuple[Finding, ...]]
    """Why no plan can be made, from the counts of the order alone."""
    settings: Callable[[Any, Any, Catalog], Any]
    """The settings of the file system, as a `record`."""
    addressed: Callable[[Any, Any, Iterable[Server]], tuple[Server, ...]]
    """The servers with their addresses, each with a `server_record` where the product has one."""
    targets: Callable[[Any, Any, BuiltStorage, Catalog], tuple[Target, ...]]
    """The targets on the volumes that were built, each with a `target_record`."""
    layouts: Mapping[str, tuple[str, ...]]
    """The variants for which a design on arrays has layouts, by the role of the arrays: `storage` and `metadata`."""
    conflicts: Callable[[Any, Catalog], Iterable[Conflict]]
    """What else in the records of a design on arrays does not go together."""
    measured_system: type[MeasuredSystem]
    """The model of a system that was measured, with the file system's own words."""
    measured_words: Callable[[Any], dict[str, Any]]
    """The words of a completed request that such a system is described with, as a file has them."""
    unmeasurable: Callable[[Any, Catalog], Iterable[tuple[str, str]]]
    """What is wrong with such a system: path of the word, and message."""
    expected: Expected
    """What rules count in a request for themselves."""
    rules: tuple[Rule, ...]
    """Rules for every plan of this file system: names and numbers that it takes, `own` of its targets and servers.

    `check` judges the request, the parts of every plan, and that a target has a volume and servers that reach it;
    `arrays/rules` judge modules, disk groups, volumes and replies of arrays.
    """
    rules_on: Mapping[str, tuple[Rule, ...]]
    """Further rules, by what the product of the volumes `gives`."""
    exact: tuple[Rule, ...]
    """Rules that compare names, numbers and order part by part, asked where no other rule has found an error."""
    exact_on: Mapping[str, tuple[Rule, ...]]
    """Further such rules, by what the product of the volumes `gives`."""
    record: type[Filesystem]
    """The class of the settings in a plan. The annotations of its fields describe them: JSON and schema follow."""
    target_record: type[Own]
    """The class of what each target has of its own."""
    server_record: type[Own] | None
    """The class of what each server has of its own; None where it has nothing."""
    client_ports: Callable[[Any], int]
    """How many ports of clients a request wants the switches of the file system's network to hold."""
    fabric: Callable[[Any], FabricChoice]
    """What a request says of the network of the data, and of its switches."""
    device_network: Callable[[Any], DeviceNetwork]
    """The network of a request that controllers of arrays and switches have addresses on."""
    networks: Callable[[Any], tuple[Network, ...]]
    """The networks that a request has a subnet of, each with its router."""
    gives: frozenset[str]
    """What the file system gives to products that add something to the system, such as `cluster_locks`."""
    kinds: frozenset[str]
    """The kinds of target. A target of another kind is an error (PX575), so each kind needs a rule."""
    system: Callable[[Plan, Catalog], System]
    """A plan, in the form in which it is compared with systems that were measured."""
    measured: Callable[[Any, Hardware, Lookup], Conditions]
    """The conditions of a measured system, on the storage that it had."""
    capacity: Callable[[Plan, Catalog], tuple[Figure, ...]]
    """Capacity and numbers of files: the steps of `estimate/ids.py`, those of the volumes first."""
    links: Callable[[System, Catalog], tuple[Figure, ...]]
    """What the file system's own network carries."""
    metadata_rates: Callable[[System, Evidence, Catalog, Collection[str] | None], Rates]
    """The rates of operations on metadata, and a finding for each that no measurement supports; of some figures where
    they are given."""
    offers: Offers | None
    """What a design on arrays offers to the search for the best system; None where it is not searched."""
    prepare: Steps
    """Steps of the run book that belong to no render target, such as the installation of packages."""
    adds: Mapping[str, Added]
    """Files of its own in the folder of another product's render target, by the target."""
    adds_steps: Mapping[str, Steps]
    """The steps on site for these files."""
    benchmarks: Callable[[Plan, Catalog], Surroundings]
    """What the file system is to benchmarks: where it is mounted, what is set around a test, how caches are dropped."""
    licences: Callable[[Plan], Iterable[Licences]] | None
    """The licences that its nodes need; None where it needs none."""
    terms: Terms
    """What others call the file system and its targets."""


class Adds(Fields):
    """What a product adds to a system beside volumes and a file system: servers with a service, and their files."""

    words: type[Words]
    """What stands below its word in a request."""
    section: type[OfDesign]
    """The class of its catalog record for a design, of which a design has one or none."""
    complete: Callable[[PartialRequest], None]
    """Fills in the words that were left out. It is called where the request has the word, after the file system's."""
    judge: Callable[[PartialRequest], None]
    """Notes what is wrong with the words, beyond what the model refuses by itself."""
    hosts: Callable[[PartialRequest], list[str]]
    """The names of its servers, as far as the words say how many there are."""
    build: Callable[[Any, Any, Catalog], BuiltAddition]
    """Makes its part of a plan from its words and its record for the design."""
    record: type[Own]
    """The class of what it has of a plan. The annotations of its fields describe them: JSON and schema follow."""
    roles: frozenset[str]
    """The roles of its servers."""
    exporting: frozenset[str]
    """Those of the roles whose servers give files or volumes to others: they may need another licence."""
    expected: Callable[[Any, Any], Iterable[ExpectedServer]]
    """Its servers as rules count them, from its words and its record for the design, without the code of `build`."""
    volumes: Callable[[Any, Any, Catalog], Iterable[ExpectedVolume]] | None
    """Its volumes as rules count them, likewise; None for a product that adds none."""
    pools: Callable[[Any], Iterable[FilledPool]] | None
    """The pools that it brings beside the main one, given its record; None for a product that brings none."""
    drives: Callable[[Any], Iterable[tuple[str, int, str]]] | None
    """Drives that it needs in servers of others, given its record: catalog id, how many, and where they are, in words.
    None for a product that needs none."""
    figures: Callable[[Plan, Catalog], tuple[Figure, ...]] | None
    """Figures of what it adds, under names of their own; None where it has none."""
    rules: tuple[Rule, ...]
    """Rules for its part of a plan."""
    exact: tuple[Rule, ...]
    """Rules that compare names, numbers and order part by part, asked where no other rule has found an error."""
    about: Callable[[Any, Catalog], Iterable[tuple[str, str]]]
    """Its lines in the first section of a plan's report, given its record: a name and what is said of it."""


class Conflict(NamedTuple):
    """What in records of the catalog does not go together."""

    places: tuple[tuple[str, str], ...]
    """The records that could be corrected, by id, each with the path of the word. The first of the user's is blamed."""
    message: str
    """What does not go together."""


class Place(NamedTuple):
    """Where a tuning is set."""

    permanence: str
    """How long it lasts there."""
    parts: tuple[str, ...]
    """What may obey it."""
    refusal: Callable[[Tuning], str]
    """Why a tuning may not be set there, as `WORD: REASON`; empty where it may."""
    defaults: tuple[str, ...]
    """The values of a release of the software that a tuning there may go back to."""


class Replies(Fields):
    """What a product's real parts print, collected in files of one folder."""

    names: str
    """The names of such files, in words."""
    claims: Callable[[str], bool]
    """Whether a file of a name is such a reply. The products of the design are asked first, then all others."""
    reader: Callable[[], Reader]
    """Makes what reads the files of one folder into `Observed.arrays` for arrays, or `Observed.own` for all else."""
    system: str | None
    """What the replies are of, in words; None for arrays of the plan."""


class Product(NamedTuple):
    """A product of a vendor."""

    name: str
    """The word of designs, and of array records as their `family`."""
    gives: str
    """What its volumes stand on: modules of `arrays`, or a `pool` of servers; empty without volumes."""
    volumes: Volumes | None
    """None for a product that makes no volumes."""
    filesystem: FileSystem | None
    """None for a product that makes no file system."""
    adds_word: str
    """The word of requests that asks for what it adds to a system; empty where it adds nothing."""
    adds_to: str
    """What a file system must give (`FileSystem.gives`), so that it can be added; empty where it adds nothing."""
    adds: Adds | None
    """None for a product that adds nothing."""
    kinds: Registry[type[Record]]
    """Kinds of catalog record that only this product has.

    A field that names another record says of which kind it is, by `DriveId` or `Annotated[str, Ref("lustre_release")]`:
    an unknown id is then a finding.
    """
    targets: Registry[Renderer]
    """The render targets that it owns, in the order of `render --list`."""
    steps: Registry[Steps]
    """What is done on site for each of them."""
    replies: Replies | None
    """The replies of its real parts. None: pixsize reads none, and a folder of them is an error (PX302)."""
    places: Registry[Place]
    """Where tunings are set, by the word of the record."""


PRODUCTS: Registry[Product] = Registry(
    {name: f"{name}.product:PRODUCT" for name in ("scale", "me4", "powerflex", "lustre", "nvmesh", "ctdb", "ngenea")},
    "pixsize.products",
)
"""Every product by the word that designs name it with. The order is that of `render --list` and of the run book."""


def filesystem_of(design: Design) -> FileSystem:
    """The file system of a design that was judged when it was read. KeyError where the product makes none."""
    found = PRODUCTS[design.filesystem].filesystem
    if found is None:
        raise KeyError(f"{design.filesystem} makes no file system")
    return found


def volumes_of(design: Design) -> Volumes:
    """What makes the volumes of a design that was judged when it was read. KeyError where the product makes none."""
    found = PRODUCTS[design.volumes].volumes
    if found is None:
        raise KeyError(f"{design.volumes} makes no volumes")
    return found


def exporting_roles() -> frozenset[str]:
    """The roles of servers that give files or volumes to others, whichever product adds them."""
    return frozenset().union(*(product.adds.exporting for product in PRODUCTS.values() if product.adds is not None))


class Addition(NamedTuple):
    """A product that adds to a system: its name, its word in requests, and how it adds."""

    product: str
    """The word that the table of products has for it."""
    word: str
    """The word of requests that asks for it."""
    adds: Adds
    """How it adds."""


def additions_to(filesystem: str) -> Iterator[Addition]:
    """What can be added to systems with this file system, in the order of the table."""
    owner = PRODUCTS[filesystem].filesystem
    for name, product in PRODUCTS.items():
        if product.adds is not None and owner is not None and product.adds_to in owner.gives:
            yield Addition(name, product.adds_word, product.adds)


def added_by(request: Request, design: Design) -> Iterator[tuple[Addition, Any]]:
    """What a completed request adds, each with its words."""
    for addition in additions_to(design.filesystem):
        words = getattr(request, addition.word, None)
        if words is not None:
            yield addition, words


def needed_by(request: Request, design: Design) -> frozenset[str]:
    """What the additions of a completed request need of its file system: words of `FileSystem.gives`."""
    return frozenset(PRODUCTS[addition.product].adds_to for addition, _ in added_by(request, design))


def terms_of(plan: Plan, catalog: Catalog) -> Terms:
    """What the file system of a plan is called."""
    design: Any = catalog.record(plan.design)
    return filesystem_of(design).terms


def pool_terms(terms: Terms) -> PoolTerms:
    """What a file system is called where its volumes lie in a pool. KeyError where they never do."""
    if terms.in_pool is None:
        raise KeyError(f"{terms.targets} lie in no pool")
    return terms.in_pool


def volume_terms(plan: Plan) -> VolumeTerms:
    """What others have to know of the volumes of a plan."""
    return terms_of_volume(plan.volumes[0])


def terms_of_volume(volume: Volume) -> VolumeTerms:
    """What others have to know of the volumes that the product of this one makes. KeyError where it makes none."""
    made = PRODUCTS[volume.provider].volumes
    if made is None:
        raise KeyError(f"{volume.provider} makes no volumes")
    return made.terms
