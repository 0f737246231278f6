"""What is rendered of a plan, and who reads it back: a table of readers by render target."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from pixsize.findings import has_errors
from pixsize.plan.records import Plan
from pixsize.render import RENDERERS, File
from tests.readers.bench import benchmarks_measure_the_plan
from tests.readers.compare import (
    Files,
    Reader,
    arrays_hold_the_plan,
    cables_join_the_parts,
    cluster_is_the_plan,
    clusters_hold_the_plan,
    gateways_are_the_plan,
    hosts_know_the_plan,
    lnet_has_the_plans_addresses,
    mkfs_makes_the_plan,
    mounts_are_the_plan,
    multipath_names_the_plan,
    ngenea_reaches_the_plans_targets,
    nvme_volumes_are_the_plan,
    policy_fills_the_plans_pools,
    pool_scripts_make_the_plan,
    stanzas_say_the_plan,
)
from tests.support.programs import tool
from tests.support.running import catalog

READERS: Mapping[str, Reader] = {
    "hosts": hosts_know_the_plan,
    "stanzas": stanzas_say_the_plan,
    "cluster": cluster_is_the_plan,
    "policy": policy_fills_the_plans_pools,
    "multipath": multipath_names_the_plan,
    "me4": arrays_hold_the_plan,
    "powerflex": pool_scripts_make_the_plan,
    "mkfs": mkfs_makes_the_plan,
    "ha": clusters_hold_the_plan,
    "lnet": lnet_has_the_plans_addresses,
    "mount": mounts_are_the_plan,
    "nvmesh": nvme_volumes_are_the_plan,
    "ctdb": gateways_are_the_plan,
    "cables": cables_join_the_parts,
    "ngenea": ngenea_reaches_the_plans_targets,
    "bench": benchmarks_measure_the_plan,
}
"""Render target -> what fails unless its files, read back, are the plan."""
UNREAD: Mapping[str, str] = {
    "striping": "runs on a client, names no part of the plan; tests/lustre/test_striping.py runs the scripts",
    "tuning": "parameters of the catalog, no part of the plan; tests/lustre/test_tuning.py reads each",
}
"""Render target -> why nothing of the plan can be read back from its files. Bash reads their scripts all the same."""


def rendered(plan: Plan) -> dict[str, tuple[File, ...]]:
    """The files of each render target that has all that it needs of a plan, in the order of the targets."""
    fitting = (r for r in RENDERERS.values() if r.applies(plan) and not has_errors(r.findings(plan, catalog())))
    return {renderer.name: renderer.files(plan, catalog()) for renderer in fitting}


def read_back(files: Files, plan: Plan) -> None:
    """Each target of these files that has a reader says the plan, whole and nothing else."""
    for target in {path.split("/")[0] for path in files} & READERS.keys():
        below = f"{target}/"
        READERS[target]({p.removeprefix(below): text for p, text in files.items() if p.startswith(below)}, plan)


def bash_reads(files: Files, folder: Path) -> None:
    """Each script is one that bash can read to its end; they are written below `folder`."""
    scripts = {folder / path: text for path, text in files.items() if path.endswith(".sh")}
    for path, text in scripts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")
    loop = 'for script in "$@"; do bash -n "$script" || exit 1; done'
    command = [tool("bash"), "-c", loop, "bash", *map(str, scripts)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
