"""What high availability rests on: the words of pcs, the fence agents, and how long Pacemaker waits for a target."""

from typing import Annotated

from pydantic import Field

from pixsize.catalog.records import Many, Model, Natural, Record

Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9_=-]{1,40}$")]
"""One argument of a command, as a shell passes it on without quotes."""
Words = Annotated[Many[Word], Field(min_length=1, max_length=8)]
Version = Annotated[str, Field(pattern=r"^[0-9]{1,3}(\.[0-9]{1,4}){1,3}$")]


class FenceWords(Model):
    """What fence agents of a time call the address of a controller, and who logs in there."""

    address: Word
    user: Word
    password: Word


class PcsDialect(Record):
    """The words of the versions of pcs that begin with `version`, from `oldest` on.

    The names of the nodes follow `auth`, the name of the cluster and those of the nodes `setup`. The number of
    milliseconds follows `token` without a blank, the stickiness `defaults` as an option. `ocf_versions` are those that
    the metadata of an agent may name, and empty where pcs takes any.
    """

    version: Version
    oldest: Version
    auth: Words
    setup: Words
    token: Words
    wait_for_all: Words
    defaults: Words
    fence: FenceWords
    ocf_versions: Many[Version] = ()


class FenceAgent(Record):
    """A program that switches a server off by its controller's address; `options` are those that it needs beside."""

    options: Many[Word] = ()


class HaPolicy(Record):
    """How Pacemaker treats targets: times in seconds, that of the token in milliseconds, and scores.

    A target goes to its first server by `first_score`, to its second by `second_score`, and stays where it is by
    `stickiness`. `delay_s` is how long one server of a pair waits before it fences the other.
    """

    token_ms: Natural
    start_s: Natural
    stop_s: Natural
    monitor_s: Natural
    interval_s: Natural
    first_score: Natural
    second_score: Natural
    stickiness: Natural
    delay_s: Natural
