"""What others have to know of volumes of ME4 arrays."""

from pixsize.figures import Source
from pixsize.product import VolumeTerms

TERMS = VolumeTerms(
    page="me4/{array}/README.md#5.",
    missing="Look at multipath -ll: is the volume mapped to this server, and the rendered multipath.conf installed?",
    reported={
        "group": Source("dell-me4-cli", "show disk-groups: size-numeric, in blocks of 512 bytes"),
        "volume": Source("dell-me4-cli", "show volumes: size-numeric or blocks, in blocks of 512 bytes"),
    },
)
