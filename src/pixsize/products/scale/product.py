"""IBM Storage Scale (GPFS): NSDs on volumes of arrays."""

from __future__ import annotations

from pixsize.product import FileSystem, Product
from pixsize.registry import Registry

_HERE = "pixsize.products.scale"

PRODUCT = Product(
    name="scale",
    gives="",
    volumes=None,
    filesystem=FileSystem(
        _HERE,
        requests={"arrays": "completion:ON_ARRAYS"},
        order="build:order",
        variant_of="build:variant_of",
        refusals="build:refusals",
        settings="build:settings",
        addressed="build:addressed",
        targets="build:targets",
        layouts="designs:LAYOUTS",
        conflicts="designs:conflicts",
        measured_words="request:measured_words",
        measured_system="plan:MeasuredScale",
        unmeasurable="designs:measured",
        expected="rules.design:EXPECTED",
        rules="rules:RULES",
        rules_on={"arrays": "rules:ON_ARRAYS"},
        exact="rules:EXACT",
        exact_on={"arrays": "rules:ON_ARRAYS"},
        record="plan:ScaleFilesystem",
        target_record="plan:Nsd",
        server_record="plan:ScaleServer",
        client_ports="build:client_ports",
        fabric="build:fabric",
        device_network="build:device_network",
        networks="build:networks",
        gives="plan:GIVES",
        kinds="plan:KINDS",
        system="figures.system:system_of",
        measured="figures.system:measured",
        capacity="figures.capacity:figures",
        links="figures.capacity:links",
        metadata_rates="figures.metadata:metadata_rates",
        offers="offers:OFFERS",
        prepare="render.prepare:steps",
        adds={"multipath": "render.nsddevices:ADDED"},
        adds_steps={"multipath": "render.nsddevices_steps:steps"},
        benchmarks="render.benchmarks:surroundings",
        licences="licences:licences",
        terms="terms:TERMS",
    ),
    adds_word="",
    adds_to="",
    adds=None,
    kinds=Registry(
        {
            "scale_setting": "records:ScaleSetting",
            "scale_policy": "records:ScalePolicy",
            "scale_benchmark": "records:ScaleBenchmark",
        },
        _HERE,
    ),
    targets=Registry(
        {
            "hosts": "render.hosts:RENDERER",
            "stanzas": "render.stanzas:RENDERER",
            "cluster": "render.cluster:RENDERER",
            "policy": "render.policy:RENDERER",
        },
        _HERE,
    ),
    steps=Registry(
        {
            "hosts": "render.hosts_steps:steps",
            "stanzas": "render.stanzas_steps:steps",
            "cluster": "render.cluster_steps:steps",
            "policy": "render.policy_steps:steps",
        },
        _HERE,
    ),
    replies=None,
    places=Registry({}),
)
