"""What every renderer of Lustre's targets needs of a plan: addresses on Lustre's network, and the names of devices."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.findings import Finding
from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import LustreFilesystem, server_of
from pixsize.render.template import some

_REPLIES = "powerflex.login.txt and powerflex.volumes.txt"


def lacking(plan: Plan) -> Iterator[Finding]:
    """What stands against files that name addresses and devices."""
    yield from addresses(plan)
    yield from devices(plan)


def addresses(plan: Plan) -> Iterator[Finding]:
    """PX610: without addresses no LNet can be set up, and nobody can be told where the MGS is."""
    if not isinstance(plan.filesystem, LustreFilesystem):
        return
    serving = {server for target in plan.targets for server in target.servers}
    if plan.filesystem.network is None or any(not server_of(s).nids for s in plan.servers if s.id in serving):
        yield Finding(
            "PX610",
            "the addresses of the servers are unknown: LNet cannot be set up, and nobody can be told where the MGS is",
            hint="add network: {lnet: o2ib, interface: ib0, subnet: 10.10.0.0/24}, with the values of the site",
        )


def devices(plan: Plan) -> Iterator[Finding]:
    """PX611: the name of a PowerFlex volume on its servers holds ids that the system gives it."""
    if not isinstance(plan.filesystem, LustreFilesystem):
        return
    unnamed = [t.id for t in plan.targets if not t.device]
    if unnamed:
        yield Finding(
            "PX611",
            f"the devices of {len(unnamed)} of {len(plan.targets)} targets are unknown: {some(unnamed)}",
            hint="when the volumes exist, collect what `scli --login` and `scli --query_all_volumes` print into the "
            f"folder of --observed, as {_REPLIES}, and render again",
        )
