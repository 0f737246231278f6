"""Scripts for Pacemaker and for mounts, run for real: pcs works on a file; what would need a cluster or Lustre is played."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from pixsize.plan.records import Plan
from pixsize.products.lustre.render.ha import clusters
from pixsize.render import RENDERERS
from tests.lustre import pcs_server
from tests.lustre.lustre_plan import catalog
from tests.support.programs import tool

PCS_SERVER = Path(pcs_server.__file__)
OCF = "/usr/lib/ocf/resource.d"
SCRIPTS = ("00-node.sh", "01-cluster-setup.sh", "02-resources.sh")
SECRETS = {
    "FENCE2_COMMUNITY": "com3 $x'y",
    "FENCE_USER": "powerman",
    "FENCE_PASSWORD": "fpw1 $x'y",
    "HACLUSTER_PASSWORD": "hpw2 $x'y",
}
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
HEALTH = {
    "healthLNET": "dampen name multiplier host_list lctl device",
    "healthLUSTRE": "dampen name",
}
"""Lustre's agents that watch a server, and parameters that they have. Their metadata say 0.99 (lustre/scripts/ocf).

The names are typed by hand from memory of those scripts, and compared with no recording: that the agents of a release
have them is what the rendered scripts ask on site, before anything is made.
"""
_HEALTH_AGENT = """\
#!/bin/sh
cat <<'END'
<?xml version="1.0"?>
<!DOCTYPE resource-agent SYSTEM "ra-api-1.dtd">
<resource-agent name="@NAME@">
<version>0.99</version>
<longdesc lang="en">A stand-in that knows parameters of the agent in Lustre's tree.</longdesc>
<shortdesc lang="en">Health of a server</shortdesc>
<parameters>
@PARAMETERS@
</parameters>
<actions>
<action name="start" timeout="60s"/>
<action name="stop" timeout="20s"/>
<action name="monitor" timeout="60s" interval="10s"/>
<action name="meta-data" timeout="5s"/>
</actions>
</resource-agent>
END
"""
_PARAMETER = '<parameter name="%s" unique="0"><content type="string"/></parameter>'
_PCS = (
    f"""\
real() {{
    if [ ! -S "$FOLDER/pcs.socket" ]; then
        /usr/bin/python3 -Es {PCS_SERVER} "$FOLDER/pcs.socket" </dev/null &>"$FOLDER/pcs.log" &
        until [ -S "$FOLDER/pcs.socket" ]; do
            kill -0 $! || {{ cat "$FOLDER/pcs.log" >&2; exit 1; }}
            sleep 0.02
        done
    fi
    exec /usr/bin/python3 -ISc {shlex.quote(pcs_server.CLIENT)} "$FOLDER/pcs.socket" "$@"
}}
"""
    """\
case "$*" in
--version) echo "$PCS_VERSION" ;;
"cluster cib "*)
    [ -z "${LIVE-}" ] || { cp "$LIVE" "$3"; exit; }
    [ -n "$MEMBERS" ] || exit 1
    cibadmin --empty >"$FOLDER/empty.xml"
    up=$(printf -- "--node-up=%s " $MEMBERS)
    crm_simulate -x "$FOLDER/empty.xml" --quorum=1 $up -S -O "$3" >"$FOLDER/up"
    echo "${OLD-}" >>"$3"
    ;;
"cluster cib-push "*" --config") cp "$3" "$FOLDER/pushed.xml" ;;
"host auth "* | "cluster auth "*) cat >>"$FOLDER/typed" ;;
"cluster setup "*) [ "${PCS_VERSION%.*}" = 0.9 ] || real "$@" --force --corosync_conf="$FOLDER/corosync.conf" ;;
"cluster start "* | "cluster enable "* | "stonith sbd enable "*) ;;
*) real "$@" ;;
esac
"""
)
_SYSTEMCTL = """\
case $1 in
show)
    [ "$2" != pacemaker.service ] || { echo "After=sysinit.target ${WAITS-resource-agents-deps.target} corosync.service"; exit; }
    [ "$4" != "${TAKEN_BACK-}" ] || { echo "$4="; exit; }
    echo "$4=$(sed -n "s/^$4=//p" "$FOLDER/systemd/$2.d/"*.conf)"
    exit ;;
