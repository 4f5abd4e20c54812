"""The example of a submission has no answer of a real one, and shows its lines in short."""

import pytest

from qeframe.plugin import DataError
from qeframe.plugin.readers import LineFormat, Reader
from qeframe_competitions.example import Example, generated, replaced_answers


@pytest.fixture
def lines():
    return LineFormat(
        columns={"SYSTEM": "", "SEGMENT": "", "SCORE": ""}, answers={"SCORE": ("0.25", "-0.5")}, author=("SYSTEM",)
    )


def test_answers_and_the_name_are_replaced(lines):
    made = replaced_answers({"en-de/team-src.tsv": b"team\t1\t.9\nteam\t2\t.8\nteam\t3\t.7\n"}, lines, "team-src")
    assert made.files == {"en-de/my_system-src.tsv": b"my_system\t1\t0.25\nmy_system\t2\t-0.5\nmy_system\t3\t0.25\n"}
    assert made.of_task
    assert made.complete


def test_lines_of_another_form_are_refused(lines):
    with pytest.raises(DataError, match="4 columns, 3 are described"):
        replaced_answers({"x": b"a\tb\tc\td\n"}, lines, "a")
    with pytest.raises(DataError, match="this is no text"):
        replaced_answers({"x": b"\xff\n"}, lines, "a")


def test_an_excerpt_has_the_first_lines_and_the_last():
    example = Example(files={"x": "".join(f"{number}\n" for number in range(9)).encode()})
    assert example.excerpt("x", 1) == (["0", "1", "2", "3", "4", "...", "8"], 9)
    assert example.excerpt("x", 4) == ([str(number) for number in range(9)], 9)


def test_a_submission_to_a_generated_task(registry):
    made = generated(registry.get(Reader, "qe_plain"))
    assert len(made.files) == 1
    assert not made.of_task


def test_without_a_generated_task_lines_are_made_of_their_description(registry):
    made = generated(registry.get(Reader, "qe_sentence(header_lines=1)"))
    lines = ["2280011066", *(f"LP\tmy_system\tSEG\t{score}" for score in ("0.25", "-0.5", "1.125", "0.25"))]
    assert {name: content.decode().splitlines() for name, content in made.files.items()} == {"my_system.txt": lines}
    assert not made.of_task
    assert generated(registry.get(Reader, "graham_table")) is None
