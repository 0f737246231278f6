"""The word `ngenea` of a request."""

from typing import ClassVar, Literal

from pydantic import Field

from pixsize.request import COMPLETED, Words


class NgeneaTarget(Words):
    """Storage that files are moved to. It holds no secret: `credentials_file` names the file that does."""

    form: ClassVar[str] = (
        "{name: cold, type: s3, endpoint: https://s3.example.org, bucket: cold, credentials_file: /etc/pixsize/cold}"
    )
    name: str = Field(description="its name, and that of its file")
    type: Literal["s3", "ds3", "azure", "google", "posix"] = Field(
        description="what it is; `ds3` is BlackPearl, `posix` another file system"
    )
    endpoint: str | None = Field(None, description="the URL of its server, such as https://s3.example.org")
    port: int | None = Field(
        None, ge=1, le=65535, json_schema_extra=COMPLETED, description="the URL's port, or 443; 80 with `scheme: http`"
    )
    scheme: Literal["https", "http"] | None = Field(
        None, json_schema_extra=COMPLETED, description="`http` must be said: it sends everything in clear"
    )
    bucket: str | None = Field(None, description="the bucket, or the container, that holds the objects")
    region: str | None = Field(None, description="the region of the bucket; Ngenea requires it for `s3`")
    path: str | None = Field(None, description="the folder of a `posix` target, outside the file system")
    credentials_file: str | None = Field(
        None, description="the file with its keys, by an absolute path on the Ngenea nodes, outside the file system"
    )


class Ngenea(Words):
    """Servers that move files to object storage, clouds or tapes, and back when they are read."""

    form: ClassVar[str] = f"{{count: 2, targets: [{NgeneaTarget.form}]}}"
    count: int = Field(2, ge=1, description="how many Ngenea nodes")
    targets: tuple[NgeneaTarget, ...] = Field(
        (), strict=False, description="where files are moved to; left out: no file is rendered for Ngenea"
    )
    subnet: str | None = Field(None, description="the network that leads to the targets, such as 10.50.0.0/24")
    router: str | None = Field(None, description="the address of its router, which no node has then")
    addresses: tuple[str, ...] = Field(
        (),
        strict=False,
        json_schema_extra=COMPLETED,
        description="those of the nodes on it, in their order; without `subnet`, the site's",
    )
