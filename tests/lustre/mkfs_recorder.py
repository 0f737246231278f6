"""Stands in for mkfs.lustre and tunefs.lustre: prints what the real ones print, and formats with the stock mke2fs.

RELEASE says which release it plays, 2.15.8 or 2.10.8: `tests/recorded/lustre` holds what those printed, and a test compares
word for word. Beside that it records the calls. SPOIL makes what stands on the device differ from what was asked for. What
no recording shows is laid out as in lustre/utils (mkfs_lustre.c, libmount_utils_ldiskfs.c).

The tests start it some thousand times, mostly to look: it imports little, and what only a format needs, then.
"""

import marshal
import os
import sys

SPOIL = os.environ.get("SPOIL", "").split(",")
RECORD = os.environ.get("RECORD", "")
OLD = os.environ.get("RELEASE", "2.15.8").startswith("2.10.")
KIB, MIB, GIB, TIB = 2**10, 2**20, 2**30, 2**40

FLAGS = {0x1: "MDT", 0x2: "OST", 0x4: "MGS", 0x20: "first_time", 0x40: "update", 0x1000: "no_primnode"}
"""The bits of Lustre's disk data, in the order in which they are named (lustre_disk.h)."""
FIRST_TIME = 0x20
NOT_STOCK = ("dirdata",)
"""Features that only Lustre's own e2fsprogs has; they change no size."""


def kept(device):
    """The file that holds what stands on a device, as `Lab.holds` reads it."""
    return f"{RECORD}/{os.stat(device).st_rdev}.kept"


def shown(data, head, target, flags):
    """A block as both programs print it."""
    names = "".join(f"{name} " for bit, name in FLAGS.items() if flags & bit)
    return (
        f"\n   {head}:\nTarget:     {target}\nIndex:      {data['index']}\nLustre FS:  {data['fsname']}\n"
        f"Mount type: ldiskfs\nFlags:      {flags:#x}\n              ({names})\n"
        f"Persistent mount opts: {data['mount']}\nParameters:{data['parameters']}\n"
    )


def mkfs(words):
    with open(f"{RECORD}/calls", "a") as calls:
        calls.write(f"{words!r}\n")
    if "fail" in SPOIL:
        sys.exit("mkfs.lustre FATAL: it was told to fail")
    asked = options(words)
    data, flags = described(asked)
    print(shown(data, "Permanent disk data", data["target"], flags))
    if not asked.reformat:
        if os.path.exists(kept(asked.device)):
            print("checking for existing Lustre data: found", flush=True)
            again = "Use --reformat to reformat it, or tunefs.lustre to modify."
            print(
                f"\nmkfs.lustre FATAL: Device {asked.device} was previously formatted for lustre. {again}",
                file=sys.stderr,
            )
            print("mkfs.lustre: exiting with 17 (File exists)", file=sys.stderr)
            sys.exit(17)
        print("checking for existing Lustre data: not found")
    mke2fs(asked, data)
    print("Writing CONFIGS/mountdata")
    # An MGS of its own has no colon in its label, from which tunefs.lustre would take that it was never mounted.
    data["flags"] = f"{flags & ~FIRST_TIME if data['target'] == 'MGS' else flags:#x}"
    with open(kept(asked.device), "wb") as held:
        marshal.dump(spoiled(data), held)


def options(words):
    import argparse

    parser = argparse.ArgumentParser(allow_abbrev=False)
    for kind in ("mgs", "mdt", "ost", "reformat"):
        parser.add_argument(f"--{kind}", action="store_true")
    parser.add_argument("--fsname", default="")
    parser.add_argument("--index", type=int)
    parser.add_argument("--mgsnode", action="append", default=[])
    parser.add_argument("--servicenode", action="append", default=[])
    parser.add_argument("--mkfsoptions", default="")
    parser.add_argument("device")
    return parser.parse_args(words)


def described(asked):
    """What is to stand on the disk, and the flags as mkfs.lustre prints them."""
    numbered = asked.mdt or asked.ost
    flags = 0x1 * asked.mdt | 0x2 * asked.ost | 0x4 * asked.mgs | 0x60 | 0x1000 * bool(asked.servicenode)
    nodes = (("mgsnode", asked.mgsnode), ("failover.node", asked.servicenode))
    data = {
        "target": f"{asked.fsname}:{'MDT' if asked.mdt else 'OST'}{asked.index:04x}" if numbered else "MGS",
        "index": asked.index if numbered else "unassigned",
        "fsname": asked.fsname,
        "mount": f"{'' if asked.ost else 'user_xattr'},errors=remount-ro",
        "parameters": "".join(f"  {key}={':'.join(given)}" for key, given in nodes if given),
    }
    return data, flags


def spoiled(data):
    """The same as it stands on the disk, where a test has something go wrong."""
    if "index" in SPOIL:
        data["index"] += 1
    if "flags" in SPOIL:
        data["flags"] = f"{int(data['flags'], 16) ^ 0x1000:#x}"
    if "nodes" in SPOIL:
        data["parameters"] = data["parameters"].replace(":", ",")
    if "failout" in SPOIL:
        data["parameters"] = f"  failover.mode=failout{data['parameters']}"
    return data


