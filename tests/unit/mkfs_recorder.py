"""Stands in for mkfs.lustre and tunefs.lustre: records calls, formats with stock mke2fs, and tells what was written.

The output of tunefs.lustre is laid out as Lustre's print_ldd does (lustre/utils/mkfs_lustre.c); SPOIL makes it, or what
stands on the device, differ from what was asked for.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

FLAGS = {"mdt": 0x61, "ost": 0x62, "mgs": 0x64}
SPOIL = os.environ.get("SPOIL", "").split(",")
RECORD = Path(os.environ["RECORD"])


def kept(device):
    return RECORD / f"{os.stat(device).st_rdev}.json"


def mkfs(words):
    with (RECORD / "calls").open("a") as calls:
        calls.write(json.dumps(words) + "\n")
    if "fail" in SPOIL:
        sys.exit("mkfs.lustre FATAL: it was told to fail")
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for kind in ("mgs", "mdt", "ost", "reformat"):
        parser.add_argument(f"--{kind}", action="store_true")
    parser.add_argument("--fsname", default="")
    parser.add_argument("--index", type=int)
    parser.add_argument("--mgsnode", action="append", default=[])
    parser.add_argument("--servicenode", action="append", default=[])
    parser.add_argument("--mkfsoptions", default="")
    parser.add_argument("device")
    asked = parser.parse_args(words)
    if kept(asked.device).exists() and not asked.reformat:
        sys.exit(f"mkfs.lustre FATAL: Device {asked.device} was previously formatted for lustre. Use --reformat")
    mke2fs(asked)
    flags = 0
    for kind, value in FLAGS.items():
        flags |= value * getattr(asked, kind)
    flags |= 0x1000 * bool(asked.servicenode)
    kind = "MDT" if asked.mdt else "OST"
    data = {
        "target": f"{asked.fsname}:{kind}{asked.index:04x}" if asked.mdt or asked.ost else "MGS",
        "index": asked.index + ("index" in SPOIL) if asked.mdt or asked.ost else "unassigned",
        "flags": f"{flags ^ (0x1000 if 'flags' in SPOIL else 0):#x}",
        "parameters": "".join(
            f" {key}={':'.join(nodes)}"
            for key, nodes in (("mgsnode", asked.mgsnode), ("failover.node", asked.servicenode))
            if nodes
        ),
    }
    if "nodes" in SPOIL:
        data["parameters"] = data["parameters"].replace(":", ",")
    kept(asked.device).write_text(json.dumps(data))


def mke2fs(asked):
    inode, ratio = (512, 16384) if asked.ost else (1024, 2560) if asked.mdt else (256, 16384)
    inode, ratio = inode // (1 + ("inode" in SPOIL)), ratio * (1 + ("inodes" in SPOIL))
    features = "uninit_bg,dir_nlink,quota,huge_file,flex_bg"
    if bool(asked.servicenode) != ("mmp" in SPOIL):
        features += ",mmp"
    stripes = asked.mkfsoptions.replace("stride=32", "stride=64") if "stride" in SPOIL else asked.mkfsoptions
    stripes = stripes.replace("width=256", "width=128") if "width" in SPOIL else stripes
    command = ["mke2fs", "-q", "-F", "-b", "4096", "-I", str(inode), "-i", str(ratio), "-J", "size=4", "-O", features]
    command += [*stripes.split(), asked.device, *(["16376"] if "blocks" in SPOIL else [])]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


def tunefs(words):
    device = words[-1]
    if words[:-1] != ["--dryrun"]:
        sys.exit("tunefs.lustre may only look")
    print("checking for existing Lustre data: ", end="")
    if not kept(device).exists():
        print("not found\n")
        sys.exit(19)
    data = json.loads(kept(device).read_text())
    print("found")
    for head in ("Read previous values", "Permanent disk data"):
        print(f"\n   {head}:\nTarget:     {data['target']}\nIndex:      {data['index']}\nLustre FS:  scratch")
        print(f"Mount type: ldiskfs\nFlags:      {data['flags']}\n              (first_time update )")
        print(f"Persistent mount opts: errors=remount-ro\nParameters:{data['parameters']}\n")
    print("exiting before disk write.")


if __name__ == "__main__":
    (mkfs if Path(sys.argv[0]).name == "mkfs.lustre" else tunefs)(sys.argv[1:])
