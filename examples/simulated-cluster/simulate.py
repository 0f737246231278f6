#!/usr/bin/env python3
"""Runs the scripts of `pixsize render bench` on a cluster that is not there.

    simulate.py --plan PLAN.json --scripts FILES/bench --into FOLDER [--slow FIGURE=SHARE] [SCRIPT...]

PLAN.json is `pixsize plan --format json`. The scripts are copied to FOLDER/bench, with a folder below FOLDER in the place of the
file system, and run one after the other, all of them where none is named. Programs that stand in for ssh, mpirun, ior, mdtest
and iozone print what the real ones print, with the rates of the plan: --slow gives those of one figure this share of them.
Data are files of no size. Nothing outside FOLDER is touched, and no other host is asked.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

MIB = 1 << 20
BEGAN = "Fri Nov 20 22:14:20 2026"
SHIMS = ("ssh", "mpirun", "ior", "mdtest", "iozone", "findmnt", "df", "id", "lfs")


# Starting the scripts


def main() -> int:
    """Runs the scripts, and returns the exit code of the first that failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--plan", type=Path, required=True)
    parser.add_argument("--scripts", type=Path, required=True)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--slow", action="append", default=[], metavar="FIGURE=SHARE")
    parser.add_argument("names", nargs="*", metavar="SCRIPT")
    given = parser.parse_args()
    into = given.into.resolve()
    environment = prepared(given.plan, given.scripts, into, dict(s.split("=") for s in given.slow))
    names = given.names or sorted(p.name for p in (into / "bench").glob("[0-9]*.sh"))
    for name in names:
        words = shlex.split(name)
        done = subprocess.run(["bash", str(into / "bench" / words[0]), *words[1:]], env=environment, check=False)
        if done.returncode:
            return done.returncode
    return 0


def prepared(plan: Path, scripts: Path, into: Path, slow: dict[str, str]) -> dict[str, str]:
    """Copies the scripts, makes the programs that stand in, and returns the environment that finds them."""
    (into / "bin").mkdir(parents=True, exist_ok=True)
    shutil.copytree(scripts, into / "bench", dirs_exist_ok=True)
    lib = into / "bench" / "lib.sh"
    text = lib.read_text()
    directory = re.search(r"^readonly DIRECTORY=(\S+)", text, re.M)
    filesystem = re.search(r"^readonly FSTYPE=(\S+)", text, re.M)
    assert directory
    assert filesystem
    root = into / "root"
    if not directory[1].startswith(str(root)):
        text = text.replace(f"readonly DIRECTORY={directory[1]}", f"readonly DIRECTORY={root}{directory[1]}")
        lib.write_text(text)
    place = re.search(r"^readonly DIRECTORY=(\S+)", text, re.M)
    assert place
    Path(place[1]).mkdir(parents=True, exist_ok=True)
    document = json.loads(plan.read_text())
    rates = {i: f["value"] for i, f in document["figures"].items()}
    for figure, share in slow.items():
        rates |= {i: round(v * float(share)) for i, v in rates.items() if i == figure or i.startswith(f"{figure}.")}
    (into / "rates.json").write_text(json.dumps(rates))
    (into / "versions").write_text("\n".join(sorted(versions(into / "bench"))) + "\n")
    for name in SHIMS:
        shim = into / "bin" / name
        shim.write_text(
            SSH
            if name == "ssh"
            else f'#!/bin/sh\nexec {sys.executable} -IS {Path(__file__).resolve()} --as {name} "$@"\n'
        )
        shim.chmod(0o755)
    return os.environ | {
        "PATH": f"{into / 'bin'}:{os.environ['PATH']}",
        "SIMULATED": str(into),
        "SIMULATED_TYPE": filesystem[1],
    }


def versions(bench: Path) -> set[str]:
    """The tools that the scripts call, each with the version that they expect."""
    found = set()
    for script in bench.glob("[0-9]*.sh"):
        found |= {" ".join(m) for m in re.findall(r"^# \S+: .*, (ior|mdtest|iozone) (\S+)$", script.read_text(), re.M)}
    return found


