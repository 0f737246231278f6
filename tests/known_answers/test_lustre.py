"""Lustre on ME4 and on PowerFlex: sizes as the documents and ldiskfs have them, rates as printed, and what is scaled.

Sources: Dell's Lustre on ME4 (Table 1; 3 and 4; Figures 2 to 8); Dell and Intel's Lustre on PowerFlex (Installation
Details; Figures 2 to 8); mkfs.lustre 2.10.8 and 2.15.8 with dumpe2fs for inodes and overhead. What a step away from the
measured rates brings is the ratio of the spread records, N_N of N-N rates, N_1 of N-1 and RANDOM of random ones.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import pytest

from pixsize.estimate.ids import is_by_threads
from pixsize.observed import Observed, ObservedArray, ObservedGroup
from pixsize.products.lustre.plan import target_of
from tests.support.by_hand import N_1, N_N, RANDOM, check, exactly, root, spread, times
from tests.support.estimating import Estimated, estimated_words, lustre_in_a_pool, lustre_on_arrays

GB, TB, GIB = 10**9, 10**12, 2**30
BLOCK = 4096
AGAIN = N_N["again"]
SURPLUS = 1 / (1 - 0.3334)
"""How far down the doubt takes a rate that mdtest 1.9.3 may have printed too high: a third at 1024 threads, rounded up."""
WRITE, READ = (f"throughput.sequential.n_n.{d}.peak" for d in ("write", "read"))


# --- sizes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dne", "raw", "usable"), [(True, 23_040, 9_600), (False, 11_520, 4_800)])
def test_the_documents_arrays(dne: bool, raw: int, usable: int) -> None:
    """336 drives of 8 TB, 2.69 PB; 32 OSTs of eight data drives; an MDT of five times 960 GB, with spares 12 SSDs."""
    found = lustre_on_arrays(dne=dne)
    exact = {"capacity.raw": 2688 * TB, "capacity.spares": 128 * TB, "capacity.parity": 512 * TB}
    exact |= {"capacity.formatted": 2048 * TB, "volumes.data": 32}
    exact |= {"capacity.metadata.raw": raw * GB, "capacity.metadata.usable": usable * GB}
    assert {i: found.value(i) for i in exact} == exact
    assert all(found.figures[i].basis == "exact" for i in exact)
    assert [r.text for r in found.figures["capacity.raw"].readings if r.used] == ["2.69 PB"]


NOMINAL = {"data": 124_999_999_488 * 512, "meta": 9_374_998_528 * 512}
"""What the nominal 64 and 4.8 TB come to on an array, in whole 4 MiB."""


def nominal(version: str, **more: object) -> Estimated:
    """The document's system, its arrays asked; the MGS on MDT0000, so that the MDTs have their nominal size."""
    plan = lustre_on_arrays(mgt="with_mdt0", **more).plan
    arrays: dict[str, dict[str, ObservedGroup]] = {}
    for group in plan.disk_groups:
        size = next(size for word, size in NOMINAL.items() if f"_{word}" in group.id)
        arrays.setdefault(group.array, {})[group.id] = ObservedGroup(group.id, size)
    seen = Observed({i: ObservedArray(groups=groups) for i, groups in arrays.items()})
    return lustre_on_arrays(mgt="with_mdt0", version=version, observed=seen, **more)


