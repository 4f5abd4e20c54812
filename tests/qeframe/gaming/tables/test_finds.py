"""The table of finds: new, gaining, nothing found, not possible; and the commands that measure them again."""

import attrs

from qeframe.gaming.search import Searched
from qeframe.gaming.tables.finds import finds_table, recipe_lines
from qeframe.report.layouts.terminal import as_text


def searched(audit):
    metric = audit.metrics[0]
    find = attrs.evolve(metric.attacks[0], low=0.5, high=0.6, index=0.55)
    names = {
        "new(x=1)": find,
        "small(x=2)": attrs.evolve(find, low=0.01, index=0.02),
        "none(x=3)": attrs.evolve(find, low=0),
    }
    finds = tuple(attrs.evolve(each, attack=name) for name, each in names.items())
    spaces = [Searched(metric=metric.metric, space=name, found=name, tried=9, size=20) for name in names]
    spaces.append(Searched(metric=metric.metric, space="impossible", found="", tried=0, size=5))
    return attrs.evolve(
        audit,
        metrics=(
            attrs.evolve(
                metric, attacks=(attrs.evolve(metric.attacks[0], high=0.32),), finds=finds, searched=tuple(spaces)
            ),
        ),
    )


def test_verdicts(audit):
    text = as_text(finds_table(searched(audit)))
    verdicts = {words[1]: " ".join(words[-2:]) for line in text.splitlines() if (words := line.split())[:1] == ["weak"]}
    assert verdicts["new(x=1)"].endswith("new")
    assert verdicts["small(x=2)"].endswith("gains")
    assert verdicts["none(x=3)"] == "nothing found"
    assert verdicts["impossible"] == "this gold"
    assert "9 of 20" in text


def test_recipes_are_commands_of_finds_that_gain(audit):
    lines = recipe_lines(searched(audit), "wmt22_qe_word word/en-cs")
    assert len(lines) == 2
    assert lines[0].startswith("qeframe audit wmt22_qe_word word/en-cs weak --attack 'new(x=1)' --no-claims --seed")
