"""Lustre plans that no rule finds fault with, on arrays and in a pool. Requests are made here, not loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.products.lustre.plan import lustre, target_of
from pixsize.products.lustre.request import ArrayLustreRequest, PoolLustreRequest
from pixsize.request import shape_for
from tests.support.changing import replace
from tests.support.check_support import Break, Site, blind, catalog, catalog_with, changed, site

GIB = 2**30
OST_GIB = {3: 1112, 4: 1304, 5: 1408, 8: 1560}
"""The largest OST beside two MDTs of 552 GiB and an MGT of 8 GiB where a lost server of so many can be rebuilt; that of
five worked out by hand: 80 TB, a fifth and a hundredth off, half of it, less 1112 GiB, over 20 OSTs, in steps of 8 GiB."""
EVERYWHERE = frozenset({"PX546"})
ON_ARRAYS = EVERYWHERE | {"PX559"}
IN_A_POOL = EVERYWHERE | {"PX419"}
"""Notes of every good plan: that the objects of the OSTs end first; on arrays, that an object is smaller than its OST;
in a pool, what fencing does."""


def on_arrays(
    *modules: Mapping[str, Any], metadata: Mapping[str, Any] | None = None, **words: Any
) -> ArrayLustreRequest:
    """A completed request for Lustre on arrays; its words are those of a request, drives are catalog ids."""
    counts = [m.get("count", 1) for m in modules]
    pairs = (metadata or {}).get("pairs", 1)
    mds, oss = _row("mds", 2 * pairs), _row("oss", 2 * sum(counts))
    storage = [
        {"size": "large", "data_drive": "nl-sas-8tb", "chunk_size": "128 KiB", **m}
        | {"hosts": oss[2 * sum(counts[:i]) : 2 * sum(counts[: i + 1])]}
        for i, m in enumerate(modules)
    ]
    defaults = {"dne": True, "pairs": 1, "mgt": "own", "drive": "ssd-960gb", "chunk_size": "64 KiB", "hosts": mds}
    base = {
        "design": "lustre-me4",
        "storage_modules": storage,
        "metadata": defaults | dict(metadata or {}),
    }
    return ArrayLustreRequest.model_validate(base | _common((*mds, *oss)) | words)


def in_pool(servers: int = 4, *, metadata: Mapping[str, Any] | None = None, **words: Any) -> PoolLustreRequest:
    """A completed request for Lustre in a pool, `powerflex` with other words than the defaults where they are given."""
    mds, oss = _row("mds", 2), _row("oss", servers)
    sizes = {"spare": -(-100 // servers), "ost": f"{OST_GIB.get(servers, 800)} GiB", "mdt": "552 GiB", "mgt": "8 GiB"}
    network = {"interface": "p2p1", "addresses": _addresses("10.30.0", (*mds, *oss))}
    base = {
        "design": "lustre-powerflex",
        "servers": servers,
        "drive": "nvme-2tb",
        "hosts": oss,
        "metadata": {"dne": True, "mgt": "own", "hosts": mds} | dict(metadata or {}),
        "powerflex": {"network": network} | sizes | words.pop("powerflex", {}),
    }
    shape = shape_for("lustre", "powerflex")
    assert shape is not None
    return cast("PoolLustreRequest", shape.model.model_validate(base | _common((*mds, *oss)) | words))


def _common(servers: Sequence[str]) -> dict[str, Any]:
    return {
        "name": "site",
        "lustre_version": "2.15.8",
        "management": "none",
        "network": {"lnet": "o2ib", "interface": "ib0", "addresses": _addresses("10.10.0", servers)},
        "fencing": {"agent": "fence_idrac", "addresses": _addresses("10.20.0", servers)},
        "filesystem": {"name": "scratch", "stripe_count": 1, "stripe_size": "1 MiB"},
    }


def _row(prefix: str, count: int) -> tuple[str, ...]:
    return tuple(f"{prefix}{n:02d}" for n in range(1, count + 1))


def _addresses(net: str, servers: Sequence[str]) -> dict[str, str]:
    return {server: f"{net}.{n}" for n, server in enumerate(servers, 1)}


def pool_site(request: PoolLustreRequest) -> Site:
    """The request's plan, with nothing observed."""
    plan, refusals = make_plan(request, catalog(), Observed())
    assert plan is not None, refusals
    return Site(request, plan, catalog(), Observed())


@lru_cache(maxsize=1)
def good_arrays() -> Site:
    """The document's own system with DNE, built and reported."""
    return site(on_arrays({}))


@lru_cache(maxsize=1)
def good_pool() -> Site:
    """The four servers of the other document, with sizes that a lost server can be rebuilt beside."""
    return pool_site(in_pool())


def part(base: Callable[[], Site], kind: str, which: Any, **fields: Any) -> Callable[[], Site]:
    """A good plan with other fields in one of its parts."""
    return lambda: blind(base()).with_plan(**{kind: changed(getattr(blind(base()).plan, kind), which, **fields)})


def formatted(base: Callable[[], Site], which: Any, **fields: Any) -> Callable[[], Site]:
    """A good plan with another number in what one of its targets is formatted to."""

    def make() -> Site:
        targets = base().plan.targets
        at = next(t for t in targets if which(t))
        made = replace(target_of(at).ldiskfs, **fields)
        return blind(base()).with_plan(targets=changed(targets, which, ldiskfs=made))

    return make


def settings(base: Callable[[], Site], **fields: Any) -> Callable[[], Site]:
    """A good plan with another setting of its file system, though the request asks for the old one."""
    return lambda: blind(base()).with_plan(filesystem=replace(lustre(base().plan), **fields))


def asking(base: Callable[[], Site], **words: Any) -> Callable[[], Site]:
    """A good plan, though the request now asks for something else."""
    return lambda: replace(blind(base()), request=base().request.model_copy(update=words))


def below(base: Callable[[], Site], word: str, **words: Any) -> Callable[[], Site]:
    """A good plan, though the request now asks for something else below one of its words."""
    return asking(base, **{word: getattr(base().request, word).model_copy(update=words)})


def on_catalog(base: Callable[[], Site], record_id: str, **words: Any) -> Callable[[], Site]:
    """A good plan under a catalog with another number."""
    return lambda: replace(base(), catalog=catalog_with(record_id, **words))


def without(base: Callable[[], Site], kind: str, place: int) -> Callable[[], Site]:
    """A good plan without one of its parts."""

    def make() -> Site:
        parts = getattr(blind(base()).plan, kind)
        return blind(base()).with_plan(**{kind: parts[:place] + parts[place + 1 :]})

    return make


def is_target(label: str) -> Callable[[Any], bool]:
    """Whether a target has this label."""
    return lambda target: bool(target.id == label)


def is_named(name: str) -> Callable[[Any], bool]:
    """Whether a part has this id."""
    return lambda thing: bool(thing.id == name)


def on(notes: frozenset[str]) -> Callable[..., Break]:
    """Breaks of a plan that has these notes anyway."""
    return lambda *words: Break(*words, notes=notes)
