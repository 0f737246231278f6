"""What rules count in a request for themselves, beside the code that makes the plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pixsize.catalog.designs import PoolDesign
    from pixsize.catalog.records import Record
    from pixsize.plan.records import Plan, Purpose
    from pixsize.request import PoolWords


class ExpectedModules(NamedTuple):
    """Modules that a part of the request makes, as a judge counts them."""

    where: str
    """The path of that part, such as `storage_modules[0]`."""
    number: int
    """How many modules it makes."""
    prefix: str
    """The beginning of their ids."""
    drives: Mapping[str, tuple[str, str | None]]
    """Purpose of disk groups -> the word of the request for their drive, and its catalog id; None for no such drive."""
    fields: Mapping[str, object]
    """The fields of each of these modules in the plan, and the value that each must have."""


class ExpectedPool(NamedTuple):
    """What a request asks of the pool that its volumes lie in."""

    words: PoolWords
    """The words of the product of the pool."""
    sharing: tuple[str, ...]
    """The names of the servers that share their drives."""
    metadata: tuple[str, ...]
    """The names of the servers for metadata."""
    drive: str
    """The catalog id of the drives."""
    takeover: bool
    """Whether a second server takes over the targets of each."""
    volumes: tuple[tuple[str, Purpose], ...]
    """The names of the volumes and what they hold, in the order of the plan."""
    sizes: Mapping[str, int]
    """The bytes of a volume, by the kind of the target on it."""
    other_addresses: frozenset[str]
    """The addresses that servers have on other networks."""
    sharing_at: str
    """The path of the request's word for the servers that share their drives."""
    drive_at: str
    """The path of the word for the drive."""
    takeover_at: str
    """The path of the word that asks for a second server; empty where the file system has none."""
    takeover_word: str
    """That word with the value that asks for a second server; empty where the file system has none."""


class Expected(NamedTuple):
    """What rules count in a request for themselves, without the code that makes the plan.

    Prefixes and suffixes are those of the orders (`build.py`); the code is not the same, or no mistake would be found.
    """

    modules: Callable[[Any, Mapping[str, int]], Iterator[ExpectedModules]]
    """The modules of each part of the request that makes some, given the number of arrays of each size of module.

    Those of the data are made by the entries of `storage_modules`.
    """
    variant: Callable[[Any], str]
    """The variant of the design that the words ask for."""
    metadata: str
    """The path of the request's part for metadata."""
    managed: Callable[[Any], bool]
    """Whether the request asks for management servers."""
    addresses: Callable[[Any], Mapping[str, str]]
    """The `address` of servers of the plan, by name; empty where requests give servers no such address."""
    subnet: Callable[[Any], str]
    """The network that the request takes these addresses from, such as `10.10.0.0/24`; empty where it has none."""
    small_volume: Callable[[Any], tuple[str, str]]
    """The end of the name of a small volume beside the first for metadata, and what it is for; empty without one."""
    drives: Callable[[Any], Iterable[tuple[str, str]]]
    """The drives that are in no module: the path of the word, and the catalog id."""
    pool: Callable[[Any, PoolDesign], ExpectedPool] | None
    """What the request asks of a pool; None where volumes never lie in one."""
    records: Callable[[Plan], Iterable[tuple[str, type[Record], str]]]
    """Records of the product's own kinds that a plan names: what names it, the class of the record, and its id."""


class ExpectedVolume(NamedTuple):
    """A volume that a product adds for a target of the file system, as a judge expects it."""

    id: str
    """Its name."""
    provider: str
    """What makes it."""
    backing: str
    """What it lies on, and what fails as one."""
    bytes: int
    """Its size."""
    device: str
    """The path of its block device on its servers."""
    servers: tuple[str, ...]
    """Its servers, the preferred first."""
    pool: str
    """The pool of its target, where the file system has pools."""


class ExpectedServer(NamedTuple):
    """A server as a judge expects it."""

    id: str
    """Its name."""
    role: str
    """What it does."""
    model: str
    """Its catalog id."""
    adapters: tuple[tuple[str, int], ...]
    """The adapters and how many of each, by name."""
