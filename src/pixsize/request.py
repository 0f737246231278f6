"""A request, completed with the defaults of its design: no word that a plan needs is optional."""

from functools import cache
from typing import Any, ClassVar, Literal, Protocol, get_args

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.config import JsonDict

from pixsize.product import PRODUCTS, RequestShape, additions_to
from pixsize.quantities import Bytes

COMPLETED: JsonDict = {"completed": True}
"""Of a field: the design's defaults, or other words, supply the word, so that a user may leave it out."""


MODULES = "storage_modules"
"""The word for the modules of every file system on arrays: what all of these share finds the modules by it."""
MODULE_WORDS = ("size", "count", "data_drive", "chunk_size")
"""The words that each of these modules has, whatever else it has."""


class Words(BaseModel):
    """Base of the models of a request: frozen, strict about types, and strict about unknown words. `form` is an
    example.
    """

    form: ClassVar[str] = ""
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, strict=True, defer_build=True)


Addresses = dict[str, str]
"""A server's name -> its address."""


class StorageNetwork(Words):
    """The network between the servers that share their drives, and those that use the pool."""

    form: ClassVar[str] = "{interface: p2p1, subnet: 10.30.0.0/24}"
    interface: str = Field(description="the interface of every server on it")
    subnet: str | None = Field(None, description="such as 10.20.0.0/24")
    addresses: Addresses = Field(json_schema_extra=COMPLETED, description="the address of each server by its name")


class PoolWords(Words):
    """What every pool of servers has: their network, and how much of the pool stays spare."""

    network: StorageNetwork | None = Field(None, description="the network between the servers of the pool")
    spare: int = Field(
        ge=0, le=90, json_schema_extra=COMPLETED, description="per cent of the pool that stay free for a rebuild"
    )


class Accepted(Words):
    """A warning that the user takes on, and why."""

    form: ClassVar[str] = "{code: PX512, reason: why it is taken on}"
    code: str = Field(description="the code of a warning, such as PX512")
    reason: str = Field(min_length=1, description="why; shown with the warning")


class BenchmarkClients(Words):
    """The nodes that benchmarks run on. What is left out is as the document of the design has it."""

    form: ClassVar[str] = "{count: 16, cores: 40, memory: 192 GiB}"
    count: int | None = Field(None, ge=1, le=100_000, description="how many; left out: as many as `hosts` names")
    cores: int | None = Field(None, ge=1, le=4096, description="the cores of each")
    memory_bytes: Bytes | None = Field(None, alias="memory", description="the memory of each, such as 192 GiB")
    hosts: tuple[str, ...] = Field((), strict=False, description="their names")
    mpi: Literal["openmpi", "mpich", "mvapich2", "intel"] | None = Field(
        None, description="the MPI that starts the tools: openmpi, mpich, mvapich2 or intel"
    )


class Benchmark(Words):
    """How the system is measured. What is left out is as the document of the design has it."""

    form: ClassVar[str] = "{clients: {count: 16, cores: 40, memory: 192 GiB}}"
    clients: BenchmarkClients | None = Field(None, description="the nodes that benchmarks run on")
    tools: dict[str, str] = Field({}, description="the versions of the tools, such as {ior: 4.0.0}")
    directory: str | None = Field(None, description="the folder that benchmarks write below, an absolute path")
    threads: tuple[int, ...] = Field((), strict=False, description="the numbers of threads, such as [1, 2, 4]")


class Request(Protocol):
    """What every request has, whatever its design."""

    @property
    def name(self) -> str:
        """The name of the system."""
        ...

    @property
    def design(self) -> str:
        """The id of a design of the catalog."""
        ...

    @property
    def accept(self) -> tuple[Accepted, ...]:
        """The warnings that the user takes on."""
        ...


@cache
def shape_for(filesystem: str, volumes: str) -> RequestShape | None:
    """How requests for a file system are written where a product makes its volumes; None where they do not go together.

    In a pool that is a word of the request by the name of the product, with the words of both: the field `pool` of the
    file system's model has what it asks of the volumes. Its docstring has `{product}` for what the product is called.
    What products can add to the file system stands below a word of each.
    """
    shape = _without_additions(filesystem, volumes)
    if shape is None:
        return None
    added: dict[str, Any] = {
        each.word: (each.adds.words | None, Field(None, description=each.adds.words.__doc__))
        for each in additions_to(filesystem)
    }
    added["benchmark"] = (Benchmark | None, Field(None, description=Benchmark.__doc__))
    base: Any = shape.model
    named = {"__doc__": base.__doc__, "__module__": base.__module__, "__base__": base}
    return shape._replace(model=create_model(base.__name__, **named, **added))


def _without_additions(filesystem: str, volumes: str) -> RequestShape | None:
    owner, maker = PRODUCTS.get(filesystem), PRODUCTS.get(volumes)
    if owner is None or owner.filesystem is None or maker is None or maker.volumes is None:
        return None
    shape, words = owner.filesystem.requests.get(maker.gives), maker.volumes.pool_words
    if shape is not None and maker.gives == "arrays":
        require_modules(shape)
    if shape is None or words is None:
        return shape
    base: Any = shape.model
    pool_field = base.model_fields["pool"]
    both = type(
        words.__name__, (pool_field.annotation, words), {"__doc__": words.__doc__, "__module__": words.__module__}
    )
    field = Field(alias=volumes, json_schema_extra=COMPLETED, description=pool_field.description)
    about = base.__doc__.format(product=maker.volumes.terms.name)
    named = {"__doc__": about, "__module__": base.__module__, "__base__": base}
    return shape._replace(model=create_model(base.__name__, **named, pool=(both, field)))


def require_modules(shape: RequestShape) -> None:
    """TypeError where the model of a request for arrays has no list `storage_modules`, or its entries lack a word."""
    field = shape.model.model_fields.get(MODULES)
    entry = next(iter(get_args(field.annotation)), None) if field else None
    fields = entry.model_fields if isinstance(entry, type) and issubclass(entry, BaseModel) else {}
    missing = set(MODULE_WORDS) - {info.alias or name for name, info in fields.items()}
    if missing:
        raise TypeError(
            f"{shape.model.__name__}: requests for arrays name their modules {MODULES}, each with "
            f"{', '.join(MODULE_WORDS)}; it lacks {', '.join(sorted(missing))}"
        )
