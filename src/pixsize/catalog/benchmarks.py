"""How the document of a design ran its benchmarks: the nodes that it ran them on."""

from __future__ import annotations

from pydantic import Field

from pixsize.catalog.designs import OfDesign
from pixsize.catalog.records import Model, Natural
from pixsize.quantities import Bytes


class BenchmarkNodes(Model):
    """Equal clients: how many, and of each the cores and the memory, where the document gives them."""

    count: Natural
    cores: Natural | None = None
    memory_bytes: Bytes | None = Field(None, alias="memory")


class Benchmark(OfDesign):
    """The clients that the benchmarks of a design's document ran on; a request may name others."""

    clients: BenchmarkNodes
