"""Prints what the tools print, from numbers: for tests that read it back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction

MIB = 1 << 20
GIB = 1 << 30
BEGAN = "Fri Nov 20 22:14:21 2026"


def decimals(value: Fraction | float, digits: int) -> str:
    return f"{float(value):.{digits}f}"


def ior(
    rates: dict[str, Sequence[float]],
    *,
    version: str = "4.0.0",
    tasks: int = 64,
    nodes: int = 16,
    transfer: int = 16 * MIB,
    block: int = 128 * GIB,
    alone: bool = True,
    random: bool = False,
    path: str = "/mmfs1/perftest",
    extra: str = "-e -C --posix.odirect",
) -> str:
    """IOR as text; rates in MiB/s, one for each iteration. Versions before 3.2 have the older form."""
    old = version.startswith("3.1")
    repetitions = len(next(iter(rates.values())))
    flags = (
        f"-a POSIX -b {block} -t {transfer} {'-F ' if alone else ''}{'-z ' if random else ''}-i {repetitions} {extra}"
    )
    flags += "".join(f" -{operation[0]}" for operation in rates)
    command = f"/usr/local/bin/ior {flags} -o {path}"
    access = "file-per-process" if alone else "single-shared-file"
    order = ("random" if random else "sequential") + (" offsets" if old else "")
    inter = "no tasks offsets" if "-C" not in extra else "constant task offset"
    total = tasks * block
    pairs = {
        "api": "POSIX",
        "test filename": path,
        "access": access,
        "ordering in a file": order,
        "ordering inter file": inter,
        **({"clients": f"{tasks} ({tasks // nodes} per node)"} if old else {"segments": "1", "nodes": f"{nodes}"}),
        **({} if old else {"tasks": f"{tasks}", "clients per node": f"{tasks // nodes}"}),
        "repetitions": f"{repetitions}",
        "xfersize": _size(transfer),
        "blocksize": _size(block),
        "aggregate filesize": _size(total),
    }
    lines = [f"IOR-{version}: MPI Coordinated Test of Parallel I/O"]
    if old:
        lines += ["", f"Began: {BEGAN}", f"Command line used: {command}", "Machine: Linux vm", ""]
        lines += [f"Test 0 started: {BEGAN}", "Summary:", *(f"\t{k:<19}= {v}" for k, v in pairs.items()), ""]
        names = "access    bw(MiB/s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter"
    else:
        lines += [
            f"Began               : {BEGAN}",
            f"Command line        : {command}",
            "Machine             : Linux vm",
        ]
        lines += ["", "Options: ", *(f"{k:<20}: {v}" for k, v in pairs.items()), "", "Results: ", ""]
        names = "access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter"
    lines += [names, "------    ---------"]
    for at in range(repetitions):
        for operation, values in rates.items():
            lines.append(_row(operation, values[at], at, total, transfer, block, old))
    lines += [""]
    if not version.startswith("4"):
        lines += [
            f"Max {o.title() + ':':<6} {max(v):.2f} MiB/sec ({max(v) * 1.048576:.2f} MB/sec)" for o, v in rates.items()
        ]
    lines += ["", "Summary of all tests:"]
    operations = "" if old else "   Max(OPs)   Min(OPs)  Mean(OPs)     StdDev"
    stonewall = "" if old else " Stonewall(s) Stonewall(MiB)"
    last = "aggsize" if old else "aggs(MiB)"
    lines.append(
        f"Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev{operations}    Mean(s){stonewall} Test# #Tasks tPN reps fPP "
        f"reord reordoff reordrand seed segcnt blksiz xsize {last} API RefNum"
    )
    for operation, values in rates.items():
        mean = sum(values) / len(values)
        numbers = f"{max(values):.2f} {min(values):.2f} {mean:.2f} 0.00" + ("" if old else " 1.00 1.00 1.00 0.00")
        seconds = f"{total / MIB / mean:.5f}" + ("" if old else " NA NA")
        lines.append(
            f"{operation:<11} {numbers} {seconds} 0 {tasks} {tasks // nodes} {repetitions} {int(alone)} 0 1 0 0 1 {block} "
            f"{transfer} {total if old else f'{total / MIB:.1f}'} POSIX 0"
        )
    lines += ["", f"Finished{': ' if old else '            : '}{BEGAN}", ""]
    return "\n".join(lines)


def _row(operation: str, rate: float, at: int, total: int, transfer: int, block: int, old: bool) -> str:
    seconds = total / MIB / rate
    sizes = f"{block / 1024:.0f} {transfer / 1024:.2f}"
    shown = f"{rate:.2f}"
    operations = "" if old else f" {rate * MIB / transfer:.2f} 0.010000"
    return f"{operation:<9} {shown}{operations} {sizes} 0.000100 {seconds:.6f} 0.000100 {seconds:.6f} {at}"


def ior_json(
    rates: dict[str, Sequence[float]], *, tasks: int = 64, transfer: int = 16 * MIB, block: int = 128 * GIB
) -> str:
    """IOR's JSON, with a warning in it."""
    total = tasks * block
    results = [
        {"access": o, "bwMiB": round(v[at], 4), "totalTime": round(total / MIB / v[at], 4)}
        for at in range(len(next(iter(rates.values()))))
        for o, v in rates.items()
    ]
    options = {
        "access": "file-per-process", "ordering in a file": "sequential", "ordering inter file": "constant task offset",
        "nodes": 16, "xfersize": _size(transfer), "blocksize": _size(block), "test filename": "/mmfs1/perftest",
    }  # fmt: skip
    summary = [
        {
            "operation": o, "TestID": 0, "segmentCount": 1, "blockSize": block, "transferSize": transfer, "numTasks": tasks,
            "repetitions": len(v), "bwMaxMIB": round(max(v), 4), "bwMinMIB": round(min(v), 4),
            "bwMeanMIB": round(sum(v) / len(v), 4),
        }
        for o, v in rates.items()
    ]  # fmt: skip
    document = {
        "Version": "4.0.0", "Began": BEGAN, "Command line": "ior -F -e -C --posix.odirect",
        "tests": [{"TestID": 0, "Parameters": {"deadlineForStonewall": 0}, "Options": options, "Results": results}],
        "summary": summary, "Finished": BEGAN,
    }  # fmt: skip
    text = json.dumps(document, indent=2)
    return 'WARNING: The file "/mmfs1/perftest" exists already\n' + text.replace(
        '"Results": [', '"Results": [\nWARNING: The file exists', 1
    )


