"""Study the measures of shared tasks, and write the page on which of them can be trusted.

Run as ``python docs/studies/trust.py --data FOLDER`` with the folder of all data. Each data set is stored in
``docs/reference/trust.json`` as soon as it is measured, with the processor time that it took, and is not measured
again. Then the tables and the picture of ``trust.md`` beside it are written. Without ``--data`` they are written from
what is stored.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import attrs
from attrs import frozen

from qeframe import choose_profile
from qeframe.report import Cell, Column, Table, as_markdown
from qeframe.report.figures.style import images, styled
from qeframe.report.layouts.number_format import UNDEFINED, format_number
from qeframe.studies import Trust, TrustRow, trust, trust_from_json
from qeframe.studies.measures import row as measured_row
from qeframe.studies.tables.trust import winners_in_words

REFERENCE = Path(__file__).parents[1] / "reference"
STORED = REFERENCE / "trust.json"
PAGE = REFERENCE / "trust.md"
PICTURE = Path(__file__).parents[1] / "pictures" / "trust.svg"

OTHER_STREAM = 100
"""All pairs are tested again with other draws: no verdict may contradict the first one."""


@frozen
class DataSet:
    """A data set: its name here, profile, path, data sets of exchanged answers, measures beside the profile's own."""

    name: str
    profile: str
    path: str
    runs: int = 400
    more: tuple[str, ...] = ()


DATA_SETS = (
    DataSet("WMT14 QE task 1.2, en-es", "wmt14_qe_task1_2", "wmt14-qe-task1.2"),
    DataSet("WMT22 QE sentences, MQM, en-de", "wmt22_qe_sentence", "wmt22-qe/mqm/en-de"),
    DataSet("WMT22 QE sentences, DA, en-cs", "wmt22_qe_sentence", "wmt22-qe/da/en-cs"),
    DataSet("WMT22 QE words, en-de", "wmt22_qe_word", "wmt22-qe/word/en-de", more=("f1_mult",)),
    DataSet("WMT22 QE words, en-cs", "wmt22_qe_word", "wmt22-qe/word/en-cs", more=("f1_mult",)),
    DataSet("WMT22 QE critical errors, en-de", "wmt22_qe_critical_unconstrained", "wmt22-qe-repository", 100),
    DataSet("WMT20 metrics, cs-en and km-en", "wmt20_metrics_segment", "wmt20-repository", 100),
    DataSet("WMT23 metrics, en-de", "wmt23_metrics_segment", "wmt23-metrics"),
)


def stored() -> dict[str, Any]:
    """Return what is stored, by the name of the data set: the study, the other verdicts, the seconds."""
    return json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}


def measure(data: Path) -> None:
    """Measure what is not stored."""
    known = stored()
    for each in DATA_SETS:
        if each.name in known:
            continue
        sys.stderr.write(f"{each.name}\n")
        begun = time.process_time()
        metrics = [*choose_profile(each.profile).metrics, *each.more]
        study = trust(each.profile, {each.name: str(data / each.path)}, metrics=metrics, runs=each.runs)
        seconds = time.process_time() - begun
        measured_row.VERDICT_SEED = OTHER_STREAM
        again = trust(each.profile, {each.name: str(data / each.path)}, metrics=metrics, runs=0, splits=1, audit=False)
        measured_row.VERDICT_SEED = 0
        verdicts = [attrs.asdict(row.verdicts) for row in again.data[0].measures]
        known[each.name] = {"seconds": round(seconds), "again": verdicts, "study": json.loads(study.to_json())}
        store(known)


def store(known: dict[str, Any]) -> None:
    """Write what is known as JSON, a data set a line."""
    lines = [f"{json.dumps(name)}: {json.dumps(known[name], ensure_ascii=False)}" for name in sorted(known)]
    STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def studies(known: dict[str, Any]) -> dict[str, Trust]:
    """Return the studies in the order of the page."""
    return {
        each.name: trust_from_json(json.dumps(known[each.name]["study"])) for each in DATA_SETS if each.name in known
    }


def joined(known: dict[str, Any]) -> Trust:
    """Return one study of all data sets, for the picture."""
    all_studies = list(studies(known).values())
    return attrs.evolve(all_studies[0], data=tuple(data for study in all_studies for data in study.data))


def size_table(known: dict[str, Any]) -> Table:
    """Return how large each data set is, how it was measured, and how long it took."""
    found = studies(known)
    data = {name: study.data[0] for name, study in found.items()}
    return Table.from_columns(
        "The data",
        [
            (Column("data", "left", key=True), [Cell(name) for name in found]),
            (Column("profile", "left"), [Cell(each.profile) for each in data.values()]),
            (Column("submissions"), [Cell(f"{each.submissions}") for each in data.values()]),
            (Column("units"), [Cell(f"{each.units:,} {each.unit}s") for each in data.values()]),
            (Column("data sets of exchanged answers"), [Cell(f"{study.runs}") for study in found.values()]),
            (Column("processor time"), [Cell(f"{known[name]['seconds']:,} s") for name in found]),
        ],
    )


