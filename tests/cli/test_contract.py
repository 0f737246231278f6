"""What scripts rely on: exit codes, what goes to stdout and what to stderr, and that errors write nothing."""

from __future__ import annotations

import gc
import json
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import click
import pytest

from pixsize import __version__, workflow
from pixsize.cli import COMMANDS, main
from pixsize.cli.options import Once
from tests.support.cli_support import LEGAL, loads, program, request, run

ILLEGAL = LEGAL.replace("large", "lrage").replace("960 GB", "960")
TOO_MANY = LEGAL.replace("  - size: large\n", "  - size: large\n    count: 64\n")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_help_and_version() -> None:
    for flag in ("-h", "--help"):
        result = run(flag)
        assert result.exit_code == 0
        assert all(f"  {name} " in result.stdout for name in COMMANDS)
    assert run("--version").stdout == f"pixsize {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_static_short_help_is_the_commands_own(command: str) -> None:
    result = run(command, "-h")
    assert result.exit_code == 0
    from importlib import import_module

    assert import_module(f"pixsize.cli.{command}").command.get_short_help_str(200) == COMMANDS[command]


def test_help_imports_nothing_but_click_and_the_standard_library() -> None:
    names = "('pixsize', 'yaml', 'pydantic', 'rich', 'jinja2', 'pint')"
    code = f"import sys, pixsize.cli; print(*sorted(m for m in sys.modules if m.startswith({names})))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert shown == ["pixsize", "pixsize.cli", "pixsize.streams"]


def test_plan_without_a_terminal_loads_no_rich_no_jinja_and_no_pint() -> None:
    code = (
        "import sys; from pixsize.cli import main\n"
        "try: main(['plan', '--config', 'large+hdmd'])\n"
        "except SystemExit: print(*sorted(m for m in sys.modules if m in ('rich', 'jinja2', 'pint')), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stderr.splitlines()[-1] == ""


@pytest.mark.parametrize("form", ["text", "json", "yaml", "markdown"])
def test_plan_prints_data_on_stdout_and_talk_on_stderr(tmp_path: Path, form: str) -> None:
    request(tmp_path)
    result = run("plan", "--format", form)
    assert result.exit_code == 0
    assert "PX573" in result.stderr
    assert "pixsize.yaml:7:" in result.stderr
    assert "pixsize.yaml:" not in result.stdout or form in ("json", "yaml")
    if form == "json":
        assert loads(result.stdout)["schema"] == "pixsize.plan/1"


@pytest.mark.parametrize("text", [ILLEGAL, TOO_MANY], ids=["load", "check"])
@pytest.mark.parametrize("args", [["plan"], ["explain", "capacity.raw"], ["render", "stanzas"], ["check"]])
def test_errors_end_with_1_and_no_data(tmp_path: Path, text: str, args: list[str]) -> None:
    request(tmp_path, text)
    result = run(*args)
    assert result.exit_code == 1
    findings = result.stdout if args == ["check"] else result.stderr
    assert ": error PX" in findings
    assert args == ["check"] or result.stdout == ""


@pytest.mark.parametrize("args", [["plan"], ["explain", "capacity.raw"], ["check"]])
def test_json_of_a_refused_request_is_the_findings(tmp_path: Path, args: list[str]) -> None:
    request(tmp_path, ILLEGAL)
    result = run(*args, "--format", "json")
    assert result.exit_code == 1
    held = loads(result.stdout)
    assert held["schema"] == "pixsize.findings/1"
    assert {f["code"] for f in held["findings"]} >= {"PX102", "PX105"}
    assert {"file", "line", "column", "hint", "where", "message", "severity"} <= set(held["findings"][0])


def test_all_findings_come_at_once_with_their_places(tmp_path: Path) -> None:
    request(tmp_path, ILLEGAL)
    result = run("plan")
    assert "pixsize.yaml:4:11: error PX102" in result.stderr
    assert "pixsize.yaml:8:10: error PX105" in result.stderr
    lines = result.stderr.splitlines()
    at = next(i for i, line in enumerate(lines) if ":8:10:" in line)
    assert lines[at + 1].strip() == "drive: 960"
    assert lines[at + 2].index("^") == lines[at + 1].index("960")


def test_refused_request_writes_nothing(tmp_path: Path) -> None:
    request(tmp_path, TOO_MANY)
    assert run("plan", "-o", "plan.txt").exit_code == 1
    assert run("render", "all", "-o", "out").exit_code == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["pixsize.yaml"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["paln"], "did you mean plan?"),
        (["render", "stanza"], "did you mean stanzas?"),
        (["render"], "name a target"),
        (["render", "me4"], "-o DIR"),
        (["render", "stanzas", "me4"], "-o DIR"),
        (["explain", "capacity.formated"], "did you mean capacity.formatted?"),
        (
            ["explain", "throughput"],
            "did you mean throughput.sequential.n_n.write.peak or throughput.sequential.n_n.read.peak?",
        ),
        (
            ["explain", "throughput.sequential."],
            "throughput.sequential.n_n.write.peak or throughput.sequential.n_n.read.peak?",
        ),
        (["explain", "capacity"], "did you mean capacity.formatted or capacity.usable?"),
        (["explain", "files"], "did you mean files.max?"),
        (["explain", "throughput.random_4k"], "did you mean throughput.random_4k.write.peak?"),
        (["explain", "zzz"], "`pixsize explain` lists all"),
        (["catalog", "show", "zzz"], "`pixsize catalog list` lists all"),
        (["explain", "capacity.raw", "--all"], "--all"),
        (["catalog", "show", "me4048"], "did you mean me4084?"),
        (["catalog", "list", "drives"], "did you mean drive?"),
        (["plan", "--format", "xml"], "markdown"),
        (["plan", "-o", "."], "directory"),
        (["plan", "--observed", "nowhere"], "nowhere"),
        (["plan", "-o", ""], "an empty path"),
        (["plan", "-c", ""], "an empty path"),
        (["plan", "--catalog", ""], "an empty path"),
        (["check", "--observed="], "an empty path"),
        (["render", "all", "-o", ""], "an empty path"),
        (["init", "small", "-o", ""], "an empty path"),
        (["plan", "-o", "pixsize.yaml"], "the request itself"),
        (["plan", "-c", "pixsize.yaml", "-o", "./../" + "{here}/pixsize.yaml"], "the request itself"),
        (["plan", "-c", "pixsize.yaml", "--config", "pixsize.yaml"], "--config is given 2 times"),
        (["plan", "--catalog", ".", "--catalog=."], "--catalog is given 2 times"),
        (["check", "--observed", ".", "--observed", ".", "--observed", "."], "--observed is given 3 times"),
        (["explain", "--all", "--format", "json", "--format", "text"], "--format is given 2 times"),
        (["plan", "-o", "a", "-ob"], "--output is given 2 times"),
        (["render", "all", "-o", "a", "--output=b"], "--output is given 2 times"),
        (["init", "small", "-o", "a", "-o", "b"], "--output is given 2 times"),
        (["catalog", "list", "--catalog", ".", "--catalog", "."], "--catalog is given 2 times"),
        (["schema", "pan"], "pan"),
        ([], "Usage"),
    ],
)
def test_wrong_usage_ends_with_2_and_prints_no_data(tmp_path: Path, args: list[str], said: str) -> None:
    mine = request(tmp_path)
    before = mine.read_bytes()
    result = run(*(a.replace("{here}", tmp_path.name) for a in args))
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == [mine]
    assert mine.read_bytes() == before


