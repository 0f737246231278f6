"""The rendered commands under real MPIs, on this host alone: as many processes as the plan has threads, and the output read."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench import kits
from tests.support.programs import tool

MPIS = {"openmpi": "mpirun.openmpi", "mpich": "mpirun.mpich"}
RANK = f"""#!/bin/sh
rank=${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} size=${{OMPI_COMM_WORLD_SIZE:-$PMI_SIZE}}
echo "$rank of $size" >>"$SIMULATED/ranks"
[ "$rank" = 0 ] || exit 0
SIMULATED_TASKS=$size SIMULATED_NODES=1 exec {sys.executable} -IS {kits.SIMULATE} --as ior "$@"
"""


@pytest.mark.real
@pytest.mark.parametrize("mpi", MPIS)
def test_a_real_mpi_starts_as_many_processes_as_there_are_threads(mpi: str, tmp_path: Path) -> None:
    real = tool(MPIS[mpi])
    host = socket.gethostname()
    words = {"clients": {"hosts": [host], "cores": 4, "memory": "4 GiB", "mpi": mpi}, "threads": [1, 2, 4]}
    bench = kits.rendered(tmp_path, "large+hdmd", words)
    assert kits.simulated(tmp_path, kits.named(bench, "set-sequential")).returncode == 0
    campaign = tmp_path / "campaign"
    (campaign / "bin" / "mpirun").unlink()
    (campaign / "bin" / "mpirun").write_text(f'#!/bin/sh\nexec {real} "$@"\n')
    (campaign / "bin" / "mpirun").chmod(0o755)
    (campaign / "bin" / "ior").write_text(RANK)
    environment = os.environ | {
        "PATH": f"{campaign / 'bin'}:{os.environ['PATH']}", "SIMULATED": str(campaign), "SIMULATED_TYPE": "gpfs",
    }  # fmt: skip
    words_run = ["bash", str(campaign / "bench" / kits.named(bench, "n-1"))]
    done = subprocess.run(words_run, env=environment, capture_output=True, text=True, check=False, timeout=300)
    logs = "".join(p.read_text() for p in (campaign / "bench" / "logs").glob("*.err"))
    assert done.returncode == 0, done.stderr + logs
    ranks = sorted((campaign / "ranks").read_text().splitlines())
    assert ranks == sorted(f"{rank} of {size}" for size in (1, 2, 4) for rank in range(size) for _ in ("write", "read"))
    assert len(list((campaign / "bench" / "results").glob("*.txt"))) == 6
