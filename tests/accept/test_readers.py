"""Every style that a tool prints is read back as what was printed; what was changed is refused, or doubted."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize.results.reading import read
from tests.accept import printing
from tests.accept.printing import MIB
from tests.accept.test_outputs import OUTPUTS

RATE = st.floats(1.0, 5e5).map(lambda r: round(r, 2))
SERIES = st.integers(1, 5).flatmap(lambda n: st.lists(RATE, min_size=n, max_size=n))
TWO = st.integers(1, 5).flatmap(lambda n: st.tuples(*[st.lists(RATE, min_size=n, max_size=n)] * 2))


def mean(values: list[float], unit: float = MIB) -> float:
    return sum(values) / len(values) * unit


@settings(max_examples=60, deadline=None)
@given(TWO, st.sampled_from(["3.1.0", "3.2.1", "3.3.0", "4.0.0", "4.1.0+dev"]), st.booleans())
def test_ior_in_every_style(both: tuple[list[float], list[float]], version: str, alone: bool) -> None:
    rates = {"write": both[0], "read": both[1]}
    texts = [printing.ior(rates, version=version, alone=alone)]
    if alone:
        # Before 4.0 the results of each repetition were a list in the list.
        flat = printing.ior_json(rates)
        nested = flat.replace('"Results": [', '"Results": [[').replace("      ]\n    }\n  ],", "      ]]\n    }\n  ],")
        assert nested.count("]]") == 1
        texts += [printing.ior_json(rates), printing.ior_csv(rates), nested]
    for text in texts:
        found = read(text)
        assert not found.unread, found.unread
        for run, values in zip(found.runs, both, strict=True):
            assert run.rate == pytest.approx(mean(values), abs=0.006 * MIB)
            assert run.highest == pytest.approx(max(values) * MIB, abs=0.006 * MIB)
            assert (run.tasks, run.iterations, run.direct) == (64, len(values), True)
            assert (run.pattern, run.transfer, run.is_reread) == ("n_n" if alone else "n_1", 16 * MIB, False)


@settings(max_examples=40, deadline=None)
@given(
    SERIES,
    st.sampled_from(["SUMMARY:", "SUMMARY rate:", "SUMMARY rate (in ops/sec):"]),
    st.sampled_from(["1.9.3", "3.3.0", "4.0.0", "4.1.0+dev"]),
)
def test_mdtest_in_every_style(values: list[float], style: str, version: str) -> None:
    found = read(printing.mdtest({"create": [v + 500 for v in values]}, style=style, version=version))
    assert not found.unread, found.unread
    (run,) = found.runs
    assert run.rate == pytest.approx(mean(values, 1) + 500, abs=0.6)
    assert (run.operation, run.tasks, run.nodes, run.file_bytes) == ("create", 512, 16, 0)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(1, 1e6).map(lambda r: round(r, 2)), min_size=1, max_size=64),
    st.sampled_from(
        [("initial writers", "write", "n_n"), ("readers", "read", "n_n"), ("random readers", "read", "random")]
    ),
    st.booleans(),
)
def test_iozone_in_both_units(each: list[float], kind: tuple[str, str, str], cluster: bool) -> None:
    random = kind[2] == "random"
    text = printing.iozone(
        kind[0], each, unit="ops" if random else "kB", record=4 if random else 16384, cluster=cluster
    )
    found = read(text)
    assert not found.unread, found.unread
    (run,) = found.runs
    assert (run.operation, run.pattern, run.tasks) == (kind[1], kind[2], len(each))
    assert run.rate == pytest.approx(sum(each) * (1 if random else 1024), abs=6)
    assert run.unit == ("op/s" if random else "B/s")
    assert run.nodes == (None if cluster else 1)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(10**6, 10**9), min_size=1, max_size=8))
def test_fio_and_io500(rates: list[int]) -> None:
    (run,) = read(printing.fio("write", rates)).runs
    assert (run.rate, run.tasks, run.pattern) == (sum(rates), len(rates), "n_n")
    (run,) = read(printing.fio("randread", rates, block="4k", bytes_each=4096)).runs
    assert (run.unit, run.pattern) == ("op/s", "random")
    assert run.rate == pytest.approx(sum(rates) / 4096, abs=1)
    phases = {"ior-easy-write": (rates[0] / 1e6, "GiB/s"), "mdtest-easy-write": (rates[-1] / 1e6, "kIOPS")}
    found = read(printing.io500(phases))
    assert [r.rate for r in found.runs] == [
        pytest.approx(rates[0] / 1e6 * (1 << 30), rel=1e-5),
        pytest.approx(rates[-1] / 1e3, abs=1),
    ]


def test_mdtest_without_its_command_tells_no_size_of_files() -> None:
    text = printing.mdtest({"create": [1e5]}, size=4096)
    (run,) = read("\n".join(t for t in text.split("\n") if not t.startswith("Command"))).runs
    assert run.file_bytes is None
    assert read(text).runs[0].file_bytes == 4096


ELBENCHO = """\
COMMAND LINE: "elbencho" "-w" "-t" "16" "-n" "1" "-s" "4g" "-b" "1m" "--direct" "/mmfs1/bench"

