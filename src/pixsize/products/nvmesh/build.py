"""The NVMe tier of a plan: pairs of servers, and RAID 10 volumes over all drives of a pair."""

from __future__ import annotations

from fractions import Fraction

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant, Drive, Limit
from pixsize.plan.orders import AddedVolume, BuiltAddition, role_servers, servers_of
from pixsize.plan.records import Drives, Volume
from pixsize.products.nvmesh.plan import NVME, PROVIDER, NvmeArbiter, NvmePair, NvmeTier, servers_of_pair
from pixsize.products.nvmesh.records import DRIVE_OVERHEAD, PRIVATE_AREA, SLICE, NvmeDesign
from pixsize.products.nvmesh.request import Nvme


def build(words: Nvme, section: NvmeDesign, catalog: Catalog) -> BuiltAddition:
    """The pairs nvp1, nvp2 and so on, their servers with drives, and the volumes of each pair."""
    pairs = tuple(NvmePair(f"nvp{n}", servers_of_pair(n)) for n in range(1, words.pairs + 1))
    share = catalog.get(Constant, PRIVATE_AREA).value
    tier = NvmeTier(
        pairs=pairs,
        pool=section.pool,
        slice_bytes=slice_bytes(words.drive, section.volumes, share, catalog),
        stripe_width=section.drives,
        stripe_blocks=section.stripe_blocks,
        limit=words.policy.limit,
        high=words.policy.high,
        low=words.policy.low,
        arbiter=NvmeArbiter(words.arbiter.server, words.arbiter.drive) if words.arbiter else None,
    )
    hosts = tuple(host for pair in pairs for host in pair.servers)
    drives = Drives(words.drive, section.drives)
    servers = servers_of(role_servers(NVME, section.servers, hosts), None)
    volumes = (_volume(tier, pair, n) for pair in pairs for n in range(1, section.volumes + 1))
    return BuiltAddition(tier, tuple(server._replace(drives=drives) for server in servers), tuple(volumes))


def slice_bytes(drive: str, volumes: int, private: Fraction, catalog: Catalog) -> int:
    """What each of so many volumes has of a drive: a whole number of steps of what NVMesh leaves of it.

    `private` is the share of the drive that its private area takes.
    """
    size, step = catalog.get(Drive, drive).capacity_bytes, catalog.get(Limit, SLICE).value
    left = size - catalog.get(Limit, DRIVE_OVERHEAD).value - size * private
    return max(int(left // (volumes * step)), 0) * step


def _volume(tier: NvmeTier, pair: NvmePair, number: int) -> AddedVolume:
    """A volume over all drives of a pair; the servers prefer it by turns."""
    name = f"{pair.id}_data{number:02d}"
    volume = Volume(name, PROVIDER, pair.id, tier.slice_bytes * tier.stripe_width, "data")
    servers = pair.servers if number % 2 else pair.servers[::-1]
    return AddedVolume(volume, f"/dev/nvmesh/{name}", servers, tier.pool)
