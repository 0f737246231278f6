"""Scripts for Pacemaker and for mounts, run for real: pcs works on a file; what would need a cluster or Lustre is played."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from pixsize.plan.records import Plan
from pixsize.render import RENDERERS
from pixsize.render.ha import clusters
from tests.unit.lustre_plan import catalog
from tests.unit.test_render_multipath import tool

OCF = "/usr/lib/ocf/resource.d"
SCRIPTS = ("00-node.sh", "01-cluster-setup.sh", "02-resources.sh")
SECRETS = {"FENCE_USER": "powerman", "FENCE_PASSWORD": "fpw1 $x'y", "HACLUSTER_PASSWORD": "hpw2 $x'y"}
AGENT = """\
#!/bin/sh
cat <<'END'
<?xml version="1.0"?>
<resource-agent name="Lustre">
<version>@VERSION@</version>
<longdesc lang="en">A stand-in that knows the parameters of the agent in Lustre's tree.</longdesc>
<shortdesc lang="en">Targets of Lustre</shortdesc>
<parameters>
<parameter name="target" unique="1" required="1"><content type="string"/></parameter>
<parameter name="mountpoint" unique="1" required="1"><content type="string"/></parameter>
<parameter name="mountoptions" unique="1" required="0"><content type="string" default=""/></parameter>
</parameters>
<actions>
<action name="start" timeout="300s"/>
<action name="stop" timeout="300s"/>
<action name="monitor" timeout="300s" interval="20s"/>
<action name="meta-data" timeout="5s"/>
<action name="validate-all" timeout="5s"/>
</actions>
</resource-agent>
END
"""
_PCS = """\
case "$*" in
--version) echo "$PCS_VERSION" ;;
"cluster cib "*)
    [ -n "$MEMBERS" ] || exit 1
    cibadmin --empty >"$FOLDER/empty.xml"
    up=$(printf -- "--node-up=%s " $MEMBERS)
    crm_simulate -x "$FOLDER/empty.xml" --quorum=1 $up -S -O "$3" >"$FOLDER/up"
    echo "${OLD-}" >>"$3"
    ;;
"cluster cib-push "*" --config") cp "$3" "$FOLDER/pushed.xml" ;;
"host auth "* | "cluster auth "*) cat >>"$FOLDER/typed" ;;
"cluster setup "*) [ "${PCS_VERSION%.*}" = 0.9 ] || exec /usr/sbin/pcs "$@" --force --corosync_conf="$FOLDER/corosync.conf" ;;
"cluster start "* | "cluster enable "*) ;;
*) exec /usr/sbin/pcs "$@" ;;
esac
"""
_SYSTEMCTL = """\
[ "$1" = is-active ] || exit 0
state=inactive
[ "$2" != "${UNIT-pacemaker}" ] || state=${PACEMAKER-inactive}
echo "$state"
[ "$state" = active ] || exit 3
"""
_PROGRAMS = {
    "pcs": _PCS,
    "hostname": 'echo "$HOST"',
    "id": 'echo "${USER_ID-0}"',
    "getent": '[ "$2" != "$UNKNOWN" ]',
    "corosync-quorumtool": 'echo "Flags:            ${FLAGS-2Node Quorate WaitForAll}"',
    "chpasswd": 'cat >>"$FOLDER/typed"',
    "systemctl": _SYSTEMCTL,
    "pgrep": '[[ -n "${PROCESS-}" && "$PROCESS" =~ ^($2)$ ]]',
    "mkdir": "",
    "mount": '[ "$5" != "$BROKEN" ] && echo "$6" >>"$FOLDER/mounted"',
    "umount": 'grep -vxF -- "$1" "$FOLDER/mounted" >"$FOLDER/rest" || true; mv "$FOLDER/rest" "$FOLDER/mounted"',
    "mountpoint": 'grep -qxF -- "$2" "$FOLDER/mounted"',
}
"""What the scripts call, as each is played."""
_PRIVATE = """\
/usr/bin/mount --bind resource.d /usr/lib/ocf/resource.d
/usr/bin/mount -t tmpfs none /dev
mknod -m 666 /dev/null c 1 3
mknod -m 666 /dev/urandom c 1 9
ln -s /proc/self/fd /dev/fd
for device in $DEVICES; do
    /usr/bin/mkdir -p "${device%/*}"
    mknod "$device" b 7 0
done
exec bash script.sh "$@"
"""
"""The script in a namespace of its own, with these agents and devices."""


class Result:
    """What a script did: its exit code, what it said and printed, its calls of programs, and what it left behind."""

    def __init__(self, folder: Path, done: subprocess.CompletedProcess[str]) -> None:
        self.code, self.said, self.printed = done.returncode, done.stderr, done.stdout
        log = folder / "calls"
        self.calls = log.read_text().splitlines() if log.exists() else []
        self.pushed = folder / "pushed.xml"
        self.mounted = (folder / "mounted").read_text().split()
        self.corosync = folder / "corosync.conf"
        self.typed = (folder / "typed").read_text() if (folder / "typed").exists() else ""


def text_of(plan: Plan, path: str) -> str:
    """A rendered file, such as `ha/sm01/02-resources.sh`."""
    return {f.path: f.text for f in RENDERERS[path.partition("/")[0]].files(plan, catalog())}[path]


def run(
    folder: Path, script: str, *options: str, agent: str = "1.0", devices: Iterable[str] = (), **variables: str
) -> Result:
    """Run a script in an empty folder. `agent` is the version that the stand-in for Lustre's agent names.

    Variables play the host: HOST, MEMBERS of the cluster, PCS_VERSION, what is in the OLD configuration, a name that is
    UNKNOWN, a device that is BROKEN, what PACEMAKER (or another UNIT) does, a PROCESS, the USER_ID, and lines of MOUNTED folders.
    """
    if not Path(OCF).is_dir():
        tool("resource-agents")
    agents = folder / "resource.d"
    subprocess.run(["cp", "-r", OCF, str(agents)], check=True)
    (agents / "lustre").mkdir(exist_ok=True)
    _program(agents / "lustre" / "Lustre", AGENT.replace("@VERSION@", agent))
    for name, body in _PROGRAMS.items():
        _program(folder / "bin" / name, f'#!/bin/bash\necho "{name} $*" >>"$FOLDER/calls"\n{body}\n')
    (folder / "script.sh").write_text(script)
    (folder / "mounted").write_text(variables.get("MOUNTED", ""))
    environment = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}:/usr/sbin", "FOLDER": str(folder)}
    environment |= {"PCS_VERSION": "0.11.5", "UNKNOWN": "", "BROKEN": "", "DEVICES": " ".join(devices)}
    command = [tool("unshare", root=True), "-m", "bash", "-ec", _PRIVATE, "script.sh", *options]
    done = subprocess.run(
        command,
        env=environment | SECRETS | variables,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return Result(folder, done)


def _program(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def pushed(folder: Path, plan: Plan, cluster: str, version: str) -> Path:
    """The configuration that a cluster's `02-resources.sh` pushes under a version of pcs."""
    names = next([s.id for s in c.servers] for c in clusters(plan) if c.id == cluster)
    script = text_of(plan, f"ha/{cluster}/02-resources.sh")
    result = run(folder, script, HOST=names[0], MEMBERS=" ".join(names), PCS_VERSION=version)
    assert (result.code, "Error" in result.said) == (0, False), result.said
    return result.pushed
