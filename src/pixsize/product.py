"""What the house sees of a product: one record, each of its fields filled.

A field names the code that holds it as `module:attribute` below the product's folder, and loads when it is first read:
a start pays for what it uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from pixsize.registry import Registry

if TYPE_CHECKING:
    from pixsize.catalog.catalog import Catalog
    from pixsize.catalog.measurements import MeasuredSystem
    from pixsize.catalog.records import Design, PoolDesign, Record
    from pixsize.catalog.tunings import Tuning
    from pixsize.check.context import Rule
    from pixsize.estimate.evidence import Evidence
    from pixsize.estimate.make import Rates
    from pixsize.estimate.system import Conditions, DependsOn, FigureTerms, Hardware, Lookup, Part, System
    from pixsize.figures import Figure
    from pixsize.findings import Finding
    from pixsize.load.replies import Reader
    from pixsize.load.request_draft import Draft
    from pixsize.observed import Observed
    from pixsize.plan.orders import BuiltStorage
    from pixsize.plan.records import Filesystem, Own, Plan, Purpose, Server, Target, Volume
    from pixsize.render.records import Added, Renderer
    from pixsize.render.steps import Steps
    from pixsize.request import PoolWords, Words
    from pixsize.terms import PoolTerms, Terms, VolumeTerms


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
    complete: Callable[[Draft], None]
    judge: Callable[[Draft], None]


class ExpectedModules(NamedTuple):
    """Modules that a part of the request makes: `where` is its path, `number` how many, `fields` what each must have.

    `prefix` begins their ids. `drives` are the word of the request for a drive and its catalog id, None where there is
    none, by the purpose of the disk groups that are made of it.
    """

    where: str
    number: int
    prefix: str
    drives: Mapping[str, tuple[str, str | None]]
    fields: Mapping[str, object]


class ExpectedPool(NamedTuple):
    """What a request asks of the pool that its volumes lie in. `words` are those of the product of the pool.

    `sharing` are the names of the servers that share their drives, `metadata` those of the servers for metadata.
    `drive` is a catalog id. `takeover` says whether a second server takes the targets of each over. `volumes` are the
    names of the volumes and what they hold, in the order of the plan, `sizes` their bytes by the kind of the target on
    them. `other_addresses` are those that servers have on other networks.

    `sharing_at`, `drive_at` and `takeover_at` are the paths of the request's words for these. `takeover_word` is the
    word with the value that asks for a second server. Both are empty where the file system has no word for it.
    """

    words: PoolWords
    sharing: tuple[str, ...]
    metadata: tuple[str, ...]
    drive: str
    takeover: bool
    volumes: tuple[tuple[str, Purpose], ...]
    sizes: Mapping[str, int]
    other_addresses: frozenset[str]
    sharing_at: str
    drive_at: str
    takeover_at: str
    takeover_word: str


class Expected(NamedTuple):
    """What rules count in a request for themselves, without the code that makes the plan.

    `modules` are those of each part of the request that makes some, given the arrays of each size of module. `variant`
    is that of the design, `metadata` the path of the request's part for metadata. `managed` says whether management
    servers are asked for. `small_volume` is the end of the name of a small volume beside the first one for metadata,
    and what it is for in words; both are empty where there is none. `drives` are the path and catalog id of each drive
    that is no module's, `pool` what a request asks of a pool, None where volumes never lie in one. `records` is what
    in a plan names records of kinds that only this product has.
    """

    modules: Callable[[Any, Mapping[str, int]], Iterator[ExpectedModules]]
    variant: Callable[[Any], str]
    metadata: str
    managed: Callable[[Any], bool]
    small_volume: Callable[[Any], tuple[str, str]]
    drives: Callable[[Any], Iterable[tuple[str, str]]]
    pool: Callable[[Any, PoolDesign], ExpectedPool] | None
    records: Callable[[Plan], Iterable[tuple[str, type[Record], str]]]


class Sizing(NamedTuple):
    """Sizes of volumes in a request: those that it leaves out, and those that the product does not make.

    `spare_percent` is the share of a pool of so many servers that stays free for a rebuild. `largest` are the bytes of
    the largest of equal volumes: from the drives as sold, that share, what other volumes take, and their number.
    `judge` notes sizes at a path that the product does not make, or that are more than the drives of all servers hold,
    in bytes as sold; 0 where nobody knows that yet.
    """

    spare_percent: Callable[[int], int]
    largest: Callable[[int, int, int, int, Catalog], int]
    judge: Callable[[Draft, str, int], None]


class Volumes(Fields):
    """How a product turns drives into volumes.

    `design` is the kind of design record, `build` makes the volumes of an order, `parts` are the lists of a plan that
    it fills, `pool_record` the class of what it alone has of a pool, `words` what a request says of a pool beside the
    sizes of volumes. `terms` is what others have to know of them. `rules` judge them, `exact` where no other rule has
    found an error. `reply_rules` judge its replies in a plan on whatever volumes. `sizing` completes and judges sizes
    in a request, where requests name sizes of volumes. `steps` are the capacities from the drives as sold to what the
    document calls formatted and beyond, and those of the metadata as far as the volumes decide them; `throughput` are
    the rates of the data tier, `links` what the networks below the volumes carry, over the servers' adapters
    `adapter_of` a design that no other network uses.

    Rates are compared with systems that were measured. `data_tier` is the storage of a plan as such a comparison sees
    it, `measured` that of a measured system, None where the catalog lacks a size of it. `depends_on` are the parts of a
    design in one of its variants, with or without expansions, that a measurement holds for.
    """

    design: type[Design]
    build: Callable[[Any, Any, Observed, Catalog], BuiltStorage]
    parts: frozenset[str]
    pool_record: type[Own] | None
    words: type[PoolWords] | None
    terms: VolumeTerms
    rules: tuple[Rule, ...]
    exact: tuple[Rule, ...]
    reply_rules: tuple[Rule, ...]
    sizing: Sizing | None
    steps: Callable[[Plan, FigureTerms, Catalog], tuple[tuple[Figure, ...], tuple[Figure, ...]]]
    throughput: Callable[[System, Evidence, Catalog], Rates]
    links: Callable[[System, Catalog], tuple[Figure, ...]]
    adapter_of: Callable[[Any], str]
    data_tier: Callable[[Plan, Catalog], tuple[Part, ...]]
    measured: Callable[[MeasuredSystem, Lookup], Hardware | None]
    depends_on: Callable[[Any, str, bool], DependsOn]


class FileSystem(Fields):
    """How a product turns volumes into a file system.

    `requests` are the shapes of its requests, and `rules_on` its further rules, by what the product of the volumes
    `gives`; `exact` and `exact_on` are rules that are asked where no other has found an error, `expected` is what a
    judge counts in a request. `order` says what a request asks of the maker of volumes, `variant_of` which variant of
    the design that is, and `refusals` what no plan can be made of, from the counts alone. `settings` are the file
    system's own, of the class `record`, with a `target_record` of each target and a `server_record` of each server,
    where it has one; `addressed` gives the servers their addresses, and `targets` lays the file system over what was
    built, in targets of its `kinds`. `system` is a plan as the measurements see it, `measured` the same of a system
    that was measured, on the hardware that its volumes lay on; `capacity`, `metadata_rates` and `links`, what its own
    network carries, are its figures.

    `layouts` are the variants that a design on arrays has a layout for, by the role of the arrays; `conflicts` what
    else in such a design does not go together. `measured_system` is the model of a system that was measured, with the
    file system's own words, and `unmeasurable` what is wrong with one: path and message.

    `prepare` are the steps of the run book on servers and clients that belong to no render target, `adds` and
    `adds_steps` files and steps of its own for render targets of others. `terms` is what others call it.
    """

    requests: Mapping[str, RequestShape]
    order: Callable[[Any, Any, Catalog], Any]
    variant_of: Callable[[Any], str]
    refusals: Callable[[Any, Any, Catalog], tuple[Finding, ...]]
    settings: Callable[[Any, Any, Catalog], Any]
    addressed: Callable[[Any, Any, Iterable[Server]], tuple[Server, ...]]
    targets: Callable[[Any, Any, BuiltStorage, Catalog], tuple[Target, ...]]
    layouts: Mapping[str, tuple[str, ...]]
    conflicts: Callable[[Any, Catalog], Iterable[Conflict]]
    measured_system: type[MeasuredSystem]
    unmeasurable: Callable[[Any, Catalog], Iterable[tuple[str, str]]]
    expected: Expected
    rules: tuple[Rule, ...]
    rules_on: Mapping[str, tuple[Rule, ...]]
    exact: tuple[Rule, ...]
    exact_on: Mapping[str, tuple[Rule, ...]]
    record: type[Filesystem]
    target_record: type[Own]
    server_record: type[Own] | None
    kinds: frozenset[str]
    system: Callable[[Plan, Catalog], System]
    measured: Callable[[Any, Hardware, Lookup], Conditions]
    capacity: Callable[[Plan, Catalog], tuple[Figure, ...]]
    links: Callable[[System, Catalog], tuple[Figure, ...]]
    metadata_rates: Callable[[System, Evidence, Catalog], Rates]
    prepare: Steps
    adds: Mapping[str, Added]
    adds_steps: Mapping[str, Steps]
    terms: Terms


class Conflict(NamedTuple):
    """What in records of the catalog does not go together.

    `places` are the records that could be mended, by id, each with the path of the word: the first of them that is the
    user's is blamed.
    """

    places: tuple[tuple[str, str], ...]
    message: str


class Place(NamedTuple):
    """Where a tuning is set. `parts` may obey it; `permanence` says how long it lasts.

    `refusal` gives the word of a tuning and the reason, `WORD: REASON`, where it may not be set; empty where it may.
    `defaults` are the values of a release of the software that a tuning there may go back to.
    """

    permanence: str
    parts: tuple[str, ...]
    refusal: Callable[[Tuning], str]
    defaults: tuple[str, ...]


class Replies(Fields):
    """What a product's real parts print, collected in files of one folder.

    `claims` says whether a file of a name is such a reply, `names` which names those are, in words. `reader` makes what
    reads them. `system` is what they are of in words, where that is no array of the plan.
    """

    names: str
    claims: Callable[[str], bool]
    reader: Callable[[], Reader]
    system: str | None


class Product(NamedTuple):
    """A product of a vendor: `name` is the word of designs, `kinds` are its own kinds of catalog record.

    `gives` says what its volumes stand on: modules of `arrays`, or a `pool` of servers; it is empty for a product
    without volumes. `targets` are the render targets that it owns, in the order in which `render --list` shows them,
    and `steps` what is done on site for each of them. `replies` are those that its real parts give, None without any.
    `places` are where tunings are set, by the word of the record.
    """

    name: str
    gives: str
    volumes: Volumes | None
    filesystem: FileSystem | None
    kinds: Registry[type[Record]]
    targets: Registry[Renderer]
    steps: Registry[Steps]
    replies: Replies | None
    places: Registry[Place]


PRODUCTS: Registry[Product] = Registry(
    {name: f"{name}.product:PRODUCT" for name in ("scale", "me4", "powerflex", "lustre")}, "pixsize.products"
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
