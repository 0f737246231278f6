"""The words of a request that PowerFlex goes by, whatever file system brings them."""

from __future__ import annotations

from typing import Protocol, cast

from pixsize.check.context import Case


class _Hosts(Protocol):
    @property
    def hosts(self) -> tuple[str, ...]: ...


class _Network(Protocol):
    @property
    def interface(self) -> str: ...


class PoolWords(Protocol):
    """What is asked of the pool: sizes in bytes, `spare` in per cent."""

    @property
    def spare(self) -> int: ...
    @property
    def ost_bytes(self) -> int: ...
    @property
    def network(self) -> _Network | None: ...


class PoolRequest(Protocol):
    """A request for servers that share their drives in a pool."""

    @property
    def servers(self) -> int: ...
    @property
    def drive(self) -> str: ...
    @property
    def hosts(self) -> tuple[str, ...]: ...
    @property
    def metadata(self) -> _Hosts: ...
    @property
    def failover(self) -> bool: ...
    @property
    def powerflex(self) -> PoolWords: ...


def pool_request(case: Case) -> PoolRequest:
    """The request, which asks for a pool where this product judges it."""
    return cast("PoolRequest", case.request)
