"""The conditions of the measurements of Lustre: typed again from the two documents, word for word of each record."""

from __future__ import annotations

import re

import pytest

from pixsize.catalog.measurements import Measurement
from tests.support.catalog_records import get, kind_of

# --- Lustre on ME4 -------------------------------------------------------------------------------------------------

ME4_BED = {
    "hardware": "two R740 with four ME4084 (84 drives of 8 TB each) for data; two R740 with one ME4024 for metadata",
    "clients": "32 C6320, two E5-2697 v4, 128 GB, InfiniBand EDR",
    "software": "Lustre 2.10.4; servers CentOS 7.5, clients RHEL 7.5",
}
ME4_SEQUENTIAL = {
    "tool": "IOzone 3.465",
    "threads": "1 to 256, powers of two",
    "data_size": "2 TB in all; the clients' memory holds 4 TB, their caches were dropped",
    "transfer_size": "1 MiB",
    "striping": "1 MB; over all 32 OSTs below 32 threads, one OST from 32 on",
}
ME4_RANDOM = {
    "tool": "IOzone 3.465",
    "threads": "16 to 256, powers of two",
    "threads_at_peak": "256",
    "data_size": "1 TB in all",
    "transfer_size": "4 KiB, O_DIRECT",
    "striping": "one OST a file, 4 MB",
}
ME4_METADATA = {
    "tool": "MDtest 1.9.3",
    "mpi": "Intel MPI",
    "threads": "1 to 1024, powers of two",
    "files": "2,097,152 in all, 1024 a directory, files only",
    "file_size": "0",
    "options": "-L -y -u -t -F, mean of three iterations",
}
ME4_COURSE = {
    "sequential.n_n.write": "622 MB/s with one thread, doubling with the threads up to 32, then saturated",
    "sequential.n_n.read": (
        "643 MB/s with one thread, doubling with the threads up to 32, then a dip at 64 threads, "
        "close to or slightly below the writes"
    ),
    "random_4k.write": "grows slowly after 32 threads; above the reads below 256 threads",
    "random_4k.read": "grows quickly from 32 to 256 threads",
}
ME4_VARIANT = {
    "1mdt": "one MDT, no DNE; an MDT is a linear RAID 10 of ten 960 GB SSDs",
    "2mdt": "two MDTs, DNE with directory striping; an MDT is a linear RAID 10 of ten 960 GB SSDs",
}
ME4_GAIN = {"create": "50 %", "stat": "85.2 %", "remove": "149.5 %"}


def me4() -> dict[str, dict[str, str]]:
    """The conditions of every record, by its id."""
    found = {}
    for way, course in ME4_COURSE.items():
        kind = ME4_RANDOM if way.startswith("random") else ME4_SEQUENTIAL
        for period in ("peak",) if way.startswith("random") else ("peak", "sustained"):
            at_peak = {} if way.startswith("random") or period == "sustained" else {"threads_at_peak": "32"}
            found[f"lustre-me4.large.throughput.{way}.{period}"] = ME4_BED | kind | at_peak | {"course": course}
    for mdts, variant in ME4_VARIANT.items():
        for operation, gain in ME4_GAIN.items():
            extra = {"gain": f"{gain} over one MDT, as printed"} if mdts == "2mdt" else {}
            conditions = ME4_BED | ME4_METADATA | {"variant": variant} | extra
            found[f"lustre-me4.large.{mdts}.metadata.empty.{operation}.peak"] = conditions
    return found


# --- Lustre on PowerFlex -------------------------------------------------------------------------------------------

