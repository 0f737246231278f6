"""What high availability rests on: the words of pcs, the fence agents, and how long Pacemaker waits for a target."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from pixsize.catalog.patterns import matching
from pixsize.catalog.records import Many, Model, Natural, Record, Versioned

Word = Annotated[str, matching(r"[A-Za-z0-9_=-]{1,40}", "at most 40 of A-Z, a-z, 0-9, `_`, `=` and `-`")]
"""One argument of a command, as a shell passes it on without quotes."""
Words = Annotated[Many[Word], Field(min_length=1, max_length=8)]
FenceOption = Annotated[
    str,
    matching(
        r"[a-z][a-z0-9_]{0,39}=[A-Za-z0-9][A-Za-z0-9_.:,/-]{0,79}",
        "a name, an equals sign and a value that begins with a letter or a digit, as in lanplus=1",
    ),
]
"""An option of a fence agent with its value: never a word that pcs would take for one of its own commands."""
Version = Annotated[
    str, matching(r"[0-9]{1,3}(\.[0-9]{1,4}){1,3}", "two to four numbers with points between them, as in 0.11")
]

_MOST_PART = 9999
"""Of a version."""
_PCS_WORDS = {
    "auth": r"(cluster|host) auth",
    "setup": r"cluster setup( --name)?",
    "token": r"(--|totem )token=",
    "wait_for_all": r"(--|quorum )wait_for_all=1",
    "defaults": r"resource defaults( update)?",
}
"""The commands and options of pcs(8) that scripts know what to do with: a dialect chooses among their spellings."""
_GIVEN_BY_SCRIPTS = frozenset(
    (
        "ip",
        "ipaddr",
        "username",
        "login",
        "password",
        "passwd",
        "pcmk_host_list",
        "pcmk_host_map",
        "pcmk_delay_base",
        "plug",
        "port",
        "community",
        "devices",
    )
)
"""Options of fence agents that the scripts give themselves."""
_FLAG, _NUMBER, _WORD = "[01]|true|false|yes|no|on|off", "[0-9]{1,5}", "[A-Za-z0-9_.-]{1,40}"
_SECONDS = "[1-9][0-9]?"
_VALUES = {
    _FLAG: "0 or 1",
    _NUMBER: "a whole number",
    _SECONDS: "1 to 99",
    _WORD: "at most 40 of A-Z, a-z, 0-9, `_`, `.` and `-`",
}
_CONNECTION_OPTIONS = {
    **dict.fromkeys(("lanplus", "ssl", "ssl_secure", "ssl_insecure", "notls", "ssh", "secure"), _FLAG),
    **dict.fromkeys(("inet4_only", "inet6_only", "use_cookies"), _FLAG),
    **dict.fromkeys(("ipport", "cipher"), _NUMBER),
    **dict.fromkeys(("login_timeout", "shell_timeout", "power_timeout", "power_wait", "ipmitool_timeout"), _SECONDS),
    **dict.fromkeys(("retry_on", "stonith_status_sleep"), _SECONDS),
    **dict.fromkeys(("auth", "snmp_version", "snmp_sec_level"), _WORD),
    **dict.fromkeys(("snmp_auth_prot", "snmp_priv_prot", "ribcl_version", "drac_version", "api_version"), _WORD),
}
"""The options that say how an agent speaks with a device, by their names in the metadata of fence-agents 4.12, and what
their values look like. No other is taken: `action` and `method` choose what is done, `port`, `target` and their kin to
whom, `missing_as_off` and the options of Pacemaker (`pcmk_*`) what counts as done; others name files and programs, or
hold a key (`hexadecimal_kg`). With a lower `privlvl` an agent tells the state of a server that it cannot switch off."""


class FenceWords(Model):
    """What fence agents of a time call the address of a controller, who logs in there, and an outlet behind it."""

    address: Literal["ip", "ipaddr"]
    user: Literal["username", "login"]
    password: Literal["password", "passwd"]
    plug: Literal["plug", "port"] = "plug"


class PcsDialect(Versioned):
    """The words of the versions of pcs that begin with `version`, from `oldest` on.

    The names of the nodes follow `auth`, the name of the cluster and those of the nodes `setup`. The number of
    milliseconds follows `token` without a blank, the stickiness `defaults` as an option. `ocf_versions` are those that
    the metadata of an agent may name, and empty where pcs takes any. A node with two addresses is NODE,ADDRESS where
    `links` says comma, and NODE addr=NODE addr=ADDRESS where it says addr. The path of a device of SBD follows
    `sbd_device` without a blank.
    """

    begins: ClassVar[str] = "version"
    version: Version
    oldest: Version
    auth: Words
    setup: Words
    token: Words
    wait_for_all: Words
    defaults: Words
    fence: FenceWords
    ocf_versions: Many[Version] = ()
    links: Literal["comma", "addr"] = "addr"
    sbd_device: Literal["device=", "--device="] = "device="

    @property
    def span(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The first version that begins as it says, and one behind the last, as numbers."""
        first = tuple(int(part) for part in self.version.split("."))
        return first, (*first, _MOST_PART + 1)

    @property
    def versions_text(self) -> str:
        """The versions as a sentence names them."""
        return f"pcs {self.version}"

    @field_validator(*_PCS_WORDS)
    @classmethod
    def _known(cls, words: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        """A script that is run as root runs these words; any other could destroy a cluster."""
        if not re.fullmatch(_PCS_WORDS[str(info.field_name)], " ".join(words)):
            raise ValueError(f"{' '.join(words)!r} are no words of pcs that scripts use for this")
        return words


class FenceAgent(Record):
    """A program that switches a server off; `options` are those that it needs beside what follows from `reaches`.

    It reaches the server's own controller by its address, the outlets of a PDU that feed it, or the server by a shared
    disk (SBD). `login` is what it wants: a user with a password, a community of SNMP, or nothing.
    """

    id_means: ClassVar[str] = "the id of a fence agent is the name of its program"
    id: Annotated[str, matching(r"fence_[a-z0-9][a-z0-9_]{0,40}", "fence_, then at most 41 of a-z, 0-9 and `_`")]
    options: Many[FenceOption] = ()
    reaches: Literal["controller", "outlet", "disk"] = "controller"
    login: Literal["user", "community", "none"] = "user"

    @field_validator("options")
    @classmethod
    def _connection_only(cls, options: tuple[str, ...]) -> tuple[str, ...]:
        """Only how the agent speaks with the device: not what is done, to whom, or when it counts as done."""
        for option in options:
            name, _, value = option.partition("=")
            if name in _GIVEN_BY_SCRIPTS:
                raise ValueError(f"the scripts give {name} themselves")
            if name not in _CONNECTION_OPTIONS:
                known = ", ".join(sorted(_CONNECTION_OPTIONS))
                raise ValueError(f"{name} is no option that says how an agent speaks with a device: {known}")
            if not re.fullmatch(_CONNECTION_OPTIONS[name], value):
                raise ValueError(f"{option} is no value of {name}: {_VALUES[_CONNECTION_OPTIONS[name]]}")
        if len({option.partition("=")[0] for option in options}) < len(options):
            raise ValueError("an option stands twice")
        return options

    @model_validator(mode="after")
    def _waits(self) -> Self:
        """How long SBD waits follows from the policy, and stands in the scripts already."""
        if self.reaches == "disk" and any(option.startswith("power_timeout=") for option in self.options):
            raise ValueError("options: the scripts give power_timeout themselves where an agent reaches a disk")
        return self


class HaPolicy(Record):
    """How Pacemaker treats targets: times in seconds, that of the token in milliseconds, and scores.

    A target goes to its first server by `first_score`, to its second by `second_score`, and stays where it is by
    `stickiness`. `delay_s` is how long one server of a pair waits before it fences the other.

    Agents look after each server's health every `health_interval_s`, for `health_timeout_s` at most, and Pacemaker
    takes a change in after `health_dampen_s`. A server that LNet reaches others from, or of which it is not known, has
    `health_score` more; LNet is tried with at most `ping_hosts` other servers, each for about `ping_s`. Where Lustre
    itself calls a server sick, the targets that have it first lose `sick_first_score` there, and those that have it
    second `sick_second_score`.

    A fence agent that is tried has to answer within `fence_s`. On a disk of SBD a server that does not reach it resets
    itself after `sbd_watchdog_s`, and a message counts as read after `sbd_msgwait_s`; the fence agent waits for
    `sbd_power_s`, and Pacemaker for `sbd_stonith_s`.
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
    health_score: Natural = 10_000
    health_interval_s: Natural = 20
    health_timeout_s: Natural = 300
    health_dampen_s: Natural = 60
    ping_hosts: Natural = 4
    ping_s: Natural = 5
    sick_first_score: Natural = 300
    sick_second_score: Natural = 100
    fence_s: Natural = 60
    sbd_watchdog_s: Natural = 60
    sbd_msgwait_s: Natural = 120
    sbd_power_s: Natural = 150
    sbd_stonith_s: Natural = 180

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        """Scores and times do what they are for only in relation to each other."""
        for holds, sentence in (*self._scores(), *self._times()):
            if not holds:
                raise ValueError(sentence)
        return self

    def _scores(self) -> Iterator[tuple[bool, str]]:
        """What the scores have to keep, for a target on its first server and for one on its second."""
        first_more, stay = self.first_score - self.second_score, self.stickiness
        sick, sick_second = self.sick_first_score, self.sick_second_score
        yield first_more > 0, "first_score does not exceed second_score"
        yield (
            stay > first_more,
            "a target moves back by itself: stickiness does not exceed first_score less second_score",
        )
        yield sick > first_more + stay, "a target stays on a first server that is sick: sick_first_score is too small"
        yield (
            sick_second > sick - first_more - stay,
            "a target leaves for a second server as sick: sick_second_score is too small",
        )
        yield (
            sick_second < stay - first_more,
            "a target goes to and fro between its servers: sick_second_score is too large",
        )
        yield (
            self.first_score > sick and self.second_score > sick_second,
            "a server that is sick has no points left",
        )
        yield self.health_score > first_more + stay + sick, "health_score does not exceed the other scores together"

    def _times(self) -> Iterator[tuple[bool, str]]:
        seen_s = self.health_interval_s + self.ping_hosts * self.ping_s
        yield self.health_dampen_s > seen_s, f"health_dampen_s: two servers notice one outage up to {seen_s} s apart"
        yield self.sbd_msgwait_s >= 2 * self.sbd_watchdog_s, "sbd_msgwait_s is below two sbd_watchdog_s"
        yield self.sbd_power_s > self.sbd_msgwait_s, "sbd_power_s does not exceed sbd_msgwait_s"
        yield self.sbd_stonith_s > self.sbd_power_s, "sbd_stonith_s does not exceed sbd_power_s"
