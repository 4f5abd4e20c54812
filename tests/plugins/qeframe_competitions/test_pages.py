"""The public pages: what a participant has, who knows nothing else of the task."""

import re
from pathlib import Path

import attrs
import pytest

from qeframe.cli.shared.demo_files import write_demo
from qeframe_competitions.codabench import Options, bundle_files
from qeframe_competitions.pages import evaluation_page, overview_page, submission_page
from qeframe_competitions.prepare import prepare
from tests.plugins.qeframe_competitions.small_files import MQM, SENTENCE, WORD, write

DATES = {"Evaluation: start": "2026-07-30 12:00 UTC"}


@pytest.fixture
def prepared(registry, sentence_gold):
    return prepare(SENTENCE, sentence_gold, registry, title="Our <b>task</b>", changed=["best=high"])


def test_overview(prepared):
    page = overview_page(prepared, "Words *here*", DATES)
    assert page.startswith("# Our \\<b\\>task\\</b\\>\n\nWords \\*here\\*\n")
    assert "For every segment of all tasks below, your system gives:\n\n* `SCORE`, which is your score" in page
    assert "| `en-cs` | 4 segments | 0 to 3 |\n| `en-de` | 4 segments | 0 to 3 |" in page
    assert "| Evaluation: start | 2026-07-30 12:00 UTC |" in page
    assert "any finite number, with a point.\n\n## Data" in page
    assert "A high value is good." in page


def test_tasks_are_in_the_order_of_the_profile(registry, sentence_gold):
    changed = ["across=weighted", "weights={en-de=1,en-cs=3}", "baselines=[]"]
    pages = prepare("qe_sentence", sentence_gold, registry, changed=["reader=qe_sentence", *changed])
    assert pages.competition.tasks == ("en-de", "en-cs")
    assert "* `en-de.txt`\n* `en-cs.txt`" in submission_page(pages)
    assert "| `en-de` | 0.25 |\n| `en-cs` | 0.75 |" in evaluation_page(pages, pages.competition.columns)


def test_the_dates_are_those_of_the_platform(prepared):
    page = bundle_files(prepared, Options(phase="Test", max_per_day=2), {})["pages/overview.md"].decode()
    assert "| Test: start | at once |\n| Test: end | none is set |\n| Test: submissions | 2 a day, 100 in all |" in page


def test_submission(prepared):
    page = submission_page(prepared)
    assert "* `en-cs.txt`\n* `en-de.txt`" in page
    assert "1. the size of the model on disk, in bytes, such as `2280011066`" in page
    assert "* `SEG` is the number of the segment: its line in the source text, from 0." in page
    assert "```sh\npip install *.whl\nqeframe bundle validate . SUBMISSION.zip\n```" in page
    assert "`qeframe validate profile.toml FILE --like example/en-cs.txt`" in page
    assert "an empty cell, `NaN` and `None` are mistakes" in page
    competition = prepared.competition
    single = attrs.evolve(competition, layout=attrs.evolve(competition.layout, folders=("en-de",)))
    assert "It has one file, of any name." in submission_page(attrs.evolve(prepared, competition=single))
    worst = attrs.evolve(prepared, profile=attrs.evolve(prepared.profile, missing="score_as_worst"))
    assert "gets the worst answer: leave its lines out" in submission_page(worst)


def test_a_shared_folder(registry, metric_gold):
    prepared = prepare("wmt23_metrics_segment", metric_gold, registry, changed=MQM)
    page = submission_page(prepared)
    assert "in the folder `metric-scores`" in page
    assert "* `en-de/my_system-src.seg.score`" in page
    assert "Put the name of your metric in the place of `my_system`." in page
    assert "```text\nA\t0.25\nA\t-0.5\nA\t1.125\nA\t0.25\n...\nC\t1.125\n```" in page


def test_without_a_submission_the_lines_are_generated(registry, tmp_path):
    prepared = prepare(SENTENCE, write(tmp_path / "en-de", {"gold.da": "1\n2\n"}), registry)
    page = submission_page(prepared)
    assert "A file of another task, generated, has these lines" in page
    assert "| `en-de` | as published |  |" in overview_page(prepared, "", DATES)
    assert "| task | weight |" not in evaluation_page(prepared, prepared.competition.columns)


def test_a_format_without_a_description_shows_the_lines_of_a_baseline(registry, tmp_path):
    profile, folder = write_demo("wmt26_task3", tmp_path, 1)
    prepared = prepare(profile, folder, registry)
    assert not prepared.example.of_task
    page = submission_page(prepared)
    assert "Format: a folder of JSON lines" in page
    of_baseline = prepare(profile, folder, registry, changed=[f"baselines=[{prepared.trial}]"])
    assert not of_baseline.example.complete
    assert "of a baseline of the organizers:" in submission_page(of_baseline)
    assert "starting_kit/example" not in submission_page(of_baseline)
    assert not any(name.startswith("starting_kit/example") for name in bundle_files(of_baseline, Options(), {}))