cat) [ "$2" != "${NO_UNIT-}" ]; exit ;;
esac
[ "$1" = is-active ] || exit 0
state=inactive
[ "$2" != "${UNIT-pacemaker}" ] || state=${PACEMAKER-inactive}
echo "$state"
[ "$state" = active ] || exit 3
"""
_SBD = """\
[ "$2" != "${NO_HEADER-}" ] || exit 1
set -- "$@" ${TIMES-60 120}
printf '==Dumping header on disk %s\\nHeader version     : 2.1\\nNumber of slots    : 255\\nSector size        : 512\\n' "$2"
printf 'Timeout (watchdog) : %s\\nTimeout (allocate) : 2\\nTimeout (loop)     : 1\\nTimeout (msgwait)  : %s\\n' "$4" "$5"
printf '==Header on disk %s is dumped\\n' "$2"
"""
"""`sbd -d DEVICE dump`, typed by hand from memory; fence_sbd looks for its line msgwait in the same way."""
FENCE_AGENTS = ("fence_idrac", "fence_ipmilan", "fence_redfish", "fence_apc_snmp", "fence_eaton_snmp", "fence_sbd")
_FENCE = """\
said=$(cat)
printf '%s\\n--\\n' "$said" >>"$FOLDER/asked"
if [ -n "${REFUSES-}" ] && [[ $said == *"$REFUSES"* ]]; then
    echo "${SAYS-ERROR: Failed: Unable to obtain correct plug status or plug is not available}" >&2
    exit "${ANSWER-1}"
