"""Every kept output of a tool is read as what a person reads in it, or refused for the reason that a person sees."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from pixsize.results.reading import read
from pixsize.results.records import Run

OUTPUTS = Path(__file__).parent / "outputs"
MIB, KIB = 1 << 20, 1 << 10
# Typed by hand from the files: operation, pattern, mean as printed, what one of it is, lowest and highest as printed,
# iterations, tasks, nodes, size of a transfer, bytes of an iteration.
IOR = {
    "ior-3.1.0_fpp_write_read": (
        ("write", "n_n", "4940.44", "555.14", "7550.99", 3, 2, 1, 4 * MIB, 32 * MIB),
        ("read", "n_n", "13892.25", "11649.82", "15261.89", 3, 2, 1, 4 * MIB, 32 * MIB),
    ),
    "ior-3.1.0_seed001_read": (("read", "n_n", "12234.70", "12234.70", "12234.70", 1, 2, 1, 4 * MIB, 32 * MIB),),
    "ior-3.1.0_seed001_write": (("write", "n_n", "7737.57", "7737.57", "7737.57", 1, 2, 1, 4 * MIB, 32 * MIB),),
    "ior-3.3.0_fpp": (
        ("write", "n_n", "931.13", "381.58", "1348.55", 3, 2, 1, 4 * MIB, 32 * MIB),
        ("read", "n_n", "6816.11", "3786.01", "8340.82", 3, 2, 1, 4 * MIB, 32 * MIB),
    ),
    "ior-3.3.0_shared": (
        ("write", "n_1", "451.98", "297.97", "606.00", 2, 2, 1, MIB, 64 * MIB),
        ("read", "n_1", "12583.32", "12414.31", "12752.32", 2, 2, 1, MIB, 64 * MIB),
    ),
    "ior-4.0.0_csv": (
        ("write", "n_n", "5391.6241", "1155.6944", "9627.5538", 2, 2, None, 4 * MIB, 32 * MIB),
        ("read", "n_n", "13914.6015", "13497.3580", "14331.8450", 2, 2, None, 4 * MIB, 32 * MIB),
    ),
    "ior-4.0.0_fpp": (
        ("write", "n_n", "1068.04", "407.79", "1424.70", 3, 2, 1, 4 * MIB, 32 * MIB),
        ("read", "n_n", "11103.63", "9797.63", "11935.77", 3, 2, 1, 4 * MIB, 32 * MIB),
    ),
    "ior-4.0.0_json": (
        ("write", "n_n", "7881.4947", "7292.8563", "8470.1330", 2, 2, 1, 4 * MIB, 32 * MIB),
        ("read", "n_n", "12937.2025", "12602.6036", "13271.8014", 2, 2, 1, 4 * MIB, 32 * MIB),
    ),
    # Operations of 4 KiB: 256 in a MiB.
    "ior-4.0.0_shared_random": (
        ("write", "random_n_1", "1046.71", "1013.67", "1079.75", 2, 2, 1, 4 * KIB, 8 * MIB),
        ("read", "random_n_1", "6523.42", "6192.00", "6854.84", 2, 2, 1, 4 * KIB, 8 * MIB),
    ),
}
# Operation, pattern, as printed, its unit, processes, record, bytes of all processes.
IOZONE = {
    "iozone-3.471_cluster_random_OPS_seed003": (
        ("read", "random", "2727211.00", "op/s", 2, 4 * KIB, 8 * MIB),
        ("write", "random", "164070.54", "op/s", 2, 4 * KIB, 8 * MIB),
    ),
    "iozone-3.471_cluster_read_seed003": (("read", "n_n", "6385404.00", "kB/s", 2, MIB, 32 * MIB),),
    "iozone-3.471_cluster_write_seed003": (("write", "n_n", "456162.56", "kB/s", 2, MIB, 32 * MIB),),
    "iozone-3.471_random_OPS": (
        ("read", "random", "654813.48", "op/s", 2, 4 * KIB, 8 * MIB),
        ("write", "random", "830884.56", "op/s", 2, 4 * KIB, 8 * MIB),
    ),
    "iozone-3.471_throughput_read": (("read", "n_n", "4138238.25", "kB/s", 2, MIB, 32 * MIB),),
    "iozone-3.471_throughput_write": (("write", "n_n", "442596.00", "kB/s", 2, MIB, 32 * MIB),),
    "iozone-3.489_cluster_random_OPS_seed003": (
        ("read", "random", "785440.89", "op/s", 2, 4 * KIB, 8 * MIB),
        ("write", "random", "167946.23", "op/s", 2, 4 * KIB, 8 * MIB),
    ),
    "iozone-3.489_cluster_read_seed003": (("read", "n_n", "2866940.75", "kB/s", 2, MIB, 32 * MIB),),
    "iozone-3.489_cluster_write_seed003": (("write", "n_n", "703062.62", "kB/s", 2, MIB, 32 * MIB),),
    "iozone-3.489_throughput_all": (
        ("write", "n_n", "6579562.75", "kB/s", 4, 64 * KIB, 16 * MIB),
        ("rewrite", "n_n", "9311350.50", "kB/s", 4, 64 * KIB, 16 * MIB),
        ("read", "n_n", "9745457.00", "kB/s", 4, 64 * KIB, 16 * MIB),
        ("re-read", "n_n", "4106834.69", "kB/s", 4, 64 * KIB, 16 * MIB),
        ("read", "random", "5325723.19", "kB/s", 4, 64 * KIB, 16 * MIB),
        ("write", "random", "9473812.75", "kB/s", 4, 64 * KIB, 16 * MIB),
    ),
    "iozone-3.489_throughput_random_OPS": (
        ("read", "random", "180108.12", "op/s", 2, 4 * KIB, 8 * MIB),
        ("write", "random", "323380.68", "op/s", 2, 4 * KIB, 8 * MIB),
    ),
    "iozone-3.489_throughput_read": (("read", "n_n", "2460543.81", "kB/s", 2, MIB, 32 * MIB),),
    "iozone-3.489_throughput_write": (("write", "n_n", "433911.77", "kB/s", 2, MIB, 32 * MIB),),
}
# Operation: mean, lowest, highest as printed; before that iterations, tasks, nodes and the size of the files.
MDTEST = {
    "mdtest-1.9.3_seed003": (
        (3, 2, 1, 0),
        {
            "create": ("7897.586", "6580.119", "8715.611"),
            "stat": ("1229333.059", "1004812.108", "1359902.427"),
            "read": ("1178044.225", "1076013.638", "1302974.038"),
            "remove": ("565108.833", "469013.591", "692735.906"),
            "tree create": ("25772.223", "17566.357", "30860.769"),
            "tree remove": ("5116.279", "4863.681", "5244.609"),
        },
    ),
    "mdtest-1.9.4-rc1_seed001": (
        (5, 2, 2, 4096),
        {
            "create": ("59769.688", "49160.753", "71680.323"),
            "stat": ("938528.629", "837641.516", "1047418.176"),
            "read": ("1077076.978", "973474.715", "1154388.140"),
            "remove": ("256669.391", "240341.849", "270494.874"),
            "tree create": ("22856.861", "16585.948", "43848.110"),
            "tree remove": ("2143.159", "1268.406", "2531.972"),
        },
    ),
    "mdtest-3.3.0": (
        (3, 2, 1, 4096),
        {
            "create": ("129205.085", "116371.121", "139898.126"),
            "stat": ("1795076.423", "1320288.607", "2195690.956"),
            "read": ("860185.544", "846139.735", "882183.680"),
            "remove": ("477681.095", "436946.936", "505358.079"),
            "tree create": ("22050.176", "16302.576", "26954.178"),
            "tree remove": ("1561.722", "1130.066", "1814.902"),
        },
    ),
    "mdtest-4.0.0": (
        (3, 2, 1, 128),
        {
            "directory create": ("43245.268", "37993.094", "49079.731"),
            "directory stat": ("1344732.443", "1174772.236", "1595455.905"),
            "directory rename": ("192105.484", "175047.575", "205776.509"),
            "directory remove": ("23439.799", "22579.897", "24052.279"),
            "create": ("34130.184", "33013.323", "35781.852"),
            "stat": ("1350441.533", "1309441.249", "1380130.879"),
            "read": ("564442.564", "562610.335", "567516.820"),
            "remove": ("312720.115", "283833.419", "337495.466"),
            "tree create": ("7595.721", "6250.826", "9177.908"),
            "tree remove": ("838.984", "704.333", "950.658"),
        },
    ),
    # The lines of -v show half of the rate of the summary for creates; the summary is what counts.
    "mdtest-4.0.0_single_iter_verbose": (
        (1, 2, 1, 0),
        {
            "create": ("20633.604",) * 3,
            "stat": ("1049088.250",) * 3,
            "read": ("988712.545",) * 3,
            "remove": ("444429.563",) * 3,
            "tree create": ("9058.972",) * 3,
            "tree remove": ("6738.920",) * 3,
        },
    ),
}
REFUSED = {
    "ior-3.1.0_en-dash_seed_verbatim": ("block size must be a multiple", "typographic dash"),
    "ior-4.0.0_en-dash_seed_verbatim": ("Error invalid argument: –b", "typographic dash"),
    "ior-4.0.0_error_nospace": ("IOR failed", "block size must be a multiple"),
    "iozone-3.489_read_without_files_error": ("IOzone failed", "No such file or directory"),
    "openmpi-4.1.4_en-dash_map-by_error": ("mpirun could not start", "typographic dash"),
}
TABLE = "iozone-3.489_auto_small"


def test_every_output_is_typed_here() -> None:
    assert {p.stem for p in OUTPUTS.glob("*.txt")} == {*IOR, *IOZONE, *MDTEST, *REFUSED, TABLE}


@pytest.mark.parametrize("name", IOR)
def test_ior(name: str) -> None:
    runs = runs_of(name)
    assert len(runs) == len(IOR[name])
    for run, typed in zip(runs, IOR[name], strict=True):
        operation, pattern, mean, least, most, iterations, tasks, nodes, transfer, moved = typed
        each = Fraction(MIB, transfer) if transfer == 4 * KIB else MIB
        assert (run.operation, run.pattern, run.unit) == (operation, pattern, "op/s" if transfer == 4 * KIB else "B/s")
        assert (run.rate, run.lowest, run.highest) == tuple(round(Fraction(v) * each) for v in (mean, least, most))
        assert (run.iterations, run.tasks, run.nodes, run.transfer) == (iterations, tasks, nodes, transfer)
        assert run.moved == moved
        assert run.direct is False
        assert run.version == ("" if "csv" in name else name.split("_", maxsplit=1)[0].removeprefix("ior-"))
    # A read is of what the same node has just written, unless the tasks were shifted and there is another node.
    assert [r.is_reread for r in runs if r.operation == "read"] == [True] * (len(runs) - 1) or len(runs) == 1


@pytest.mark.parametrize("name", IOZONE)
def test_iozone(name: str) -> None:
    runs = runs_of(name)
    assert len(runs) == len(IOZONE[name])
    for run, typed in zip(runs, IOZONE[name], strict=True):
        operation, pattern, printed, unit, tasks, record, moved = typed
        assert (run.operation, run.pattern, run.tasks, run.transfer) == (operation, pattern, tasks, record)
        assert run.unit == ("op/s" if unit == "op/s" else "B/s")
        assert run.rate == round(Fraction(printed) * (1 if unit == "op/s" else KIB))
        assert (run.moved, run.nodes) == (moved, None if "cluster" in name else 1)
        assert run.version == name.split("_", maxsplit=1)[0].removeprefix("iozone-")


def test_the_table_of_iozone_is_read_by_the_names_of_its_columns() -> None:
    runs = runs_of(TABLE)
    assert len(runs) == 17 * 6
    row = [r for r in runs if (r.block, r.transfer) == (1024 * KIB, 512 * KIB)]
    printed = [("write", 587160), ("rewrite", 8680108), ("read", 15295157), ("re-read", 19363647)]
    assert [(r.operation, r.rate // KIB) for r in row] == [*printed, ("read", 16468073), ("write", 20471166)]
    assert [r.pattern for r in row] == ["n_n"] * 4 + ["random"] * 2
    first = [r for r in runs if (r.block, r.transfer) == (512 * KIB, 4 * KIB) and r.pattern == "random"]
    # kB/s of records of 4 KiB are as many operations.
    assert [(r.operation, r.rate, r.unit) for r in first] == [
        ("read", 11620224 // 4, "op/s"),
        ("write", 6491676 // 4, "op/s"),
    ]


@pytest.mark.parametrize("name", MDTEST)
def test_mdtest(name: str) -> None:
    (iterations, tasks, nodes, size), printed = MDTEST[name]
    runs = runs_of(name)
    assert {r.operation for r in runs} == set(printed)
    for run in runs:
        expected = tuple(round(Decimal(v)) for v in printed[run.operation])
        assert (run.rate, run.lowest, run.highest) == expected
        assert (run.iterations, run.tasks, run.nodes, run.file_bytes) == (iterations, tasks, nodes, size)
        assert run.unit == "op/s"


@pytest.mark.parametrize("name", REFUSED)
def test_a_failed_run_is_refused_with_its_reason(name: str) -> None:
    found = read((OUTPUTS / f"{name}.txt").read_text(encoding="utf-8"))
    assert not found.runs
    why = " ".join(u.why for u in found.unread)
    assert all(words in why for words in REFUSED[name]), why


def test_what_an_output_itself_shows_to_be_wrong() -> None:
    doubts = {(n, r.operation): r.doubts for n in (*IOR, *IOZONE, *MDTEST) for r in runs_of(n)}
    counted = doubts["mdtest-1.9.3_seed003", "create"]
    assert [d.code for d in counted] == ["PX687"]
    assert "640 files are counted where 512 exist" in counted[0].seen
    assert not doubts["mdtest-4.0.0_single_iter_verbose", "create"]
    assert [d.code for d in doubts["mdtest-1.9.4-rc1_seed001", "read"]] == ["PX689"]
    together = [d.seen for d in doubts["iozone-3.489_throughput_all", "rewrite"]]
    assert any("did not run together" in seen for seen in together)
    assert any("moved nothing" in seen for seen in together)


def runs_of(name: str) -> tuple[Run, ...]:
    """The runs of a kept output, none of which is left out."""
    found = read((OUTPUTS / f"{name}.txt").read_text(encoding="utf-8"))
    assert not found.unread
    return found.runs