# Another node: a shell of its own would start for each call, so that it is one of few words.
SSH = r"""#!/bin/bash
while [ "${1#-}" != "$1" ]; do case $1 in -o) shift ;; esac; shift; done
host=$1 command=$2
printf '%s\t%s\n' "$host" "$command" >>"$SIMULATED/ssh.log"
case $host in
$(cat "$SIMULATED/silent" 2>/dev/null)) echo "ssh: connect to host $host port 22: No route to host" >&2; exit 255 ;;
esac
case $command in
*loadavg*) printf '0.03\n40\n'; [ ! -f "$SIMULATED/busy.$host" ] || cat "$SIMULATED/busy.$host" ;;
*findmnt*) printf '%s\n' "$SIMULATED_TYPE" ;;
*MemTotal*) printf 'MemTotal:       %d kB\n' 67108864 ;;
*mmlsconfig*) cat "$SIMULATED/pagepool" 2>/dev/null || printf 'pagepool 1G\npagepool 96G [sm01n1,sm01n2]\n' ;;
*get_param*) printf '%s=8\n' "$(printf '%s' "${command##*get_param }" | tr -d '\\ ' | sed 's/\[^M\]\*/ffff/; s/[*]/0000/g')" ;;
*dd*)
    seconds=2.0
    [ ! -f "$SIMULATED/slow.$host" ] || seconds=9.0
    printf '512+0 records in\n512+0 records out\n4294967296 bytes (4.3 GB, 4.0 GiB) copied, %s s, 2.1 GB/s\n' "$seconds" >&2
    ;;
esac
"""


# What stands in for the programs


def stand_in(name: str, words: list[str]) -> int:
    """Does what a program would do, as far as the scripts see it."""
    into = Path(os.environ["SIMULATED"])
    with (into / "calls.log").open("a") as log:
        log.write(json.dumps([name, *words]) + "\n")
    if name == "findmnt":
        is_there = after(words, "--target").startswith(str(into / "root"))
        kinds = {"FSTYPE": os.environ["SIMULATED_TYPE"] if is_there else "ext4", "TARGET": "/root" if is_there else "/"}
        print(kinds[after(words, "-o")])
    elif name == "df":
        print("    Avail\n9999999999999")
    elif name == "id":
        print(0)
    elif name == "lfs":
        if words[0] == "mkdir":
            Path(words[-1]).mkdir()
    elif name == "mpirun":
        return mpirun(words)
    else:
        {"ior": ior, "mdtest": mdtest, "iozone": iozone}[name](words)
    return 0


def mpirun(words: list[str]) -> int:
    """Starts the program once, and tells it how many processes on how many nodes there would be."""
    at = next(i for i, w in enumerate(words) if w.rpartition("/")[2] in ("ior", "mdtest"))
    own, command = words[:at], words[at:]
    tasks = int(own[own.index("-np" if "-np" in own else "-n") + 1])
    option = next(w for w in own if w in ("--hostfile", "-hostfile", "-f"))
    lines = Path(own[own.index(option) + 1]).read_text().split("\n")
    os.environ |= {"SIMULATED_TASKS": str(tasks), "SIMULATED_NODES": str(len([x for x in lines if x.strip()]))}
    with (Path(os.environ["SIMULATED"]) / "calls.log").open("a") as log:
        log.write(json.dumps([command[0].rpartition("/")[2], *command[1:]]) + "\n")
    {"ior": ior, "mdtest": mdtest}[command[0].rpartition("/")[2]](command[1:])
    return 0


def after(words: list[str], option: str, default: str = "") -> str:
    """The word behind an option."""
    return words[words.index(option) + 1] if option in words else default


def size(text: str) -> int:
    """Bytes of 16m, 4K or 786432m."""
    return int(text[:-1]) << {"k": 10, "m": 20, "g": 30}[text[-1].lower()]


def version_of(tool: str) -> str:
    """The version that the scripts expect."""
    lines = (Path(os.environ["SIMULATED"]) / "versions").read_text().split("\n")
    return next(line.split()[1] for line in lines if line.startswith(f"{tool} "))