def commands(group: click.Command, context: click.Context) -> list[click.Command]:
    if not isinstance(group, click.Group):
        return [group]
    below = (group.get_command(context, name) for name in group.list_commands(context))
    return [c for b in below if b for c in commands(b, context)]


def test_no_option_with_a_value_lets_the_last_win_in_silence() -> None:
    found = [
        option
        for command in commands(main, click.Context(main))
        for option in command.params
        if isinstance(option, click.Option) and not (option.is_flag or option.count or option.multiple)
    ]
    assert {"config", "catalog", "observed", "form", "output"} <= {option.name for option in found}
    assert [option.opts for option in found if not isinstance(option, Once)] == []


def test_a_bug_ends_with_3_and_a_traceback_only_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("two\nlines \x1b[2J")

    monkeypatch.setattr(workflow, "plan", broken)
    result = run("plan")
    assert result.exit_code == 3
    assert "a bug in pixsize" in result.stderr
    assert result.stderr.count("\n") == 1
    assert "\x1b" not in result.stderr
    assert "Traceback" not in result.stderr
    result = run("plan", env={"PIXSIZE_DEBUG": "1"})
    assert "Traceback" in result.stderr
    assert result.exit_code == 3


def test_interruption_ends_with_130_and_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(workflow, "plan", interrupted)
    result = run("plan")
    assert result.exit_code == 130
    assert "interrupted" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.long
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("delay_s", [0.0, 0.3, 0.6, 0.9])
def test_ctrl_c_leaves_all_files_or_none(tmp_path: Path, delay_s: float) -> None:
    """The interpreter's own start, which an interrupt ends in its own way, is over when the first line comes; what
    pixsize loads is loaded behind it."""
    request(tmp_path, LEGAL.replace("  - size: large\n", "  - size: large\n    count: 60\n"))
    start = "from pixsize.__main__ import run; print('begun', flush=True); run()"
    command = [sys.executable, "-c", start, "render", "me4", "stanzas", "-o", "out"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as job:
        assert job.stdout
        assert job.stdout.readline() == "begun\n"
        with suppress(subprocess.TimeoutExpired):
            job.wait(delay_s)
        job.send_signal(signal.SIGINT)
        said = job.communicate(timeout=120)[1]
    out = tmp_path / "out"
    found = {str(p.relative_to(out)) for p in out.rglob("*") if p.is_file()} - {"MANIFEST.json"}
    assert job.returncode in (0, 130, -signal.SIGINT), said
    # An interrupt inside a callback of an import lock is printed by the interpreter, and ends nothing.
    said = re.sub(r"(?s)Exception ignored in: <function _get_module_lock.*?\nKeyboardInterrupt: ?\n", "", said)
    if job.returncode != -signal.SIGINT:  # that one came before main had begun
        assert "Traceback" not in said
        assert "KeyboardInterrupt" not in said
    if (out / "MANIFEST.json").exists():
        assert found == {f["path"] for f in loads((out / "MANIFEST.json").read_text())["files"]}
    else:
        assert not found
        assert not out.exists()


@pytest.mark.parametrize(("name", "title"), [("request", "pixsize request"), ("plan", "pixsize plan")])
def test_schemas_are_json(name: str, title: str) -> None:
    held = loads(run("schema", name).stdout)
    assert held["title"] == title
    assert held["$schema"].startswith("https://json-schema.org/")


def test_quiet_says_nothing_but_errors(tmp_path: Path) -> None:
    path = request(tmp_path)
    assert run("plan", "--quiet").stderr == ""
    assert run("plan", "--quiet", "-c", "large+hdmd.yaml").stderr == ""
    path.write_text(ILLEGAL)
    assert ": error PX102" in run("plan", "--quiet").stderr


def test_quiet_says_nothing_but_errors_where_prices_are_wrong(tmp_path: Path) -> None:
    """The warnings of a good request do not bury the one mistake in another file."""
    parts = tmp_path / "parts.yaml"
    parts.write_text("currency: EUR\nparts: {nl-sas-12tb: {price: -1}}\n", encoding="utf-8")
    for command in (("bom",), ("quote", "-o", str(tmp_path / "q.md"))):
        done = run(*command, "-c", "mix", "--parts", str(parts), "--quiet")
        assert (done.exit_code, ": error PX108" in done.stderr) == (1, True)
        assert " warning PX" not in done.stderr
        assert " note PX" not in done.stderr
        assert " warning PX" in run(*command, "-c", "mix", "--parts", str(parts)).stderr


def test_config_is_pixsize_yaml_here_or_the_name_of_an_example(tmp_path: Path) -> None:
    missing = run("plan")
    assert missing.exit_code == 1
    assert missing.stderr.startswith("pixsize.yaml:1:1: error PX001")
    shipped = run("plan", "--config", "large+hdmd.yaml")
    assert shipped.exit_code == 0
    assert shipped.stderr.startswith("no file large+hdmd.yaml here: this is about the shipped example large+hdmd\n")
    assert run("plan", "--config", "large+hdmd").stdout == shipped.stdout
    request(tmp_path, LEGAL.replace("scratch", "mine"), "large+hdmd.yaml")
    assert run("plan", "--config", "large+hdmd.yaml").stdout.startswith("mine\n")


def test_same_request_same_bytes_from_any_folder(tmp_path: Path) -> None:
    first = program("plan", "-c", "mix", "--format", "json", cwd=tmp_path, PYTHONHASHSEED="1")
    second = program("plan", "-c", "mix", "--format", "json", cwd=Path("/"), PYTHONHASHSEED="2")
    assert first.stdout == second.stdout
    assert json.loads(first.stdout)["name"] == "campus"


@pytest.mark.long
def test_any_locale_will_do() -> None:
    for form in ("text", "json", "yaml", "markdown"):
        result = program(
            "plan", "-c", "large", "--format", form, LC_ALL="POSIX", PYTHONIOENCODING="ascii", PYTHONUTF8="0"
        )
        assert result.returncode == 0, result.stderr


@pytest.mark.long
def test_piped_output_has_no_colours() -> None:
    for args in (["plan"], ["check"], ["explain", "--all"], ["catalog", "list"], ["render", "--list"]):
        config = [] if args[0] in ("catalog", "render") else ["-c", "mix"]
        result = program(*args, *config, TERM="xterm-256color", FORCE_COLOR="1")
        assert "\x1b" not in result.stdout + result.stderr


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("module", ["click", "pydantic", "yaml"])
def test_ctrl_c_while_modules_are_loaded_ends_with_130_and_a_word(tmp_path: Path, module: str) -> None:
    request(tmp_path)
    (tmp_path / "first").mkdir()
    (tmp_path / f"first/{module}.py").write_text("import signal; signal.raise_signal(signal.SIGINT)")
    result = program("plan", cwd=tmp_path, PYTHONPATH=f"{tmp_path / 'first'}:{':'.join(sys.path)}")
    assert (result.returncode, result.stdout) == (130, "")
    assert result.stderr.strip() == "interrupted; nothing is half written"  # click begins a line of its own


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_when_all_is_done_changes_nothing() -> None:
    code = (
        "import atexit, signal, sys; atexit.register(signal.raise_signal, signal.SIGINT)\n"
        "from pixsize.__main__ import run; sys.argv = ['pixsize', '--version']; run()"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, f"pixsize {__version__}\n", "")


@pytest.mark.long
def test_these_tests_hold_in_the_background_of_a_script_too() -> None:
    """There SIGINT is ignored; no test of an interrupt may then wait for one that never comes."""
    names = "(while_modules_are_loaded and yaml) or (leaves_all_files_or_none and 0.3)"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", __file__, "-v", "-k", names]
    ignored = subprocess.run(
        ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *command],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2 passed, " in ignored.stdout, ignored.stdout


def test_the_script_begins_where_the_module_does() -> None:
    import tomllib

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"pixsize": "pixsize.__main__:run"}


