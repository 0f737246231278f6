"""What others have to know of volumes of ME4 arrays."""

from pixsize.product import VolumeTerms

TERMS = VolumeTerms(
    page="me4/{array}/README.md#5.",
    missing="Look at multipath -ll: is the volume mapped to this server, and the rendered multipath.conf installed?",
)