def measure_table(known: dict[str, Any]) -> Table:
    """Return a row for each measure on each data set."""
    rows = [(name, row) for name, study in studies(known).items() for row in study.data[0].measures]
    return Table.from_columns(
        "The measures",
        [
            (Column("data", "left", key=True), [Cell(name) for name, _ in rows]),
            (Column("measure", "left", key=True), [Cell(row.metric) for _, row in rows]),
            (Column("first", "left"), [Cell(", ".join(row.first)) for _, row in rows]),
            (Column("may be best"), [Cell(_candidates(row)) for _, row in rows]),
            (Column("separated"), [Cell(_separated(row)) for _, row in rows]),
            (Column("reliability"), [Cell(format_number(row.reliability, 2)) for _, row in rows]),
            (Column("false claims: year's test"), [Cell(_rate(row, "year")) for _, row in rows]),
            (Column("default test"), [Cell(_rate(row, "default")) for _, row in rows]),
            (Column("gaming index"), [Cell(_index(row)) for _, row in rows]),
            (Column("rank of worthless answers"), [Cell(_rank(row)) for _, row in rows]),
        ],
        notes=[
            "may be best: how many submissions are not beaten significantly; +: and how many of which that is not "
            "determined",
            "separated: pairs that differ significantly; +: and those that are not determined",
            "in parentheses: intervals of 95 %",
        ],
    )


def agreement_table(known: dict[str, Any]) -> Table:
    """Return, for each data set, how far its measures agree on the ranking and on the first place."""
    found = {name: study.data[0] for name, study in studies(known).items()}
    least = {name: min(data.rank_correlations().items(), key=lambda pair: pair[1]) for name, data in found.items()}
    return Table.from_columns(
        "How far the measures agree",
        [
            (Column("data", "left", key=True), [Cell(name) for name in found]),
            (Column("least rank correlation"), [Cell(format_number(value, 2)) for _, value in least.values()]),
            (Column("of", "left"), [Cell(" and ".join(pair)) for pair, _ in least.values()]),
            (
                Column("first place", "left"),
                [Cell(winners_in_words(data.measures)[0].removeprefix("first: ")) for data in found.values()],
            ),
        ],
    )


def _candidates(row: TrustRow) -> str:
    return _more(len(row.verdicts.winners), len(row.verdicts.possible))


def _separated(row: TrustRow) -> str:
    return f"{_more(row.verdicts.separated, row.verdicts.undecided)} of {row.verdicts.pairs}"


def _more(certain: int, possible: int) -> str:
    return f"{certain} + {possible}" if possible else str(certain)


def _rate(row: TrustRow, which: str) -> str:
    share = row.year_error if which == "year" else row.default_error
    if share is None:
        return UNDEFINED
    low, high = share.interval()
    return f"{share.value:.3f} ({low:.3f} to {high:.3f})"


def _index(row: TrustRow) -> str:
    return UNDEFINED if row.gamed is None else f"{row.gamed.index:.2f} ({row.gamed.low:.2f} to {row.gamed.high:.2f})"


def _rank(row: TrustRow) -> str:
    if row.gamed is None or row.gamed.rank is None:
        return "–"
    return f"{row.gamed.rank} of {row.gamed.submissions + 1}"


def write(folder: Path, known: dict[str, Any]) -> None:
    """Write the tables of the page in a folder between their marks."""
    page = (folder / PAGE.name).read_text(encoding="utf-8")
    tables = {"data": size_table(known), "measures": measure_table(known), "agreement": agreement_table(known)}
    for name, table in tables.items():
        begin, end = f"<!-- {name} -->\n", "<!-- end -->\n"
        before, rest = page.split(begin)
        page = f"{before}{begin}\n#{as_markdown(table)}\n{end}{rest.split(end, 1)[1]}"
    (folder / PAGE.name).write_text(page, encoding="utf-8")


def draw(known: dict[str, Any]) -> bytes:
    """Return the picture of all data sets."""
    from qeframe.studies.figures import trust_figure

    with styled():
        return images(trust_figure(joined(known)), ["svg"])["svg"]


def main() -> None:
    """Measure what is not stored, and write the page."""
    parser = argparse.ArgumentParser(description="Study the measures of shared tasks, and write the page on them.")
    parser.add_argument("--data", type=Path, default=None)
    given = parser.parse_args()
    if given.data is not None:
        measure(given.data)
    write(REFERENCE, stored())
    PICTURE.write_bytes(draw(stored()))


if __name__ == "__main__":
    main()
