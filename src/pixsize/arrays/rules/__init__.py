"""What a plan on arrays must keep, whatever file system lies on them."""

from pixsize.arrays.rules import disk_groups, modules, volumes
from pixsize.arrays.rules import observed_drives as drive_replies
from pixsize.arrays.rules import observed_volumes as volume_replies

PARTS = frozenset({"modules", "arrays", "disk_groups", "spares"})
"""The lists of a plan that these rules judge."""
REPLY_RULES = (drive_replies.known_arrays,)
"""Asked of every plan with replies."""
EXACT = (*modules.EXACT, *disk_groups.EXACT, *volumes.EXACT)
REPLIES = (
    drive_replies.enclosures,
    drive_replies.drives,
    drive_replies.stand_ins,
    drive_replies.idle_drives,
    volume_replies.group_sizes,
    volume_replies.group_holds,
    volume_replies.one_wwid_each,
    drive_replies.foreign_array,
    drive_replies.unplanned_parts,
    volume_replies.volumes_as_planned,
    drive_replies.larger_drives,
    drive_replies.nothing_observed,
    volume_replies.group_build,
    drive_replies.sector_formats,
    volume_replies.volumes_in_place,
    volume_replies.shared_groups,
    volume_replies.unclear_room,
    volume_replies.conditions,
    drive_replies.missing_parts,
)
RULES = (*modules.AS_REQUESTED, *disk_groups.RULES, *volumes.RULES, *modules.RULES, *REPLIES)
