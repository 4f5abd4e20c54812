"""The folder of a study of measures: a page with one picture, Markdown, LaTeX, JSON."""

from qeframe.studies import trust_files, trust_from_json
from tests.qeframe.studies.test_views import STUDY


def test_files_of_a_study():
    files = trust_files(STUDY, command="qeframe trust")
    assert set(files) == {"report.html", "trust.json", "trust.md", "trust.png", "trust.svg", "trust.tex"}
    page = files["report.html"].decode()
    assert page.count("data:image/svg+xml") == 1
    assert "qeframe trust" in page
    assert trust_from_json(files["trust.json"].decode()).to_json() == STUDY.to_json()
    assert files["trust.md"].decode().startswith("# A task, en-de")


def test_without_matplotlib_the_page_has_no_picture(monkeypatch):
    monkeypatch.setattr("qeframe.studies.trust_folder.available", lambda: False)
    files = trust_files(STUDY)
    assert "trust.svg" not in files
    assert b"data:image" not in files["report.html"]
