"""Judges names of systems, servers and devices: no shell, array or file system may misread one of them."""

from __future__ import annotations

import re

_CHARACTERS = {
    " ": "a blank",
    "\t": "a tab",
    "\n": "a line break",
    "\r": "a carriage return",
    "'": "a single quote",
    '"': "a double quote",
    "`": "a backquote",
    "$": "a dollar sign",
    "\\": "a backslash",
    "/": "a slash",
    "-": "a dash",
    ".": "a point",
    "_": "an underscore",
    ",": "a comma",
    ":": "a colon",
    "=": "an equals sign",
    "#": "a hash sign",
    "*": "an asterisk",
    "\0": "a NUL",
}
# Plain ASCII, spelled out: `str.isalpha` and `str.isdigit` also take letters and digits of other scripts.
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"

# File names that SMB clients running Windows cannot open: they are the names of its devices, whatever follows a point.
_DEVICE_WORDS = frozenset(("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))))
# Words that options of pixsize, or YAML 1.1, read as something else than a name.
_PIXSIZE_WORDS = frozenset(("all", "none", "default", "any", "null", "true", "false", "yes", "no", "on", "off"))
# Folders in /dev whose entries are no block devices, or change their names: elsewhere a folder is a volume group.
_DEV_FOLDERS = frozenset(
    (
        "block",
        "bus",
        "char",
        "cpu",
        "dma_heap",
        "dri",
        "fd",
        "hugepages",
        "infiniband",
        "input",
        "mqueue",
        "net",
        "pts",
        "raw",
        "shm",
        "snd",
        "usb",
        "vfio",
    )
)

LONGEST_HOST = 253
LONGEST_LABEL = 63
"""Characters of a host name and of one of its parts (RFC 1035, section 2.3.4: 255 and 63 octets, lengths included)."""
LONGEST_DEVICE = 200
"""Characters of a device path. The names that udev makes are far shorter."""


def character(char: str) -> str:
    """A character as a sentence can name it."""
    if char in _CHARACTERS:
        return _CHARACTERS[char]
    if "!" <= char <= "~":
        return f"the character {char}"
    import unicodedata

    return f"U+{ord(char):04X} {unicodedata.name(char, 'CONTROL CHARACTER')}"


def system_trouble(text: str, longest: int) -> str:
    """Why `text` cannot name a system; empty when it can."""
    return (
        word_trouble(text, "_-.", longest)
        or reserved(text)
        or ("it ends with " + character(text[-1]) if text[-1] in "-." else "")
    )


def word_trouble(text: str, marks: str, longest: int) -> str:
    """Why `text` is not a letter and then letters, digits and `marks`; empty when it is."""
    if not text:
        return "it is empty"
    if text[0] not in _LETTERS:
        return f"it begins with {character(text[0])}, not with a letter"
    allowed = _LETTERS + _DIGITS + marks
    for index, char in enumerate(text):
        if char not in allowed:
            return f"{character(char)} at character {index + 1}"
    if ".." in text:
        return "two points in a row"
    return f"it is longer than {longest} characters" if len(text) > longest else ""


def reserved(text: str) -> str:
    """Why `text` is reserved: a program or a file format gives it a meaning of its own; empty when none does."""
    word = text.lower()
    if word.partition(".")[0] in _DEVICE_WORDS:
        return "some file systems read it as a device"
    return "it is a reserved word" if word in _PIXSIZE_WORDS else ""


def host_trouble(text: str) -> str:
    """Why `text` cannot be the host name of a server (RFC 1123; points allowed); empty when it can."""
    if not text:
        return "it is empty"
    if len(text) > LONGEST_HOST:
        return f"it is longer than {LONGEST_HOST} characters"
    for index, char in enumerate(text):
        if char not in _LETTERS + _DIGITS + "-.":
            return f"{character(char)} at character {index + 1}"
    return next(filter(None, map(_label_trouble, text.split("."))), "") or _host_reserved(text.lower())


def _label_trouble(label: str) -> str:
    if not label:
        return "a point stands at an end, or two in a row"
    if label[0] == "-" or label[-1] == "-":
        return "a part begins or ends with a dash"
    return f"a part is longer than {LONGEST_LABEL} characters" if len(label) > LONGEST_LABEL else ""


def _host_reserved(word: str) -> str:
    last = word.rpartition(".")[2]
    if last.isdigit() or re.fullmatch("0x[0-9a-f]*", last):
        return "it reads as a number or an address; use the server's name"
    if word.partition(".")[0] == "localhost":
        return "every server calls itself localhost"
    return "some file systems read it as a device" if word.partition(".")[0] in _DEVICE_WORDS else ""


def device_trouble(text: str) -> str:
    """What is wrong with `text` as the path of a block device that keeps its name; empty when nothing is.

    The text continues a sentence that begins with the path.
    """
    wrong = "cannot name a device"
    if not text.startswith("/dev/") or len(text) > LONGEST_DEVICE:
        return f"{wrong}: a path under /dev/ of at most {LONGEST_DEVICE} characters is needed"
    for index, char in enumerate(text):
        if char not in _LETTERS + _DIGITS + "/_.:+-":
            return f"{wrong}: {character(char)} at character {index + 1}"
    parts = text.split("/")[2:]
    if any(part in ("", ".", "..") or part.startswith("-") for part in parts):
        return f"{wrong}: a part of the path is empty, `.` or `..`, or begins with a dash"
    stable = "use a path below /dev/disk/by-id or /dev/mapper"
    return "" if _keeps_its_name(parts) else f"can change its name at a restart; {stable}"


def _keeps_its_name(parts: list[str]) -> bool:
    """Whether a path below /dev is one that udev, device mapper or LVM keeps: `disk/by-id/X`, `mapper/X`, `vg/lv`."""
    if parts[0] == "disk":
        return len(parts) == 3 and parts[1].startswith("by-") and len(parts[1]) > len("by-")
    if parts[0] == "mapper":
        return len(parts) == 2 and parts[1] != "control"
    return len(parts) == 2 and parts[0].lower() not in _DEV_FOLDERS


def line_trouble(text: str) -> str:
    """Why `text` is not a text of one line; empty when it is."""
    if not text.strip():
        return "it is empty"
    if len(text) > 500:
        return "it is longer than 500 characters"
    bad = next((c for c in text if not c.isprintable()), "")
    return character(bad) if bad else ""
