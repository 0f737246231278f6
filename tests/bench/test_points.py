"""Threads, sizes and files of every test: held against the documents' tables, and against the rules for drawn clients."""

from __future__ import annotations

from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize.bench.commands import host_file, phases, share, tool_words
from pixsize.bench.points import Clients, document_bytes, points, thread_counts
from pixsize.catalog.benchmarks import BenchmarkMethod, BenchmarkMpi
from tests.support.running import catalog

GIB, TIB = 1 << 30, 1 << 40
METHODS = {m.id: m for m in catalog().all(BenchmarkMethod)}
OF_DATA = [m for m in METHODS.values() if not m.of_files]
DOCUMENTS = {"pixstor-6": (16, 40, 192), "lustre-me4": (32, 36, 128), "lustre-powerflex": (12, 36, 128)}


def clients(count: int, cores: int | None, memory: int, servers: int = TIB) -> Clients:
    return Clients(tuple(f"c{n}" for n in range(count)), cores, count * memory * GIB + servers)


def test_a_table_of_directories_is_the_documents() -> None:
    # Administrator Guide of PixStor 5, Table 4, and the white paper of PixStor 6, Table 3: threads and directories of each.
    table = {1: 2048, 2: 1024, 4: 512, 8: 256, 16: 128, 32: 64, 64: 32, 128: 16, 256: 8, 512: 4}
    for name in ("pixstor-6.method.empty", "pixstor-6.method.4k", "pixstor-5.method.empty", "pixstor-5.method.3k"):
        made = points(METHODS[name], "document", (), clients(16, 40, 192), {})
        assert {p.threads: p.directories for p in made} == table
        assert {p.threads * p.files for p in made} == {2_097_152}
    made = points(METHODS["lustre-me4.method.empty"], "document", (), clients(32, 36, 128), {})
    assert {p.threads: p.directories for p in made} == table | {1024: 2}


def test_the_documents_own_clients_have_the_documents_own_points() -> None:
    sixteen = clients(16, 40, 192, TIB)
    for name in ("pixstor-6.method.n_n", "pixstor-6.method.n_1"):
        made = points(METHODS[name], "memory", (), sixteen, {})
        # 8192 GiB divided by the threads, exactly twice the memory; 1024 threads are more than 640 cores.
        assert [(p.threads, p.each // GIB) for p in made] == [(1 << n, 8192 >> n) for n in range(10)]
    (largest,) = [
        p
        for p in points(METHODS["lustre-powerflex.method.n_n"], "document", (), clients(12, 36, 128), {})
        if p.threads == 432
    ]
    assert (largest.each, largest.total) == (16 * GIB, 6912 * GIB)
    threads = thread_counts(METHODS["lustre-me4.method.random"], (), clients(32, 36, 128))
    assert threads == (16, 32, 64, 128, 256)


@settings(deadline=None)
@given(
    st.sampled_from(OF_DATA),
    st.integers(1, 200),
    st.integers(1, 256),
    st.integers(1, 2048),
    st.integers(0, 16),
    st.sets(st.integers(1, 4096), max_size=4),
)
def test_data_are_twice_the_memory_or_said_to_be_the_documents(
    method: BenchmarkMethod, count: int, cores: int, memory: int, servers: int, asked: set[int]
) -> None:
    nodes = clients(count, cores, memory, servers * TIB)
    for data in ("memory", "document"):
        made = points(method, data, sorted(asked), nodes, {})
        assert made
        for point in made:
            assert 1 <= point.threads <= count * cores
            if asked & set(range(1, count * cores + 1)):
                assert point.threads in asked
            least = 2 * nodes.memory if data == "memory" else document_bytes(method, point.threads)
            assert point.total >= least
            for transfer in (method.transfer_bytes, method.read_transfer_bytes):
                assert point.each % (transfer or 1) == 0
            assert point.each % (1 << 20) == 0
            # No more than whole transfers need. Files of random tests are written 16 MiB at a time.
            files = 16 << 20 if method.test == "random" else 1
            assert point.each % files == 0
            unit = max(1 << 20, method.transfer_bytes or 1, method.read_transfer_bytes or 1, files)
            assert point.each <= ceil(max(least, document_bytes(method, point.threads)) / point.threads / unit) * unit


@settings(deadline=None)
@given(st.integers(1, 100), st.integers(1, 5000))
def test_threads_are_spread_one_node_after_the_other(count: int, threads: int) -> None:
    names = [f"c{n}" for n in range(count)]
    shared = share(names, threads)
    assert sum(n for _, n in shared) == threads
    assert [name for name, _ in shared] == names[: min(count, threads)]
    assert max(n for _, n in shared) - min(n for _, n in shared) <= 1
    assert [sum(names[t % count] == name for t in range(threads)) for name, _ in shared] == [n for _, n in shared]


HOST_FILES = {
    "openmpi": "c1 slots=2\nc2 slots=1\n",
    "mpich": "c1:1\nc2:1\n",
    "mvapich2": "c1:1\nc2:1\n",
    "intel": "c1\nc2\n",
}


@pytest.mark.parametrize("mpi", HOST_FILES)
def test_host_files_are_in_the_form_of_their_mpi(mpi: str) -> None:
    (record,) = (r for r in catalog().all(BenchmarkMpi) if r.mpi == mpi)
    assert host_file(["c1", "c2"], 3, record) == HOST_FILES[mpi]


@pytest.mark.parametrize(
    ("tool", "version", "direct", "files"),
    [
        ("ior", "3.1.0", "-B", ""),
        ("ior", "3.2.1", "-B", ""),
        ("ior", "3.3.0", "--posix.odirect", ""),
        ("ior", "3.3.0+dev", "--posix.odirect", ""),
        ("ior", "4.1.0", "--posix.odirect", ""),
        ("mdtest", "1.9.3", "", "per_task"),
        ("mdtest", "1.9.4-rc1", "", "per_task"),
        ("mdtest", "3.3.0", "", "per_directory"),
        ("mdtest", "4.0.0", "", "per_directory"),
        ("iozone", "3.465", "-I", ""),
    ],
)
def test_a_tool_has_the_words_of_its_version(tool: str, version: str, direct: str, files: str) -> None:
    found = tool_words(tool, version, catalog())
    assert found is not None
    assert (found.direct, found.files) == (direct, files)


def test_no_record_speaks_for_a_version_before_the_first() -> None:
    assert tool_words("ior", "2.10", catalog()) is None
    assert tool_words("fio", "3.33", catalog()) is None


def test_mdtest_counts_the_files_that_it_makes() -> None:
    # With -I, -z 1 and -L mdtest 1.9 divides by files that do not exist; -n names those of a task.
    method = METHODS["lustre-me4.method.empty"]
    old, new = (tool_words("mdtest", version, catalog()) for version in ("1.9.3", "3.3.0"))
    assert old is not None
    assert new is not None
    assert "-I" not in phases(method, old)[0].words
    assert phases(method, new)[0].words[phases(method, new)[0].words.index("-I") + 1] == "1024"
