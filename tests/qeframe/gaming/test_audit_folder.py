"""The page and the folder of an audit."""

import json
import sys

import attrs
import pytest

import qeframe
from qeframe.core.errors import DataError
from qeframe.gaming.audit import FORMAT, Audit, AuditedMetric
from qeframe.gaming.audit_folder import audit_html, audit_page, audit_schema, write_audit
from qeframe.gaming.indices import Attacked
from qeframe.gaming.search import Searched
from qeframe.gaming.winner import Gains
from tests.schema import check_schema


def test_the_page_has_all_parts_in_order(audit):
    page = audit_page(audit, command="qeframe audit weak")
    headings = [line for line in page.splitlines() if line.startswith("#")]
    assert headings == [
        "# Which metrics can you trust?",
        "## Gaming indices of weak and 1 more",
        "## Gaming indices of other",
        "## Claims",
        "## Counterexamples",
    ]
    assert "<!-- made by: qeframe audit weak -->" in page
    assert "\n- `weak is not constant_proof (CLAIMED): 0.3 > 0 [n 3]. So.`\n" in page
    assert "made by" not in audit_page(audit)


def test_one_metric_has_the_table_of_its_attacks(audit):
    page = audit_page(attrs.evolve(audit, metrics=audit.metrics[1:2]))
    assert "## safe: gaming index 0.000" in page
    assert "Counterexamples" not in page


def test_files_and_figures(audit, tmp_path):
    pytest.importorskip("matplotlib")
    report = write_audit(audit, tmp_path / "new" / "out", command="qeframe audit weak", figures="svg")
    assert {path.name for path in report.paths} == {"report.html", "audit.md", "audit.json", "audit.svg"}
    assert all(path.is_file() for path in report.paths)
    folder = tmp_path / "new" / "out"
    assert (folder / "audit.json").read_text() == audit.to_json()
    assert (folder / "audit.md").read_text() == audit_page(audit, command="qeframe audit weak")


def test_without_matplotlib_only_the_figures_are_missing(audit, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    report = write_audit(audit, tmp_path, figures="png")
    files = [".qeframe.json", "audit.json", "audit.md", "report.html"]
    assert sorted(path.name for path in tmp_path.iterdir()) == files
    (note,) = report.notes
    assert 'pip install "qeframe[report]"' in note


def test_a_file_is_no_folder(audit, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError):
        write_audit(audit, tmp_path / "file")


def test_gains_have_pages_also_where_no_attack_fits(tmp_path):
    gains = Gains(gold={"sets": {}, "seed": 0}, gains=())
    report = write_audit(gains, tmp_path, command="qeframe audit", figures="svg")
    assert {path.name for path in report.paths} == {"report.html", "gains.md", "gains.json"}
    page = (tmp_path / "gains.md").read_text()
    assert page.startswith("# What could each submission gain?\n\n<!-- made by: qeframe audit -->\n\nWhat would")
    assert (tmp_path / "report.html").read_text() == audit_html(gains, command="qeframe audit")


def test_the_page_of_html_has_the_tables_and_the_counterexamples(audit, tmp_path):
    page = audit_html(audit, command="qeframe audit weak")
    assert "<h1>Gaming audit</h1>" in page
    assert "weak is not constant_proof (CLAIMED): 0.3 &gt; 0 [n 3]. So." in page
    assert "qeframe audit weak" in page
    assert "Gaming audit of safe" in audit_html(attrs.evolve(audit, metrics=audit.metrics[1:2]))
    assert write_audit(audit, tmp_path).notes == ()
    assert (tmp_path / "report.html").read_text() == audit_html(audit)


def test_the_schema_names_every_key():
    schema = audit_schema()
    assert schema["properties"]["format"]["const"] == FORMAT
    assert schema["properties"].keys() - {"format"} == {field.name for field in attrs.fields(Audit)}
    for kind in (AuditedMetric, Attacked, Searched):
        assert schema["$defs"][kind.__name__]["properties"].keys() == {field.name for field in attrs.fields(kind)}


def test_audits_keep_the_schema(audit, monkeypatch):
    check_schema(json.loads(audit.to_json()), "audit")
    monkeypatch.setattr("qeframe.gaming.audit._TRIES", 2)
    found = qeframe.audit("mae", [0.1, 0.5, 0.4, 0.9, 0.3, 0.7] * 4, attacks=["constant_median"])
    assert found.metrics[0].counterexamples
    check_schema(json.loads(found.to_json()), "audit")
    with pytest.raises(AssertionError, match=r"\$.format"):
        check_schema(json.loads(audit.to_json()) | {"format": 2}, "audit")