def ior_csv(
    rates: dict[str, Sequence[float]], *, tasks: int = 64, transfer: int = 16 * MIB, block: int = 128 * GIB
) -> str:
    """IOR's CSV, with its command above."""
    repetitions = len(next(iter(rates.values())))
    lines = [f"$ mpirun -np {tasks} /usr/bin/ior -F -e -C --posix.odirect -b {block} -t {transfer} -i {repetitions}"]
    lines.append("access,bw(MiB/s),IOPS,Latency,block(KiB),xfer(KiB),open(s),wr/rd(s),close(s),total(s),numTasks,iter")
    for at in range(repetitions):
        for operation, values in rates.items():
            seconds = tasks * block / MIB / values[at]
            sizes = f"{block / 1024:.4f},{transfer / 1024:.4f}"
            numbers = f"{values[at] * MIB / transfer:.4f},0.0100,{sizes},0.0001,{seconds:.4f},0.0001,{seconds:.4f}"
            lines.append(f"{operation},{values[at]:.4f},{numbers},{tasks},{at}")
    return "\n".join(lines) + "\n"


def mdtest(
    rates: dict[str, Sequence[float]],
    *,
    version: str = "3.3.0",
    tasks: int = 512,
    nodes: int = 16,
    each: int = 4096,
    size: int = 0,
    style: str = "SUMMARY rate:",
    seconds: int | None = None,
    extra: str = "-L -u -N 16",
) -> str:
    """mdtest's summary; rates of files in operations a second, one for each iteration."""
    names = {"create": "File creation", "stat": "File stat", "read": "File read", "remove": "File removal"}
    iterations = len(next(iter(rates.values())))
    files = tasks * each
    took = sum(files / r for v in rates.values() for r in v) if seconds is None else seconds
    hours, minutes, rest = int(took) // 3600, int(took) // 60 % 60, int(took) % 60
    colon = "" if version.startswith("4") else ":"
    lines = [
        "-- started at 11/20/2026 00:00:00 --",
        "",
        f"mdtest-{version} was launched with {tasks} total task(s) on {nodes} node(s)",
        f"Command line used: /usr/local/bin/mdtest -i {iterations} -n {each} -F -w {size} -e {size} {extra} -d /mmfs1/perftest",
        f"{tasks} tasks, {files} files",
        "",
        f"{style} (of {iterations} iterations)",
        "   Operation                      Max            Min           Mean        Std Dev",
        "   ---------                      ---            ---           ----        -------",
    ]
    for operation, values in rates.items():
        mean = sum(values) / len(values)
        deviation = (sum((v - mean) ** 2 for v in values) / len(values)) ** 0.5
        numbers = f"{max(values):14.3f} {min(values):14.3f} {mean:14.3f} {deviation:14.3f}"
        lines.append(f"   {names[operation]:<26}{colon} {numbers}")
    return "\n".join([*lines, f"-- finished at 11/20/2026 {hours:02}:{minutes:02}:{rest:02} --", ""])