def rate(stem: str, tasks: int, wobble: float = 1.0) -> float:
    """The plan's rate for so many threads; the peak for those that the plan has none for."""
    rates = json.loads((Path(os.environ["SIMULATED"]) / "rates.json").read_text())
    known = (f"{stem}.threads_{tasks}", f"{stem}.peak", f"{stem}.sustained", stem)
    return float(next((rates[i] for i in known if i in rates), 10**6)) * wobble


def planned(path: str) -> str:
    """A path as it would be on the real file system."""
    return path.removeprefix(f"{os.environ['SIMULATED']}/root")


def written(path: Path) -> None:
    """Data, of which only the name is kept."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def ior(words: list[str]) -> None:
    """IOR 3.1, 3.3 or 4.0."""
    version, tasks, nodes = version_of("ior"), int(os.environ["SIMULATED_TASKS"]), int(os.environ["SIMULATED_NODES"])
    old, new = version.startswith(("3.0", "3.1", "3.2")), version.startswith("4")
    path, alone = after(words, "-o"), "-F" in words
    transfer, block, times = size(after(words, "-t")), size(after(words, "-b")), int(after(words, "-i", "1"))
    operation = "write" if "-w" in words else "read"
    data = Path(f"{path}.00000000" if alone else path)
    if operation == "read" and not data.exists():
        print(f"ior ERROR: open() failed, errno 2, No such file or directory ({path})")
        sys.exit(255)
    written(data)
    stem = f"throughput.sequential.{'n_n' if alone else 'n_1'}.{operation}" + (".128k" if transfer == 128 << 10 else "")
    each = [rate(stem, tasks, w) / MIB for w in (1.0, 0.995, 1.005, 1.002, 0.998)][:times]
    total, shown = tasks * block, " ".join(["/usr/local/bin/ior", *(planned(w) for w in words)])
    per_node = tasks // nodes
    print(f"IOR-{version}: MPI Coordinated Test of Parallel I/O")
    pairs = {
        "api": "POSIX", "apiVersion": "", "test filename": planned(path),
        "access": "file-per-process" if alone else "single-shared-file", "type": "independent", "segments": "1",
        "ordering in a file": "sequential offsets" if old else "sequential",
        "ordering inter file": "no tasks offsets", "nodes": f"{nodes}", "tasks": f"{tasks}", "clients per node": f"{per_node}",
        "clients": f"{tasks} ({per_node} per node)", "repetitions": f"{times}", "xfersize": human(transfer),
        "blocksize": human(block), "aggregate filesize": human(total),
    }  # fmt: skip
    if old:
        print(f"\nBegan: {BEGAN}\nCommand line used: {shown}\nMachine: Linux vm\n\nTest 0 started: {BEGAN}\nSummary:")
        left_out = ("apiVersion", "type", "segments", "nodes", "tasks", "clients per node")
        print("\n".join(f"\t{k:<19}= {v}" for k, v in pairs.items() if k not in left_out))
        columns, lines = "access    bw(MiB/s)  block(KiB) xfer(KiB)", "------    ---------  ---------- ---------"
    else:
        print(f"Began               : {BEGAN}\nCommand line        : {shown}\nMachine             : Linux vm")
        print(f"TestID              : 0\nStartTime           : {BEGAN}\nPath                : {planned(path)}")
        print("FS                  : 252.0 GiB   Used FS: 7.3%   Inodes: 16.0 Mi   Used Inodes: 3.3%\n\nOptions: ")
        print("\n".join(f"{k:<20}: {v}" for k, v in pairs.items() if k != "clients"))
        print("\nResults: ")
        columns = "access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)"
        lines = "------    ---------  ----       ----------  ---------- ---------"
    print(f"\n{columns}  open(s)    wr/rd(s)   close(s)   total(s)   iter")
    print(f"{lines}  --------   --------   --------   --------   ----")
    for place, value in enumerate(each):
        seconds = total / MIB / value
        operations = "" if old else f" {value * MIB / transfer:<10.2f} 0.020933   "
        ends = f"0.000047   {seconds:<10.6f} 0.000108   {seconds:<10.6f} {place}"
        print(f"{operation:<9} {value:<10.2f}{operations} {block / 1024:<10.0f} {transfer / 1024:<10.2f} {ends}   ")
    if not new:
        print(f"\nMax {operation.title() + ':':<6} {max(each):.2f} MiB/sec ({max(each) * 1.048576:.2f} MB/sec)")
    mean = sum(each) / len(each)
    deviation = (sum((v - mean) ** 2 for v in each) / len(each)) ** 0.5
    seconds = sum(total / MIB / v for v in each) / len(each)
    counted = f"0 {tasks} {per_node} {times} {int(alone)} 0 1 0 0 1 {block} {transfer}"
    in_bytes = f"{max(each):.2f} {min(each):.2f} {mean:.2f} {deviation:.2f}"
    print("\nSummary of all tests:")
    if old:
        print("Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev    Mean(s) Test# #Tasks tPN reps fPP reord reordoff "
              "reordrand seed segcnt blksiz xsize aggsize API RefNum")  # fmt: skip
        print(f"{operation:<9} {in_bytes} {seconds:.5f} {counted} {total} POSIX 0\n\nFinished: {BEGAN}")
        return
    of = MIB / transfer
    print("Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  Mean(OPs)     StdDev    Mean(s) Stonewall(s) "
          "Stonewall(MiB) Test# #Tasks tPN reps fPP reord reordoff reordrand seed segcnt   blksiz    xsize aggs(MiB)   API RefNum")  # fmt: skip
    in_operations = f"{max(each) * of:.2f} {min(each) * of:.2f} {mean * of:.2f} {deviation * of:.2f}"
    print(f"{operation:<9} {in_bytes} {in_operations} {seconds:.5f} NA NA {counted} {total / MIB:.1f} POSIX 0")
    print(f"Finished            : {BEGAN}")


def human(count: int) -> str:
    """A size as IOR prints it: whole units, or two digits."""
    for factor, unit in ((1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB")):
        if count >= factor:
            return f"{count // factor} {unit}" if count % factor == 0 else f"{count / factor:.2f} {unit}"
    return f"{count} bytes"


def mdtest(words: list[str]) -> None:
    """mdtest 1.9 or of IOR 3 and 4."""
    version, tasks, nodes = version_of("mdtest"), int(os.environ["SIMULATED_TASKS"]), int(os.environ["SIMULATED_NODES"])
    old, new = version.startswith("1"), version.startswith("4")
    directory, times = after(words, "-d"), int(after(words, "-i", "1"))
    if not Path(directory).is_dir():
        print(f"mdtest: {directory}: No such file or directory", file=sys.stderr)
        sys.exit(1)
    branches, each = int(after(words, "-b", "1")), after(words, "-n")
    files = tasks * (int(each) if each else int(after(words, "-I")) * branches)
    bytes_each = int(after(words, "-w", "0"))
    test = {0: "empty", 128: "128b", 3072: "3k", 4096: "4k"}[bytes_each]
    values = {}
    for operation, name in (("create", "creation"), ("stat", "stat"), ("read", "read"), ("remove", "removal")):
        series = [rate(f"metadata.{test}.{operation}", tasks, 1 + (n % 3 - 1) / 200) for n in range(times)]
        values[f"File {name}"] = series
    values |= {"Tree creation": [22050.176] * times, "Tree removal": [1561.722] * times}
    took = sum(files / v for name, series in values.items() if name.startswith("File") for v in series)
    quoted = " ".join(planned(w) if old else f"'{planned(w)}'" for w in words)
    print("-- started at 11/20/2026 00:00:00 --\n")
    print(f"mdtest-{version} was launched with {tasks} total task(s) on {nodes} node(s)")
    print(f"Command line used: /usr/local/bin/mdtest {quoted if old else quoted[:-1]}")
    if old and "-v" in words:
        print(f"write_bytes             : {bytes_each}\nread_bytes              : {bytes_each}")
    print(f"Path: {planned(directory)}\nFS: 252.0 GiB   Used FS: 7.3%   Inodes: 16.0 Mi   Used Inodes: 3.3%\n")
    print(f"{tasks} tasks, {files} files\n\nSUMMARY{'' if old else ' rate'}: (of {times} iterations)")
    print("   Operation                      Max            Min           Mean        Std Dev")
    print("   ---------                      ---            ---           ----        -------")
    for name, series in values.items():
        mean = sum(series) / times
        deviation = (sum((v - mean) ** 2 for v in series) / times) ** 0.5
        begin = f"   {name:<26}" if new else f"   {name:<18}:" if old else f"   {name:<26}:"
        print(f"{begin} {max(series):14.3f} {min(series):14.3f} {mean:14.3f} {deviation:14.3f}")
    hours, minutes, seconds = int(took) // 3600 % 24, int(took) // 60 % 60, int(took) % 60
    print(f"-- finished at 11/{20 + int(took) // 86400}/2026 {hours:02}:{minutes:02}:{seconds:02} --")


def iozone(words: list[str]) -> None:
    """IOzone with a list of clients."""
    version, tasks, test = version_of("iozone"), int(after(words, "-t")), after(words, "-i")
    record, file, in_operations = size(after(words, "-r")), size(after(words, "-s")), "-O" in words
    lines = [line.split() for line in Path(after(words, "-+m")).read_text().split("\n") if line]
    assert len(lines) == tasks, "a line for each thread"
    for number, (_, directory, _) in enumerate(lines):
        data = Path(directory) / f"iozone.DUMMY.{number}"
        if test != "0" and not data.exists():
            print(f"\nCan not open temp file: {data.name}\nopen: No such file or directory")
            sys.exit(1)
        written(data)
    print("\tIozone: Performance Test of File I/O\n\t        Version $Revision: " + version + " $")
    print("\t\tCompiled for 64 bit mode.\n\t\tBuild: linux-AMD64 \n\n\tContributors:William Norcott, Don Capps\n")
    print(f"\tRun began: {BEGAN}\n")
    said = {"-c": "Include close in write timing", "-e": "Include fsync in write timing", "-w": "Setting no_unlink",
            "-O": "OPS Mode. Output is in operations per second.", "-I": "O_DIRECT feature enabled"}  # fmt: skip
    print("".join(f"\t{text}\n" for word, text in said.items() if word in words), end="")
    print(f"\tRecord Size {record // 1024} kB\n\tFile size set to {file // 1024} kB\n\tNo retest option selected")
    print("\tNetwork distribution mode enabled.")
    print("\tCommand line used: /usr/local/bin/iozone " + " ".join(map(planned, words)))
    print("" if in_operations else "\tOutput is in kBytes/sec\n", end="")
    print(f"\tTime Resolution = 0.000001 seconds.\n\tThroughput test with {tasks} processes")
    print(f"\tEach process writes a {file // 1024} kByte file in {record // 1024} kByte records\n")
    kinds = {"0": [(" initial writers", "sequential.n_n.write")], "1": [(" readers", "sequential.n_n.read")],
             "2": [("random readers", "random_4k.read"), ("random writers", "random_4k.write")]}[test]  # fmt: skip
    for kind, stem in kinds:
        total = rate(f"throughput.{stem}", tasks) / (1 if in_operations else 1024)
        unit, moved = ("ops", file // record) if in_operations else ("kB", file // 1024)
        print(f"\tTest running:\n\tChildren see throughput for {tasks:2} {kind.strip()} \t= {total:11.2f} {unit}/sec")
        for name in ("Min", "Max", "Avg"):
            print(f"\t{name} throughput per process \t\t\t= {total / tasks:11.2f} {unit}/sec ")
        print(f"\tMin xfer \t\t\t\t\t= {moved:10.2f} {unit}\n")
    print("\n\niozone test complete.")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--as"]:
        sys.exit(stand_in(sys.argv[2], sys.argv[3:]))
    sys.exit(main())