def test_evaluation(prepared):
    competition = prepared.competition
    page = evaluation_page(prepared, competition.columns[:3])
    assert "| spearman | spearman | higher |\n| pearson | pearson | higher |\n| mae | mae | lower |" in page
    assert "`$$\\frac{1}{n} \\sum_{i=1}^{n} \\left| x_i - y_i \\right|$$`" in page
    assert "`$x_i$` is the prediction for unit `$i$`" in page
    assert "| `en-cs` | 0.5 |\n| `en-de` | 0.5 |" in page
    assert "It tests nothing" in page
    assert "two equally good submissions: Williams' test of two correlations with the same gold" in page
    assert "* a difference is significant if its corrected p is at most 0.05" in page
    assert "* ranking: Winners: the best by score and all that it does not significantly outperform" in page
    assert "not shown" not in page
    hidden = attrs.evolve(prepared, competition=attrs.evolve(competition, hidden=True, pseudo_gold="x"))
    page = evaluation_page(hidden, competition.columns)
    assert "Scores are not shown in this phase." in page
    assert "does **not** show agreement with the gold" in page
    untested = attrs.evolve(prepared, ranked_by=attrs.evolve(prepared.ranked_by, test=None))
    assert "differences are not tested" in evaluation_page(untested, competition.columns)


def test_stated_weights(registry, sentence_gold, competition):
    weights = ["across=weighted", "weights={en-cs=3,en-de=1}"]
    prepared = prepare("qe_sentence", sentence_gold, registry, changed=[*weights, "reader=qe_sentence", "baselines=[]"])
    page = evaluation_page(prepared, prepared.competition.columns)
    assert "Mean over tasks with the profile's weights" in page
    assert "| `en-cs` | 0.75 |\n| `en-de` | 0.25 |" in page


def written_out(page: str) -> dict[str, str]:
    """Return the files of the example on a page; "..." stands for the lines whose numbers lie between.

    Of every line the last number that a neighbor lacks is counted up; the answers repeat.
    """
    files = {}
    for name, count, text in re.findall(r"`([^`\n]+)`, ([\d,]+) lines in all:\n\n```text\n(.*?)```", page, re.DOTALL):
        lines = text.splitlines()
        at = lines.index("...")
        last = lines.pop()
        lines.pop()
        shown = [line.split("\t") for line in lines[3:]]
        while len(lines) < int(count.replace(",", "")) - 1:
            nth = len(lines) - 3
            cells = [*shown[0][:2], str(nth), shown[nth % 3][3]]
            lines.append("\t".join(cells))
        assert at == 7
        files[name] = "\n".join([*lines, last]) + "\n"
    return files


@pytest.fixture
def larger_gold(tmp_path):
    """Return a gold of 40 segments of two language pairs, with one submission beside it."""
    files = {}
    for pair in ("en-de", "en-cs"):
        numbers = range(40)
        files[f"{pair}/gold.da"] = "".join(f"{(7 * n) % 11 - 5}\n" for n in numbers)
        rows = "".join(f"{pair}\tsecret\t{n}\t{(5 * n) % 13}.5\n" for n in numbers)
        files[f"{pair}/submissions/secret.txt"] = f"9\n8\n7\n{rows}"
    return write(tmp_path / "larger", files)


def test_the_example_on_the_page_becomes_a_submission(qeframe_command, registry, larger_gold, competition, tmp_path):
    """What a reader of the page writes is valid for `validate` by the rules of the kit, and for the platform."""
    platform = competition(SENTENCE, larger_gold)
    files = bundle_files(prepare(SENTENCE, larger_gold, registry), Options(), {})
    page = files["pages/submission.md"].decode()
    assert "secret" not in page
    submission = written_out(page)
    assert set(submission) == {"en-cs.txt", "en-de.txt"}
    assert {name: text.encode() for name, text in submission.items()} == {
        name: files[f"starting_kit/example/{name}"] for name in submission
    }
    rules = tmp_path / "profile.toml"
    rules.write_bytes(files["starting_kit/profile.toml"])
    write(tmp_path / "mine", submission)
    for name in submission:
        checked = qeframe_command("validate", rules, tmp_path / "mine" / name)
        assert (checked.status, checked.err) == (0, "")
    assert platform.score(submission) == 0
    assert (platform.output / "scores.json").is_file()


def test_the_example_of_words_keeps_the_words(registry, word_gold, competition):
    files = bundle_files(prepare(WORD, word_gold, registry, like=word_gold / "en-de/mt_tok"), Options(), {})
    assert "value is good" not in files["pages/overview.md"].decode(), "tags have no direction"
    example = files["starting_kit/example/en-de.txt"].decode()
    assert example.splitlines()[3:5] == ["en-de\tmy_system\tmt\t0\t0\tw0\tOK", "en-de\tmy_system\tmt\t0\t1\tw1\tBAD"]
    assert files["starting_kit/input/en-de.txt"] == (word_gold / "en-de/mt_tok").read_bytes()
    platform = competition(WORD, word_gold)
    assert platform.score({"en-de.txt": example}) == 0


def test_the_details_page_has_the_weight_of_each_task(sentence_gold, competition):
    platform = competition("qe_sentence", sentence_gold, changed=["across=weighted", "weights={en-cs=3,en-de=1}",
                           "reader=qe_sentence", "baselines=[]"])  # fmt: skip
    given = {
        f"{pair}.txt": (Path(sentence_gold) / pair / "submissions/team.txt").read_text() for pair in ("en-cs", "en-de")
    }
    assert platform.score(given) == 0
    assert "<th" in platform.page
    assert re.search(r">weight<.*>0\.75<.*>0\.25<", platform.page, re.DOTALL)