def iozone(
    kind: str,
    each: Sequence[float],
    *,
    unit: str = "kB",
    record: int = 16384,
    file: int = 128 << 20,
    cluster: bool = True,
    flags: str = "-c -e -w -I",
) -> str:
    """IOzone with several processes: `each` are their rates in kB/s or operations a second, `record` and `file` in kB."""
    total, least, most = sum(each), min(each), max(each)
    moved = file if unit == "kB" else file // record
    parent = [] if cluster else [f"\tParent sees throughput for {len(each)} {kind} \t= {total:.2f} {unit}/sec"]
    return "\n".join(
        [
            "\tIozone: Performance Test of File I/O",
            "\t        Version $Revision: 3.492 $",
            "",
            "\tRun began: Fri Nov 20 22:34:00 2026",
            *(["\tInclude fsync in write timing"] if "-e" in flags else []),
            *(["\tNetwork distribution mode enabled."] if cluster else []),
            f"\tCommand line used: /usr/local/bin/iozone {flags} -r {record}K -t {len(each)} -+n",
            "\tOutput is in kBytes/sec" if unit == "kB" else "\tOPS Mode. Output is in operations per second.",
            f"\tThroughput test with {len(each)} processes",
            f"\tEach process writes a {file} kByte file in {record} kByte records",
            "",
            f"\tChildren see throughput for {len(each)} {kind} \t= {total:.2f} {unit}/sec",
            *parent,
            f"\tMin throughput per process \t\t\t= {least:.2f} {unit}/sec ",
            f"\tMax throughput per process \t\t\t= {most:.2f} {unit}/sec",
            f"\tAvg throughput per process \t\t\t= {total / len(each):.2f} {unit}/sec",
            f"\tMin xfer \t\t\t\t\t= {moved:.2f} {unit}",
            "",
            "iozone test complete.",
            "",
        ]
    )


def fio(rw: str, rates: Sequence[int], *, seconds: int = 300, block: str = "1m", bytes_each: int = MIB) -> str:
    """fio's JSON: `rates` of its jobs in bytes a second."""
    side = "read" if "read" in rw else "write"
    jobs = [
        {
            "jobname": f"job{n}", "groupid": 0, "error": 0,
            "job options": {"rw": rw, "bs": block, "size": "64g", "direct": "1", "end_fsync": "1"},
            side: {"io_bytes": rate * seconds, "bw_bytes": rate, "iops": rate / bytes_each, "runtime": seconds * 1000},
        }
        for n, rate in enumerate(rates)
    ]  # fmt: skip
    return json.dumps({"fio version": "fio-3.33", "time": BEGAN, "jobs": jobs}, indent=2)


def io500(rates: dict[str, tuple[float, str]], *, invalid: str = "") -> str:
    """IO500's summary: the rate of each phase and its unit."""
    lines = ["IO500 version io500-sc22_v2 (standard)"]
    for phase, (rate, unit) in rates.items():
        mark = " [INVALID]" if phase == invalid else ""
        lines.append(f"[RESULT] {phase:>20} {rate:17.6f} {unit} : time 301.234 seconds{mark}")

    def score(unit: str) -> float:
        values = [r for r, u in rates.values() if u == unit]
        product = 1.0
        for value in values:
            product *= value ** (1 / len(values))
        return product

    bandwidth, operations = score("GiB/s"), score("kIOPS")
    total = (bandwidth * operations) ** 0.5
    mark = " [INVALID]" if invalid else ""
    lines.append(f"[SCORE ] Bandwidth {bandwidth:.6f} GiB/s : IOPS {operations:.6f} kiops : TOTAL {total:.6f}{mark}")
    return "\n".join(lines) + "\n"


def _size(count: int) -> str:
    for factor, unit in ((1 << 40, "TiB"), (GIB, "GiB"), (MIB, "MiB"), (1 << 10, "KiB")):
        if count >= factor and count % factor == 0:
            return f"{count // factor} {unit}" if unit != "KiB" else f"{count} bytes"
    return f"{count} bytes"
