"""What others have to know of volumes of a PowerFlex pool."""

from pixsize.product import VolumeTerms

TERMS = VolumeTerms(
    page="",
    missing="Is the volume mapped to this server (scli --query_all_volumes), and does its SDC run (drv_cfg)?",
    reported={},
)