OPERATION   RESULT TYPE         FIRST DONE   LAST DONE
=========   ================    ==========   =========
WRITE       Elapsed time     :     1m2.345s    1m3.500s
            IOPS             :        20600       20480
            Throughput MiB/s :        20600       20480
            Total MiB        :      1284000     1300480
"""


def test_elbencho_counts_the_last_worker() -> None:
    (run,) = read(ELBENCHO).runs
    assert (run.rate, run.tasks, run.transfer, run.direct) == (20480 * MIB, 16, MIB, True)
    assert run.seconds == pytest.approx(63.5)


def test_several_outputs_in_one_file_stand_by_themselves() -> None:
    good = printing.ior({"write": [1000.0]})
    cut = printing.mdtest({"create": [1e5]}).rpartition("-- finished")[0]
    found = read(f"srun: job 12 queued\n{good}{cut}{printing.iozone('readers', [100.0, 200.0])}")
    assert [r.tool for r in found.runs] == ["IOR", "IOzone"]
    assert ["did not finish" in u.why for u in found.unread] == [True]
    assert found.unread[0].line > 10


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the file is empty"),
        ("hello\n", "no output of"),
        (printing.ior({"write": [1000.0]}).replace("1000.00", "nan"), "no number"),
        (printing.ior({"write": [1000.0]}).replace("1000.00", "-1000.00"), "no number"),
        (printing.ior({"write": [1000.0]}).replace("1000.00", "9" * 17), "do not go together|any system"),
        (printing.ior({"write": [1000.0, 2000.0]}).replace("write     2000.00", "write     2100.00"), "not that of its"),
        (printing.ior({"write": [1000.0]}).rpartition("Finished")[0], "did not finish"),
        (printing.ior({"write": [1000.0]}).replace(" xsize", ""), "names of columns"),
        (printing.ior_json({"write": [1000.0]})[:-40], "damaged or cut off"),
        (printing.ior_json({"write": [1000.0]}).replace("1000.0", "NaN"), "no number"),
        (printing.ior_json({"write": [1000.0]}).replace("1000.0", "1e999999"), "no number"),
        (printing.ior_json({"write": [1000.0]}).replace("{", "{" * 60), "nested deeper"),
        (printing.ior_csv({"write": [1000.0]}).partition("\n")[2], "does not tell its options"),
        (printing.mdtest({"create": [1e5]}, style="SUMMARY time:"), "times and none of rates"),
        (printing.mdtest({"create": [1e5]}, style="SUMMARY time (in ops/sec):"), "times and none of rates"),
        (printing.mdtest({"create": [1e5]}, style="SUMMARY rate (in ms/op):"), "times and none of rates"),
        # Times with the label of rates: two million files in 20.97 seconds, printed as 20.97 a second.
        (printing.mdtest({"create": [20.97]}, seconds=21), "times with the label of rates"),
        (printing.mdtest({"create": [1e5, 2e5, 3e5]}).replace("200000.000", "400000.000"), "not between its lowest"),
        (printing.mdtest({"create": [1e5]}).replace("512 tasks, ", "256 tasks, "), "counts the files of 256"),
        (printing.iozone("readers", [100.0, 200.0]).replace("iozone test complete.", ""), "did not finish"),
        (printing.iozone("readers", [100.0, 200.0]).replace("= 300.00", "= 900.00"), "not the sum"),
        (printing.iozone("readers", [100.0, 200.0]).replace("for 2 readers", "for 3 readers"), "another run"),
        (printing.iozone("readers", [100.0]).replace("Avg throughput per process \t\t\t= 100.00 kB", "Avg throughput per process \t\t\t= 100.00 ops"), "another unit"),
        (printing.fio("write", [10**8]).replace("100000000,", "900000000,", 1), "do not go together"),
        (printing.fio("write", [10**8]).replace('"error": 0', '"error": 28'), "failed with error 28"),
        ("Run status group 0 (all jobs):\n  WRITE: bw=100MiB/s\n", "output-format=json"),
        (printing.io500({"ior-easy-write": (1.0, "GiB/s")}).rpartition("[SCORE")[0], "did not end"),
        (printing.io500({"ior-easy-write": (1.0, "GiB/s")}).replace("GiB/s :", "MiB/s :", 1), "another unit"),
        ("Max Write: 1.00 MiB/sec (1.05 MB/sec)\n", "cut off"),
        (ELBENCHO.replace("20480\n            Total", "-1\n            Total"), "no number|cut off"),
    ],
)  # fmt: skip
def test_what_is_damaged_is_refused_with_a_reason(text: str, why: str) -> None:
    found = read(text)
    assert not found.runs
    assert found.unread
    assert re.search(why, " ".join(u.why for u in found.unread)), found.unread


KEPT = sorted(OUTPUTS.glob("*.txt"))
PRINTED = (
    printing.ior({"write": [812.34, 901.22, 777.01], "read": [1201.5, 1180.25, 1999.75]}),
    printing.ior({"write": [812.34, 901.22, 777.01]}, version="3.1.0", alone=False),
    printing.ior_json({"write": [812.34, 901.22]}),
    printing.iozone("initial writers", [1234.5, 2345.5, 3456.75]),
    printing.fio("write", [123456789]),
)


@pytest.mark.long
@settings(max_examples=400, deadline=None)
@given(st.integers(0, len(KEPT) - 1), st.data())
def test_a_line_taken_away_or_an_output_cut_off_never_gives_another_number(which: int, data: st.DataObject) -> None:
    text = KEPT[which].read_text(encoding="utf-8")
    lines = text.split("\n")
    honest = {(r.operation, r.pattern, r.transfer, r.block, r.rate) for r in read(text).runs}
    at = data.draw(st.integers(1, len(lines) - 1))
    changed = lines[:at] + lines[at + 1 :] if data.draw(st.booleans()) else lines[:at]
    for run in read("\n".join(changed)).runs:
        assert (run.operation, run.pattern, run.transfer, run.block, run.rate) in honest, lines[at]


@pytest.mark.long
@settings(max_examples=500, deadline=None)
@given(st.sampled_from(PRINTED), st.data())
def test_a_digit_that_is_changed_gives_no_other_rate(text: str, data: st.DataObject) -> None:
    """What a tool prints twice must agree: a rate moves by the rounding of the copies at the most."""
    honest = {(r.operation, r.rate) for r in read(text).runs}
    places = [m.start() for m in re.finditer("[0-9]", text)]
    at = data.draw(st.sampled_from(places))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != text[at]]))
    for run in read(text[:at] + digit + text[at + 1 :]).runs:
        near = [r for o, r in honest if o == run.operation and abs(r - run.rate) <= 0.0002 * r + 0.02 * MIB]
        assert near, text[max(at - 60, 0) : at + 20]


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300))
def test_hostile_text_never_raises(text: str) -> None:
    for unread in read(text).unread:
        assert unread.why.isprintable()


@pytest.mark.long
@settings(max_examples=1500, deadline=None)
@given(
    st.sampled_from([*PRINTED, *(p.read_text(encoding="utf-8") for p in KEPT if p.stat().st_size < 9000)]), st.data()
)
def test_damage_anywhere_never_raises(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    gone = data.draw(st.integers(0, 12))
    put = data.draw(
        st.sampled_from(["", "\x00\x1b[2J", "–", "-", "nan", "9" * 30, "\n", " ", "{", '"', ":", "="])
        | st.text(max_size=4)
    )
    for unread in read(text[:at] + put + text[at + gone :]).unread:
        assert unread.why.isprintable()


STONEWALLED = """\
IOR-4.1.0+dev: MPI Coordinated Test of Parallel I/O
Began               : Mon May  1 10:00:00 2023
Command line        : ./ior -C -Q 1 -g -G 271 -k -e -o /mnt/fs/ior_file_easy -O stoneWallingStatusFile=/mnt/fs/s -O \
stoneWallingWearOut=1 -t 2m -b 9920000m -F -w -D 300 -a POSIX
Machine             : Linux node01
TestID              : 0
StartTime           : Mon May  1 10:00:00 2023
Path                : /mnt/fs/ior_file_easy.00000000
FS                  : 698.5 TiB   Used FS: 13.9%   Inodes: 1024.0 Mi   Used Inodes: 1.2%

