"""What a request says of a PowerFlex pool, whatever file system lies on it."""

from typing import ClassVar

from pixsize.request import PoolWords


class PowerFlex(PoolWords):
    """The pool: how much of it stays spare, and the sizes of the volumes."""

    form: ClassVar[str] = "{network: {interface: p2p1, subnet: 10.30.0.0/24}}"
