"""Words that requests for modules of arrays share, whatever the file system."""

from typing import Annotated

from pydantic import Field

from pixsize.quantities import Bytes
from pixsize.request import COMPLETED

ChunkSize = Annotated[
    Bytes,
    Field(
        alias="chunk_size",
        json_schema_extra=COMPLETED,
        description="of the groups of data, such as 128 KiB (catalog: the choice `chunk_sizes` of the arrays)",
    ),
]
ModuleHosts = Annotated[
    tuple[str, ...],
    Field(
        strict=False,
        json_schema_extra=COMPLETED,
        description="the servers' names in the cluster, two a module, module by module",
    ),
]