Options:
api                 : POSIX
apiVersion          :
test filename       : /mnt/fs/ior_file_easy
access              : file-per-process
type                : independent
segments            : 1
ordering in a file  : sequential
ordering inter file : constant task offset
task offset         : 1
nodes               : 10
tasks               : 160
clients per node    : 16
repetitions         : 1
xfersize            : 2 MiB
blocksize           : 9.46 TiB
aggregate filesize  : 1513.67 TiB
stonewallingTime    : 300
stoneWallingWearOut : 1

Results:

access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter
------    ---------  ----       ----------  ---------- ---------  --------   --------   --------   --------   ----
stonewalling pairs accessed min: 13001 max: 14210 -- min data: 25.4 GiB mean data: 26.7 GiB time: 300.0s
WARNING: Expected aggregate file size       = 1664299827200000
WARNING: Stat() of aggregate file size      = 4768074137600
WARNING: Using actual aggregate bytes moved = 4768074137600
WARNING: Maybe caused by deadlineForStonewall
write     14900.00   7450.10    0.021       10158080000 2048.00   0.001204   305.10     2.01       305.18     0

Summary of all tests:
Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  Mean(OPs)     StdDev    Mean(s) Stonewall(s) \
Stonewall(MiB) Test# #Tasks tPN reps fPP reord reordoff reordrand seed segcnt   blksiz    xsize aggs(MiB)   API RefNum
write       14900.00   14900.00   14900.00       0.00    7450.00    7450.00    7450.00       0.00  305.18000       300.01 \
    4371000.00     0    160  16    1   1     1        1         0    0      1 10401873920000  2097152 4547190.8 POSIX      0
