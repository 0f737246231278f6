"""Every kind of record, and its model: a line for each."""

from __future__ import annotations

from pixsize.catalog.records import Record
from pixsize.product import PRODUCTS
from pixsize.registry import Registry

_RECORDS = "pixsize.catalog.records"
_DESIGNS = "pixsize.catalog.designs"

KINDS: Registry[type[Record]] = Registry(
    {
        "source": f"{_RECORDS}:Document",
        "drive": f"{_RECORDS}:Drive",
        "array": f"{_RECORDS}:Enclosure",
        "server": f"{_RECORDS}:Server",
        "adapter": f"{_RECORDS}:Adapter",
        "switch": f"{_RECORDS}:Switch",
        "layout": f"{_RECORDS}:Layout",
        "design": f"{_DESIGNS}:ArrayDesign",
        "pool_design": f"{_DESIGNS}:PoolDesign",
        "module_size": f"{_DESIGNS}:ModuleSize",
        "limit": f"{_RECORDS}:Limit",
        "choice": f"{_RECORDS}:Choice",
        "constant": f"{_RECORDS}:Constant",
        "measurement": "pixsize.catalog.measurements:Measurement",
        "spread": "pixsize.catalog.measurements:Spread",
        "statement": "pixsize.catalog.measurements:Statement",
        "software": "pixsize.catalog.software:Software",
        "ports": "pixsize.catalog.software:Ports",
        "cabling": "pixsize.catalog.cabling:Cabling",
        "work_time": "pixsize.catalog.run_book:WorkTime",
        "rate": "pixsize.catalog.run_book:Rate",
        "tuning": "pixsize.catalog.tunings:Tuning",
        "benchmark": "pixsize.catalog.benchmarks:Benchmark",
        "benchmark_method": "pixsize.catalog.benchmarks:BenchmarkMethod",
        "benchmark_tool": "pixsize.catalog.benchmarks:BenchmarkTool",
        "benchmark_mpi": "pixsize.catalog.benchmarks:BenchmarkMpi",
        "server_parts": "pixsize.catalog.server_parts:ServerParts",
    }
    | {kind: place for product in PRODUCTS.values() for kind, place in product.kinds.places.items()}
)
"""The word `kind` of a record -> its model, loaded when a record of the kind is first read."""

_OF_MODEL = {place: kind for kind, place in KINDS.places.items()}


def kinds_of(model: type[Record]) -> tuple[str, ...]:
    """The values of the word `kind` for records of a model: its own, or those of the models derived from it."""
    own = _OF_MODEL.get(f"{model.__module__}:{model.__name__}")
    if own is not None:
        return (own,)
    return tuple(kind for kind, made in KINDS.items() if issubclass(made, model))