RED = "a\x1b[31mb"


@pytest.mark.parametrize(
    "args",
    [
        ["init", "small", "-o", RED],
        ["init", "small", "-o", f"{RED}/x"],
        ["init", RED],
        [RED],
        ["plan", f"--{RED}"],
        ["plan", RED],
        ["plan", "-c", RED],
        ["plan", "-o", f"{RED}/x"],
        ["plan", "--catalog", RED],
        ["plan", "--observed", RED],
        ["plan", "--format", RED],
        ["check", "-c", RED],
        ["explain", RED],
        ["render", RED],
        ["render", "stanzas", "-o", RED],
        ["render", "stanzas", "-o", f"pixsize.yaml/{RED}"],
        ["catalog", "list", RED],
        ["catalog", "show", RED],
        ["schema", RED],
    ],
    ids=lambda args: " ".join(args).replace(RED, "RED"),
)
def test_no_name_that_is_repeated_steers_the_terminal(tmp_path: Path, args: list[str]) -> None:
    request(tmp_path)
    result = run(*args)
    assert "\x1b" not in result.output
    assert "\\x1b[31mb" in result.output


def test_nor_does_one_when_it_is_there_already(tmp_path: Path) -> None:
    request(tmp_path, name=RED)
    assert "a\\x1b[31mb is there already" in run("init", "small", "-o", RED).stderr


