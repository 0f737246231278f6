"""What Lustre on arrays offers to the search for the best system: pairs of MDS, and how capacities add."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pixsize.arrays.capacity import joined
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ArrayDesign
from pixsize.catalog.records import Drive, Limit
from pixsize.products.lustre.figures.capacity import Stored, sizes_of, stored
from pixsize.products.lustre.figures.metadata import most_of_rest
from pixsize.products.lustre.plan import Ldiskfs
from pixsize.size.records import Beside, Offers
from pixsize.size.requirements import Restrictions
from pixsize.units import parse_whole, show


def rests(design: ArrayDesign, catalog: Catalog, restrictions: Restrictions) -> Iterator[Iterator[Beside]]:
    """Pairs of MDS with two MDTs each, more and more of them, with each of the SSDs; and one pair with a single MDT."""
    if restrictions.hdmd is True:  # a word of another file system
        return
    usual = parse_whole(design.defaults["metadata.drive"], "capacity")
    drives = [d for d in catalog.all(Drive) if d.media == design.metadata.media]
    most = catalog.get(Limit, "lustre.mdts").value // 2
    for drive in sorted(drives, key=lambda d: (d.capacity_bytes != usual, d.capacity_bytes)):
        shown = show(drive.capacity_bytes, "B")
        yield (Beside({"metadata": {"pairs": n, "dne": True, "drive": shown}}, n) for n in range(1, most + 1))
        yield iter((Beside({"metadata": {"pairs": 1, "dne": False, "drive": shown}}, 1),))


def needs_size(design: ArrayDesign, words: Mapping[str, Any]) -> str:  # noqa: ARG001  the same call for all
    """None: pairs of MDS stand beside any module."""
    return ""


def together(rest: Stored, modules: Sequence[tuple[Stored, int]]) -> Stored:
    """What a system stores: the targets of all modules, and the metadata of the rest."""
    data = joined([(s.data, n) for s, n in modules])
    osts: Counter[tuple[int, Ldiskfs]] = Counter()
    for part, times in modules:
        for disk, number in part.osts.items():
            osts[disk] += number * times
    volumes = sum(s.volumes[0] * n for s, n in modules)
    return rest._replace(
        data=data, osts=osts, volumes=(volumes, rest.volumes[1]), inputs=(data.layouts, rest.inputs[1])
    )


OFFERS = Offers(
    rests=rests,
    stored=stored,
    together=together,
    capacity=sizes_of,
    limit=("lustre.osts", "OSTs", False),
    needs_size=needs_size,
    most_of_rest=most_of_rest,
)
