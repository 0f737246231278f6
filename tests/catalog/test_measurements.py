"""Every value that the documents print, typed from them again and compared with the measurement records."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from pixsize.catalog.measurements import Measurement
from pixsize.catalog.records import Drive
from pixsize.estimate.ids import is_by_threads
from tests.support.catalog_records import TB, get, kind_of, number, used

TABLE_4 = {
    "Large sequential N clients to N files": ("20.5 GB/s", "23 GB/s", "19.8 GB/s", "21 GB/s"),
    "Large sequential N clients to single shared file": ("20.2 GB/s", "21.7 GB/s", "18 GB/s", "21.3 GB/s"),
    "Random small blocks N clients to N files": ("18.4 kop/s", "12.4 kop/s", "18.4 kop/s", "12.4 kop/s"),
}
TABLE_4_METADATA = {
    "Metadata Create empty files": ("232.2 kop/s", "150 kop/s"),
    "Metadata Stat empty files": ("5.34 Mop/s", "2.9 Mop/s"),
    "Metadata Read empty files": ("2.73 Mop/s", "2 Mop/s"),
    "Metadata Remove empty files": ("189.2 kop/s", "130 kop/s"),
    "Metadata Create 4KiB files": ("70.76 kop/s", "61 kop/s"),
    "Metadata Stat 4KiB files": ("8.62 Mop/s", "4.1 Mop/s"),
    "Metadata Read 4KiB files": ("5.65 Mop/s", "3.2 Mop/s"),
    "Metadata Remove 4KiB files": ("285.9 kop/s", "231.7 kop/s"),
}
TABLE_5 = {
    "Large sequential N clients to N files": ("21.6 GB/s", "26.9 GB/s", "21.1 GB/s", "25.7 GB/s"),
    "Large sequential N clients to single shared file": ("21.7 GB/s", "27.9 GB/s", "21 GB/s", "27.7 GB/s"),
    "Random small blocks N clients to N files": ("27.4 kop/s", "32.3 kop/s", "27.4 kop/s", "32.3 kop/s"),
}
AT_PEAK = [m for m in kind_of(Measurement) if not is_by_threads(m.figure)]
"""The measurements with as many threads as they like."""
COLUMNS = (("peak", "Write"), ("peak", "Read"), ("sustained", "Write"), ("sustained", "Read"))


def cells() -> dict[str, str]:
    """Every cell of Tables 4 and 5, as a place and the value typed from the document."""
    found = {}
    for printed, table in ((4, TABLE_4), (5, TABLE_5)):
        for row, values in table.items():
            for (period, column), value in zip(COLUMNS, values, strict=True):
                found[f"Table {printed}, row '{row}', {period}, column {column}"] = value
    for row, values in TABLE_4_METADATA.items():
        for period, value in zip(("peak", "sustained"), values, strict=True):
            found[f"Table 4, row '{row}', {period}"] = value
    return found


def test_tables_4_and_5_are_transcribed_without_a_difference():
    catalog: dict[str, set[Fraction]] = {}
    for measurement in kind_of(Measurement):
        for reading in measurement.readings:
            if reading.document == "dell-pixstor-6" and reading.place.startswith("Table"):
                catalog.setdefault(reading.place, set()).add(number(reading.value))
    assert catalog == {place: {number(value)} for place, value in cells().items()}


K, M, G = 10**3, 10**6, 10**9
USED = {
    "large.throughput.sequential.n_n.write.peak": 20_500_000_000,
    "large.throughput.sequential.n_n.write.sustained": 19_800_000_000,
    "large.throughput.sequential.n_n.read.peak": 23 * G,
    "large.throughput.sequential.n_n.read.sustained": 21 * G,
    "large.throughput.sequential.n_1.write.peak": 20_200_000_000,
    "large.throughput.sequential.n_1.write.sustained": 18 * G,
    "large.throughput.sequential.n_1.read.peak": 21_700_000_000,
    "large.throughput.sequential.n_1.read.sustained": 21 * G,
    "large.throughput.random_4k.write.peak": 12_400,
    "large.throughput.random_4k.write.sustained": 12_400,
    "large.throughput.random_4k.read.peak": 18_400,
    "large.throughput.random_4k.read.sustained": 18_400,
    "large+expansion.throughput.sequential.n_n.write.peak": 21_600_000_000,
    "large+expansion.throughput.sequential.n_n.write.sustained": 21_100_000_000,
    "large+expansion.throughput.sequential.n_n.read.peak": 26_900_000_000,
    "large+expansion.throughput.sequential.n_n.read.sustained": 25_700_000_000,
    "large+expansion.throughput.sequential.n_1.write.peak": 21_700_000_000,
    "large+expansion.throughput.sequential.n_1.write.sustained": 21 * G,
    "large+expansion.throughput.sequential.n_1.read.peak": 27_900_000_000,
    "large+expansion.throughput.sequential.n_1.read.sustained": 27_700_000_000,
    "large+expansion.throughput.random_4k.write.peak": 27_400,
    "large+expansion.throughput.random_4k.write.sustained": 27_400,
    "large+expansion.throughput.random_4k.read.peak": 32_300,
    "large+expansion.throughput.random_4k.read.sustained": 32_300,
    "large.metadata.empty.create.peak": 232_200,
    "large.metadata.empty.create.sustained": 146 * K,
    "large.metadata.empty.stat.peak": 5_340 * K,
    "large.metadata.empty.stat.sustained": 2_900 * K,
    "large.metadata.empty.read.peak": 2_420 * K,
    "large.metadata.empty.read.sustained": 2 * M,
    "large.metadata.empty.remove.peak": 164_760,
    "large.metadata.empty.remove.sustained": 130 * K,
    "large.metadata.4k.create.peak": 70_760,
    "large.metadata.4k.create.sustained": 61 * K,
    "large.metadata.4k.stat.peak": 8_620 * K,
    "large.metadata.4k.stat.sustained": 4_100 * K,
    "large.metadata.4k.read.peak": 5_650 * K,
    "large.metadata.4k.read.sustained": 3_200 * K,
    "large.metadata.4k.remove.peak": 285_900,
    "large.metadata.4k.remove.sustained": 231_700,
}


def test_the_readings_that_are_used():
    pixstor = {m.id.removeprefix("pixstor-6."): used(m) for m in AT_PEAK if m.id.startswith("pixstor-6.")}
    assert pixstor == USED


LEFT_ASIDE = {
    "large.throughput.sequential.n_1.read.peak": {23_800_000_000},
    "large.throughput.sequential.n_1.read.sustained": {21_300_000_000},
    "large.throughput.sequential.n_1.write.peak": {20_400_000_000},
    "large.throughput.random_4k.write.peak": {12_800, 18_400},
    "large.throughput.random_4k.read.peak": {12_400},
    "large+expansion.throughput.random_4k.write.peak": {34_200},
    "large+expansion.throughput.random_4k.write.sustained": {23_100},
    "large.metadata.empty.create.sustained": {150_000},
    "large.metadata.empty.read.peak": {2_730_000},
    "large.metadata.empty.remove.peak": {189_200},
    "large.metadata.4k.stat.sustained": {4_000_000},
}


@pytest.mark.parametrize(("measurement", "values"), LEFT_ASIDE.items())
def test_the_other_side_of_a_contradiction_is_kept(measurement, values):
    record = get(f"pixstor-6.{measurement}", Measurement)
    aside = {number(r.value) for r in record.readings if not r.used} - {used(record)}
    assert values <= aside


def test_every_measurement_uses_exactly_one_reading():
    for measurement in kind_of(Measurement):
        assert [r.used for r in measurement.readings].count(True) == 1, measurement.id


def test_contradicting_readings_say_why():
    for measurement in kind_of(Measurement):
        if len(measurement.readings) > 1:
            assert all(len(r.why) > 20 for r in measurement.readings), measurement.id


def test_readings_have_the_unit_of_their_measurement():
    for measurement in kind_of(Measurement):
        for reading in measurement.readings:
            assert reading.value.endswith(measurement.unit), measurement.id
            assert number(reading.value) > 0


PIXSTOR = [m for m in AT_PEAK if m.id.startswith("pixstor-6.")]


def test_ids_of_measurements_end_with_their_figure():
    for measurement in kind_of(Measurement):
        assert measurement.id.endswith(f".{measurement.figure}"), measurement.id


def test_what_may_be_scaled_from_says_what_was_measured():
    for measurement in kind_of(Measurement):
        system = measurement.system
        scaled = system is not None and measurement.may_be_scaled_from(system.design)
        assert scaled == (system is not None), measurement.id


def test_what_a_pixstor_plan_may_scale_from_is_described_as_a_request():
    for measurement in PIXSTOR:
        system = measurement.system
        assert measurement.trust == "calibration"
        assert (system.design, system.block_bytes, system.hdmd.arrays) == ("pixstor-6", 8 * 2**20, 1)
        assert get(system.hdmd.drive, Drive).capacity_bytes == 960 * 10**9
        (module,) = system.storage_modules
        assert (module.size, get(module.data_drive, Drive).capacity_bytes) == ("large", 12 * TB)
        assert module.expansion == measurement.id.startswith("pixstor-6.large+expansion.")


@pytest.mark.parametrize("word", ["variant", "tool", "threads", "software", "clients"])
def test_pixstor_measurements_state_their_conditions(word):
    for measurement in PIXSTOR:
        assert measurement.conditions[word], measurement.id


def test_a_sustained_value_names_no_threads_of_the_peak():
    for measurement in kind_of(Measurement):
        has_threads = "threads_at_peak" in measurement.conditions
        assert not (has_threads and measurement.figure.endswith(".sustained")), measurement.id
        if measurement in PIXSTOR and measurement.figure.endswith(".peak"):
            assert has_threads, measurement.id


def test_conditions_that_a_kind_of_benchmark_needs():
    for measurement in PIXSTOR:
        if measurement.figure.startswith("metadata."):
            assert "2,097,152" in measurement.conditions["files"]
            needed = {"mpi", "file_size", "options"}
        else:
            needed = {"data_size", "transfer_size", "page_pool"}
        assert needed <= set(measurement.conditions), measurement.id


THREADS_AT_PEAK = {
    "large.throughput.sequential.n_n.read.peak": "32",
    "large.throughput.sequential.n_n.write.peak": "64",
    "large.throughput.sequential.n_1.read.peak": "not printed for the table's value, which is used; the text's 23.8 GB/s are at 16 threads",
    "large.throughput.sequential.n_1.write.peak": "not printed for the table's value, which is used; the text's 20.4 GB/s are at 64 threads",
    "large.throughput.random_4k.read.peak": "512",
    "large.throughput.random_4k.write.peak": "not printed for the table's value, which is used; the text's 12.8K are at 256 threads",
    "large+expansion.throughput.sequential.n_n.write.peak": "8 and 128",
    "large+expansion.throughput.sequential.n_1.read.peak": "16",
    "large+expansion.throughput.sequential.n_1.write.peak": "16",
    "large+expansion.throughput.random_4k.read.peak": "512",
    "large+expansion.throughput.random_4k.write.peak": "not printed for the table's value, which is used; the text's 34.2K are at 512 threads",
    "large.metadata.empty.stat.peak": "32",
    "large.metadata.empty.read.peak": "32",
    "large.metadata.empty.create.peak": "256",
    "large.metadata.empty.remove.peak": "512",
    "large.metadata.4k.create.peak": "256",
    "large.metadata.4k.stat.peak": "256",
    "large.metadata.4k.read.peak": "256",
    "large.metadata.4k.remove.peak": "256",
}


@pytest.mark.parametrize(("measurement", "threads"), THREADS_AT_PEAK.items())
def test_threads_at_the_peak(measurement, threads):
    assert get(f"pixstor-6.{measurement}", Measurement).conditions["threads_at_peak"] == threads


def test_the_threads_of_a_peak_are_those_of_its_conditions():
    """A number that stands in both; what is not stated, or belongs to a reading that is not used, is in neither."""
    known = [m for m in kind_of(Measurement) if m.threads]
    assert len(known) > 30
    for m in known:
        printed = re.findall(r"\d+", m.conditions.get("threads_at_peak") or m.conditions.get("processes", ""))
        if m.threads.at and printed:
            assert [str(n) for n in m.threads.at] == printed[: len(m.threads.at)], m.id
        assert m.figure.endswith(".peak")


BY_THREADS = {
    "lustre-me4.large.throughput.sequential.n_n.write": {1: 622 * M},
    "lustre-me4.large.throughput.sequential.n_n.read": {1: 643 * M},
    "pixstor-6.large.throughput.sequential.n_n.write": {4: 19_800 * M},
    "pixstor-6.large+expansion.throughput.sequential.n_n.read": {4: 25_700 * M},
    "pixstor-5.large.metadata.4k.create": {
        1: 653, 2: 1397, 4: 3044, 8: 6362, 16: 12977, 32: 23923, 64: 34892, 128: 43825, 256: 47846
    },
}  # fmt: skip
"""What the documents print below the peak: one thread, where a plateau begins, and a chart."""


def test_points_by_threads_are_transcribed_without_a_difference():
    found = {m.id: used(m) for m in kind_of(Measurement) if is_by_threads(m.figure)}
    assert found == {f"{rate}.threads_{n}": v for rate, points in BY_THREADS.items() for n, v in points.items()}


PIXSTOR_5 = {
    "throughput.sequential.n_n.write": (16_700 * M, 16_500 * M, "16"),
    "throughput.sequential.n_n.read": (23 * G, 20_500 * M, "32"),
    "throughput.sequential.n_1.write": (16_500 * M, 16_200 * M, ""),
    "throughput.sequential.n_1.read": (23_800 * M, 20_500 * M, ""),
    "throughput.random_4k.write": (15_800, 15_700, ""),
    "throughput.random_4k.read": (20_400, 20_400, "512, and still rising with the threads"),
    "metadata.empty.create": (194_200, 127_200, "512"),
    "metadata.empty.stat": (11_200 * K, 3_300 * K, "64"),
    "metadata.empty.read": (4_800 * K, 2_400 * K, "64"),
    "metadata.empty.remove": (169_400, 144_800, "16"),
    "metadata.3k.create": (78 * K, None, "512"),
    "metadata.3k.stat": (8_290 * K, None, "256"),
    "metadata.3k.read": (5_060 * K, None, "256"),
    "metadata.3k.remove": (609 * K, None, "128"),
    "metadata.4k.create": (55_400, 55_400, "512"),
    "metadata.4k.stat": (6_400 * K, 4_000 * K, ""),
    "metadata.4k.read": (37_300, 37_300, "512"),
    "metadata.4k.remove": (1 * M, 219_500, "128"),
}
"""Peak, sustained and the threads at the peak as the guide prints them; no threads where it prints none."""


def test_pixstor_5_is_transcribed_without_a_difference():
    prefix = "pixstor-5.large."
    found = {m.id.removeprefix(prefix): m for m in AT_PEAK if m.id.startswith("pixstor-5.")}
    times = ("peak", "sustained")
    printed = {f"{row}.{t}": v for row, values in PIXSTOR_5.items() for t, v in zip(times, values, strict=False) if v}
    assert {i: used(m) for i, m in found.items()} == printed
    for i, measurement in found.items():
        system, (module,) = measurement.system, measurement.system.storage_modules
        assert (system.design, system.block_bytes, system.hdmd.arrays) == ("pixstor-5", 8 * 2**20, 1)
        assert (module.size, module.count, module.expansion) == ("large", 1, False)
        threads = PIXSTOR_5[i.rpartition(".")[0]][2] or "not in the pages at hand"
        assert measurement.conditions.get("threads_at_peak", "") == (threads if i.endswith(".peak") else ""), i
        if i.startswith("metadata."):
            assert "-y" in measurement.conditions["options"], i


def test_swapped_rows_are_misprints_and_undecided_ones_count():
    create, remove, stat = (
        get(f"pixstor-5.large.metadata.{row}.peak", Measurement) for row in ("empty.create", "empty.remove", "4k.stat")
    )
    for swapped, other in ((create, remove), (remove, create)):
        (aside,) = [r for r in swapped.readings if not r.used]
        assert (number(aside.value), aside.counts) == (used(other), False)
    assert [(number(r.value), r.counts) for r in stat.readings] == [(6_400 * K, True), (7_700 * K, True)]


def test_reads_from_a_cache_are_bounded_by_those_from_disk():
    """PixStor 6 read files of 4 KiB from a cache; the same arrays gave PixStor 5 its rate from disk."""
    for duration in ("peak", "sustained"):
        older, newer = (get(f"pixstor-{n}.large.metadata.4k.read.{duration}", Measurement) for n in (5, 6))
        (bound,) = [r for r in newer.readings if r.bound]
        assert (number(bound.value), bound.used, bound.document) == (used(older), False, "dell-pixstor-5")


LUSTRE_ME4 = {
    "throughput.sequential.n_n.write.peak": 21_270_000_000,
    "throughput.sequential.n_n.read.peak": 22_560_000_000,
    "throughput.sequential.n_n.write.sustained": 20 * G,
    "throughput.sequential.n_n.read.sustained": 20 * G,
    "throughput.random_4k.write.peak": 28_530,
    "throughput.random_4k.read.peak": 34_060,
    "1mdt.metadata.empty.create.peak": 60 * K,
    "1mdt.metadata.empty.stat.peak": 668 * K,
    "1mdt.metadata.empty.remove.peak": 239 * K,
    "2mdt.metadata.empty.create.peak": 90 * K,
    "2mdt.metadata.empty.stat.peak": 1237 * K,
    "2mdt.metadata.empty.remove.peak": 596 * K,
}


def test_lustre_on_the_same_arrays():
    found = {m.id.removeprefix("lustre-me4.large."): m for m in kind_of(Measurement) if m.id.startswith("lustre-me4.")}
    assert LUSTRE_ME4.items() <= {i: used(m) for i, m in found.items()}.items()
    for name, measured in found.items():
        system = measured.system
        assert (system.design, system.lustre_version) == ("lustre-me4", "2.10.4")
        (module,) = system.storage_modules
        assert (module.size, module.count, get(module.data_drive, Drive).capacity_bytes) == ("large", 1, 8 * TB)
        assert (system.metadata.dne, system.metadata.pairs) == (not name.startswith("1mdt."), 1)
        assert get(system.metadata.drive, Drive).capacity_bytes == 960 * 10**9


def test_doubts_about_lustre_on_the_same_arrays():
    """Caching for 2 TB of data against 4 TB of memory; mdtest 1.9.3, which may count what it never made. Not O_DIRECT."""
    for name in LUSTRE_ME4:
        measured = get(f"lustre-me4.large.{name}", Measurement)
        surplus = [d.surplus for d in measured.doubts]
        wanted = {"throughput.sequential": [""], "throughput.random_4k": []}
        family = next((f for f in wanted if name.startswith(f)), "")
        assert surplus == wanted.get(family, ["lustre.mdtest_surplus"]), name


@pytest.mark.parametrize(("operation", "gain"), [("create", "1.50"), ("stat", "1.85"), ("remove", "2.49")])
def test_gain_of_a_second_mdt(operation, gain):
    one, two = (used(get(f"lustre-me4.large.{n}mdt.metadata.empty.{operation}.peak", Measurement)) for n in (1, 2))
    assert round(float(two / one), 2) == float(gain)


POWERFLEX = {
    "throughput.sequential.n_n.write.peak": 11_500_000_000,
    "throughput.sequential.n_n.read.peak": 30_800_000_000,
    "throughput.sequential.n_n.write.per_oss": 2_800_000_000,
    "throughput.sequential.n_n.read.per_oss": 7_700_000_000,
    "throughput.sequential.n_n.write.128k": 7_400_000_000,
    "throughput.sequential.n_n.read.128k": 18_300_000_000,
    "metadata.4k.create.peak": 162_000,
    "metadata.4k.stat.peak": 528_000,
    "metadata.4k.read.peak": 197_000,
    "metadata.4k.remove.peak": 206_000,
    "metadata.4k.create.sustained": 98_300,
    "metadata.4k.stat.sustained": 500_000,
    "metadata.4k.read.sustained": 181_000,
    "metadata.4k.remove.sustained": 116_000,
    "metadata.128b.create.sustained": 87_100,
    "metadata.128b.stat.sustained": 350_000,
    "metadata.128b.read.sustained": 181_000,
    "metadata.128b.remove.sustained": 102_000,
}
"""Of 4 KiB files the higher and the lower of the rates with 16,384 and with 65,536 files a process."""
HIGHEST = {"create": 218_000, "stat": 528_000, "read": 197_000, "remove": 291_000}
"""Of all file sizes and counts, in the last paragraph of the section."""


def powerflex() -> dict[str, Measurement]:
    prefix = "lustre-powerflex.4oss."
    return {m.id.removeprefix(prefix): m for m in kind_of(Measurement) if m.id.startswith(prefix)}


def test_lustre_on_powerflex():
    found = powerflex()
    assert POWERFLEX.items() <= {i: used(m) for i, m in found.items()}.items()
    for name, measured in found.items():
        if name.endswith("per_oss"):
            assert (measured.trust, measured.system) == ("width", None)
            continue
        system = measured.system
        assert (system.design, system.lustre_version, system.servers) == ("lustre-powerflex", "2.10.8", 4)
        assert get(system.drive, Drive).capacity_bytes == 2 * TB
        assert system.metadata.dne


@pytest.mark.parametrize(("operation", "highest"), HIGHEST.items())
def test_the_unprinted_peak_of_4_kib_files_is_bounded(operation, highest):
    record = powerflex()[f"metadata.4k.{operation}.peak"]
    bounds = [number(r.value) for r in record.readings if r.bound]
    assert max([used(record), *bounds]) == highest
    assert len(bounds) == (highest > used(record))


def test_what_the_powerflex_document_contradicts_itself_in_is_a_doubt():
    """16 GB x 864 against 6 TB; 131,072 x 432 against 113,246,208."""
    doubted = {name for name, measured in powerflex().items() if measured.doubts}
    assert doubted == {n for n in POWERFLEX if "128b" in n or (n.startswith("throughput.") and "per_oss" not in n)}
    assert int(13.5 * 2**40) == 864 * 16 * 2**30
    assert (131_072 * 432, 131_072 * 864) == (56_623_104, 113_246_208)