def test_a_plan_never_replaces_its_request_through_a_link(tmp_path: Path) -> None:
    mine = request(tmp_path)
    (tmp_path / "soft").symlink_to(mine)
    (tmp_path / "hard").hardlink_to(mine)
    for name in ("soft", "hard"):
        result = run("plan", "-o", name)
        assert result.exit_code == 2
        assert "the request itself" in result.stderr
    assert mine.read_text() == LEGAL


def test_no_plugin_of_pydantic_is_looked_for() -> None:
    """What a record means depends on nothing that is installed; and the look at every package is a tenth of a start."""
    code = (
        "import sys; sys.argv = ['pixsize', 'plan', '-q', '--config', 'large']\n"
        "from pixsize.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "from pydantic.plugin._loader import get_plugins\n"
        "assert tuple(get_plugins()) == ()\n"
        "print('importlib.metadata' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "False"


def test_a_run_collects_no_cycles_and_leaves_the_collector_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    collecting = []

    def broken(*_: object, **__: object) -> None:
        collecting.append(gc.isenabled())
        raise RuntimeError

    monkeypatch.setattr(workflow, "plan", broken)
    for wanted in (True, False):
        (gc.enable if wanted else gc.disable)()
        try:
            assert run("plan").exit_code == 3
            assert gc.isenabled() is wanted
        finally:
            gc.enable()
    assert collecting == [False, False]


def test_the_end_of_a_process_looks_for_no_cycles_either() -> None:
    """What is registered first is called last: by then everything is frozen."""
    code = (
        "import atexit, gc, sys; sys.argv = ['pixsize', '--version']\n"
        "atexit.register(lambda: print(gc.get_freeze_count() > 1000))\n"
        "from pixsize.cli import main\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"pixsize {__version__}", "True"]
