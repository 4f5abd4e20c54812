"""The packages of a bundle, made of what is installed; the command; the program in an interpreter of its own."""

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import PackagePath, distribution
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from qeframe_codabench.packages import dependencies_of, files_of, own_distributions, wheel_of, zip_bytes
from small_files import SENTENCE, answers, scores, write

import qeframe
from qeframe.plugin import DataError
from qeframe_codabench import packages


def test_own_and_needed():
    assert {"qeframe", "qeframe-codabench"} <= {*own_distributions()}
    needed = dependencies_of(["qeframe"])
    assert {"numpy", "scipy", "attrs", "cattrs", "click", "jinja2", "markupsafe", "pluggy", "rich"} <= {*needed}
    assert not {"qeframe", "pytest", "matplotlib"} & {*needed}
    assert needed == sorted(needed)


def test_the_files_of_the_project():
    files = files_of("qeframe")
    source = Path(qeframe.__file__).parent
    paths = [path for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {f"qeframe/{path.relative_to(source).as_posix()}" for path in paths} <= {*files}
    assert "qeframe_wmt/profiles/qe/wmt22_qe_word.toml" in files
    assert any(name.endswith(".dist-info/entry_points.txt") for name in files)
    assert not [n for n in files if "__pycache__" in n or n.endswith((".pyc", ".pth", "direct_url.json"))]
    own = files_of("qeframe-codabench")
    assert {"qeframe_codabench/scoring.py", "qeframe_codabench/templates/score.py.txt"} <= {*own}


def test_a_wheel_has_a_record_of_every_file():
    name, content = wheel_of("qeframe")
    assert name == f"qeframe-{distribution('qeframe').version}-py3-none-any.whl"
    with zipfile.ZipFile(io.BytesIO(content)) as wheel:
        record = wheel.read(next(n for n in wheel.namelist() if n.endswith("/RECORD"))).decode().splitlines()
        assert {line.split(",")[0] for line in record} == set(wheel.namelist())


class Installed:
    """A distribution that is not there."""

    def __init__(self, monkeypatch, folder, *, tag="py3-none-any", files=("METADATA", "WHEEL"), requires=()):
        self.name, self.version, self.requires, self.entry_points = "strange", "1", list(requires), ()
        self.texts = dict.fromkeys(files, "Name: strange\n") | {"WHEEL": f"Tag: {tag}\n"}
        self.listed, self.folder = files, folder
        monkeypatch.setattr(packages, "distribution", lambda name: self if name == "strange" else distribution(name))

    @property
    def files(self):
        paths = [PackagePath(f"strange-1.dist-info/{name}") for name in self.listed]
        for path in paths:
            path.dist = self
        return paths

    def locate_file(self, path):
        return self.folder / path

    def read_text(self, name):
        return self.texts.get(name)


@pytest.mark.parametrize("tag", ["cp311-cp311-macosx_11_0_arm64", "cp311-cp311-win_amd64", "cp311-cp311-linux_aarch64"])
def test_packages_of_another_system_are_refused(monkeypatch, tmp_path, tag):
    Installed(monkeypatch, tmp_path, tag=tag)
    with pytest.raises(DataError, match=r"and a platform runs Linux on x86-64; 'pip install --target FOLDER"):
        files_of("strange")


def test_files_that_are_not_known_are_refused(monkeypatch, tmp_path):
    Installed(monkeypatch, tmp_path, files=())
    with pytest.raises(DataError, match="the files of the installed 'strange' are not known"):
        files_of("strange")


def test_requirements(monkeypatch, tmp_path):
    requires = ["markupsafe>=1 ; python_version > '3'", "absent-one; sys_platform == 'win32'", "pytest; extra == 'x'"]
    Installed(monkeypatch, tmp_path, requires=requires)
    assert dependencies_of(["strange"]) == ["markupsafe"]
    Installed(monkeypatch, tmp_path, requires=["absent-one>=2"])
    with pytest.raises(DataError, match=r"'absent-one', which 'strange' needs, is not installed; pip install absent"):
        dependencies_of(["strange"])


NAMES = st.from_regex("[a-z]{1,5}(/[a-z]{1,5}){0,2}[.](txt|whl)", fullmatch=True)


@examples(max_examples=10)
@given(st.dictionaries(NAMES, st.binary(max_size=50), min_size=1, max_size=6))
def test_every_file_comes_out_and_the_order_does_not_matter(files):
    content = zip_bytes(files)
    assert zip_bytes(dict(reversed(files.items()))) == content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


SMALL = ("--image", "ours:1")
"""Without dependencies."""


def laid_out(bundle: Path, root: Path, files: dict[str, str]) -> Path:
    """Unpack a bundle as the platform lays it out, with a submission."""
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(root / "bundle")
    (root / "app/input").mkdir(parents=True)
    (root / "bundle/scoring_program").rename(root / "app/program")
    (root / "bundle/reference_data").rename(root / "app/input/ref")
    write(root / "app/input/res", files)
    return root / "app"


def score(app: Path, python: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the command of the bundle, its folders in place of those of the container."""
    (_, _, command) = (app / "program/metadata.yaml").read_text().partition("python3 ")
    arguments = [word.replace("/app/", f"{app}/") for word in command.strip().strip('"').split()]
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "QEFRAME", "COV_"))}
    return subprocess.run(
        [python, *options, *arguments], capture_output=True, text=True, check=False, env=inherited, timeout=600
    )


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Make a bundle without dependencies by the command; return it and what was said."""
    from small_files import sentence_task

    root = tmp_path_factory.mktemp("small")
    sentence_task(root / "task")
    words = ["bundle", SENTENCE, "task", "--out", "out/b.zip", *SMALL, "--title", "Ours", "--end", "2026-08-06 12:00"]
    done = subprocess.run(
        [sys.executable, "-m", "qeframe", *words], cwd=root, capture_output=True, text=True, check=True
    )
    return root / "out/b.zip", done


def test_what_is_said(small):
    _, done = small
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert lines[0] == "qeframe: in the bundle as reference data: en-cs/gold.da, en-de/gold.da"
    assert lines[1].startswith("qeframe: tried with baseline: spearman 0.")
    assert lines[2].startswith("qeframe: written to out/b.zip (")
    assert lines[2].endswith(" MiB, 2 tasks, image ours:1)")


def test_the_bundle_has_the_program_and_the_kit(small):
    with zipfile.ZipFile(small[0]) as archive:
        names = archive.namelist()
        settings = archive.read("competition.yaml").decode()
    assert "scoring_program/packages/qeframe/__init__.py" in names
    assert "scoring_program/packages/qeframe_codabench/scoring.py" in names
    assert not [name for name in names if name.startswith("scoring_program/packages/numpy/")]
    assert [name for name in names if name.startswith("starting_kit/qeframe-")]
    assert 'title: "Ours"\n' in settings
    assert "    end: 2026-08-06 12:00:00\n" in settings


def test_the_program_scores_in_a_plain_tree(small, tmp_path):
    """Its own qeframe is used: the interpreter has no access to the environment but for numpy and the others."""
    app = laid_out(small[0], tmp_path, answers())
    done = score(app, sys.executable)
    assert (done.returncode, done.stderr) == (0, "")
    values = json.loads((app / "output/scores.json").read_text())
    (expected,) = [each.scores for each in qeframe.evaluate(SENTENCE, small[0].parents[1] / "task").submissions
                   if each.name == "team"]  # fmt: skip
    assert {name: values[name] for name in expected} == {k: round(v.value, 4) for k, v in expected.items()}


def test_an_image_without_the_dependencies_is_named(small, tmp_path):
    app = laid_out(small[0], tmp_path, answers())
    done = score(app, sys.executable, "-I", "-S")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("The image has no usable ")
    assert "the organizers name an image that has it" in (app / "output/detailed_results.html").read_text()


def test_an_image_with_another_python_is_named(small, tmp_path):
    app = laid_out(small[0], tmp_path, {})
    settings = json.loads((app / "program/competition.json").read_text())
    (app / "program/competition.json").write_text(json.dumps(settings | {"python": "3.99"}))
    done = score(app, sys.executable, "-I", "-S")
    assert "and the scoring program needs 3.99: the organizers name another docker_image" in done.stderr


def test_the_program_says_how_it_is_used(small, tmp_path):
    app = laid_out(small[0], tmp_path, {})
    done = subprocess.run([sys.executable, app / "program/score.py", "x"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr[:31]) == (2, "usage: score.py INPUT OUTPUT; I")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((SENTENCE, "none"), "none: there is no such folder; check the path"),
        (("wmt23_metrics", "task"), "the overall score of 'wmt23_metrics' depends on the other submissions"),
        ((SENTENCE, "task", "--like", "task/en-de/gold.da"), "task/en-de/gold.da: this is the gold of a task; give"),
        ((SENTENCE, "task", "--logo", "task/en-de/gold.da"), "task/en-de/gold.da: this is no picture in PNG; give"),
        ((SENTENCE, "task", "--terms", "latin.md"), "latin.md:1: not UTF-8: byte 0xe9 at byte 1 of the line; save i"),
        ((SENTENCE, "task", "--logo", "none.png"), "none.png: this is no picture in PNG"),
        ((SENTENCE, "task", "--packages", "none"), "none: there is no such folder"),
        ((SENTENCE, "task", "--end", "1999-01-01", "--start", "2000-01-01"), "the phase ends at 1999-01-01 00:00:00"),
    ],
)
def test_what_is_refused(qeframe_command, sentence_gold, monkeypatch, arguments, message):
    monkeypatch.chdir(sentence_gold.parent)
    sentence_gold.rename("task")
    Path("latin.md").write_bytes(b"\xe9\n")
    done = qeframe_command("bundle", "--out", "b.zip", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(f"qeframe: {message}")
    assert done.stderr.count("\n") == 1
    assert not Path("b.zip").exists()


@pytest.fixture
def shared_data():
    """Return a function that finds real data of the shared tasks, which the project does not ship."""
    root = Path(os.environ.get("QEFRAME_DATA", "shared/data"))

    def find(name: str) -> Path:
        if not (root / name).exists():
            pytest.skip(f"real data '{name}' is not here: set QEFRAME_DATA to the folder that holds it")
        return root / name

    return find


@pytest.mark.slow
def test_official_values_of_2022_come_out_of_the_program_alone(qeframe_command, shared_data, tmp_path):
    """MCC and F1 of the result page, from the bundle in an environment with nothing but Python; then hostile files."""
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    python = str(bare / "bin/python")
    task, bundle = shared_data("wmt22-qe/word"), tmp_path / "b.zip"
    done = qeframe_command("bundle", "wmt22_qe_word", task, "--out", bundle)
    assert done.returncode == 0, done.stderr
    values = {"en_de_mcc": 0.318627, "en_de_f1_bad": 0.335664, "en_de_f1_ok": 0.960024, "en_de_seqcor": 0.358856}
    pairs = ("en-de", "en-cs")
    files = {f"papago/{pair}.txt": (task / pair / "submissions/papago.txt").read_text() for pair in pairs}
    app = laid_out(bundle, tmp_path / "platform", files)
    done = score(app, python)
    assert done.returncode == 0, done.stderr
    found = json.loads((app / "output/scores.json").read_text())
    assert {key: found[key] for key in values} == {key: round(value, 4) for key, value in values.items()}
    assert found["mcc"] == pytest.approx((found["en_de_mcc"] + found["en_cs_mcc"]) / 2, abs=1e-4)
    czech = files["papago/en-cs.txt"]
    lines = czech.splitlines(keepends=True)
    for hostile, line in {
        czech.replace("\tOK\n", "\tMAYBE\n", 1): "papago/en-cs.txt:",
        "": "papago/en-cs.txt: the file is empty",
        "".join(lines[:-40]): "papago/en-cs.txt",
        czech + lines[-1]: "papago/en-cs.txt:",
        czech.replace("\t", " "): "papago/en-cs.txt:4: ",
        "\x00" * 1000: "papago/en-cs.txt",
        files["papago/en-de.txt"]: "papago/en-cs.txt:",
    }.items():
        write(app / "input/res/papago", {"en-cs.txt": hostile})
        done = score(app, python)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert done.stderr.replace("papago/", "").startswith(line.replace("papago/", "")), done.stderr
        assert not (app / "output/scores.json").exists()
    place = app / "input/res/papago/en-cs.txt"
    place.unlink()
    assert score(app, python).stderr.startswith("language pair 'en-cs' is missing: the submission has 1 of 2 language")
    place.symlink_to(app / "input/ref/en-cs/gold.tags")
    assert score(app, python).stderr.endswith("en-cs.txt: this is a link; hand in the file itself\n")
    place.unlink()
    os.mkfifo(place)
    assert "neither a file nor a folder" in score(app, python).stderr


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
    task, bundle = shared_data(f"wmt22-qe/{folder}"), tmp_path / "b.zip"
    done = qeframe_command("bundle", profile, task, "--out", bundle, *SMALL)
    assert done.returncode == 0, done.stderr
    (path,) = [*task.glob(f"submissions/{team}.txt"), *task.glob(f"*/submissions/{team}.txt")]
    app = laid_out(bundle, tmp_path / "platform", {"predictions.txt": path.read_text(encoding="utf-8")})
    done = score(app, sys.executable)
    assert done.returncode == 0, done.stderr
    found = json.loads((app / "output/scores.json").read_text())
    assert {key: found[key] for key in official} == {key: round(value, 4) for key, value in official.items()}


@pytest.mark.slow
def test_official_values_of_metrics(qeframe_command, shared_data, tmp_path):
    task, bundle = shared_data("wmt23-metrics-pairs"), tmp_path / "b.zip"
    names = {"en-de": "XCOMET-Ensemble-refA", "he-en": "XCOMET-Ensemble-refB"}
    files = {f"{p}/{n}.seg.score": (task / f"metric-scores/{p}/{n}.seg.score").read_text() for p, n in names.items()}
    words = ("bundle", "wmt23_metrics_segment", task, "--out", bundle, "--set", "primaries=all", *SMALL)
    done = qeframe_command(*words)
    assert done.returncode == 0, done.stderr
    app = laid_out(bundle, tmp_path / "platform", files)
    done = score(app, sys.executable)
    assert done.returncode == 0, done.stderr
    assert json.loads((app / "output/scores.json").read_text())["en_de_acc_eq"] == pytest.approx(0.604, abs=5e-4)


@pytest.mark.slow
def test_given_packages_take_the_place_of_what_is_installed(qeframe_command, sentence_gold, tmp_path):
    folder = write(tmp_path / "given", {"numpy/__init__.py": "", "scipy/x.so": "1"})
    done = qeframe_command("bundle", SENTENCE, sentence_gold, "--out", tmp_path / "b.zip", "--packages", folder)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert archive.read("scoring_program/packages/scipy/x.so") == b"1"
        assert "scoring_program/packages/attrs/__init__.py" not in archive.namelist()
    shutil.rmtree(folder)
    assert scores("a-b", [1.0]).endswith("a-b\tmodel\t0\t1.0\n")
