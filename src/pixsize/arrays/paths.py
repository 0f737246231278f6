"""Which server of a pair serves which volume first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pixsize.plan.records import Array, Module, Volume


def server_orders(
    modules: Iterable[Module], arrays: Sequence[Array], volumes: Iterable[Volume]
) -> dict[str, tuple[str, ...]]:
    """The servers of each volume, the preferred first.

    Each volume takes the server that serves the fewest volumes of its owner so far in its module and purpose, so that
    server and controller never run in step.
    """
    module_of = {a.id: a.module for a in arrays}
    pairs = {m.id: m.servers for m in modules}
    served: Counter[tuple[str, ...]] = Counter()
    orders = {}
    for volume in volumes:
        key = (module_of[volume.array], volume.purpose)
        pair = pairs[key[0]]
        first = min(pair, key=lambda s: (served[*key, s, volume.owner], served[*key, s], pair.index(s)))
        served.update([(*key, first, volume.owner), (*key, first)])
        turn = pair.index(first)
        orders[volume.id] = pair[turn:] + pair[:turn]
    return orders
