"""Lustre: an MGT, MDTs and OSTs on volumes of arrays or of a pool."""

from __future__ import annotations

from pixsize.product import FileSystem, Product
from pixsize.registry import Registry

_HERE = "pixsize.products.lustre"
_TARGETS = ("mkfs", "ha", "lnet", "mount", "tuning", "striping")

PRODUCT = Product(
    name="lustre",
    gives="",
    volumes=None,
    filesystem=FileSystem(
        _HERE,
        requests={"arrays": "completion:ON_ARRAYS", "pool": "completion:IN_A_POOL"},
        order="build:order",
        variant_of="build:variant_of",
        refusals="build:refusals",
        settings="build:settings",
        addressed="build:addressed",
        targets="build:targets",
        layouts="designs:LAYOUTS",
        conflicts="designs:conflicts",
        measured_words="request:measured_words",
        measured_system="plan:MeasuredLustre",
        unmeasurable="designs:measured",
        expected="rules.requested:EXPECTED",
        rules="rules:RULES",
        rules_on={"arrays": "rules:ON_ARRAYS", "pool": "rules:IN_A_POOL"},
        exact="rules:EXACT",
        exact_on={"arrays": "rules:EXACT_ON_ARRAYS", "pool": "rules:EXACT_IN_A_POOL"},
        record="plan:LustreFilesystem",
        target_record="plan:LustreTarget",
        server_record="plan:LustreServer",
        client_ports="build:client_ports",
        fabric="build:fabric",
        device_network="build:device_network",
        networks="build:networks",
        gives="plan:GIVES",
        kinds="plan:KINDS",
        system="figures.system:system_of",
        measured="figures.system:measured",
        capacity="figures.capacity:sizes",
        links="figures.system:lnet",
        metadata_rates="figures.metadata:metadata_rates",
        offers="offers:OFFERS",
        prepare="render.prepare:steps",
        adds={},
        adds_steps={},
        benchmarks="render.benchmarks:surroundings",
        licences=None,
        terms="terms:TERMS",
    ),
    adds_word="",
    adds_to="",
    adds=None,
    kinds=Registry(
        {
            "lustre_release": "records:LustreRelease",
            "lustre_word": "records:LustreWord",
            "lustre_benchmark": "records:LustreBenchmark",
            "pcs_dialect": "ha_records:PcsDialect",
            "fence_agent": "ha_records:FenceAgent",
            "ha_policy": "ha_records:HaPolicy",
        },
        _HERE,
    ),
    targets=Registry({name: f"render.{name}:RENDERER" for name in _TARGETS}, _HERE),
    steps=Registry({name: f"render.{name}_steps:steps" for name in _TARGETS}, _HERE),
    replies=None,
    places=Registry(
        {
            "mgs": "parameters:MGS",
            "server": "parameters:NODE",
            "client": "parameters:NODE",
            "hfi1-server": "parameters:DRIVER",
            "hfi1-client": "parameters:DRIVER",
        },
        _HERE,
    ),
)
