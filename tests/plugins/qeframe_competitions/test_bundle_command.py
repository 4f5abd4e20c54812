"""``qeframe bundle``: the archive, what is said of it, and the scoring program in an interpreter of its own."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.written import write_files

pytestmark = pytest.mark.usefixtures("wheels_made_once")

ROWS = "en-de\tm\t0\t.5\nen-de\tm\t1\t.25\nen-de\tm\t2\t2\n"
HEAD = "3264730349\n560145557\n1\n"
SENTENCE = "wmt22_qe_sentence_da"
IMAGE = ("--dependencies", "image", "--image", "ours:1")
SMALL = (*IMAGE, "--quiet")


@pytest.fixture
def gold(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = Path("task/en-de")
    write_files(folder, {"gold.da": "1\n-1\n3\n", "submissions/baseline.txt": HEAD + ROWS})
    return Path("task")


def test_what_is_said(qeframe_command, gold):
    outcome = qeframe_command("bundle", "codabench", SENTENCE, "task", "--out", "out/b.zip", *IMAGE)
    assert (outcome.status, outcome.out) == (0, "")
    lines = outcome.err.splitlines()
    assert lines[:2] == [
        "qeframe: in the bundle as reference data: en-de/gold.da",
        "qeframe: tried with baseline: spearman 1.0000",
    ]
    assert lines[2].startswith("qeframe: written to out/b.zip, in a new folder (")
    assert lines[2].endswith(" MiB, 1 task, image ours:1)")


def test_what_is_said_of_a_pseudo_gold_and_of_an_earlier_file(qeframe_command, gold):
    Path("b.zip").write_bytes(b"")
    options = ("--pseudo-gold", "baseline", "--out", "b.zip", *IMAGE)
    first, _, last = qeframe_command("bundle", "codabench", SENTENCE, "task", *options).err.splitlines()
    assert first == (
        "qeframe: in the bundle as reference data, the answers of 'baseline' in place of the gold: en-de/gold.da"
    )
    assert last.startswith("qeframe: written to b.zip, in place of an earlier file (")


def test_the_same_command_gives_the_same_bytes(qeframe_command, gold):
    for name in ("a.zip", "b.zip"):
        assert qeframe_command("bundle", "codabench", SENTENCE, "task", "--out", name, *SMALL).err == ""
    assert Path("a.zip").read_bytes() == Path("b.zip").read_bytes()


def test_without_a_submission(qeframe_command, gold):
    Path("task/en-de/submissions/baseline.txt").unlink()
    arguments = ("--out", "b.zip", *IMAGE)
    outcome = qeframe_command("bundle", "codabench", SENTENCE, "task", *arguments)
    assert outcome.status == 0
    said = "qeframe: not tried: no submission is beside the gold, and the gold was not read; put a baseline there"
    assert said in outcome.err
    plain = qeframe_command("bundle", "codabench", "qe_sentence", "task", *arguments)
    assert "qeframe: not tried: no submission is beside the gold; put a baseline there" in plain.err


def test_an_average_over_submissions_is_said_to_be_left_out(qeframe_command, gold):
    Path("task/en-cs/submissions").mkdir(parents=True)
    Path("task/en-cs/gold.da").write_text("1\n-1\n3\n")
    Path("task/en-cs/submissions/baseline.txt").write_text(HEAD + ROWS.replace("en-de", "en-cs"))
    arguments = ("--set", "across=average_rank", "--out", "b.zip", *IMAGE)
    outcome = qeframe_command("bundle", "codabench", SENTENCE, "task", *arguments)
    assert "qeframe: no score over all tasks: it depends on the other submissions" in outcome.err


def test_options(qeframe_command, gold):
    Path("logo.png").write_bytes(b"\x89PNG...")
    Path("terms.md").write_text("# Our terms\n")
    outcome = qeframe_command(
        *("bundle", "codabench", SENTENCE, "task", "--out", "b.zip", "--title", "Ours", "--start", "2026-07-30"),
        *("--end", "2026-08-06 12:00", "--logo", "logo.png", "--terms", "terms.md", "--hide-scores", *SMALL),
    )
    assert outcome.status == 0, outcome.err
    with zipfile.ZipFile("b.zip") as archive:
        settings = archive.read("competition.yaml").decode()
        assert archive.read("pages/terms.md") == b"# Our terms\n"
        assert archive.read("logo.png") == b"\x89PNG..."
    assert 'title: "Ours"\n' in settings
    assert "    start: 2026-07-30 00:00:00\n    end: 2026-08-06 12:00:00\n" in settings
    assert "hidden: True" in settings


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((SENTENCE, "none"), "none: there is no such folder; check the path"),
        (("wmt23_metrics", "task"), "the overall score of 'wmt23_metrics' depends on the other submissions"),
        (("wmt14_qe_task1_2", "task"), "the reader 'graham_table' reads no file of one submission"),
        ((SENTENCE, "task", "--pseudo-gold", "x"), "unknown submission (task 'en-de') 'x'; known: baseline"),
        (
            (SENTENCE, "task", "--like", "task/en-de/gold.da"),
            "task/en-de/gold.da: this is the gold of a task; give the",
        ),
        ((SENTENCE, "task", "--logo", "task/en-de/gold.da"), "task/en-de/gold.da: this is neither PNG nor JPEG"),
        (
            (SENTENCE, "task", "--terms", "latin.md"),
            "latin.md:1: not UTF-8: byte 0xe9 at byte 1 of the line; save it as",
        ),
        ((SENTENCE, "task", "--terms", "empty.md"), "empty.md: the file is empty; give a file with the terms in Markd"),
        ((SENTENCE, "task", "--logo", "none.png"), "none.png: cannot be read: No such file or directory; name a pict"),
        ((SENTENCE, "task", "--wheels", "none"), "none: there is no such folder; make it with 'pip download"),
        ((SENTENCE, "task", "--end", "1999-01-01", "--start", "2000-01-01"), "the phase ends at 1999-01-01 00:00:00"),
        ((SENTENCE, "task", "--dependencies", "image"), "--dependencies image needs an image that has numpy and scipy"),
        ((SENTENCE, "task", "--dependencies", "image", "--wheels", "w"), "--wheels puts dependencies into the bundle"),
    ],
)
def test_what_is_refused(refused, gold, arguments, message):
    Path("latin.md").write_bytes(b"\xe9\n")
    Path("empty.md").touch()
    assert refused("bundle", "codabench", "--out", "b.zip", *arguments).startswith(message)
    assert not Path("b.zip").exists()


def laid_out(bundle: Path, root: Path, files: dict[str, bytes]) -> Path:
    """Unpack a bundle as the platform lays it out, with a submission."""
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(root / "bundle")
    (root / "app/input").mkdir(parents=True)
    (root / "bundle/scoring_program").rename(root / "app/program")
    (root / "bundle/reference_data").rename(root / "app/input/ref")
    write_files(root / "app/input/res", files)
    return root / "app"


def score(app: Path, python: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the command of the bundle, its folders in place of those of the container."""
    (_, _, command) = (app / "program/metadata.yaml").read_text().partition("python3 ")
    arguments = [word.replace("/app/", f"{app}/") for word in command.strip().strip('"').split()]
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "QEFRAME", "COV_"))}
    return subprocess.run(
        [python, *options, *arguments], capture_output=True, text=True, check=False, env=inherited, timeout=600
    )