@pytest.mark.parametrize(("version", "overhead"), [("2.15.8", 9_046_432), ("2.10.8", 8_886_688)])
def test_what_users_get_of_the_nominal_sizes(version: str, overhead: int) -> None:
    """dumpe2fs of an OST of 64 TB: inodes, overhead to the block, and 5 % reserved. No range: all sizes are known."""
    found = nominal(version)
    blocks = NOMINAL["data"] // BLOCK
    user = blocks - overhead - blocks * 5 // 100
    usable = found.figures["capacity.usable"]
    assert usable.value == usable.low == usable.high == 32 * user * BLOCK
    assert usable.basis == "measured"
    assert found.value("capacity.filesystem_overhead") == 32 * overhead * BLOCK
    assert found.value("capacity.reserved") == 32 * (blocks * 5 // 100) * BLOCK
    if version == "2.15.8":
        assert (round(user * BLOCK / TB, 3), round(user * BLOCK / 2**40, 2)) == (60.763, 55.26)
        assert (round(usable.value / TB, 1), round(usable.value / 2**50, 3)) == (1944.4, 1.727)


def test_files_of_the_nominal_sizes() -> None:
    """1.953 G objects, 3.750 G inodes on two MDTs, of which one has 1.875 G: with one MDT the MDT is the limit."""
    two, one = nominal("2.15.8"), nominal("2.15.8", dne=False)
    assert two.value("files.ost_objects") == 32 * 61_035_264 == 1_953_128_448
    assert two.value("files.mdt_inodes") == 2 * 1_875_017_728
    files = two.figures["files.max"]
    assert (files.low, files.value, files.high) == (1_953_128_448,) * 3
    assert (files.limited_by, files.basis) == ("OST objects", "measured")
    assert "spreads new directories over the MDTs by itself" in files.rule
    files = nominal("2.10.8").figures["files.max"]
    assert (files.low, files.value, files.high) == (1_875_017_728, 1_953_128_448, 1_953_128_448)
    assert (files.limited_by, files.basis) == ("OST objects", "estimated")
    assert "the 1,875,017,728 inodes of a single MDT" in files.rule
    files = one.figures["files.max"]
    assert (files.low, files.value, files.high) == (1_875_017_728,) * 3
    assert (files.limited_by, files.basis) == ("MDT inodes", "measured")


@pytest.mark.parametrize(("count", "files"), [(32, 61_035_264), (-1, 61_035_264), (4, 488_282_112)])
def test_stripes_take_objects(count: int, files: int) -> None:
    """At 32 stripes a file there are as many files as one OST has objects."""
    found = nominal("2.15.8", filesystem={"stripe_count": count})
    assert (found.value("files.max"), found.figures["files.max"].limited_by) == (files, "OST objects")


def test_planned_volumes_are_smaller_than_nominal_ones() -> None:
    """No array was asked: volumes of 97 % of 64 TB in whole 4 MiB, and up to 99 % by the evidence."""
    found = lustre_on_arrays()
    volume = 64 * TB * 97 // 100 // 2**22 * 2**22
    osts, usable = found.figures["capacity.osts"], found.figures["capacity.usable"]
    assert (osts.value, osts.low, osts.high) == (32 * volume, 32 * volume, 2048 * TB * 99 // 100)
    assert found.value("capacity.array_overhead") == 2048 * TB - 32 * volume
    assert (
        usable.low
        == usable.value
        == sum(target_of(t).ldiskfs.user_bytes for t in found.plan.targets if t.kind == "ost")
    )
    assert usable.high == usable.value + ceil(Fraction(95, 100) * (osts.high - osts.value))
    assert usable.basis == "estimated"


def test_the_documents_pool() -> None:
    """64 TB raw, 32 TB durable; 16 x 1600 + 2 x 552 + 8 are 26,712 GiB; at 10 % spare 26,822 GiB have room."""
    found = lustre_in_a_pool(spare=10, ost="1600 GiB")
    assert (found.value("capacity.raw"), found.value("capacity.formatted")) == (64 * TB, 32 * TB)
    assert found.value("capacity.mirror") == 32 * TB
    assert found.value("capacity.pool_spare") == 3_200 * GB
    assert found.value("capacity.osts") == 25_600 * GIB
    assert found.value("capacity.pool_metadata") == 1_112 * GIB
    assert found.value("capacity.rounding") == 28_800 * GB - 26_712 * GIB
    assert found.value("capacity.rounding") // GIB == 110
    assert found.value("capacity.metadata.usable") == 1_112 * GIB
    assert found.value("capacity.metadata.raw") == 2_224 * GIB


@pytest.mark.parametrize(
    ("version", "overhead", "terabytes"), [("2.15.8", 1_126_400, 26.04), ("2.10.8", 966_656, 26.05)]
)
def test_what_users_get_of_the_documents_pool(version: str, overhead: int, terabytes: float) -> None:
    """The overhead of an OST of 1600 GiB to the block; in 2.15.8 1.627 TB of it are for users, 26.04 TB in all."""
    found = lustre_in_a_pool(spare=10, ost="1600 GiB", version=version)
    blocks = 1600 * GIB // BLOCK
    user = (blocks - overhead - blocks * 5 // 100) * BLOCK
    usable = found.figures["capacity.usable"]
    assert (usable.low, usable.value, usable.high, usable.basis) == (16 * user, 16 * user, 16 * user, "exact")
    assert round(usable.value / TB, 2) == terabytes


def test_both_readings_of_the_documents_ost() -> None:
    """1.6 TB: as PowerFlex counts, which the request takes over, or as drives are sold."""
    asked = {r.text: r.used for r in lustre_in_a_pool(spare=10, ost="1600 GiB").figures["capacity.osts"].readings}
    assert asked == {"25600 GiB": True, "25.6 TB": False}
    ours = {r.text: r.used for r in lustre_in_a_pool().figures["capacity.osts"].readings}
    assert ours == {"25600 GiB": False, "25.6 TB": False}


@pytest.mark.parametrize(("servers", "ost"), [(3, 1112), (4, 1304), (5, 1408), (8, 1560)])
def test_defaults_leave_room_for_a_lost_server(servers: int, ost: int) -> None:
    found = lustre_in_a_pool(servers)
    assert found.value("capacity.osts") == 4 * servers * ost * GIB
    spare = ceil(Fraction(100, servers))
    assert found.value("capacity.pool_spare") == servers * 16 * TB * spare // 100 // 2
    # Again, in GiB: raw, the spare share and 1 % off, half of it, less 552 + 552 + 8, over four OSTs a server.
    room = Fraction(servers * 16 * TB * (99 - spare), 200 * GIB)
    assert ost == (room - 1112) / (4 * servers) // 8 * 8
    left = found.value("capacity.rounding")
    assert servers * 16 * TB // 200 <= left < servers * 16 * TB // 200 + 4 * servers * 8 * GIB


def test_the_documents_files_cannot_have_existed() -> None:
    """16 x 6,553,600 objects, 2 x 231,538,688 inodes: the OSTs bind, where the document takes the MDTs for the limit."""
    files = lustre_in_a_pool(spare=10, ost="1600 GiB").figures["files.max"]
    assert (files.value, files.limited_by, files.basis) == (104_857_600, "OST objects", "exact")
    readings = {r.text: (r.used, r.why) for r in files.readings}
    assert [text for text, (used, _) in readings.items() if used] == ["104,857,600"]
    assert "cannot have existed" in readings["113,246,208"][1]
    assert 131_072 * 432 == 56_623_104 < files.value < 113_246_208
    assert "56,623,104" in readings
    assert "takes the inodes of its MDTs for the limit" in files.rule
    assert "cannot have existed" in lustre_in_a_pool(8).figures["files.max"].rule
    assert lustre_in_a_pool().value("files.mdt_inodes") == 2 * 231_538_688


def test_no_statement_of_four_servers_speaks_of_others() -> None:
    figures = lustre_in_a_pool(8).figures
    assert not [r for i in ("capacity.raw", "capacity.osts", "files.max") for r in figures[i].readings]


# --- rates as measured ---------------------------------------------------------------------------------------------

ME4 = {
    "sequential.n_n.write.peak": 21_270_000_000,
    "sequential.n_n.write.sustained": 20 * GB,
    "sequential.n_n.read.peak": 22_560_000_000,
    "sequential.n_n.read.sustained": 20 * GB,
    "random_4k.write.peak": 28_530,
    "random_4k.read.peak": 34_060,
}
MDTS = {1: {"create": 60_000, "stat": 668_000, "remove": 239_000}, 2: {"create": 90_000, "stat": 1_237_000, "remove": 596_000}}  # fmt: skip


def of(name: str) -> dict[str, float]:
    """The spreads of a figure of metadata; one without pairs of its own has those of its duration."""
    return spread(f"metadata.{name}", f"metadata.{name.rpartition('.')[2]}")


@pytest.mark.parametrize("mdts", [1, 2])
def test_the_documents_system_on_arrays_is_measured(mdts: int) -> None:
    figures = lustre_on_arrays(dne=mdts == 2).figures
    rates = {f"throughput.{name}": rate for name, rate in ME4.items()}
    rates |= {f"metadata.empty.{op}.peak": rate for op, rate in MDTS[mdts].items()}
    found = {
        i: f for i, f in figures.items() if f.unit in ("B/s", "op/s") and ".fabric." not in i and not is_by_threads(i)
    }
    assert {i: f.value for i, f in found.items() if ".n_1." not in i} == rates
    assert {i for i, f in found.items() if f.basis == "measured"} == rates.keys()


POWERFLEX = {
    "throughput.sequential.n_n.write.peak": 11_500_000_000,
    "throughput.sequential.n_n.read.peak": 30_800_000_000,
    "throughput.sequential.n_n.write.128k": 7_400_000_000,
    "throughput.sequential.n_n.read.128k": 18_300_000_000,
    "metadata.4k.create.peak": 162_000, "metadata.4k.create.sustained": 98_300,
    "metadata.4k.stat.peak": 528_000, "metadata.4k.stat.sustained": 500_000,
    "metadata.4k.read.peak": 197_000, "metadata.4k.read.sustained": 181_000,
    "metadata.4k.remove.peak": 206_000, "metadata.4k.remove.sustained": 116_000,
    "metadata.128b.create.sustained": 87_100, "metadata.128b.stat.sustained": 350_000,
    "metadata.128b.read.sustained": 181_000, "metadata.128b.remove.sustained": 102_000,
}  # fmt: skip


@pytest.mark.parametrize("sizes", [{}, {"spare": 10, "ost": "1600 GiB"}])
def test_the_documents_servers_are_measured(sizes: dict[str, object]) -> None:
    """With the document's sizes or those that leave room for a lost server: the same servers and drives."""
    figures = lustre_in_a_pool(**sizes).figures
    found = {
        i: f for i, f in figures.items() if f.unit in ("B/s", "op/s") and ".fabric." not in i and not is_by_threads(i)
    }
    assert {i: f.value for i, f in found.items()} == POWERFLEX
    assert {f.basis for f in found.values()} == {"measured"}


# --- doubts --------------------------------------------------------------------------------------------------------


def test_caching_takes_the_low_end_of_sequential_rates_down() -> None:
    """2 TB of data, 4 TB of memory in the clients: nobody knows how much came from there, taken for a repetition."""
    figure = lustre_on_arrays().figures[WRITE]
    check(figure, 21_270_000_000, [AGAIN], down=[AGAIN])
    assert figure.steps == ("again", "doubt")
    assert "half of what the clients' memory holds" in figure.rule
    assert f"The low end is lower by a factor of {AGAIN:.2f} for it." in figure.rule


@pytest.mark.parametrize(("mdts", "op", "rate"), [(n, op, rate) for n in MDTS for op, rate in MDTS[n].items()])
def test_mdtest_may_have_counted_half_as_many_files_again(mdts: int, op: str, rate: int) -> None:
    """(b + 1)/b with two directories a thread, 1024 threads: the true rate may be two thirds of the printed one."""
    figure = lustre_on_arrays(dne=mdts == 2).figures[f"metadata.empty.{op}.peak"]
    assert pytest.approx(1.5, rel=1e-3) == SURPLUS
    check(figure, rate, [of(f"empty.{op}.peak")["again"]], down=[SURPLUS])
    assert "not proven" in figure.rule
    assert "lustre.mdtest_surplus" in figure.inputs


def test_file_counts_that_contradict_each_other_are_a_doubt() -> None:
    figures = lustre_in_a_pool().figures
    create, again = figures["metadata.128b.create.sustained"], of("128b.create.sustained")["again"]
    check(create, 87_100, [again], down=[again])
    assert "113,246,208" in create.rule
    check(figures[READ], 30_800_000_000, [AGAIN], down=[AGAIN])
    assert "13.5 TiB" in figures[READ].rule


def test_a_peak_that_is_not_printed_is_bounded_by_the_highest_of_all() -> None:
    """218K and 291K are the most of any size: 4 KiB files peak at 4,096 a process, a value that nobody printed.

    No peak is below what is sustained, at the low end neither: 500K of stat.
    """
    figures = lustre_in_a_pool().figures
    create, remove, stat = (figures[f"metadata.4k.{op}.peak"] for op in ("create", "remove", "stat"))
    check(create, 162_000, [of("4k.create.peak")["again"]], high=218_000)
    check(remove, 206_000, [of("4k.remove.peak")["again"]], high=291_000)
    peak, sustained = (of(f"4k.stat.{t}")["again"] for t in ("peak", "sustained"))
    assert (stat.low, stat.high) == (exactly(max(528_000 / peak, 500_000 / sustained)), exactly(528_000 * peak))


# --- scaled --------------------------------------------------------------------------------------------------------


def test_two_large_modules_by_hand() -> None:
    """Twice 21.27; a repetition, the doubt of each and one doubling; no more than 44 GB/s and a repetition."""
    figure = lustre_on_arrays([{"size": "large", "count": 2}]).figures[WRITE]
    assert (figure.basis, figure.limited_by) == ("extrapolated", "array controllers")
    check(figure, 42_540_000_000, [AGAIN, N_N["count"]], down=[AGAIN], most=44 * GB * AGAIN)


def test_a_small_module_by_hand() -> None:
    """A quarter of 22.56 is 5.64; one array was seen at 27.9/4 = 6.975 GB/s (PixStor): 33 % of the way is 6.08055.

    Nobody has such modules but pixsize, so that it is an estimate.
    """
    found = lustre_on_arrays([{"size": "small"}])
    figure, steps, most = found.figures[READ], [AGAIN, N_N["size"]], 6_975_000_000 * AGAIN
    check(figure, 6_080_550_000, steps, low=5_640_000_000, high=6_534_450_000, down=[AGAIN], most=most)
    assert (figure.basis, figure.limited_by) == ("estimated", "drives or array controllers")
    assert "lustre-me4.small" in figure.inputs


def test_one_file_for_all_clients_is_known_from_the_same_arrays_under_pixstor() -> None:
    """PixStor 5 wrote 16.5 GB/s to one file, with the same servers and 12 TB drives: file system and drives differ.

    It read 23.8 GB/s, all that two ports of EDR carry: 95.2 % of 25 GB/s, and 92 % for certain.
    """
    figures = lustre_on_arrays().figures
    write, read = (figures[f"throughput.sequential.n_1.{d}.peak"] for d in ("write", "read"))
    steps = [N_1["again"], N_1["filesystem"], N_1["drive"]]
    check(write, 16_500_000_000, steps, most=22 * GB * N_1["again"])
    assert (write.basis, write.steps) == ("extrapolated", ("again", "filesystem", "drive"))
    assert (read.value, read.high, read.limited_by) == (23_800_000_000, 25 * GB, "network adapters")
    assert read.low == exactly(min(23_800_000_000 / root(*steps), 23 * GB))


def test_another_release_is_no_measurement() -> None:
    """2.15.8 was never measured: the value stays, and the release is a step."""
    figure = lustre_on_arrays(version="2.15.8").figures[WRITE]
    check(figure, 21_270_000_000, [AGAIN, N_N["setting"]], down=[AGAIN], most=22 * GB * AGAIN)
    assert figure.basis == "extrapolated"
    assert "release of Lustre" in figure.rule
    assert lustre_on_arrays(version="2.10.8").figures[WRITE].basis == "measured"


def test_sockets_are_no_rdma() -> None:
    """Both documents measured over verbs: nothing that went over tcp was measured."""
    network = {"interface": "ib0", "subnet": "10.0.0.0/24"}
    verbs, tcp = (
        estimated_words(
            {
                "name": "site",
                "design": "lustre-powerflex",
                "servers": 4,
                "drive": "2 TB",
                "network": {"lnet": lnet, **network},
                "filesystem": {"name": "fs1"},
            }
        ).figures
        for lnet in ("o2ib1", "tcp")
    )
    rates = [i for i, f in verbs.items() if f.basis == "measured"]
    assert rates
    for rate in rates:
        assert tcp[rate].basis == "extrapolated", rate
        assert tcp[rate].low < verbs[rate].low
        assert "LNet" in tcp[rate].rule or "data tier" in tcp[rate].rule


def test_random_operations_of_a_medium_by_hand() -> None:
    """Half of 28.53K is 14,265; 27.4/12.4 for a doubling of the drives would leave less than the linear share."""
    figure = lustre_on_arrays([{"size": "medium"}]).figures["throughput.random_4k.write.peak"]
    assert 28_530 * 124 / 274 < 14_265
    check(figure, 14_265, [RANDOM["again"], RANDOM["size"]])
    assert "as PixStor saw with expansions" in figure.rule


def test_no_sum_exceeds_the_network() -> None:
    """An OSS has one port of EDR, 12.5 GB/s: four pairs carry 100 GB/s."""
    found = lustre_on_arrays([{"size": "large", "count": 4, "data_drive": "12 TB"}])
    assert found.value("throughput.fabric.lnet") == 100 * GB
    assert found.figures[READ].high == 100 * GB
    assert "carries no more than 100 GB/s in all" in found.figures[READ].rule
    assert found.figures[READ].value == 4 * 22_560_000_000


def test_four_mdts_by_hand() -> None:
    """One doubling from two: 1.50 for creation and 1.85 for stat, as seen; removal, seen at 2.49, no more than twice.

    The range has 1.365, the least that a second MDS was seen to bring, and 596/239.
    """
    figures = lustre_on_arrays(pairs=2).figures
    gains = {"create": 3 / 2, "stat": 1237 / 668, "remove": 2}
    for op, rate in MDTS[2].items():
        figure, ratios = figures[f"metadata.empty.{op}.peak"], of(f"empty.{op}.peak")
        steps, low, high = [ratios["again"], ratios["count"]], rate * 1.365, rate * 596 / 239
        check(figure, rate * gains[op], steps, low=low, high=high, down=[SURPLUS])
        assert (figure.basis, figure.limited_by) == ("extrapolated", "MDTs")


def test_fewer_osts_may_be_the_limit_by_hand() -> None:
    """Half the OSTs, which creation uses: the low end has half the rate, the value lies halfway to it.

    A smaller data tier brings no more: that step is downwards.
    """
    figure = lustre_on_arrays([{"size": "medium"}]).figures["metadata.empty.create.peak"]
    ratios = of("empty.create.peak")
    check(figure, 67_500, [ratios["again"]], low=45_000, high=90_000, down=[ratios["size"], SURPLUS])
    assert figure.basis == "estimated"


@pytest.mark.parametrize(("servers", "doublings"), [(3, 0.415037), (6, 0.584963), (8, 1), (12, 1.584963), (16, 2)])
def test_servers_add_by_hand(servers: int, doublings: float) -> None:
    """2.875 GB/s each; a repetition, the doubt downwards, and the number of servers by the logarithm of n/4 to base 2."""
    figure = lustre_in_a_pool(servers).figures[WRITE]
    check(figure, servers * 2_875_000_000, [AGAIN, times(N_N["count"], doublings)], down=[AGAIN])
    assert (figure.basis, figure.limited_by) == ("extrapolated", "servers")


def test_networks_of_the_pool_by_hand() -> None:
    """12.5 GB/s a port. Of four servers three are others: a byte written crosses 3/4 + 1 times, one read 3/4 times."""
    found = lustre_in_a_pool()
    assert found.value("throughput.fabric.lnet") == 4 * 12_500_000_000
    assert found.value("throughput.fabric.storage.write") == 50 * GB * 4 // 7
    assert found.value("throughput.fabric.storage.read") == 50 * GB * 4 // 3
    assert found.figures["throughput.fabric.lnet"].basis == "specified"
    assert "omni-path-100" in found.figures["throughput.fabric.lnet"].inputs
    assert "ql45611" in found.figures["throughput.fabric.storage.write"].inputs


def test_a_single_mds_on_powerflex_by_hand() -> None:
    """Creation grew by 37 % with the second MDS; all else "as expected", taken for twice, with the gains seen around.

    The least gain was 1.365, the largest 596/239.
    """
    figures = lustre_in_a_pool(metadata={"dne": False}).figures
    for op, rate, gain, basis in (("create", 98_300, 1.37, "extrapolated"), ("read", 181_000, 2, "estimated")):
        figure, ratios = figures[f"metadata.4k.{op}.sustained"], of(f"4k.{op}.sustained")
        steps, low, high = [ratios["again"], ratios["count"]], rate * 239 / 596, rate / 1.365
        check(figure, rate / gain, steps, low=low, high=high)
        assert figure.basis == basis


def test_what_nobody_measured_is_absent_and_noted() -> None:
    """Reads of files on arrays; one file for all clients and random operations on PowerFlex."""
    arrays, pool = lustre_on_arrays(), lustre_in_a_pool()
    assert not [i for i in arrays.figures if ".read." in i and i.startswith("metadata.")]
    assert not [i for i in pool.figures if ".n_1." in i or ".random_4k." in i or "metadata.empty." in i]
    for found in (arrays, pool):
        assert found.codes().count("PX411") == 2
        assert "PX407" in found.codes()