Finished            : Mon May  1 10:05:07 2023
"""


def test_a_stonewalled_run_counts_the_bytes_that_were_moved() -> None:
    found = read(STONEWALLED)
    assert not found.unread, found.unread
    (run,) = found.runs
    assert (run.rate, run.nodes, run.tasks, run.transfer) == (14900 * MIB, 10, 160, 2 * MIB)
    assert run.moved == pytest.approx(4768074137600, rel=1e-3)
    assert run.stonewall is False  # worn out
    again = read(
        STONEWALLED.replace("stoneWallingWearOut=1", "").replace("stoneWallingWearOut : 1", "stoneWallingWearOut : 0")
    )
    assert again.runs[0].stonewall is True


SUMMARY = """\
IO500 version io500-isc22_v2 (standard)
[RESULT]       ior-easy-write       15.258211 GiB/s : time 305.123 seconds
[RESULT]    mdtest-easy-write       92.104511 kIOPS : time 331.410 seconds
[      ]            timestamp        0.000000 kIOPS : time 0.000 seconds
[RESULT]       ior-hard-write        0.812374 GiB/s : time 12.114 seconds [INVALID]
[RESULT]    ior-rnd4K-easy-read      1.812374 GiB/s : time 312.114 seconds
[SCORE ] Bandwidth 3.520732 GiB/s : IOPS 92.104511 kiops : TOTAL 18.007503 [INVALID]
"""


def test_a_summary_of_io500() -> None:
    found = read(SUMMARY)
    assert not found.unread, found.unread
    easy, create, hard = found.runs
    assert (easy.version, easy.pattern, easy.rate) == ("io500-isc22_v2", "n_n", round(15.258211 * (1 << 30)))
    assert (create.operation, create.rate, create.file_bytes, create.unit) == ("create", 92105, 0, "op/s")
    assert (hard.pattern, [d.code for d in hard.doubts]) == ("other", ["PX689"])


@pytest.mark.long
@pytest.mark.parametrize(
    "line",
    [
        "\tChildren see throughput for 2 readers" + " " * 60_000 + "x",
        "\tParent sees throughput for 2 readers" + " " * 60_000 + "x",
        "   File creation" + " " * 60_000 + "x",
        "File creation" + "\t" * 60_000,
        "[RESULT] ior-easy-write 1.0 GiB/s : time 1.0 seconds" + " " * 60_000 + "x",
        "WRITE" + " " * 60_000 + "IOPS",
        "Options:\n" + "a " * 30_000,
        "SUMMARY: " + " " * 60_000,
        "-- started at " + "- " * 30_000,
    ],
)  # fmt: skip
def test_no_line_takes_long(line: str) -> None:
    begun = time.monotonic()
    for text in (
        line,
        *PRINTED[:2],
        printing.mdtest({"create": [1e5]}),
        printing.iozone("readers", [1.0]),
        ELBENCHO,
        SUMMARY,
    ):
        at = text.find("\n", 200)
        read(f"{text[:at]}\n{line}\n{line}\n{text[at:]}")
    assert time.monotonic() - begun < 5
