"""The output of check-plugin: on a plugin that keeps every law, on one that breaks some, and on one that exits."""

import json

import pytest

from tests.mistakes.mistake import ORIGIN

PLUGIN = ORIGIN.removeprefix("of ")
PROFILE = """
FILE = Path(__file__).with_suffix(".toml")
FILE.write_text('title = "Ours"\\nlevel = "sentence"\\ngold = "DA"\\nbest = "high"\\nreader = "two_columns"\\n'
    'primary = "spearman"\\nsource = "the announcement"\\n')
"""
HEALTHY = (
    "from pathlib import Path\n"
    + PROFILE
    + """
def read(path, best):
    file = read_text_lines(path)
    gold, good = np.array([line.split() for line in file.lines], dtype=float).T
    sides = [UnitValues(name=n, ids=np.arange(len(gold)), values=v) for n, v in (("gold", gold), ("good", good))]
    inputs = (Input(path.name, file.sha256),)
    return [Reading(name="t", kind=Scores, gold=sides[0], submissions=(sides[1],), best=best, inputs=inputs)]

@hookimpl
def qeframe_tie_policies():
    table = ((1, 0, -1), (None, None, None), (-1, 0, 1))
    return [TiePolicy(name="halves", summary="", table=table, claims="right_is_best")]

@hookimpl
def qeframe_readers():
    return [Reader(name="two_columns", summary="", kind=Scores, read=read, example={"t.txt": "1 2\\n2 1\\n3 3\\n"})]

@hookimpl
def qeframe_profiles():
    return {"ours": FILE}
"""
)
BROKEN = (
    HEALTHY.replace("inputs = (Input(path.name, file.sha256),)", "inputs = ()")
    .replace("spearman", "spearmen")
    .replace("(-1, 0, 1)", "(1, 0, 1)")
)

KEPT = f"""\
{PLUGIN}

component    law            result  tries
-----------  -------------  ------  -----
halves       finite         kept        1
halves       defined        kept        1
halves       mirrored       kept        1
halves       right_is_best  kept        1
halves       free_name      kept        1
two_columns  kind           kept        1
two_columns  absent         kept        1
two_columns  example        kept        1
two_columns  free_name      kept        1
ours         resolves       kept        1
ours         provenance     kept        1
ours         free_name      kept        1


every law is kept
"""
BREAKS = f"""\
{PLUGIN}

component    law            result      tries
-----------  -------------  ----------  -----
halves       finite         kept            1
halves       defined        kept            1
halves       mirrored       broken*         1
halves       right_is_best  kept            1
halves       free_name      kept            1
two_columns  kind           kept            1
two_columns  absent         kept            1
two_columns  example        broken*         1
two_columns  free_name      kept            1
ours         resolves       broken*         1
ours         provenance     not tried       0
ours         free_name      kept            1

* a broken law

TiePolicy 'halves' {ORIGIN} breaks the law 'mirrored': exchanging left and right changes nothing
the table changes if left and right are exchanged
smallest counterexample:
  table = ((1, 0, -1), (None, None, None), (1, 0, 1))
  mirror = ((1, 0, 1), (None, None, None), (-1, 0, 1))

Reader 'two_columns' {ORIGIN} breaks the law 'example': its example is read, twice the same, as tasks whose sides fit \
each other
task 't' was read from no file: inputs are paths relative to the path given

Profile 'ours' {ORIGIN} breaks the law 'resolves': every key is known, every name is registered, and the rules fit \
each other
profile 'ours': primary: unknown metric 'spearmen'; did you mean 'spearman' or 'pearson' or 'system_spearman'?

3 laws are broken; laws not tried for that reason: 1
"""


def test_a_plugin_that_keeps_every_law(meet):
    outcome = meet(HEALTHY, "check-plugin", "faulty")
    assert (outcome.status, outcome.err) == (0, "checking halves\nchecking two_columns\nchecking ours\n")
    assert outcome.out == KEPT


REASON = "left_out={'mirrored': 'as the script of 2008 has it'}"
ON_PURPOSE = HEALTHY.replace("(-1, 0, 1)", "(1, 0, 1)").replace(
    'claims="right_is_best"', f'claims="right_is_best", {REASON}'
)


def test_a_law_that_is_left_out_is_printed_with_its_reason(meet):
    outcome = meet(ON_PURPOSE, "check-plugin", "faulty", "--quiet")
    assert (outcome.status, outcome.err) == (0, "")
    assert "\nhalves       mirrored       left out      0\n" in outcome.out
    told = (
        f"TiePolicy 'halves' {ORIGIN} leaves out the law 'mirrored': as the script of 2008 has it\n\nevery law is kept"
    )
    assert told in outcome.out


@pytest.mark.parametrize(
    ("left_out", "wrong"),
    [
        ("{'mirored': 'as the script has it'}", "no law that concerns it has this name"),
        ("{'mirrored': ' '}", "it is left out without a reason"),
    ],
)
def test_a_law_is_left_out_by_its_name_and_with_a_reason(meet, left_out, wrong):
    outcome = meet(
        ON_PURPOSE.replace("{'mirrored': 'as the script of 2008 has it'}", left_out), "check-plugin", "faulty"
    )
    assert outcome.status == 1
    assert f": what is left out is a law\n{wrong}\n" in outcome.out


def test_a_plugin_that_breaks_laws(meet):
    outcome = meet(BROKEN, "check-plugin", "faulty", "--quiet")
    assert (outcome.status, outcome.err) == (1, "")
    assert outcome.out == BREAKS


def test_a_metric_that_exits_warns_and_prints_is_told_on_its_own_line(meet):
    source = """
def exits(batch):
    print("bye")
    sys.exit(0)

@hookimpl
def qeframe_metrics():
    (warns,) = faulty(score=lambda sums: sums[..., 1] / (0 * sums[..., 0]))
    return [*faulty(extract=exits), attrs.evolve(warns, name="warns")]
"""
    outcome = meet(source, "check-plugin", "faulty", "--quiet", "--json", "--tries", "3")
    assert outcome.status == 1
    assert set(outcome.err.splitlines()) == {f"qeframe: metric 'faulty' {ORIGIN} printed: bye"}
    found = json.loads(outcome.out)["findings"]
    broken = {each["component"]: (each["law"], each["what"]) for each in found if each["broken"]}
    assert {name: law for name, (law, _) in broken.items()} == {"faulty": "shape", "warns": "shape"}
    assert broken["faulty"][1].startswith("SystemExit: 0 (in exits, line ")
    assert broken["warns"][1].startswith("RuntimeWarning: divide by zero encountered in divide (in <lambda>, line ")
