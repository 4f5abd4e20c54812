"""Templates: what is escaped, and what a page may load and run."""

import base64
import hashlib
import json
import re

import pytest
from markupsafe import Markup

from qeframe.report.html.markup import breakable, embedded_json, render

EVIL = ["</script><script>alert(1)</script>", "<!--", "]]>", "\u2028", '"', "&lt;"]


def page(**more):
    given = dict.fromkeys(("introduction", "command"), "")
    lists = dict.fromkeys(("tables", "figures", "notes", "warnings", "listed"), ())
    return render("tables.html.jinja", **{"title": "T", "version": "1", **given, **lists, **more})


@pytest.mark.parametrize("evil", EVIL)
def test_json_in_a_page_reads_back_and_ends_nothing(evil):
    text = embedded_json({evil: [evil]})
    assert json.loads(text) == {evil: [evil]}
    assert not set("<>&\u2028\u2029") & set(text)


def test_texts_are_escaped_in_every_place():
    evil = "<img src=x onerror=alert(1)>"
    text = page(title=evil, introduction=evil, notes=[evil], warnings=[evil], listed=[evil], command=evil)
    assert "<img" not in text
    assert text.count("&lt;img") == 7


def test_the_policy_allows_the_scripts_and_the_style_of_the_page_and_nothing_else():
    text = page()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy.startswith("default-src &#39;none&#39;")
    hashes = set(re.findall(r"sha256-[\w+/=]+", policy))
    inside = re.findall(r"<(?:script|style)>(.*?)</(?:script|style)>", text, re.DOTALL)
    assert len(inside) == 3
    made = {"sha256-" + base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in inside}
    assert made == hashes


def test_a_page_names_no_other_file_or_server():
    text = page()
    assert not re.findall(r"https?:|//[a-z]|@import|url\(|src=", text)
    assert " style=" not in text
    assert not re.findall(r"\son\w+=", text)


def test_names_in_headings_break_after_underscores():
    assert breakable("a_b <c>") == Markup("a_<wbr>b &lt;c&gt;")
    assert breakable("OrganizersBaseline XCOMET") == Markup("Organizers<wbr>Baseline XCOMET")
    assert breakable("docWMT22CometKiwiDA") == Markup("docWMT22<wbr>Comet<wbr>KiwiDA")
    assert breakable("a\u202eb") == "a\\u202eb"
