"""What the estimates of IBM Storage Scale are worded with."""

from pixsize.estimate.words import Words
from pixsize.products.scale.figures import sources

SCALE = Words(
    target="NSD",
    metadata="metadata NSDs",
    metadata_targets="metadata NSDs",
    spread="GPFS stripes over all {n:,} NSDs alike",
    doubled="as seen with the expansion",
    counted="It takes nothing off for the array or the file system, and prints GB where TB is meant.",
    modules="storage_modules",
    raw=sources.RAW,
    formatted=sources.FORMATTED,
    layout=sources.LAYOUT,
    spreading=sources.STRIPING,
    grows=sources.MODULES_ADD,
    chain=sources.CHAIN,
)
