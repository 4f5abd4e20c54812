"""Commands of other distributions: they run, complete, fail and collide as components do."""

import json
import subprocess
import sys

import pytest

from tests.qeframe.cli.shared.test_completion import in_bash, in_fish, in_zsh

TABLE = """
from qeframe.plugin.commands import Command

COMMANDS = [
    Command(name="count-words", summary="Count the words in FILE.", path="{module}_work:count_words"),
    Command(name="fail", summary="Fail.", path="{module}_work:fail"),
    Command(name="gone", summary="Cannot be imported.", path="{module}_work:gone"),
    Command(name="broken", summary="Cannot be imported.", path="{module}_broken:broken"),
    Command(name="text", summary="Is no command.", path="{module}_work:TEXT"),
]
"""
WORK = """
import sys

import click
from click.shell_completion import CompletionItem
from qeframe.plugin import DataError
from qeframe.plugin.commands import complete_profile, json_option, path_type, write_json

TEXT = "a text"


def units(ctx, param, incomplete):
    print("printed while it completes", file=sys.stderr)
    return [CompletionItem(word) for word in ("lines", "words") if word.startswith(incomplete)]


@click.command()
@click.argument("file", type=path_type)
@click.option("--unit", default="words", shell_complete=units, help="What is counted.")
@click.option("--profile", default="", shell_complete=complete_profile, help="A profile.")
@json_option
def count_words(file, unit, profile, as_json):
    '''Count the words in FILE.'''
    if not file.exists():
        raise DataError("there is no such file", path=file)
    number = len(file.read_text().split())
    write_json({unit: number, "mean": float("nan")}) if as_json else click.echo(f"{number} {unit}")


@click.command()
@click.argument("how")
def fail(how):
    '''Fail.'''
    if how == "exit":
        sys.exit(1)
    raise KeyError(how)
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Put a distribution with a table of commands on the path of imports."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(site)
    modules = []

    def put(name="theirs", version="2.5", **texts):
        texts = texts or {name: TABLE.format(module=name), f"{name}_work": WORK, f"{name}_broken": "import nowhere"}
        for module, text in texts.items():
            (site / f"{module}.py").write_text(text)
            modules.append(module)
        described = site / f"{name}_tools-{version}.dist-info"
        described.mkdir()
        (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-tools\nVersion: {version}\n")
        (described / "top_level.txt").write_text("\n".join(texts))
        (described / "entry_points.txt").write_text(f"[qeframe.commands]\n{name} = {name}\n")

    yield put
    for module in modules:
        sys.modules.pop(module, None)


OWNER = "plugin 'theirs' of distribution 'theirs-tools 2.5'"
REMEDY = "repair or uninstall 'theirs-tools', or start with QEFRAME_BLOCK=theirs"


def test_a_command_is_listed_and_runs(install, qeframe_command, files):
    install()
    listed = qeframe_command("--help")
    assert "\nCommands of theirs-tools 2.5:\n" in listed.out
    assert "count-words   Count the words in FILE.\n" in listed.out  # below those of qeframe
    assert (listed.status, listed.err) == (0, "")
    assert qeframe_command("count-words", "gold.txt").out == "6 words\n"
    done = qeframe_command("count-words", "gold.txt", "--unit", "lines", "--json")
    assert json.loads(done.out) == {"lines": 6, "mean": None}
    assert "Usage: qeframe count-words [OPTIONS] FILE" in qeframe_command("count-words", "--help").out


def test_the_list_imports_no_command_and_nothing_heavy(install, tmp_path):
    install()
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r})\n"
        "from qeframe.cli.app import app\n"
        "app(['--help'], standalone_mode=False)\n"
        "assert 'theirs' in sys.modules\n"
        "heavy = {'theirs_work', 'numpy', 'scipy', 'rich', 'pluggy', 'cattrs'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["count-words", "absent.txt"], "absent.txt: there is no such file"),
        (["count-words"], "Missing argument 'FILE'; 'qeframe count-words --help' shows how"),
        (
            ["fail", "x"],
            "KeyError: 'x', raised in module 'theirs_work' of distribution 'theirs-tools'; "
            "QEFRAME_TRACEBACK=1 shows the traceback",
        ),
        (
            ["gone"],
            f"the command 'gone' of {OWNER} cannot be imported: AttributeError: module 'theirs_work' has no attribute "
            f"'gone'; {REMEDY}",
        ),
        (
            ["broken"],
            f"the command 'broken' of {OWNER} cannot be imported: ModuleNotFoundError: No module named 'nowhere'; "
            f"{REMEDY}",
        ),
        (
            ["text"],
            f"the command 'text' of {OWNER}: 'theirs_work:TEXT' is of type str, not a command of click; {REMEDY}",
        ),
        (["count-word"], "unknown command 'count-word'; did you mean 'count-words'?; 'qeframe --help' shows how"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_failure_is_one_line_and_other_commands_work(install, refused, qeframe_command, files, words, line):
    install(theirs=TABLE.format(module="theirs"), theirs_work=WORK, theirs_broken="import nowhere")
    assert refused(*words) == line
    assert qeframe_command("score", "mae", "gold.txt", "a.txt").status == 0
    assert qeframe_command("count-words", "gold.txt").out == "6 words\n"


def test_a_command_ends_with_its_own_status(install, qeframe_command):
    install()
    assert qeframe_command("fail", "exit").status == 1


@pytest.mark.parametrize("shell", [in_bash, in_zsh, in_fish])
def test_commands_options_and_arguments_are_completed(install, monkeypatch, shell):
    install()
    for line, names in {
        "qeframe count": ["count-words"],
        "qeframe br": ["broken"],
        "qeframe count-words --js": ["--json"],
        "qeframe count-words f --unit li": ["lines"],
        "qeframe count-words f --profile wmt14_qe_task1_2": ["wmt14_qe_task1_2"],
    }.items():
        assert shell(monkeypatch, line.split(" ")) == names


@pytest.mark.parametrize("line", ["qeframe broken x", "qeframe nothing x"])
def test_a_line_that_cannot_be_completed_is_left_in_silence(install, qeframe_command, monkeypatch, line):
    install()
    for name, value in {"_QEFRAME_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": "2"}.items():
        monkeypatch.setenv(name, value)
    outcome = qeframe_command()
    assert (outcome.status, outcome.out, outcome.err) == (1, "", "")
    monkeypatch.setenv("QEFRAME_TRACEBACK", "1")
    with pytest.raises(Exception, match=r"broken|nothing"):
        qeframe_command()


def test_two_that_collide_are_refused_by_name(install, refused, qeframe_command, files, monkeypatch):
    for name, version in (("theirs", "2.5"), ("others", "0.3")):
        table = TABLE.format(module=name).replace('"fail"', f'"fail-{name}"')
        install(name, version, **{name: table, f"{name}_work": WORK})
    line = (
        "the command 'count-words' is brought twice: by plugin 'others' of distribution 'others-tools 0.3' and by "
        f"{OWNER}; rename that of plugin 'theirs', or start with QEFRAME_BLOCK=theirs"
    )
    assert refused("count-words", "gold.txt") == line
    listed = qeframe_command("--help")
    assert listed.status == 0
    assert f"qeframe: warning: {line}\n" in listed.err
    assert "count-words" not in listed.out
    assert qeframe_command("fail-others", "exit").status == 1
    monkeypatch.setenv("QEFRAME_BLOCK", "theirs")
    assert qeframe_command("count-words", "gold.txt").out == "6 words\n"
    assert qeframe_command("score", "mae", "gold.txt", "a.txt").status == 0
    assert refused("fail-theirs", "x").endswith("(blocked: theirs); 'qeframe --help' shows how")


def test_a_command_of_qeframe_keeps_its_name(install, qeframe_command, files):
    install(theirs=TABLE.format(module="theirs").replace('"fail"', '"score"'), theirs_work=WORK)
    assert qeframe_command("score", "mae", "gold.txt", "a.txt").status == 0
    line = (
        f"the command 'score' is brought twice: by qeframe and by {OWNER}; "
        "rename that of plugin 'theirs', or start with QEFRAME_BLOCK=theirs"
    )
    assert qeframe_command("--help").err == f"qeframe: warning: {line}\n"


@pytest.mark.parametrize(
    ("table", "what"),
    [
        (
            "import nowhere",
            f"the table of commands of {OWNER} cannot be imported: ModuleNotFoundError: No module named",
        ),
        ("raise SystemExit(0)", f"the table of commands of {OWNER} cannot be imported: SystemExit: 0"),
        ("", f"the table of commands of {OWNER} cannot be imported: AttributeError: module 'theirs' has no attribute"),
        ("COMMANDS = 'run'", f"{OWNER}: COMMANDS must be a sequence of Command"),
        ("COMMANDS = [1]", f"{OWNER}: COMMANDS must be a sequence of Command"),
        (TABLE.format(module="x").replace("fail", "Fail"), f"{OWNER}: 'Fail' cannot name a command: it is not lower"),
    ],
    ids=["import", "exit", "no table", "a text", "other values", "name"],
)
def test_a_table_that_cannot_be_read_is_named(install, refused, qeframe_command, files, table, what):
    install(theirs=f"print('while it is imported')\n{table}")
    listed = qeframe_command("--help")
    assert (listed.status, "while it is" in listed.out) == (0, False)
    assert f"qeframe: warning: {what}" in listed.err
    assert qeframe_command("score", "mae", "gold.txt", "a.txt").status == 0
    said = qeframe_command("count-words", "gold.txt")
    assert said.status == 2
    assert said.err.splitlines()[-1].startswith(f"qeframe: unknown command 'count-words'; {what}")
    assert said.err.endswith(f"; {REMEDY}\n")


def test_an_interrupt_while_a_table_is_imported_is_no_fault_of_it(install, qeframe_command):
    install(theirs="raise KeyboardInterrupt")
    assert qeframe_command("--help").status == 130
    assert "broken" not in qeframe_command("--help").err
