"""A submission checked before it is handed in: whatever the platform refuses is refused without the gold, too."""

import os
import shutil
import zipfile
from pathlib import Path

import pytest

from qeframe_competitions.prepare import prepare
from tests.plugins.qeframe_competitions.small_files import (
    MQM,
    SENTENCE,
    WORD,
    Platform,
    answers,
    lay_out,
    metric_task,
    scores,
    sentence_task,
    word_task,
    words,
    write,
)

TEAM = answers()
WORDS = {"en-de.txt": words("en-de", ["BAD BAD OK", "OK BAD"])}


def grid(systems: str, segments: int) -> str:
    return "".join(f"{name}\t{n / 2}\n" for name in systems for n in range(segments))


METRIC = {"en-de/Own-src.seg.score": grid("ABC", 4)}
CS = TEAM["en-cs.txt"]

OF_FILES = {
    "empty": (SENTENCE, {**TEAM, "en-cs.txt": ""}),
    "no number": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("0.1", "high")}),
    "a decimal comma": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("0.1", "0,1")}),
    "NaN": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("0.1", "NaN")}),
    "infinite": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("0.1", "inf")}),
    "an empty cell": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("0.1", "")}),
    "no header": (SENTENCE, {**TEAM, "en-cs.txt": CS.split("\n", 3)[3]}),
    "a line of names": (SENTENCE, {**TEAM, "en-cs.txt": f"LP\tMETHOD\tSEG\tSCORE\n{CS}"}),
    "blanks for tabs": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("\t", " ")}),
    "a column less": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("\tmodel", "")}),
    "a segment is missing": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("en-cs\tmodel\t3\t0.4\n", "")}),
    "a segment too many": (SENTENCE, {**TEAM, "en-cs.txt": CS + "en-cs\tmodel\t4\t0.4\n"}),
    "a segment twice": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("\t3\t", "\t2\t")}),
    "numbered from 1": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("\t0\t", "\t4\t")}),
    "another pair": (SENTENCE, {**TEAM, "en-cs.txt": scores("en-de", [1, 2, 3, 4])}),
    "two systems": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("model\t3", "other\t3")}),
    "a constant": (SENTENCE, {**TEAM, "en-cs.txt": scores("en-cs", [1, 1, 1, 1])}),
    "control characters": (SENTENCE, {**TEAM, "en-cs.txt": "\x1b[31m\n"}),
    "the tags of words": (SENTENCE, {**TEAM, "en-cs.txt": words("en-cs", ["OK BAD", "OK"])}),
    "an unknown tag": (WORD, {"en-de.txt": WORDS["en-de.txt"].replace("BAD", "WRONG", 1)}),
    "a word less": (WORD, {"en-de.txt": words("en-de", ["BAD BAD", "OK BAD"])}),
    "a word too many": (WORD, {"en-de.txt": words("en-de", ["BAD BAD OK OK", "OK BAD"])}),
    "a sentence less": (WORD, {"en-de.txt": words("en-de", ["BAD BAD OK"])}),
    "another word": (WORD, {"en-de.txt": WORDS["en-de.txt"].replace("w1", "v1", 1)}),
    "a constant metric": ("pearson", {"en-de/Own-src.seg.score": "".join(f"{name}\t1\n" * 4 for name in "ABC")}),
    "a system less": ("metric", {"en-de/Own-src.seg.score": grid("AB", 4)}),
    "a segment less": ("metric", {"en-de/Own-src.seg.score": grid("ABC", 3)}),
}  # fmt: skip
"""Submissions with a mistake in one file: the rules of the task, and the files."""

OF_ARCHIVES = {
    "a task is missing": (SENTENCE, {"en-de.txt": TEAM["en-de.txt"]}),
    "two files for a task": (SENTENCE, {**TEAM, "en-cs.tsv": CS}),
    "no file": (SENTENCE, {".hidden": "x"}),
    "too many folders": (SENTENCE, {**{f"{'d/' * 9}{name}": text for name, text in TEAM.items()}}),
    "a pair of a metric is missing": ("metric", {"he-en/Own-src.seg.score": METRIC["en-de/Own-src.seg.score"]}),
    "two metrics": ("metric", {**METRIC, "en-de/Two-src.seg.score": METRIC["en-de/Own-src.seg.score"]}),
    "the name of a file": ("metric", {"en-de/Öwn-src.seg.score": METRIC["en-de/Own-src.seg.score"]}),
}
"""Submissions whose mistake is in what files there are."""

RIGHT = {
    "scores": (SENTENCE, TEAM),
    "in a folder": (SENTENCE, {f"out/{name}": text for name, text in TEAM.items()}),
    "tags": (WORD, WORDS),
    "all words are OK": (WORD, {"en-de.txt": words("en-de", ["OK OK OK", "OK OK"])}),
    "a metric": ("metric", METRIC),
    "a constant metric that has a score": (
        "metric",
        {"en-de/Own-src.seg.score": "".join(f"{name}\t1\n" * 4 for name in "ABC")},
    ),
}