def test_an_image_without_the_dependencies_is_named(qeframe_command, gold, tmp_path):
    qeframe_command("bundle", "codabench", SENTENCE, "task", "--out", "b.zip", *SMALL)
    app = laid_out(Path("b.zip"), tmp_path / "platform", {"a.txt": (HEAD + ROWS).encode()})
    done = score(app, sys.executable, "-I", "-S")
    assert done.returncode == 2
    assert done.stderr.startswith("The image has no usable ")
    assert done.stderr.count("\n") == 1
    assert (
        "or make the bundle with the wheels of its dependencies" in (app / "output/detailed_results.html").read_text()
    )


def test_wheels_for_another_python_are_named(qeframe_command, gold, tmp_path):
    qeframe_command("bundle", "codabench", SENTENCE, "task", "--out", "b.zip", *SMALL)
    app = laid_out(Path("b.zip"), tmp_path / "platform", {})
    (app / "program/wheels/x-1-cp39-cp39-manylinux2014_x86_64.whl").write_bytes(b"")
    done = score(app, sys.executable, "-I", "-S")
    assert "x-1-cp39-cp39-manylinux2014_x86_64.whl in the scoring program is for another version" in done.stderr
    for name in ("x-1-cp38-abi3-manylinux2014_x86_64.whl", "y-1-py2.py3-none-any.whl"):
        (app / "program/wheels" / name).write_bytes(b"")
    assert "x-1-cp39-cp39" in score(app, sys.executable, "-I", "-S").stderr


