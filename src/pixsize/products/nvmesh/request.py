"""The word `nvme` of a request."""

from typing import ClassVar

from pydantic import Field

from pixsize.request import COMPLETED, Words


class Arbiter(Words):
    """A third target, so that one pair alone has a majority: a server outside the pair with an NVMe drive."""

    form: ClassVar[str] = "{server: mgmt1, drive: 1.6 TB}"
    server: str = Field(description="a server outside the pairs, by the name that NVMesh knows it by")
    drive: str = Field(json_schema_extra=COMPLETED, description="its NVMe drive; left out: one as in the pairs")


class Nvme(Words):
    """Pairs of servers with NVMe drives, mirrored by NVMesh: a pool of its own for data."""

    form: ClassVar[str] = "{pairs: 1, drive: 1.6 TB}"
    pairs: int = Field(1, ge=1, description="how many pairs of servers")
    drive: str = Field(json_schema_extra=COMPLETED, description="NVMe capacity, such as 1.6 TB, or a catalog id")
    arbiter: Arbiter | None = Field(None, description="the third target that one pair alone needs for a majority")