fi
echo "Status: ON"
"""
"""Fence agents that were given a password: pcs itself asks the real ones for their metadata, by their path."""
_BLKID = """\
[ "$2" = "${SIGNED-}" ] || exit 2
[ "${ANSWER-0}" != 0 ] || echo "$2: UUID=\\"7d6d0cf3-2ae4-4bd4-9d2e-8d0d4a1f4a43\\" VERSION=\\"1.0\\" TYPE=\\"ext4\\" USAGE=\\"filesystem\\""
exit "${ANSWER-0}"
"""
_WIPEFS = """\
[ "$2" = "${WIPEABLE-}" ] || exit 0
printf 'DEVICE OFFSET TYPE UUID LABEL\\n%s  0x1fe  dos       \\n' "${2##*/}"
"""
"""`blkid -p` and `wipefs -n` of util-linux 2.38; blkid's 8 stands for several signatures."""
PROGRAMS = {
    "pcs": _PCS,
    "blkid": _BLKID,
    "wipefs": _WIPEFS,
    "hostname": 'echo "$HOST"',
    "id": 'echo "${USER_ID-0}"',
    "getent": '[ "$2" != "$UNKNOWN" ]',
    "corosync-quorumtool": 'echo "Flags:            ${FLAGS-2Node Quorate WaitForAll}"',
    "chpasswd": 'cat >>"$FOLDER/typed"',
    "systemctl": _SYSTEMCTL,
    "pgrep": '[[ -n "${PROCESS-}" && "$PROCESS" =~ ^($2)$ ]]',
    "mkdir": 'case $2 in /etc/*) exec /usr/bin/mkdir "$@" ;; esac',
    "ip": 'printf "2: eth1    inet %s/24 brd 10.40.0.255 scope global eth1\\n" ${RING-}',
    "sbd": _SBD,
    "mount": '[ "$5" != "$BROKEN" ] && echo "$5 $6 lustre ro,svname=${6##*/} 0 0" >>"$FOLDER/mounts"',
    "umount": 'grep -vF -- " $1 " "$FOLDER/mounts" >"$FOLDER/rest" || true; mv "$FOLDER/rest" "$FOLDER/mounts"',
}
"""What the scripts call, as each is played."""
_PRIVATE = """\
/usr/bin/mount --bind resource.d /usr/lib/ocf/resource.d
/usr/bin/mkdir -p systemd
/usr/bin/mount --bind systemd /etc/systemd/system
/usr/bin/mount -t tmpfs none /dev
mknod -m 666 /dev/null c 1 3
mknod -m 666 /dev/urandom c 1 9
[ -n "${NO_WATCHDOG-}" ] || mknod /dev/watchdog c 10 130
ln -s /proc/self/fd /dev/fd
number=0
for device in $DEVICES; do
    /usr/bin/mkdir -p "${device%/*}"
    mknod "$device" b 7 "$number"
    number=$((number + 1))
done
eval "${LINKS-}"
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
        self.mounts = (folder / "mounts").read_text()
        self.mounted = [row.split()[1] for row in self.mounts.splitlines() if row.split()[2] == "lustre"]
        self.corosync = folder / "corosync.conf"
        self.units = {
            p.relative_to(folder / "systemd").as_posix(): p.read_text()
            for p in (folder / "systemd").rglob("*.*")
            if p.is_file()
        }
        self.asked = (folder / "asked").read_text().split("--\n")[:-1] if (folder / "asked").exists() else []
        self.typed = (folder / "typed").read_text() if (folder / "typed").exists() else ""


def text_of(plan: Plan, path: str) -> str:
    """A rendered file, such as `ha/sm01/02-resources.sh`."""
    return {f.path: f.text for f in RENDERERS[path.partition("/")[0]].files(plan, catalog())}[path]


def run(
    folder: Path, script: str, *options: str, agent: str = "1.0", devices: Iterable[str] = (), **variables: str
) -> Result:
    """Run a script in an empty folder. `agent` is the version that the stand-in for Lustre's agent names.

    Variables play the host: HOST, MEMBERS of the cluster, PCS_VERSION, what is in the OLD configuration (or a file with the
    LIVE one), a name that is UNKNOWN, a device that is BROKEN, what PACEMAKER (or another UNIT) does, a PROCESS, the USER_ID, folders of targets
    that are MOUNTED as the script has them, other MOUNTS as /proc/mounts shows them, and LINKS to devices. A fence agent
    REFUSES what it is asked with a word, by the exit code ANSWER. RING is the address of an interface, NO_UNIT one that is
    not there, WAITS what Pacemaker waits for, TAKEN_BACK a property of the drop-in, LACKS a parameter of Lustre's agents,
    NO_HEADER a device of SBD, SIGNED and WIPEABLE what blkid and wipefs see something on, TIMES what the headers of the others say (watchdog and msgwait), NO_WATCHDOG whether there
    is no watchdog.
    """
    if not Path(OCF).is_dir():
        tool("resource-agents")
    agents = folder / "resource.d"
    subprocess.run(["cp", "-r", OCF, str(agents)], check=True)
    (agents / "lustre").mkdir(exist_ok=True)
    _program(agents / "lustre" / "Lustre", AGENT.replace("@VERSION@", agent))
    for name, parameters in HEALTH.items():
        known = "\n".join(_PARAMETER % word for word in parameters.split() if word != variables.get("LACKS"))
        _program(agents / "lustre" / name, _HEALTH_AGENT.replace("@NAME@", name).replace("@PARAMETERS@", known))
    for name, body in (*PROGRAMS.items(), *((agent, _FENCE) for agent in FENCE_AGENTS)):
        _program(folder / "bin" / name, f'#!/bin/bash\necho "{name} $*" >>"$FOLDER/calls"\n{body}\n')
    (folder / "script.sh").write_text(_of_folder(script, folder))
    mounts = _mounts(script, variables.get("MOUNTED", "")) + variables.get("MOUNTS", "")
    (folder / "mounts").write_text(mounts)
    (folder / "mountinfo").write_text(_mountinfo(mounts, list(devices)))
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


def _mounts(script: str, folders: str) -> str:
    """Lines of /proc/mounts for targets: Lustre shows the device as mount was given it."""
    devices = {folder: device for device, folder in re.findall(r"(?m)^\w+ \S+ (/dev/\S+) (/lustre/\S+) ", script)}
    return "".join(f"{devices[folder]} {folder} lustre ro,svname=x 0 0\n" for folder in folders.split())


def _of_folder(script: str, folder: Path) -> str:
    """The script, that reads what is mounted out of the folder."""
    played = script.replace("/proc/mounts", str(folder / "mounts"))
    return played.replace("/proc/self/mountinfo", str(folder / "mountinfo"))


def _mountinfo(mounts: str, devices: Sequence[str]) -> str:
    """The same mounts as proc(5) has them in mountinfo.

    A local file system shows the number of its device (7:0 for the first one here), Lustre and others one of their own,
    and some have optional fields before the hyphen.
    """
    lines = []
    for number, row in enumerate(mounts.splitlines(), 40):
        source, folder, kind, options, *_ = row.split()
        local = kind in ("ext4", "ldiskfs", "xfs")
        shown = f"7:{devices.index(source)}" if local and source in devices else f"{7 if local else 0}:{number}"
        optional = "shared:1 master:2 " if number % 2 else ""
        lines.append(f"{number} 22 {shown} / {folder} rw,relatime {optional}- {kind} {source} {options}\n")
    return "".join(lines)


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
