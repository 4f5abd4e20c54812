"""Whole runs on tasks and rules that are drawn: each ends well or is refused in one line, and all its outputs agree."""

import json
import os
import re
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings

import qeframe
from qeframe.core import loader
from qeframe.core.reader import Reader
from qeframe.kinds.registered import registered_kinds
from qeframe.plugin import Scores, hookimpl
from tests.fuzz.verdicts import outcome_of
from tests.runs.agreement import FILES_WITH_OPTIONS, contents, disagreements
from tests.runs.random_tasks import WholeTask, whole_tasks
from tests.runs.ways import UNFORESEEN

EXAMPLES = int(os.environ.get("QEFRAME_RANDOM_TASKS", "12"))
"""How many tasks are drawn: few here, 500 by hand after a change of what a run writes."""


@pytest.fixture(scope="module")
def registry():
    """Return the registry with a reader whose tasks are given."""
    reader = Reader(name="drawn", summary="Tasks that are drawn.", kind=Scores, read=lambda _path, _best: [])
    plugin = SimpleNamespace(qeframe_readers=hookimpl(lambda: [reader]))
    return loader.load(extra={"drawn": plugin})


def test_every_run_ends_well(registry, monkeypatch):
    monkeypatch.setattr(loader, "_load_once", lambda _blocked: registry)

    kinds = [kind for kind in registered_kinds() if kind.batch.__module__.startswith("qeframe.")]  # none of other tests

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), report_multiple_bugs=False)
    @given(whole_tasks(registry, kinds))
    def check(whole: WholeTask):
        monkeypatch.setattr(qeframe, "read_tasks", lambda *_, **__: list(whole.tasks), raising=False)
        with tempfile.TemporaryDirectory() as folder:
            check_run(whole, Path(folder))

    check()


def check_run(whole: WholeTask, folder: Path) -> None:
    profile, out = folder / "drawn.toml", folder / "out"
    profile.write_text(whole.profile, encoding="utf-8")
    words = ["run", str(profile), str(folder), *whole.options]
    printed = outcome_of([*words, "--out", str(out)], seconds=300)
    assert not any(word in printed.err for word in UNFORESEEN), printed.err
    if printed.status == 2:
        said = re.sub(r"qeframe: (drawing|computing), [^\n]+\n", "", printed.err)  # on a busy machine
        assert re.fullmatch(r"(qeframe: warning: [^\n]+\n)*qeframe: [^\n]+\n", said), printed.err
        assert printed.out == ""
        assert not out.exists()
        return
    assert printed.status == 0, printed
    wrong = disagreements("", out, parts=False)
    assert [each for each in wrong if each.removesuffix(" is not promised") not in FILES_WITH_OPTIONS] == []
    files = contents(out)
    evaluation = json.loads(files["evaluation.json"])
    for submission in evaluation["submissions"]:
        check_name(submission["name"], printed.out, Texts(files["report.html"].decode()))
    assert outcome_of([*words, "--json"], seconds=300).out.encode() == files["evaluation.json"]
    assert outcome_of(["report", str(out)], seconds=300).status == 0
    assert contents(out) == files


class Texts(HTMLParser):
    """The texts of a page, and the elements that names could have brought in."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.tags, self.inside = "", set(), ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.inside = tag
        self.tags.add(tag)

    def handle_data(self, data):
        self.text += data if self.inside not in {"script", "style"} else ""
        assert self.inside != "script" or not data.startswith("alert")


def check_name(name: str, terminal: str, page: Texts) -> None:
    """Check that a name is shown by the terminal and on the page, as a text and not as elements."""
    assert page.tags.isdisjoint({"blink", "marquee"})
    for word in name.split():
        if word.isprintable():
            assert word in terminal
            assert word in page.text
