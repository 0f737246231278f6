"""Releases of Lustre: the options that mkfs.lustre gives to mke2fs for each kind of target, and their features."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from pixsize.catalog.benchmarks import Test
from pixsize.catalog.designs import OfDesign
from pixsize.catalog.patterns import matching
from pixsize.catalog.records import Few, Many, Model, Natural, Record, Versioned
from pixsize.quantities import Bytes, Share

_PART = r"(0|[1-9][0-9]{0,3})"
_MOST_PART = 9999  # the largest number that _PART takes
_VERSION = rf"^{_PART}\.{_PART}\.{_PART}$"
Version = Annotated[str, matching(_VERSION, "a version of Lustre, as in 2.15.8")]
Feature = Annotated[
    str,
    matching(
        r"\^?[a-z0-9_]{1,40}", "at most 40 of a-z, 0-9 and `_`, with ^ before them where the feature is switched off"
    ),
]
"""A feature of ext4 as `mke2fs -O` takes it; `^` takes one away."""
Option = Annotated[
    str, matching(r"--[a-z]+(-[a-z]+)*", "two hyphens and words of a-z with hyphens between them, as in --mdt-count")
]
Triple = tuple[int, int, int]
Written = Literal["all", "at_most", "none"]
_INODE_SIZES = (128, 256, 512, 1024, 2048, 4096)
_LEAST_RATIO = 1024
"""mke2fs(8), -I and -i: what it takes with blocks of 4 KiB. It also wants more bytes an inode than an inode has."""


class Above(Model):
    """What holds on devices larger than `above`."""

    above_bytes: Bytes = Field(alias="above")
    bytes: Bytes


class Below(Model):
    """What holds on devices smaller than `below`, or on all that are left where there is no such bound."""

    below_bytes: Bytes | None = Field(None, alias="below")
    bytes: Bytes


class Journal(Model):
    """The journal asked for on devices larger than `above`: a share of the device, but no more than `most`."""

    above_bytes: Bytes = Field(alias="above")
    share: Share
    most_bytes: Bytes = Field(alias="most")


class Resize(Model):
    """Room in the descriptors to grow to so many blocks of 4 KiB, on devices larger than `above`."""

    above_bytes: Bytes = Field(alias="above")
    blocks: int = Field(ge=1, lt=1 << 32)


class Recipe(Model):
    """What mkfs.lustre hands to mke2fs for one kind of target; what is absent is left to mke2fs.

    `features` is the list of `-O` in its order. Those of `mmp_features` are among them only where more than one server
    may serve the target, those of `large_features` only on devices that 32 bits cannot count.
    """

    inode_bytes: Bytes | None = Field(None, alias="inode")
    bytes_per_inode: Many[Above] = ()
    journal: Journal | None = None
    features: Many[Feature]
    mmp_features: Many[Feature] = ()
    large_features: Many[Feature] = ()
    flex_groups: Natural | None = None
    resize: Resize | None = None

    def features_on(self, *, mmp: bool, large: bool) -> tuple[str, ...]:
        """The features of one target, in the order of the list."""
        left_out = {*(() if mmp else self.mmp_features), *(() if large else self.large_features)}
        return tuple(f for f in self.features if f not in left_out)


class Mke2fs(Model):
    """What mke2fs chooses by itself (mke2fs.conf(5); libext2fs for the journal); tables begin with the smallest.

    `reserved_percent` of the blocks are kept for root, since mkfs.lustre gives no -m.
    """

    inode_bytes: Bytes = Field(alias="inode")
    reserved_percent: int = Field(ge=0, le=50)
    bytes_per_inode: Many[Below]
    journal: Many[Below]


class AtFormat(Model):
    """What of a target's inode tables and journal is written while it is formatted, before mkfs.lustre ends.

    `at_most` stands where mke2fs decides by the kernel of the server, or where nobody read it.
    """

    inode_tables: Written = "at_most"
    journal: Written = "at_most"


class LfsMkdir(Model):
    """The long options of `lfs mkdir` for the number of MDTs, the first of them, and the hash."""

    count: Option
    index: Option
    hash: Option

    @property
    def options(self) -> tuple[str, ...]:
        """All three."""
        return self.count, self.index, self.hash


class LustreRelease(Versioned):
    """A release of Lustre: the recipes of its mkfs.lustre, and what renderers need to know of its words.

    It speaks for the versions from `first` to `last`, or for all of its minor version from `first` on. `sizes_of` is
    the version whose recipes these are, where its own were not read. `stripes_max` is that of a default format. The
    dirty memory is that of an OSC and the one for reading ahead that of a client, both as a client is delivered.
    """

    begins: ClassVar[str] = "first"
    version: Version
    first: Version
    last: Version | None = None
    sizes_of: Version | None = None
    mke2fs: Mke2fs
    ost: Recipe
    mdt: Recipe
    mgt: Recipe
    at_format: AtFormat = AtFormat()
    agent: Literal["ocf:lustre:Lustre", "ocf:heartbeat:Filesystem"]
    health_agents: Many[Literal["ocf:lustre:healthLNET", "ocf:lustre:healthLUSTRE"]] = ()
    iml: bool = Field(False, description="whether Integrated Manager for Lustre 4 manages it")
    lfs_mkdir: LfsMkdir
    max_inherit_rr: bool
    data_on_mdt: bool
    overstriping: bool
    stripes_max: Natural
    client_dirty_bytes: Bytes | None = Field(None, alias="client_dirty")
    client_read_ahead_bytes: Bytes | None = Field(None, alias="client_read_ahead")
    rpcs_in_flight: Few | None = None

    @model_validator(mode="after")
    def _fits(self) -> LustreRelease:
        """The release has its own version among those that it speaks for, and mke2fs takes its recipes.

        Every device has a ratio of bytes per inode and a journal, and no inode is larger than mke2fs allows.
        """
        if not self.speaks_for(self.version):
            raise ValueError(f"version: {self.version} is none of those that it speaks for, {self.versions_text}")
        if any(not rows or rows[-1].below_bytes for rows in (self.mke2fs.bytes_per_inode, self.mke2fs.journal)):
            raise ValueError("mke2fs: the last row of a table holds for all devices that are left, and has no bound")
        for kind, recipe in (("ost", self.ost), ("mdt", self.mdt), ("mgt", self.mgt)):
            size = recipe.inode_bytes or self.mke2fs.inode_bytes
            # The rows of mke2fs hold only where the recipe leaves small devices to it.
            complete = any(row.above_bytes == 0 for row in recipe.bytes_per_inode)
            ratios = [row.bytes for row in recipe.bytes_per_inode]
            ratios += [] if complete else [row.bytes for row in self.mke2fs.bytes_per_inode]
            least = min(ratios)
            if size not in _INODE_SIZES:
                raise ValueError(f"{kind}: an inode of {size} B; a power of two, 128 to 4096 B")
            if least < max(2 * size, _LEAST_RATIO):
                raise ValueError(f"{kind}: {least} B an inode of {size} B; twice as much at least, and {_LEAST_RATIO}")
        return self

    def recipe(self, kind: str) -> Recipe:
        """The recipe of `ost`, `mdt` or `mgt`. KeyError for any other kind of target."""
        return {"ost": self.ost, "mdt": self.mdt, "mgt": self.mgt}[kind]

    @property
    def sized_as(self) -> str:
        """The version whose sizes these are."""
        return self.sizes_of or self.version

    @property
    def large_dir(self) -> bool:
        """Whether directories of an MDT may grow past ten million entries as it is formatted."""
        return "large_dir" in self.mdt.features

    @property
    def words(self) -> frozenset[str]:
        """What files are rendered with that not every release has; each is the `word` of a LustreWord."""
        features = {"data_on_mdt": self.data_on_mdt, "overstriping": self.overstriping}
        features |= {"max_inherit_rr": self.max_inherit_rr, "large_dir": self.large_dir}
        directories = {f"lfs mkdir {option}" for option in self.lfs_mkdir.options}
        return (
            frozenset(word for word, has_it in features.items() if has_it)
            | {self.agent, *self.health_agents}
            | directories
        )

    @property
    def versions_text(self) -> str:
        """The versions that it speaks for, such as `2.10.4 to 2.10.8`, or `2.15.x`."""
        return f"{self.first} to {self.last}" if self.last else f"{self.first.rpartition('.')[0]}.x"

    @property
    def span(self) -> tuple[Triple, Triple]:
        """The first version that it speaks for, and the last that there can be."""
        first = triple(self.first) or (0, 0, 0)
        return first, triple(self.last) or (*first[:2], _MOST_PART)

    def speaks_for(self, version: str) -> bool:
        """Whether a version is one of those."""
        numbers, first, last = triple(version), triple(self.first), triple(self.last)
        if numbers is None or first is None or numbers < first:
            return False
        return numbers <= last if last else numbers[:2] == first[:2]


class LustreWord(Record):
    """A feature, an option or an agent that not every version has: from `since` on, and before `until`."""

    word: Annotated[
        str,
        matching(
            r"[a-z][A-Za-z0-9_: -]{1,60}", "a small letter, then 1 to 60 of A-Z, a-z, 0-9, `_`, `:`, `-` and blanks"
        ),
    ]
    since: Version | None = None
    until: Version | None = None

    def missing(self, version: Triple) -> str:
        """Why a version does not have it; empty where it does."""
        since, until = triple(self.since), triple(self.until)
        if since and version < since:
            return f"came with {self.since}"
        return f"is gone since {self.until}" if until and version >= until else ""


SPREADS = "lustre.word.directories_spread"
"""The word that says from which version on new directories spread over the MDTs without any command."""


def has_word(version: str, word: LustreWord) -> bool:
    """Whether a version such as `2.15.8` has a word; not where the text is no version."""
    numbers = triple(version)
    return numbers is not None and not word.missing(numbers)


def triple(version: str | None) -> Triple | None:
    """The three numbers of a version such as `2.12.9`, by which versions are compared; None where it is none."""
    match = re.fullmatch(_VERSION, version or "")
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def is_known(version: str, releases: Iterable[LustreRelease]) -> bool:
    """Whether one of the releases speaks for this version."""
    return any(release.speaks_for(version) for release in releases)


def iml_manages(version: str, releases: Iterable[LustreRelease]) -> bool:
    """Whether Integrated Manager for Lustre is known to manage this version."""
    return any(release.iml and release.speaks_for(version) for release in releases)


def release_for(version: str, releases: Sequence[LustreRelease]) -> tuple[LustreRelease, bool]:
    """The release whose sizes and words serve for a version, and whether the sizes are that version's own.

    It is the release that covers the version, or else the nearest one: each version counts as one number (`_number`),
    and the least difference decides; of two equal differences the newer release is taken. ValueError for a text that is
    no version, or where there is no release.
    """
    numbers = triple(version)
    if numbers is None:
        raise ValueError(f"{version!r} is no version of three numbers")

    def rank(release: LustreRelease) -> tuple[bool, int, int]:
        number = _number(triple(release.version) or numbers)
        return not release.speaks_for(version), abs(number - _number(numbers)), -number

    nearest = sorted(releases, key=rank)
    if not nearest:
        raise ValueError("no release of Lustre in the catalog")
    return nearest[0], triple(nearest[0].sized_as) == numbers


def _number(version: Triple) -> int:
    """A version as one number: each of its three parts counts ten thousand times the next one."""
    return (version[0] * 10_000 + version[1]) * 10_000 + version[2]


class LustreBenchmark(OfDesign):
    """How the document of a design laid files over OSTs for some of its tests.

    `wide`: over all OSTs while there are fewer threads than OSTs, over one from then on; otherwise always over one.
    `tuned` says that its settings for benchmarks alone were made for these tests.
    """

    tests: Annotated[Many[Test], Field(min_length=1)]
    stripe_bytes: Bytes = Field(alias="stripe")
    wide: bool = False
    tuned: bool = False
