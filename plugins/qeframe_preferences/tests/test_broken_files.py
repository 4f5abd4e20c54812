"""Broken files of pairs and of judges: each is refused in one line that says what is wrong, or read as before."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

import qeframe
from qeframe.plugin import DataError

Record = dict[str, Any]
_PAIRS = 8


@frozen
class LineBreakage:
    """One way in which a file of a task is broken.

    Parameters
    ----------
    name : str
    file : str
        The path of the file below the folder of the task.
    edit : callable
        From the bytes of the file to broken ones.
    says : str
        A part of the refusal; empty if the file is as good as before.
    line : int
        The line that the refusal must name; 0 for none.
    """

    name: str
    file: str
    edit: Callable[[bytes], bytes]
    says: str
    line: int = 0

    def apply(self, folder: Path) -> None:
        """Break the file of the task in a folder."""
        path = folder / self.file
        path.write_bytes(self.edit(path.read_bytes()))


def _lines(records: list[Record]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _decided() -> dict[str, str]:
    words = ("A>B", "B>A")
    pairs: list[Record] = [
        {
            "pair_id": f"p{i}",
            "source": ("code", "chat")[i % 2],
            "response_A": "ä" * i,
            "response_B": "b",
            "label": words[i % 3 % 2],
        }
        for i in range(_PAIRS)
    ]

    def judge(shift: int) -> str:
        shown = [{"decision": words[(i + shift) // 2 % 2]} for i in range(_PAIRS)]
        swapped = [{"decision": words[(i + shift + 3) // 2 % 2]} for i in range(_PAIRS)]
        both = zip(pairs, shown, swapped, strict=True)
        return _lines([{"pair_id": pair["pair_id"], "judgments": [one, other]} for pair, one, other in both])

    return {"gold.jsonl": _lines(pairs), "submissions/one.jsonl": judge(0), "submissions/two.jsonl": judge(1)}


def _scored() -> dict[str, str]:
    pairs = [
        {"id": i, "subset": ("math-prm", "hep-go")[i % 2], "chosen": "x" * i, "rejected": "y"} for i in range(_PAIRS)
    ]
    files = {"gold.jsonl": _lines(pairs)}
    for name, shift in (("one", 1), ("two", 3)):
        scores = [{"id": i, "scores_chosen": i * shift % 5 / 2, "scores_rejected": 0.75} for i in range(_PAIRS)]
        files[f"submissions/{name}.jsonl"] = _lines(scores)
    return files


def _on_line(name: str, file: str, line: int, change: Callable[[str], str], says: str) -> LineBreakage:
    def edit(old: bytes) -> bytes:
        lines = old.decode().splitlines()
        lines[line - 1] = change(lines[line - 1])
        return "".join(f"{each}\n" for each in lines).encode("utf-8", "surrogatepass")

    return LineBreakage(f"{name} in {file}", file, edit, says, line if says else 0)


def _with(name: str, file: str, line: int, says: str, **values: Any) -> LineBreakage:
    """Return a breakage that sets values of an object."""
    return _on_line(name, file, line, lambda old: json.dumps(json.loads(old) | values), says)


def _without(key: str, file: str, line: int) -> LineBreakage:
    def change(old: str) -> str:
        return json.dumps({name: value for name, value in json.loads(old).items() if name != key})

    return _on_line(f"no {key}", file, line, change, f"there is no value '{key}")


def _of_any_file(file: str) -> Iterator[LineBreakage]:
    """Break the encoding, the lines and the JSON."""
    yield LineBreakage(f"a BOM at the start of {file}", file, lambda old: b"\xef\xbb\xbf" + old, "")
    yield LineBreakage(f"CRLF in {file}", file, lambda old: old.replace(b"\n", b"\r\n"), "")
    yield LineBreakage(f"no final line end in {file}", file, lambda old: old.rstrip(b"\n"), "")
    yield _on_line("another order of keys", file, 2, lambda old: json.dumps(dict([*json.loads(old).items()][::-1])), "")
    yield _with("a column more", file, 3, "", anything={"nested": [1, None]})
    yield LineBreakage(f"empty: {file}", file, lambda old: b"", "the file is empty")
    yield LineBreakage(f"UTF-16: {file}", file, lambda old: old.decode().encode("utf-16"), "in UTF-16")
    yield LineBreakage(f"one array: {file}", file, lambda old: b"[" + old.replace(b"\n", b",") + b"]\n", "not JSON", 0)
    yield LineBreakage(f"one list: {file}", file, lambda old: b"[1, 2]\n", "[1, 2] is no JSON object", 1)
    yield _on_line("an empty line", file, 4, lambda old: "", "an empty line")
    yield _on_line("half a line", file, 3, lambda old: old[: len(old) // 2], "not JSON")
    yield _on_line("two objects", file, 3, lambda old: f"{old} {old}", "not JSON: Extra data")
    yield _on_line("a comment", file, 2, lambda old: f"{old} // judged twice", "not JSON")
    yield _on_line("a conflict marker", file, 5, lambda old: "<<<<<<< HEAD", "not JSON")
    yield _on_line("single quotes", file, 5, lambda old: old.replace('"', "'"), "not JSON")
    yield _on_line(
        "a deep list", file, 2, lambda old: '{"x": ' + "[" * 99_999 + "]" * 99_999 + "}", "nested too deeply"
    )
    yield _on_line("a number without end", file, 2, lambda old: f'{{"x": {"9" * 9_999}, {old[1:]}', "too many digits")
    yield _on_line("NaN", file, 2, lambda old: f'{{"x": NaN, {old[1:]}', "NaN is no number of JSON")
    yield _on_line("Infinity", file, 2, lambda old: f'{{"x": -Infinity, {old[1:]}', "-Infinity is no number")
    yield _on_line("a key twice", file, 6, lambda old: f"{{{old[1:-1]}, {old[1:]}", "is written twice")
    yield LineBreakage(f"a line twice in {file}", file, lambda old: old + old.splitlines(True)[-1], "p7", 9)


def _of_names(file: str, key: str) -> Iterator[LineBreakage]:
    """Break the id of a pair."""
    yield _without(key, file, 2)
    for value in (None, True, 1.5, ["p1"], {"p": 1}):
        yield _with(f"{key} {json.dumps(value)}", file, 3, f"'{key}' is", **{key: value})
    for value in ("", "\ufeffp1", "p1\x1b[31m", "p\u20281", "\ud800", "x" * 300):
        yield _with(f"{key} {ascii(value)[:20]}", file, 3, "not a name", **{key: value})


def _of_decisions() -> Iterator[LineBreakage]:
    gold, judge = "gold.jsonl", "submissions/one.jsonl"
    for file in (gold, judge):
        yield from _of_any_file(file)
        yield from _of_names(file, "pair_id")
    for key in ("label", "response_A", "response_B", "source"):
        yield _without(key, gold, 4)
    for value in (None, 1, "", "A>>B", "a>b", "A > B", "[[A>B]]", ["A>B"], "A>B\ufeff", "\uff21>B"):
        yield _with(f"label {value!a}", gold, 4, "'label' is", label=value)
        if value is not None:
            judgments = [{"decision": value}, {"decision": "A>B"}]
            yield _with(f"decision {value!a}", judge, 4, "decision' is", judgments=judgments)
    yield _with("a text that is a list", gold, 2, "'response_A' is", response_A=["a"])
    yield _with("a text that is null", gold, 2, "'response_B' is null", response_B=None)
    yield _with("a source that is null", gold, 2, "'source' is null", source=None)
    yield _without("judgments", judge, 2)
    yield _with("judgments that are text", judge, 2, "there is no value", judgments="A>B")
    yield _with("no judgment", judge, 2, "is missing", judgments=[])
    yield _with("a judgment without a decision", judge, 2, "there is no value", judgments=[{"choice": "A>B"}] * 2)
    yield _with("another label", judge, 1, "'label' of pair 'p0' differs", label="B>A")
    yield _with("another source", judge, 1, "'source' of pair 'p0' differs", source="chat")
    yield _with("the label repeated", judge, 1, "", label="A>B")
    yield _with("a pair that the gold lacks", judge, 8, "p99", pair_id="p99")
    yield LineBreakage("a pair lost", judge, lambda old: b"".join(old.splitlines(True)[1:]), "p0")
    yield LineBreakage("a pair twice", judge, lambda old: old + old.splitlines(True)[0], "p0", 9)
    yield LineBreakage("the gold handed in", judge, lambda old: b'{"pair_id": "p0", "label": "A>B"}\n', "no value", 1)
    yield LineBreakage("pairs in another order", judge, lambda old: b"".join(old.splitlines(True)[::-1]), "")


def _of_scores() -> Iterator[LineBreakage]:
    gold, judge = "gold.jsonl", "submissions/two.jsonl"
    yield from _of_names(judge, "id")
    for key in ("scores_chosen", "scores_rejected"):
        yield _without(key, judge, 3)
    for value in (None, True, "0.5", [0.5], {"score": 1}):
        yield _with(f"score {json.dumps(value)}", judge, 3, "not a number", scores_chosen=value)
    for text in ("1e200", "-1e200", "1e999"):
        yield _on_line(f"score {text}", judge, 3, lambda old, t=text: f'{{"id": 2, "scores_chosen": {t}, '
                       '"scores_rejected": 1}', "too large")  # fmt: skip
    others = b'"subset": "algebra"'
    yield LineBreakage(
        "a subset of no section",
        gold,
        lambda old: old.replace(b'"subset": "hep-go"', others),
        "section_accuracy: subset 'algebra' is in no section",
    )


TASKS = {"judgebench": (_decided(), tuple(_of_decisions())), "rewardbench": (_scored(), tuple(_of_scores()))}


def scores(profile: str, folder: Path) -> list[tuple[str, float]]:
    """Return the name and the primary score of each submission."""
    evaluation = qeframe.evaluate(profile, folder, settings=["test=", "interval="])
    return [(each.name, next(iter(each.scores.values())).value) for each in evaluation.submissions]


def lay_out(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())


@pytest.mark.parametrize("profile", TASKS)
def test_broken_files(profile, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files, breakages = TASKS[profile]
    lay_out(Path("t"), files)
    usual, wrong = scores(profile, Path("t")), []
    for breakage in breakages:
        lay_out(Path("t"), files)
        breakage.apply(Path("t"))
        try:
            found = scores(profile, Path("t"))
            good = not breakage.says and found == usual
            said = ""
        except DataError as error:
            said = str(error)
            place = f"t/{breakage.file}:{breakage.line}: " if breakage.line else ""
            good = bool(breakage.says) and breakage.says in said and place in said and said.isprintable()
        wrong += [] if good else [f"{breakage.name}: {said[:300]}"]
    assert not wrong, "\n".join(wrong)


def test_there_are_many_cases():
    assert len(TASKS["judgebench"][1]) > 100
    assert len(TASKS["rewardbench"][1]) > 20
