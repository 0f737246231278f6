"""What a Lustre plan must keep, whatever its volumes lie on, on arrays, and in a pool.

The exact rules are asked last, where no other rule has found an error.
"""

from pixsize.products.lustre.rules import files, network, requested, sizes, targets

RULES = (
    requested.settings_as_requested,
    targets.fsname,
    targets.labels,
    targets.one_mgs,
    targets.one_device_each,
    sizes.formats,
    sizes.alignment,
    targets.service_nodes,
    targets.metadata_spread,
    network.known_agent,
    network.nids,
    network.fencing,
    network.unused_fencing,
    network.left_out,
    network.ring,
    network.second_level,
    network.sbd_elsewhere,
    sizes.target_counts,
    sizes.largest_ost,
    sizes.usual_ost,
    sizes.largest_mdt,
    sizes.useful_mgt,
    sizes.formattable,
    sizes.memory,
    files.objects_bind,
    files.inodes_bind,
    files.stripes_of_release,
    files.stripes_of_osts,
    files.layout_in_inode,
    files.largest_file,
    files.release_speaks,
    files.manager_knows,
    files.sizes_of_the_document,
    files.manager_watches,
    files.own_sizes,
)
ON_ARRAYS = (requested.array_volumes, requested.mdts_alike, requested.small_volumes, sizes.stripe_fits_rpc)
IN_A_POOL = (requested.pool_targets, targets.balanced_servers)
EXACT = (targets.targets_in_order, targets.preferred_nodes, network.no_other_addresses)
EXACT_ON_ARRAYS = ()
EXACT_IN_A_POOL = ()
