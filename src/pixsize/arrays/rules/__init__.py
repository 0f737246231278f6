"""What a plan on arrays must keep, whatever file system lies on them."""

from pixsize.arrays.rules import disk_groups, modules, volumes
from pixsize.arrays.rules import observed_drives as drives
from pixsize.arrays.rules import observed_volumes as seen

PARTS = frozenset({"modules", "arrays", "disk_groups", "spares"})
"""The lists of a plan that these rules judge."""
REPLY_RULES = (drives.known_arrays,)
"""Asked of every plan with replies."""
EXACT = (*modules.EXACT, *disk_groups.EXACT, *volumes.EXACT)
REPLIES = (
    drives.enclosures,
    drives.drives,
    drives.stand_ins,
    drives.idle_drives,
    seen.group_sizes,
    seen.group_holds,
    seen.one_wwid_each,
    drives.strange_array,
    drives.strange_names,
    seen.volumes_as_planned,
    drives.larger_drives,
    drives.nothing_observed,
    seen.group_build,
    drives.sector_formats,
    seen.volumes_in_place,
    seen.shared_groups,
    seen.unclear_room,
    seen.conditions,
    drives.missing_parts,
)
RULES = (*modules.AS_REQUESTED, *disk_groups.RULES, *volumes.RULES, *modules.RULES, *REPLIES)