@pytest.fixture(scope="module")
def made(registry, tmp_path_factory):
    """Return the folder with the files of each competition, by profile."""
    folders = {}
    for name, gold in {SENTENCE: sentence_task, WORD: word_task, "metric": metric_task, "pearson": metric_task}.items():
        profile = "wmt23_metrics_segment" if gold is metric_task else name
        changed = [*(MQM if gold is metric_task else ()), *(["primary=segment_pearson"] if name == "pearson" else ())]
        folders[name] = tmp_path_factory.mktemp("made")
        prepared = prepare(profile, gold(folders[name] / "gold"), registry, changed=changed)
        lay_out(prepared, folders[name])
    return folders


@pytest.fixture
def task(made):
    """Return a function from the name of a profile to the platform and the starting kit of its competition."""

    def give(name: str) -> tuple[Platform, Path]:
        platform = Platform(made[name])
        shutil.rmtree(platform.results, ignore_errors=True)
        return platform, made[name] / "kit"

    return give


def zipped(folder: Path) -> Path:
    archive = folder.with_suffix(".zip")
    with zipfile.ZipFile(archive, "w") as written:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                written.write(path, path.relative_to(folder).as_posix())
    return archive


@pytest.mark.parametrize("name", [*OF_FILES, *OF_ARCHIVES])
def test_what_the_platform_refuses_is_refused_before(qeframe_command, task, tmp_path, name, capsys):
    profile, files = {**OF_FILES, **OF_ARCHIVES}[name]
    platform, kit = task(profile)
    assert platform.score(files) == 2
    of_platform = capsys.readouterr().err.strip()
    assert of_platform
    for given in (platform.results, zipped(platform.results)):
        checked = qeframe_command("bundle", "validate", kit, given)
        assert checked.status == 2
        assert len(checked.err.splitlines()) == 1
    if name not in OF_FILES:
        assert checked.err.removeprefix("qeframe: ").strip() == of_platform or profile == "metric"
        return
    example = {path.relative_to(kit / "example").as_posix(): path for path in (kit / "example").rglob("*")}
    refused = []
    for file, text in files.items():
        like = example.get(file, next(path for path in example.values() if path.is_file()))
        write(tmp_path / "alone", {file: text})
        refused.append(
            qeframe_command("validate", kit / "profile.toml", tmp_path / "alone" / file, "--like", like).status
        )
    assert 2 in refused


def test_the_kit_may_be_the_folder_in_which_one_is(qeframe_command, task, monkeypatch):
    platform, kit = task(SENTENCE)
    platform.score({"en-cs.txt": "1\n1\n1\nen-cs\tx\tzero\t0.5\n", "en-de.txt": "1\n"})
    apart = qeframe_command("bundle", "validate", kit, platform.results).err
    monkeypatch.chdir(kit)
    assert qeframe_command("bundle", "validate", ".", platform.results).err == apart
    assert ".txt" in apart


@pytest.mark.parametrize("name", RIGHT)
def test_what_the_platform_takes_is_valid(qeframe_command, task, name):
    profile, files = RIGHT[name]
    platform, kit = task(profile)
    assert platform.score(files) == 0
    for given in (platform.results, zipped(platform.results)):
        checked = qeframe_command("bundle", "validate", kit, given)
        assert (checked.status, checked.err) == (0, "")
    assert qeframe_command("bundle", "validate", kit, kit / "example").status == 0


def test_a_link_is_refused_in_a_folder_and_in_an_archive(refused, task, tmp_path):
    _, kit = task(SENTENCE)
    folder = write(tmp_path / "mine", {"en-de.txt": TEAM["en-de.txt"]})
    os.symlink("/etc/hostname", folder / "en-cs.txt")
    assert refused("bundle", "validate", kit, folder).startswith("en-cs.txt: this is a link")
    entry = zipfile.ZipInfo("en-cs.txt")
    entry.create_system, entry.external_attr = 3, 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as archive:
        archive.writestr(entry, "/etc/hostname")
    assert refused("bundle", "validate", kit, tmp_path / "link.zip").startswith("en-cs.txt: this is a link")


def test_what_is_no_archive_and_no_kit(refused, task, tmp_path):
    _, kit = task(SENTENCE)
    write(tmp_path, {"x.zip": "no archive"})
    assert "x.zip is no zip archive: File is not a zip file" in refused("bundle", "validate", kit, tmp_path / "x.zip")
    assert "competition.json" in refused("bundle", "validate", tmp_path, tmp_path / "x.zip")


def test_missing_segments_may_be_left_out_where_the_worst_answer_is_filled_in(
    registry, qeframe_command, sentence_gold, tmp_path
):
    prepared = prepare(SENTENCE, sentence_gold, registry, changed=["missing=score_as_worst"])
    lay_out(prepared, tmp_path)
    short = write(tmp_path / "mine", {**TEAM, "en-cs.txt": scores("en-cs", [1, 2, 3])})
    assert qeframe_command("bundle", "validate", tmp_path / "kit", short).status == 0
    other = write(tmp_path / "other", {**TEAM, "en-cs.txt": scores("en-de", [1, 2, 3])})
    assert qeframe_command("bundle", "validate", tmp_path / "kit", other).status == 2