@pytest.fixture(scope="module")
def bare(tmp_path_factory) -> str:
    """Make an environment with Python alone."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    return str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


@pytest.mark.slow
def test_official_values_of_2022_come_out_of_the_program_alone(qeframe_command, shared_data, tmp_path, bare):
    """MCC and F1 of the result page, from the bundle in an environment with nothing but Python."""
    task = shared_data("wmt22-qe/word")
    bundle = tmp_path / "b.zip"
    assert qeframe_command("bundle", "codabench", "wmt22_qe_word", task, "--out", bundle).status == 0
    values = {"en_de_mcc": 0.318627, "en_de_f1_bad": 0.335664, "en_de_f1_ok": 0.960024, "en_de_seqcor": 0.358856}
    files = {f"papago/{pair}.txt": (task / pair / "submissions/papago.txt").read_bytes() for pair in ("en-de", "en-cs")}
    app = laid_out(bundle, tmp_path / "platform", files)
    done = score(app, bare)
    assert done.returncode == 0, done.stderr
    found = json.loads((app / "output/scores.json").read_text())
    assert {key: found[key] for key in values} == {key: round(value, 4) for key, value in values.items()}
    assert found["mcc"] == pytest.approx((found["en_de_mcc"] + found["en_cs_mcc"]) / 2, abs=1e-4)
    broken = (task / "en-cs/submissions/papago.txt").read_bytes().replace(b"\tOK\n", b"\tMAYBE\n", 1)
    (app / "input/res/papago/en-cs.txt").write_bytes(broken)
    done = score(app, bare)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("en-cs.txt:6: unknown tag 'MAYBE' of word ")
    assert not (app / "output/scores.json").exists()
    (app / "input/res/papago/en-cs.txt").unlink()
    done = score(app, bare)
    assert done.stderr.startswith("language pair 'en-cs' is missing: the submission has 1 of 2 language pairs")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("profile", "folder", "team", "official"),
    [
        ("wmt22_qe_sentence_mqm", "mqm", "NJUQE", {"spearman": 0.634656}),
        ("wmt22_qe_sentence_mqm", "mqm", "ahmetgunduz", {"spearman": 0.376010}),
        ("wmt22_qe_sentence_da", "da/km-en", "NJUQE", {"spearman": -0.430177}),
    ],
)
def test_official_values_of_sentences(qeframe_command, shared_data, tmp_path, profile, folder, team, official):
    task = shared_data(f"wmt22-qe/{folder}")
    bundle = tmp_path / "b.zip"
    assert qeframe_command("bundle", "codabench", profile, task, "--out", bundle, *SMALL).status == 0
    (path,) = [*task.glob(f"submissions/{team}.txt"), *task.glob(f"*/submissions/{team}.txt")]
    files = {"predictions.txt": path.read_bytes()}
    app = laid_out(bundle, tmp_path / "platform", files)
    done = score(app, sys.executable)
    assert done.returncode == 0, done.stderr
    found = json.loads((app / "output/scores.json").read_text())
    assert {key: found[key] for key in official} == {key: round(value, 4) for key, value in official.items()}


@pytest.mark.slow
def test_official_values_of_metrics_and_a_pseudo_gold(qeframe_command, shared_data, tmp_path):
    task = shared_data("wmt23-metrics-pairs")
    names = {"en-de": "XCOMET-Ensemble-refA", "he-en": "XCOMET-Ensemble-refB"}
    files = {
        f"{pair}/{name}.seg.score": (task / f"metric-scores/{pair}/{name}.seg.score").read_bytes()
        for pair, name in names.items()
    }
    found = {}
    for pseudo in ("", "COMET"):
        bundle = tmp_path / f"b{pseudo}.zip"
        given = ("--set", "primaries=all", "--pseudo-gold", pseudo) if pseudo else ("--set", "primaries=all")
        arguments = ("bundle", "codabench", "wmt23_metrics_segment", task, "--out", bundle, *given, *SMALL)
        assert qeframe_command(*arguments).status == 0
        app = laid_out(bundle, tmp_path / f"platform{pseudo}", files)
        done = score(app, sys.executable)
        assert done.returncode == 0, done.stderr
        found[pseudo] = json.loads((app / "output/scores.json").read_text())
    assert found[""]["en_de_acc_eq"] == pytest.approx(0.604, abs=5e-4)
    assert found["COMET"]["en_de_acc_eq"] > found[""]["en_de_acc_eq"] + 0.1
    golds = sorted(path.name for path in (app / "input/ref/human-scores").iterdir())
    assert golds == ["en-de.mqm.seg.score", "he-en.mqm.seg.score"]
    human = (task / "human-scores/en-de.mqm.seg.score").read_bytes()
    assert (app / "input/ref/human-scores/en-de.mqm.seg.score").read_bytes() != human
