"""Language pairs in several spellings, and files of different ones in a task."""

from pathlib import Path

import pytest

from qeframe.core.errors import DataError
from qeframe.core.tasks.task import is_pair
from qeframe.data.folders import TaskFolder
from qeframe.data.language_pairs import check_pairs, language_code, pair_code
from qeframe.data.text_lines import TextFile


@pytest.mark.parametrize(
    ("name", "code"),
    [("cs", "cs"), ("cz", "cs"), ("CES", "cs"), (" Czech ", "cs"), ("esn", "es"), ("Khmer", "khmer"), ("", "")],
)
def test_codes_of_languages(name: str, code: str) -> None:
    assert language_code(name) == code


@pytest.mark.parametrize("pair", ["cs-en", "cz-en", "Czech-English", "ces-eng"])
def test_codes_of_language_pairs(pair: str) -> None:
    assert pair_code(pair) == "cs-en"


def check(folder: str, *pairs: str) -> None:
    files = [TextFile(Path(f"{folder}/{name}"), ("",), "") for name in "abc"[: len(pairs)]]
    check_pairs(files, pairs, TaskFolder(folder, Path(folder), Path("gold"), ()), line=4)


@pytest.mark.parametrize("folder", ["en-de", "EN-de", "task1"])
def test_one_language_pair(folder: str) -> None:
    check(folder, "en-de", "en-de")


@pytest.mark.parametrize(
    ("folder", "pairs", "message"),
    [
        (
            "en-de",
            ["en-cs"],
            "en-de/a:4: LP 'en-cs' in a folder named en-de; write en-de as LP in every line, or "
            "move the file to the folder of its language pair, or rename the folder",
        ),
        (
            "task1",
            ["en-de", "en-cs", "en-de"],
            "task1/b:4: LP 'en-cs', but 'en-de' in task1/a; a task has one language pair, move the file to its own",
        ),
    ],
)
def test_another_language_pair(folder: str, pairs: list[str], message: str) -> None:
    with pytest.raises(DataError) as caught:
        check(folder, *pairs)
    assert str(caught.value) == message


def test_the_form_of_a_language_pair() -> None:
    assert all(map(is_pair, ("cs-en", "en-zh_CN", "en-sr_Cyrl_RS", "en-bho_IN")))
    assert not any(map(is_pair, ("", "task", "my-task-1", "wmt-2014", "/tmp/cs-en")))
