"""Names that GPFS, the root folder or /dev of a server have already."""

from __future__ import annotations

import re

from pixsize.load import names

_GPFS_WORDS = frozenset(("system", "mount", "mmfs"))
# A file system is mounted on a folder of its name at the root, and its device appears in /dev.
_ROOT_FOLDERS = frozenset(
    (
        "bin",
        "boot",
        "dev",
        "etc",
        "home",
        "lib",
        "lib32",
        "lib64",
        "media",
        "mnt",
        "opt",
        "proc",
        "root",
        "run",
        "sbin",
        "srv",
        "sys",
        "tmp",
        "usr",
        "var",
    )
)
# fmt: off
_DEV_ENTRIES = frozenset((
    "null", "zero", "full", "random", "urandom", "tty", "console", "mem", "port", "kmsg", "ptmx", "pts",
    "fuse", "mapper", "disk", "block", "char", "bus", "cpu", "core", "fd", "stdin", "stdout", "stderr", "shm",
    "mqueue", "hugepages", "net", "snd", "input", "vfio", "log", "kvm", "rtc", "infiniband", "watchdog",
    "mmcblk", "nbd", "drbd", "rbd", "md", "dri", "raw", "mei", "uinput", "nvram", "hpet", "initctl",
))
# fmt: on
_DEV_NUMBERED = (
    r"tty[a-z]{0,4}|(?:tty[a-z]{0,4}|rtc|md|loop|sr|scd|sg|st|nst|ram|zram|drbd|rbd|vcsa?|vcsu|watchdog|nvidia|fd|dm-)\d+|"
    r"(?:sd|vd|xvd|hd)[a-z]{1,2}\d*|nvme\d+(?:n\d+(?:p\d+)?)?|(?:mmcblk|nbd)\d+(?:p\d+)?"
)
_DEV_INITIALS = frozenset("tmrlsnzdvwfxh")
# The node classes that every cluster has: `mmchconfig -N all` would not mean the host.
_NODE_CLASSES = frozenset(
    (
        "all",
        "none",
        "mount",
        "clientnodes",
        "clusternodes",
        "managernodes",
        "nonquorumnodes",
        "nsdnodes",
        "quorumnodes",
    )
)


def filesystem_trouble(text: str, longest: int) -> str:
    """Why `text` cannot name a GPFS file system, its device and its mount point; empty when it can."""
    return names.word_trouble(text, "_", longest) or names.reserved(text) or _gpfs_trouble(text.lower())


def host_trouble(text: str) -> str:
    """Why `text` is no host name of a server, or one that GPFS gives to a class of nodes; empty when it is neither."""
    return names.host_trouble(text) or ("GPFS reads it as a class of nodes" if text.lower() in _NODE_CLASSES else "")


def _gpfs_trouble(word: str) -> str:
    # NSD names that begin with gpfs are reserved (message 6027-1945); a file system `gpfs0` is none, and common.
    if word == "gpfs" or word in _GPFS_WORDS:
        return "GPFS reserves this name"
    if word in _ROOT_FOLDERS:
        return f"it would be mounted over /{word} of the operating system"
    taken = word in _DEV_ENTRIES or (word[0] in _DEV_INITIALS and re.fullmatch(_DEV_NUMBERED, word))
    return f"servers have a /dev/{word} of their own" if taken else ""
