"""What the user asked for, completed with the design's defaults: nothing in it is optional that a plan needs."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from pixsize.quantities import Bytes


class Words(BaseModel):
    """Frozen, strict about types, and strict about words it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, strict=True, defer_build=True)


class StorageModules(Words):
    """`count` equal storage modules. Drives are a capacity with its unit, or a catalog id."""

    size: str = Field(description="small, medium or large; further sizes come from the catalog")
    count: int = Field(1, ge=1, description="how many equal modules")
    expansion: bool = Field(False, description="an ME484 behind each ME4084")
    data_drive: str = Field(description="a capacity that the design offers, such as 12 TB, or a catalog id")
    metadata_drive: str | None = Field(None, description="standard variant only: the SSDs in the last four slots")
    chunk_bytes: Bytes = Field(alias="chunk_size", description="chunk size of the RAID 6 groups")
    hosts: tuple[str, ...] = Field(
        strict=False, description="the servers' names in the cluster, two a module, module by module"
    )


class Hdmd(Words):
    """High-demand metadata: modules of a server pair with 1 to 4 ME4024; they serve the whole file system."""

    modules: int = Field(1, ge=1, description="how many HDMD modules")
    arrays: int = Field(1, ge=1, description="ME4024 a module, 1 to 4")
    drive: str = Field(description="SSD capacity, such as 960 GB, or a catalog id")
    hosts: tuple[str, ...] = Field(strict=False, description="the servers' names in the cluster, two a module")


class Descriptor(Words):
    """A descOnly NSD outside the metadata arrays, so that the descriptor outlives the loss of one of them."""

    server: str
    device: str


class Filesystem(Words):
    """The file system on the modules."""

    name: str
    block_bytes: Bytes = Field(alias="block_size")
    inode_bytes: Bytes = Field(alias="inode_size")
    metadata_replicas: int = Field(2, ge=1, le=3)
    failure_groups: Literal["per_array", "sides"]
    descriptor: Descriptor | None = None


class Accepted(Words):
    """A warning that the user takes on, and why."""

    code: str
    reason: str = Field(min_length=1)


class Request(Words):
    """A completed request. Drives are catalog ids here, whatever words the user chose."""

    name: str
    design: str
    storage_modules: tuple[StorageModules, ...] = Field(strict=False, min_length=1)
    hdmd: Hdmd | None = None
    filesystem: Filesystem
    accept: tuple[Accepted, ...] = Field((), strict=False)
