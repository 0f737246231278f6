"""What a Lustre plan must keep, whatever its volumes lie on, on arrays, and in a pool."""

from pixsize.products.lustre.rules import (
    asked,
    fencing,
    files,
    formats,
    limits,
    network,
    release,
    service,
    targets,
    volumes,
)

RULES = (
    *asked.RULES,
    *targets.RULES,
    *formats.RULES,
    *service.RULES,
    *network.RULES,
    *fencing.RULES,
    *limits.RULES,
    *files.RULES,
    *release.RULES,
)
ON_ARRAYS = (asked.array_volumes, asked.mdts_alike, *volumes.RULES, formats.stripe_fits_rpc)
IN_A_POOL = (asked.pool_volumes, service.balanced_servers, network.pool_addresses)