def mke2fs(asked, data):
    """Prints the call as mkfs.lustre has it, and makes it as far as the stock mke2fs can."""
    import subprocess

    with open(asked.device, "rb") as disk:
        size = disk.seek(0, os.SEEK_END)
    words = mke2fs_words(asked, size)
    count = ("4k blocks", f"{size // 4096}") if OLD else ("kilobytes", f"{size // KIB}")
    last = count[1] + ("" if OLD else "k")
    print(f"device size = {size // MIB}MB\nformatting backing filesystem ldiskfs on {asked.device}")
    print(f"\ttarget name   {data['target']}\n\t{count[0]:<13} {count[1]}\n\toptions        {words}")
    head = f"mke2fs -j -b 4096 -L {data['target']} "
    print(f"mkfs_cmd = {head} {words} {asked.device} {last}", flush=True)
    command = [*head.split(), *stock(words), asked.device, "4088" if "blocks" in SPOIL else last]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


def mke2fs_words(asked, size):
    """The options in the order in which mkfs.lustre puts them together, the -E of --mkfsoptions at their end."""
    words = []
    if size > GIB and (asked.mdt or asked.ost):
        most = 4096 if asked.mdt else 400 if OLD else 1024
        words.append(f"-J size={min(most, size // KIB * 4 // 102_400)}")
    if asked.mdt or asked.ost:
        words.append(f"-I {512 if asked.ost else 1024}")
    ratio = 2560 if asked.mdt else ost_ratio(size) if asked.ost else 0
    words += [f"-i {ratio}"] if ratio else []
    words += ["-q", f"-O {','.join(features(asked))}"]
    words += ["-G 256"] if asked.ost else []
    extended = [asked.mkfsoptions.removeprefix("-E ")] if asked.mkfsoptions else []
    extended += ['resize="4290772992"'] if asked.ost and size > 100 * MIB else []
    extended += ["lazy_journal_init"] if OLD else ['lazy_journal_init="0"', 'lazy_itable_init="0"']
    return " ".join([*words, f"-E {','.join(extended)}", "-F"])


def ost_ratio(size):
    """Bytes an inode of an OST; up to 10 GiB it is left to mke2fs."""
    rows = ((16 * TIB, MIB), (4 * TIB, 512 * KIB), (TIB, 256 * KIB), (10 * GIB, 69905))
    return next((ratio for above, ratio in rows if size > above), 0)


def features(asked):
    own = (
        ["dirdata", "uninit_bg", "^extents"] if asked.mdt else ["extents", "uninit_bg"] if asked.ost else ["uninit_bg"]
    )
    mmp = ["mmp"] if asked.servicenode else []
    project = [] if OLD else ["project"]
    wide = ["ea_inode", "large_dir"] if asked.mdt and not OLD else []
    return [*own, *mmp, "dir_nlink", "quota", *project, "huge_file", *wide, "flex_bg"]


def stock(text):
    """The words for the stock mke2fs: without what it lacks, and lazily, which changes no size; or spoiled."""
    words = text.replace('"', "").split()
    for name, old, new in (("stride", "stride=32", "stride=64"), ("width", "width=256", "width=128")):
        words = [w.replace(old, new) if name in SPOIL else w for w in words]
    at = words.index("-O") + 1
    held = [f for f in words[at].split(",") if f not in NOT_STOCK]
    if "mmp" in SPOIL:
        held = [f for f in held if f != "mmp"] if "mmp" in held else [*held, "mmp"]
    words[at] = ",".join(held)
    at = words.index("-E") + 1
    given = [e for e in words[at].split(",") if not e.startswith("lazy_")]
    words[at] = ",".join([*given, "lazy_journal_init=1", "lazy_itable_init=1"])
    if "inode" in SPOIL and "-I" in words:
        at = words.index("-I") + 1
        words[at] = str(int(words[at]) // 2)
    words += ["-i", "8192"] if "inodes" in SPOIL else []
    return [*words, "-N", "4096"] if "blocks" in SPOIL else words


def tunefs(words):
    device = words[-1]
    if words[:-1] != ["--dryrun"]:
        sys.exit("tunefs.lustre may only look")
    print("checking for existing Lustre data: ", end="")
    if not os.path.exists(kept(device)):
        print("not found", flush=True)
        print(f"\ntunefs.lustre FATAL: Device {device} has not been formatted with mkfs.lustre", file=sys.stderr)
        print("tunefs.lustre: exiting with 19 (No such device)", file=sys.stderr)
        sys.exit(19)
    with open(kept(device), "rb") as held:
        data = marshal.load(held)
    print("found")
    if OLD:
        print("Reading CONFIGS/mountdata")
    flags, target = int(data["flags"], 16), data["target"]
    print(shown(data, "Read previous values", target.replace(":", "-").replace("=", "-"), flags))
    print(shown(data, "Permanent disk data", target, flags))
    print("exiting before disk write.")


def main():
    (mkfs if os.path.basename(sys.argv[0]) == "mkfs.lustre" else tunefs)(sys.argv[1:])
