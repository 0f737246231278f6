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
EXACT = (*targets.EXACT, *service.EXACT, *network.EXACT)
EXACT_ON_ARRAYS = ()
EXACT_IN_A_POOL = (asked.pool_volumes_in_order,)
ON_ARRAYS = (asked.array_volumes, asked.mdts_alike, *volumes.RULES, formats.stripe_fits_rpc)
IN_A_POOL = (asked.pool_volumes, service.balanced_servers, network.pool_addresses)
