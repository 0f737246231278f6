"""The rendered scripts: as bash and shellcheck have them, and the commands that they would start, held against the plan."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from math import ceil
from pathlib import Path
from typing import Any

import pytest

from tests.bench import kits
from tests.support.cli_support import run
from tests.support.programs import tool

MPIS = ("openmpi", "mpich", "mvapich2", "intel")
VERSIONS = (
    {},
    {"ior": "3.1.0", "mdtest": "1.9.4-rc1"},
    {"ior": "3.3.0", "mdtest": "3.3.0"},
    {"ior": "4.0.0", "mdtest": "4.0.0"},
)
TIB, MIB = 1 << 40, 1 << 20


def dry(bench: Path, script: str, *options: str) -> list[list[str]]:
    """The commands that a script would start: the words of each line that it shows with a `+`."""
    done = subprocess.run(
        [tool("bash"), str(bench / script), "--dry-run", *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return [shlex.split(line[1:]) for line in done.stdout.splitlines() if line.startswith("+ ")]


def started(bench: Path, script: str, program: str, *options: str) -> list[list[str]]:
    """Those that start a tool, under an MPI or by itself."""
    return [words for words in dry(bench, script, *options) if program in words and words[0] != "ssh"]


def after(words: list[str], option: str) -> str:
    return words[words.index(option) + 1]


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("example", kits.DESIGNS)
def test_bash_reads_every_script(example: str, mpi: str, tmp_path: Path) -> None:
    for versions in VERSIONS[:2] if mpi != "openmpi" else VERSIONS:
        bench = kits.rendered(tmp_path, example, {"clients": {"mpi": mpi}, "tools": versions})
        for path in sorted(bench.glob("*.sh")):
            assert path.read_text().isascii(), path
            checked = subprocess.run([tool("bash"), "-n", str(path)], capture_output=True, text=True, check=False)
            assert (checked.returncode, checked.stderr) == (0, "")


CHECKED = (
    *((example, MPIS[0], VERSIONS[1]) for example in kits.DESIGNS),
    *((kits.DESIGNS[0], mpi, VERSIONS[1]) for mpi in MPIS[1:]),
    *((kits.DESIGNS[-1], MPIS[0], versions) for versions in VERSIONS if versions != VERSIONS[1]),
)
"""Each design, each MPI and each set of versions once: they change words of commands, and not the scripts around them."""


@pytest.mark.real
@pytest.mark.parametrize(("example", "mpi", "versions"), CHECKED)
def test_shellcheck_has_nothing_to_say(example: str, mpi: str, versions: dict[str, str], tmp_path: Path) -> None:
    bench = kits.rendered(tmp_path, example, {"clients": {"mpi": mpi}, "tools": versions})
    paths = [str(p) for p in sorted(bench.glob("*.sh"))]
    words = [tool("shellcheck"), "-x", "-P", "SCRIPTDIR", "-s", "bash", *paths]
    checked = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout) == (0, "")


@pytest.mark.parametrize("example", kits.DESIGNS)
def test_every_script_shows_what_it_would_do(example: str, tmp_path: Path) -> None:
    bench = kits.rendered(tmp_path, example)
    numbered = sorted(p.name for p in bench.glob("[0-9]*.sh"))
    assert [int(name[:2]) for name in numbered] == list(range(1, len(numbered) + 1))
    for name in numbered:
        assert dry(bench, name) or name.endswith("undo.sh")
        assert not (bench / "results").exists()
        for option, code in (("--help", 0), ("--nonsense", 2)):
            done = subprocess.run(
                [tool("bash"), str(bench / name), option], capture_output=True, text=True, check=False
            )
            assert done.returncode == code
            assert f"usage: {name}" in done.stdout + done.stderr


LAUNCHED = {
    "openmpi": ["--allow-run-as-root", "--map-by", "node", "--hostfile", "HOSTS", "-np", "THREADS"],
    "mpich": ["-f", "HOSTS", "-n", "THREADS"],
    "mvapich2": ["-np", "THREADS", "-f", "HOSTS"],
    "intel": ["-np", "THREADS", "-rr", "--hostfile", "HOSTS"],
}


@pytest.mark.parametrize("mpi", MPIS)
def test_an_mpi_is_started_in_its_own_words(mpi: str, tmp_path: Path) -> None:
    bench = kits.rendered(tmp_path, "large+hdmd", {"clients": {"hosts": ["c1", "c2", "c3"], "cores": 4, "mpi": mpi}})
    for words in started(bench, kits.named(bench, "n-1"), "ior"):
        own = words[1 : words.index("ior")]
        threads = own[LAUNCHED[mpi].index("THREADS")]
        hosts = Path(own[LAUNCHED[mpi].index("HOSTS")])
        assert [{str(hosts): "HOSTS", threads: "THREADS"}.get(w, w) for w in own] == LAUNCHED[mpi]
        assert hosts.parent == bench / "hosts"
        names = [re.split("[ :]", line)[0] for line in hosts.read_text().splitlines()]
        assert names == ["c1", "c2", "c3"][: min(int(threads), 3)]


def test_ior_has_the_documents_options_and_sizes(tmp_path: Path) -> None:
    bench = kits.rendered(tmp_path, "large+hdmd")
    commands = started(bench, kits.named(bench, "n-1"), "ior")
    threads = [int(after(words, "-np")) for words in commands]
    assert threads == [n for p in range(10) for n in (1 << p, 1 << p)]
    for words in commands:
        own = words[words.index("ior") + 1 :]
        # The white paper: ior -a POSIX -v -i 1 -d 3 -e -k -o FILE -w -s 1 -t 16m -b ${FileSize}G
        size = 8 * TIB // int(after(words, "-np")) // MIB
        operation = "-w" if "-w" in own else "-r"
        assert own == shlex.split(
            f"-a POSIX -v -d 3 -e -i 1 -k -o /mmfs1/pixsize-bench-scratch/n_1/file {operation} -s 1 -t 16m -b {size}m"
        )


def test_iozone_has_the_documents_options_and_sizes(tmp_path: Path) -> None:
    bench = kits.rendered(tmp_path, "large+hdmd")
    for number, words in enumerate(started(bench, kits.named(bench, "n-n"), "iozone")):
        threads = 1 << number // 2
        # ./iozone -i0 -c -e -w -r 16M -s ${FileSize}G -t $Threads -+n -+m ./threadlist
        size = 8 * TIB // threads // MIB
        expected = f"iozone -i {number % 2} -c -e -w -r 16M -s {size}m -t {threads} -+n -+m {bench}/state/n_n.list"
        assert words == shlex.split(expected)
    both = started(bench, kits.named(bench, "random"), "iozone", "--threads", "512")
    assert [after(words, "-i") for words in both] == ["0", "2"]
    assert {"-O", "-I", "-w"} < set(both[1])
    assert (after(both[1], "-r"), after(both[1], "-s")) == ("4K", f"{768 * 1024 // 512}m")
    twice = started(bench, kits.named(bench, "random"), "iozone", "--threads", "512", "--data", "memory")
    assert after(twice[1], "-s") == f"{8 * TIB // 512 // MIB}m"


def test_mdtest_has_the_documents_options(tmp_path: Path) -> None:
    bench = kits.rendered(tmp_path, "pixstor-5-large+hdmd")
    for words in started(bench, kits.named(bench, "3k"), "mdtest"):
        threads = int(after(words, "-np"))
        own = words[words.index("mdtest") + 1 :]
        assert own[: own.index("-i")] == ["-v", "-y", "-d", f"/mmfs1/pixsize-bench-{bench_name(bench)}/3k"]
        assert own[own.index("-b") :] == shlex.split(
            f"-b {2048 // threads} -z 1 -I 1024 -L -u -t -F -w 3072 -e 3072" + (" -N 1" if threads > 1 else "")
        )


def bench_name(bench: Path) -> str:
    found = re.search(r"^readonly PLAN=(\S+)", (bench / "lib.sh").read_text(), re.M)
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("version", "word"), [("3.1.0", "-B"), ("3.3.0", "--posix.odirect"), ("4.0.0", "--posix.odirect")]
)
def test_direct_io_is_spelt_as_the_version_has_it(version: str, word: str, tmp_path: Path) -> None:
    bench = kits.rendered(tmp_path, "lustre-powerflex", {"tools": {"ior": version}})
    commands = started(bench, kits.named(bench, "n-n"), "ior")
    assert commands
    for words in commands:
        assert word in words
        assert {"-B", "--posix.odirect"} & set(words) == {word}
        assert after(words, "-t") == ("8m" if "-w" in words else "32m")
        assert "-F" in words
        assert after(words, "-i") == "5"


def test_lustre_has_the_documents_stripes_and_directories(tmp_path: Path) -> None:
    bench = kits.rendered(tmp_path, "lustre-me4")
    laid = [w for w in dry(bench, kits.named(bench, "n-n")) if w[:2] == ["lfs", "setstripe"]]
    # Over all 32 OSTs below 32 threads, over one from 32 on; stripes of 1 MB.
    assert [w[2:6] for w in laid] == [["-c", "32", "-S", "1M"]] * 5 + [["-c", "1", "-S", "1M"]] * 4
    assert [w[2:6] for w in dry(bench, kits.named(bench, "random")) if w[:2] == ["lfs", "setstripe"]] == [
        ["-c", "1", "-S", "4M"]
    ] * 5
    made = [w for w in dry(bench, kits.named(bench, "empty"), "--threads", "1024") if w[0] == "lfs"]
    assert [w[1] for w in made] == ["mkdir", "setdirstripe"]
    assert "2" in made[0]
    single = kits.rendered(tmp_path, "lustre-me4-nodne")
    assert not [w for w in dry(single, kits.named(single, "empty")) if w[0] == "lfs"]


def test_no_thread_writes_more_than_its_osts_hold(tmp_path: Path) -> None:
    bench = kits.rendered(tmp_path, "lustre-powerflex")
    osts = [t for t in json.loads(kits.planned(tmp_path).read_text())["targets"] if t["kind"] == "ost"]
    room = min(t["ldiskfs"]["user_bytes"] for t in osts)
    for test in ("n-n", "n-n-128k"):
        shown = dry(bench, kits.named(bench, test), "--data", "memory")
        stripes = 0
        for words in shown:
            if words[:2] == ["lfs", "setstripe"]:
                stripes = int(after(words, "-c"))
            elif "-w" in words and "-b" in words:
                threads, each = int(after(words, "-np")), int(after(words, "-b")[:-1]) << 20
                assert ceil(threads * stripes / len(osts)) * each / stripes <= room, (test, threads)


def test_caches_are_dropped_between_writing_and_reading(tmp_path: Path) -> None:
    hosts = ["c1", "c2"]
    bench = kits.rendered(tmp_path, "lustre-me4", {"clients": {"hosts": hosts}})
    shown = dry(bench, kits.named(bench, "n-n"), "--threads", "2")
    write, read = (next(n for n, w in enumerate(shown) if w[:3] == ["iozone", "-i", i]) for i in ("0", "1"))
    between = [w[1] for w in shown[write:read] if "drop_caches" in " ".join(w)]
    servers = ["mds1", "mds2"]
    assert between[:2] == hosts
    assert len(between) == len(set(between)) >= 2 + len(servers)
    assert [w[1] for w in shown[write:read] if any("lru_size=clear" in x for x in w)] == hosts


def test_threads_of_the_request_are_those_that_are_run(tmp_path: Path) -> None:
    words: dict[str, Any] = {"clients": {"count": 4, "cores": 8, "memory": "64 GiB"}, "threads": [3, 32, 8]}
    bench = kits.rendered(tmp_path, "large+hdmd", words)
    assert [int(after(w, "-t")) for w in started(bench, kits.named(bench, "n-n"), "iozone")] == [3, 3, 8, 8, 32, 32]
    counted = [p.name for p in (bench / "hosts").glob("*.list")]
    assert sorted(counted) == ["1.list", "3.list", "32.list", "4.list", "8.list"]
    assert (bench / "hosts" / "3.openmpi").read_text().count("\n") == 3


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("PX700", {"clients": {"hosts": ["c1", "c2; rm -rf /"]}}),
    ("PX700", {"clients": {"hosts": ["$(reboot)"]}}),
    ("PX700", {"clients": {"hosts": ["-oProxyCommand=x"]}}),
    ("PX700", {"clients": {"hosts": ["c1\nc2"]}}),
    ("PX700", {"clients": {"hosts": ["kl\u00e4ranlage"]}}),
    ("PX700", {"directory": "bench"}),
    ("PX700", {"directory": "/"}),
    ("PX700", {"directory": "/mmfs1/../etc"}),
    ("PX700", {"directory": "/mmfs1/a b"}),
    ("PX700", {"directory": "/mmfs1/$HOME"}),
    ("PX700", {"directory": "/mmfs1/bench/"}),
    ("PX700", {"directory": "/mmfs1/\nbench"}),
    ("PX703", {"clients": {"count": 2, "cores": 4}, "threads": [4, 16]}),
    ("PX703", {"threads": [0]}),
    ("PX703", {"threads": [-1]}),
    ("PX704", {"clients": {"count": 16, "memory": "200 TiB"}}),
    ("PX706", {"tools": {"ior": "2.9"}}),
    ("PX706", {"tools": {"ior": "4.0.0; reboot"}}),
    ("PX706", {"tools": {"fio": "3.33"}}),
    ("PX709", {"clients": {"hosts": ["c1", "C1"]}}),
    ("PX709", {"clients": {"hosts": ["c1", "sm01n1"]}}),
    ("PX709", {"clients": {"count": 3, "hosts": ["c1", "c2"]}}),
]


@pytest.mark.parametrize(("code", "words"), WRONG)
def test_what_a_script_would_misread_is_refused(code: str, words: dict[str, Any], tmp_path: Path) -> None:
    path = kits.request(tmp_path, "large+hdmd", words)
    done = run("render", "bench", "--quiet", "--config", str(path), "-o", str(tmp_path / "files"))
    assert done.exit_code == 1
    assert f"error {code} " in done.stderr
    assert not (tmp_path / "files").exists()
    # The rest is rendered all the same, and says what is missing.
    rest = run("render", "all", "--config", str(path), "-o", str(tmp_path / "files"))
    assert rest.exit_code == 0, rest.stderr
    assert "PX607 bench is left out" in rest.stderr
    assert not (tmp_path / "files" / "bench").exists()