POWERFLEX_BED = {
    "hardware": "four R640 as OSS and SDS with eight P4600 of 2 TB each; two R640 as MDS",
    "clients": "12 HNS2600TP, two E5-2695 v4, Omni-Path 100",
    "software": "Lustre 2.10.8 on PowerFlex 3.0-100.134, CentOS 7.6",
    "mpi": "mvapich2 2.3b",
    "runs": "mean of five",
}
POWERFLEX_THROUGHPUT = {
    "tool": "IOR 3.1.0",
    "processes": "864, one file each",
    "data_size": "16 GB a process, 13.5 TiB in all; the appendix prints 6 TB",
    "options": "O_DIRECT (-B) in all tests, though the printed commands lack it",
}
POWERFLEX_METADATA = {"tool": "MDtest 1.9.4-rc1", "processes": "432 on 12 clients", "variant": "two MDS, DNE 2"}
POWERFLEX_TRANSFERS = {
    "write.peak": {"transfer_size": "8 MiB", "stripe_size": "4 MiB", "course": "flat from 2 to 32 MiB"},
    "write.per_oss": {"transfer_size": "2 to 32 MiB"},
    "write.128k": {"transfer_size": "128 KiB"},
    "read.peak": {"transfer_size": "32 MiB", "stripe_size": "4 MiB", "course": "highest at 32 MiB"},
    "read.per_oss": {"transfer_size": "32 MiB"},
    "read.128k": {"transfer_size": "128 KiB"},
}
MANY, FEW = "65,536 a process", "16,384 a process"
MOST = "131,072 a process; 432 processes make 56,623,104, the document prints 113,246,208"
POWERFLEX_FILES = {
    "4k.create.peak": FEW,
    "4k.stat.peak": FEW,
    "4k.read.peak": MANY,
    "4k.remove.peak": FEW,
    "4k.create.sustained": MANY,
    "4k.stat.sustained": MANY,
    "4k.read.sustained": FEW,
    "4k.remove.sustained": MANY,
    "128b.create.sustained": MOST,
    "128b.stat.sustained": MOST,
    "128b.read.sustained": MOST,
    "128b.remove.sustained": MOST,
}
"""Reads alone are faster with more files: 197 kop/s with 65,536 a process, 181 kop/s with 16,384."""
FILE_SIZES = {"4k": "4 KiB", "128b": "128 bytes"}
ONE_MDS = {"4k.create.sustained": {"one_mds": "two MDS create 37 % more than one"}}


def powerflex() -> dict[str, dict[str, str]]:
    """The conditions of every record, by its id."""
    found = {}
    for way, transfer in POWERFLEX_TRANSFERS.items():
        conditions = POWERFLEX_BED | POWERFLEX_THROUGHPUT | transfer
        found[f"lustre-powerflex.4oss.throughput.sequential.n_n.{way}"] = conditions
    for way, files in POWERFLEX_FILES.items():
        made = {"files": files, "file_size": FILE_SIZES[way.split(".")[0]]} | ONE_MDS.get(way, {})
        found[f"lustre-powerflex.4oss.metadata.{way}"] = POWERFLEX_BED | POWERFLEX_METADATA | made
    return found


# --- the records ---------------------------------------------------------------------------------------------------

CONDITIONS = me4() | powerflex()


def test_every_measurement_of_the_documents_is_there():
    assert set(CONDITIONS) <= {m.id for m in kind_of(Measurement)}


@pytest.mark.parametrize("measurement", CONDITIONS)
def test_conditions_of_the_measurements(measurement):
    assert get(measurement, Measurement).conditions == CONDITIONS[measurement]


@pytest.mark.parametrize("measurement", CONDITIONS)
def test_conditions_name_the_release_that_was_measured(measurement):
    record = get(measurement, Measurement)
    if record.system is not None:
        assert f"Lustre {record.system.lustre_version}" in record.conditions["software"]


def numbers(text: str) -> list[int]:
    return [int(word.replace(",", "")) for word in re.findall(r"\b\d[\d,]*\b", text)]


@pytest.mark.parametrize("measurement", [i for i in CONDITIONS if i.startswith("lustre-powerflex.")])
def test_processes_fill_the_threads_of_the_clients(measurement):
    """A client has 72 threads: IOR ran a process on each, MDtest one on every second."""
    conditions = get(measurement, Measurement).conditions
    clients, processes = numbers(conditions["clients"])[0], numbers(conditions["processes"])[0]
    assert processes == clients * (36 if "files" in conditions else 72)


@pytest.mark.parametrize("way", POWERFLEX_TRANSFERS)
def test_data_are_the_processes_times_the_data_of_each(way):
    """16 GB a process make 13.5 TiB, if a GB is 2^30 bytes, as IOR takes -b 16g."""
    conditions = get(f"lustre-powerflex.4oss.throughput.sequential.n_n.{way}", Measurement).conditions
    each, whole = re.findall(r"([\d.]+) (?:GB a process|TiB in all)", conditions["data_size"])
    assert numbers(conditions["processes"])[0] * int(each) == float(whole) * 1024


@pytest.mark.parametrize("way", [way for way, files in POWERFLEX_FILES.items() if files == MOST])
def test_files_are_the_processes_times_the_files_of_each(way):
    conditions = get(f"lustre-powerflex.4oss.metadata.{way}", Measurement).conditions
    each, processes, made, printed = numbers(conditions["files"])
    assert processes == numbers(conditions["processes"])[0]
    assert (each * processes, 2 * made) == (made, printed)
