import pytest

from qeframe.core.errors import DataError
from qeframe.plugin.readers import read_text_lines
from qeframe_preferences.json_lines import BEYOND, JsonLines


def lines_of(tmp_path, text):
    path = tmp_path / "file.jsonl"
    path.write_text(text, encoding="utf-8")
    return JsonLines.parse(read_text_lines(path, texts=True))


def test_values_by_path(tmp_path):
    lines = lines_of(tmp_path, '{"a": {"b": [{"c": 1}, null]}, "0": 2}\n')
    assert lines.value(0, "a.b.0.c") == 1
    assert lines.value(0, "a.b.1.c") is None
    assert lines.value(0, "a.b.2") is BEYOND
    assert lines.value(0, "0") == 2
    assert lines.has(0, "a.x")
    assert not lines.has(0, "b")


def test_texts_names_and_numbers(tmp_path):
    lines = lines_of(tmp_path, '{"text": "x\\u2028", "name": 7, "number": 2, "yes": true, "long": 1e200}\n')
    assert lines.text(0, "text") == "x\u2028"
    assert lines.name(0, "name") == "7"
    assert lines.number(0, "number") == 2.0
    for read, path, message in (
        (lines.text, "number", "'number' is 2, not text"),
        (lines.name, "text", "not a name"),
        (lines.name, "yes", "'yes' is true, not text"),
        (lines.number, "yes", "'yes' is true, not a number"),
        (lines.number, "text", "not a number"),
        (lines.number, "long", "too large"),
    ):
        with pytest.raises(DataError, match=message):
            read(0, path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}\n{\n", r"file.jsonl:2: not JSON: .* at column 2"),
        ("{}\n\n{}\n", "file.jsonl:2: an empty line"),
        ("[1]\n", r"file.jsonl:1: \[1\] is no JSON object"),
        ('{"a": 1, "a": 2}\n', "the key 'a' is written twice"),
        ('{"a": NaN}\n', "NaN is no number of JSON"),
        ('{"a": ' + "[" * 100_000 + "\n", "nested too deeply|not JSON"),
        ('{"a": ' + "9" * 5000 + "}\n", "a number with too many digits"),
        ("{} {}\n", "not JSON: Extra data"),
    ],
)
def test_bad_lines(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        lines_of(tmp_path, text)


def test_a_missing_key_names_those_that_are_there(tmp_path):
    lines = lines_of(tmp_path, '{"a": {"b": 1}}\n')
    with pytest.raises(DataError, match=r"there is no value 'a.c'; add 'c', .*its keys are b"):
        lines.value(0, "a.c")
    with pytest.raises(DataError, match=r"there is no value 'a.b.c'"):
        lines.value(0, "a.b.c")
