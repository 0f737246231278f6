"""The rendered files, read back, against the plan that they came from."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import lustre, server_of, target_of
from pixsize.products.scale.plan import nsd_of
from tests.readers.me4cli import Group, NewVolume, read_cli
from tests.readers.mkfs import read_calls
from tests.readers.stanza import read_stanzas


def stanzas_say_the_plan(files: Mapping[str, str], plan: Plan) -> None:
    """Each NSD of the plan has its stanza, with every clause, in the order of the plan."""
    assert read_stanzas(files["stanzas/nsd.stanza"]) == [
        {
            "stanza": "nsd",
            "device": t.device,
            "nsd": t.id,
            "servers": ",".join(t.servers),
            "usage": nsd_of(t).usage,
            "failureGroup": str(nsd_of(t).failure_group),
            "pool": nsd_of(t).pool,
        }
        for t in plan.targets
    ]


def mkfs_makes_the_plan(files: Mapping[str, str], plan: Plan) -> None:
    """Each target is made once, by the script of its first server, with all that the plan says of it."""
    scripts = {path.split("/")[1].removesuffix(".sh"): text for path, text in files.items() if _is_mkfs(path)}
    nids = {s.id: ",".join(server_of(s).nids) for s in plan.servers}
    mgs = next([nids[s] for s in t.servers] for t in plan.targets if target_of(t).mgs)
    kinds = {"mgt": {"--mgs"}, "mdt": {"--mdt"}, "ost": {"--ost"}}
    for server, text in scripts.items():
        due = [t for t in plan.targets if t.servers[0] == server]
        calls = {call.device: call for call in read_calls(text)}
        assert list(calls) == [t.device for t in due]
        for target in due:
            call, own = calls[target.device], target_of(target)
            shape = own.ldiskfs
            assert shape is not None
            options: dict[str, list[str]] = {}
            if target.kind != "mgt":
                options |= {"--fsname": [plan.filesystem.name], "--index": [str(own.index)]}
            if not own.mgs:
                options["--mgsnode"] = mgs
            if lustre(plan).failover:
                options["--servicenode"] = [nids[s] for s in target.servers]
            if shape.stride:
                options["--mkfsoptions"] = [f"-E stride={shape.stride},stripe_width={shape.stripe_width}"]
            assert call.options == options
            assert call.flags == kinds[target.kind] | ({"--mgs"} if own.mgs else set())
    assert {t.servers[0] for t in plan.targets} == set(scripts)


def _is_mkfs(path: str) -> bool:
    return path.startswith("mkfs/") and path.endswith(".sh")


def arrays_hold_the_plan(files: Mapping[str, str], plan: Plan) -> None:
    """The .cli files of each array, run in the order of their names, build its groups, spares, volumes and maps."""
    folders = {path.split("/")[1] for path in files if path.startswith("me4/") and path.endswith(".cli")}
    assert folders == {a.id for a in plan.arrays}
    for name in folders:
        scripts = sorted(p for p in files if p.startswith(f"me4/{name}/") and p.endswith(".cli"))
        array = read_cli("".join(files[p] for p in scripts))
        groups = [g for g in plan.disk_groups if g.array == name]
        assert list(array.groups.values()) == [
            Group(g.id, tuple((g.enclosure, s) for s in g.slots), g.level, g.owner, g.chunk_bytes) for g in groups
        ]
        assert array.spares == {(s.enclosure, slot) for s in plan.spares if s.array == name for slot in s.slots}
        volumes = [v for v in plan.volumes if v.array == name]
        assert list(array.volumes.values()) == [NewVolume(v.id, v.backing, v.bytes) for v in volumes]
        assert array.luns == {v.id: v.lun for v in volumes}


def multipath_names_the_plan(files: Mapping[str, str], plan: Plan) -> None:
    """The servers of each module know every volume of its arrays by its WWID, and no other; or the file is unfinished."""
    for module in plan.modules:
        known = {v.wwid for v in plan.volumes if v.array in module.arrays}
        text = files.get(f"multipath/{module.id}/multipath.conf", "")
        assert set(re.findall(r"^\s*wwid (\S+)$", text, re.M)) == (known if None not in known else set())
        assert (f"multipath/{module.id}/multipath.conf.incomplete" in files) is (None in known)
