"""What the estimates of IBM Storage Scale are worded with."""

from pixsize.estimate import cited
from pixsize.estimate.words import Words

SCALE = Words(
    target="NSD",
    metadata="metadata NSDs",
    spread="GPFS stripes over all {n:,} NSDs alike",
    doubled="as seen with the expansion",
    counted="It takes nothing off for the array or the file system, and prints GB where TB is meant.",
    modules="storage_modules",
    raw=cited.RAW,
    formatted=cited.FORMATTED,
    layout=cited.LAYOUT,
    spreading=cited.STRIPING,
    grows=cited.MODULES_ADD,
    controllers=cited.CONTROLLERS,
    chain=cited.CHAIN,
)
