"""What Lustre is to benchmarks: stripes by the test, directories on all MDTs, settings for benchmarks alone."""

from __future__ import annotations

from pixsize.bench.records import Command, Layout, Settings, Surroundings
from pixsize.catalog.benchmarks import Test
from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import lustre
from pixsize.products.lustre.records import LustreBenchmark, LustreRelease
from pixsize.products.lustre.render.tuning import scripts, setting
from pixsize.render.template import binary_size, word

_OF_FILES: tuple[Test, ...] = ("empty", "128b", "3k", "4k")


def surroundings(plan: Plan, catalog: Catalog) -> Surroundings:
    """Where the file system is mounted, and how the design's document laid out the files of its tests.

    With several MDTs both documents measured metadata in a directory that is striped over all of them.
    """
    name = word(lustre(plan).name)
    records = catalog.of_design(LustreBenchmark, plan.design)
    osts = sum(t.kind == "ost" for t in plan.targets)
    mdts = sum(t.kind == "mdt" for t in plan.targets)
    tuned = _tunings(plan, catalog)
    return Surroundings(
        mount=f"/mnt/{name}",
        fstype="lustre",
        admin="",
        clients=(),
        drop=(Command("clients", ("lctl", "set_param", "-n", f"ldlm.namespaces.{name}-*.lru_size=clear")),),
        settings={test: tuned for r in records if r.tuned and tuned for test in r.tests},
        layouts={test: _layouts(r, osts) for r in records for test in r.tests},
        make={test: _striped(plan, mdts, catalog) for test in _OF_FILES} if mdts > 1 else {},
        healthy=(Command("clients", ("lfs", "check", "all")),),
    )


def _layouts(record: LustreBenchmark, osts: int) -> tuple[Layout, ...]:
    """The stripes of a test: the rows of its document, with as many OSTs as there are."""
    size = binary_size(record.stripe_bytes)
    one = ("lfs", "setstripe", "-c", "1", "-S", size, "{directory}")
    if not record.wide or osts == 1:
        return (Layout(1, 0, one),)
    return Layout(1, osts - 1, ("lfs", "setstripe", "-c", f"{osts}", "-S", size, "{directory}")), Layout(osts, 0, one)


def _striped(plan: Plan, mdts: int, catalog: Catalog) -> tuple[tuple[str, ...], ...]:
    """Makes a directory that is striped over all MDTs, as is what is made in it."""
    words = catalog.get(LustreRelease, lustre(plan).release).lfs_mkdir
    return (
        ("lfs", "mkdir", words.count, f"{mdts}", words.index, "0", "{directory}"),
        ("lfs", "setdirstripe", "-D", words.count, f"{mdts}", "{directory}"),
    )


def _tunings(plan: Plan, catalog: Catalog) -> Settings | None:
    """The document's settings for benchmarks alone, of clients and of servers; None where it has none."""
    name, release = lustre(plan).name, catalog.get(LustreRelease, lustre(plan).release)
    found = {
        script.place: [setting(t, name, release) for t in of]
        for script, of in scripts(plan, catalog)
        if script.benchmark
    }
    if not found:
        return None
    counted = sum(map(len, found.values()))
    return Settings(
        "tuned",
        f"{counted} settings of Lustre that the document made for benchmarks alone",
        "bench/lctl.sh.j2",
        {"clients": found.get("client", []), "servers": found.get("server", [])},
    )
