"""The word `nvme` of a request."""

from typing import ClassVar

from pydantic import Field

from pixsize.request import COMPLETED, Words


class Arbiter(Words):
    """A third target, so that one pair alone has a majority: a server outside the pair with an NVMe drive."""

    form: ClassVar[str] = "{server: mgmt1, drive: 1.6 TB}"
    server: str = Field(description="a server outside the pairs, by the name that NVMesh knows it by")
    drive: str = Field(json_schema_extra=COMPLETED, description="its NVMe drive; left out: one as in the pairs")


class Policy(Words):
    """How full the pool of the tier may be, in per cent of it."""

    form: ClassVar[str] = "{limit: 85, high: 80, low: 60}"
    limit: int = Field(85, ge=1, le=99, description="new files go to the main pool from there on")
    high: int = Field(80, ge=1, le=99, description="files move to the main pool from there on")
    low: int = Field(60, ge=0, le=98, description="until no more than this is left")


class Nvme(Words):
    """Pairs of servers with NVMe drives, mirrored by NVMesh: a pool of its own for data."""

    form: ClassVar[str] = "{pairs: 1, drive: 1.6 TB}"
    pairs: int = Field(1, ge=1, description="how many pairs of servers")
    drive: str = Field(json_schema_extra=COMPLETED, description="NVMe capacity, such as 1.6 TB, or a catalog id")
    policy: Policy = Field(Policy(), description="when new files go past the tier, and old ones leave it")
    arbiter: Arbiter | None = Field(None, description="the third target that one pair alone needs for a majority")
