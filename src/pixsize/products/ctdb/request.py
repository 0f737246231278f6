"""The word `gateways` of a request."""

from typing import ClassVar, Literal

from pydantic import Field

from pixsize.request import COMPLETED, Words


class Smb(Words):
    """How SMB clients log in."""

    form: ClassVar[str] = "{security: user}"
    security: Literal["user", "ads"] = Field("user", description="`user`: local accounts; `ads`: Active Directory")
    realm: str | None = Field(None, description="the Kerberos realm, for `ads`")
    workgroup: str | None = Field(None, description="the workgroup, or the short name of the domain")


class Gateways(Words):
    """Servers that give SMB and NFS clients access to the file system, as one CTDB cluster."""

    form: ClassVar[str] = "{count: 2, protocols: [smb, nfs], domain: files.example.org, subnet: 10.40.0.0/24}"
    count: int = Field(2, ge=1, description="how many gateways")
    protocols: tuple[Literal["smb", "nfs"], ...] = Field(
        ("smb", "nfs"), strict=False, min_length=1, description="what clients use"
    )
    nfs_server: Literal["kernel", "ganesha"] = Field("kernel", description="which NFS server")
    domain: str | None = Field(None, description="the host name of all public addresses; the rest of it is the zone")
    subnet: str | None = Field(None, description="the network of the public addresses, such as 10.40.0.0/24")
    router: str | None = Field(None, description="the address of its router, which no gateway has then")
    addresses: tuple[str, ...] = Field(
        (), strict=False, json_schema_extra=COMPLETED, description="the public addresses, one a gateway"
    )
    interface: str = Field(json_schema_extra=COMPLETED, description="the interface of each gateway towards the clients")
    exports: tuple[str, ...] = Field(
        strict=False,
        min_length=1,
        json_schema_extra=COMPLETED,
        description="the folders that clients see; the file system's root",
    )
    smb: Smb = Field(Smb(), description="how SMB clients log in")
