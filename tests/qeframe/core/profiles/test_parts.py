"""The tables of parts: keys, types, and what they multiply out to."""

import pytest

import qeframe
from qeframe import ProfileError, choose_profile, profile_from_toml
from qeframe.assembly.parts import divide_weights
from qeframe.core.profile import Profile, selection_of
from qeframe.core.profile_tables import part_rules, wrong_keys
from tests.outcome import failure


def rules(*tables, exchanges="joint"):
    return part_rules(Profile(reader="mtme", primary="overall", parts=tables, exchanges=exchanges))


def test_lists_multiply_out():
    table = {
        "metric": ["segment_pearson", "tau_b"],
        "parameters": {"grouping": ["none", "item"]},
        "read": {"domain": ["", "news"], "references": [["refA", "refB"]]},
        "level": "segment",
    }
    made = rules(table)
    assert len(made) == 8
    assert (made[0].metric, dict(made[0].read)) == (
        "segment_pearson(grouping=none)",
        {"domain": "", "references": ("refA", "refB")},
    )
    assert made[-1].metric == "tau_b(grouping=item)"
    assert made[-1].labels == {
        "metric": "tau_b", "level": "segment", "grouping": "item", "domain": "news", "references": "[refA, refB]",
    }  # fmt: skip


def test_defaults_of_a_part():
    (rule,) = rules({"metric": "acc_eq"})
    assert (rule.weight, rule.scale, rule.test, rule.pool, rule.pairs, rule.selection) == (
        1.0, None, None, False, (), "",
    )  # fmt: skip


def test_readers_and_folders_of_parts():
    plain, own = rules({"metric": "acc_eq"}, {"metric": "mcc", "folder": "in/word", "reader": "tag_lines"})
    assert (plain.level, plain.selection, "folder" in plain.labels) == ("", "", False)
    assert (own.level, own.selection) == ("in/word", "in/word, tag_lines")
    assert (own.labels["folder"], own.labels["reader"]) == ("in/word", "tag_lines")
    (named,) = rules({"metric": "mcc", "folder": "w", "level": "word", "read": {"gaps": True}})
    assert (named.level, named.selection) == ("word", "w, gaps=true")


def test_the_selection_does_not_depend_on_the_order_of_parameters():
    assert selection_of({"level": "sys", "domain": "news"}) == selection_of({"domain": "news", "level": "sys"})
    assert selection_of({"level": "sys", "pool": True}) == "level=sys, pool=true"


def test_the_official_exchanges_replace_keys():
    table = {
        "metric": "system_pearson",
        "read": {"level": "sys", "units": "segments"},
        "official": {"read": {"units": "systems"}, "test": "permutation(unit=system)", "metric": "system_spearman"},
    }
    (joint,), (official,) = rules(table), rules(table, exchanges="official")
    assert (joint.metric, joint.selection, joint.test) == ("system_pearson", "level=sys, units=segments", None)
    assert (official.metric, official.test) == ("system_spearman", "permutation(unit=system)")
    assert official.selection == "level=sys, units=systems"


@pytest.mark.parametrize(
    ("table", "mistake"),
    [
        ({}, "metric: is missing"),
        ({"metric": "m", "weights": 1}, "weights: unknown key, did you mean 'weight'"),
        ({"metric": []}, "metric: must be a word in quotes, or a list of words, not []"),
        ({"metric": "m", "weight": -1}, "weight: must be a finite number that is not negative"),
        ({"metric": "m", "weight": float("nan")}, "weight: must be a finite number"),
        ({"metric": "m", "weight": True}, "weight: must be"),
        ({"metric": "m", "weight": "pear"}, "weight: must be"),
        ({"metric": "m", "scale": [1, 1]}, "scale: must be a list of two different numbers"),
        ({"metric": "m", "scale": [0, 1, 2]}, "scale: must be"),
        ({"metric": "m", "pairs": "en-de"}, "pairs: must be a list of different words"),
        (
            {"metric": "m", "pool": True, "pairs": ["en-de", "en-de"]},
            "pairs: must be a list of different words, not ['en-de', 'en-de']",
        ),
        ({"metric": "m", "pool": 1}, "pool: must be true or false"),
        ({"metric": "m", "read": {"level": []}}, "read: must be a table"),
        ({"metric": "m", "parameters": {"x": {}}}, "parameters: must be a table"),
        ({"metric": "m", "official": {"weight": 1}}, "official: must be a table of the keys metric"),
        ({"metric": "m", "level": 2}, "level: must be a word in quotes"),
        ({"metric": "m", "test": 2}, "test: must be a word in quotes"),
        ({"metric": "m", "reader": 2}, "reader: must be a word in quotes"),
        *(
            ({"metric": "m", "folder": folder}, "folder: must be the path of a folder in PATH")
            for folder in ("", ".", "..", "a/../b", "/word", "word/", "./word", 1)
        ),
    ],
)
def test_mistakes(table, mistake):
    wrong = wrong_keys({"parts": [{"metric": "fine"}, table]})
    assert any(each.startswith(f"parts: table 2: {mistake}") for each in wrong)


def test_a_wrong_type_of_the_key_is_not_reported_twice():
    assert wrong_keys({"parts": 1}) == ["parts: must be an array of tables, not 1"]
    assert not wrong_keys({})


PARTS = """
reader = "mtme(selection=wmt23)"
[[parts]]
metric = "acc_eq"
[[parts]]
metric = "spa"
weight = 2
"""


def made(text, registry):
    return profile_from_toml(text, "made.toml", "made", registry)


def changed(registry, *settings):
    return choose_profile(made(PARTS, registry), settings, registry)


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ('[[parts]]\nmetric = "acc"', "parts: table 1: unknown metric 'acc'"),
        ('[[parts]]\nmetric = "acc_eq"\nread = {levels = "sys"}', "parts: table 1: unknown parameter of mtme 'levels'"),
        ('[[parts]]\nmetric = "acc_eq"\ntest = "permute"', "parts: table 1: unknown significance test 'permute'"),
        ('[[parts]]\nmetric = "acc_eq"\nweight = 0', "parts: the weights sum to 0"),
        ('divide = ["pear"]\n[[parts]]\nmetric = "acc_eq"', "divide: no part has 'pear', did you mean 'pair'"),
        ('divide = ["pair"]\n[[parts]]\nmetric = "acc_eq"\nweight = 2', "parts: weights are divided by 'divide'"),
        ('overall = "cluster_ranks"\ntest = ""\n[[parts]]\nmetric = "acc_eq"', "overall: cluster ranks need a test"),
        ('within = "macro(by=document)"\n[[parts]]\nmetric = "acc_eq"', "within: has no effect on parts"),
        ('primary = "acc_eq"\n[[parts]]\nmetric = "acc_eq"', "primary: has no effect on parts"),
        ('primary = "acc_eq"\noverall = "cluster_ranks"', "overall: there are no parts"),
        ('[[parts]]\nmetric = "acc_eq"\nscale = [1.0, -1.0]',
         "parts: table 1: scale = [WORST, BEST] of 'acc_eq' is [1, -1], but higher is better; write [-1, 1]"),
        ('[[parts]]\nmetric = "mae"\nscale = [0, 1]', "is [0, 1], but lower is better; write [1, 0]"),
        ('overall = "mean"\n[[parts]]\nmetric = "acc_eq"\n[[parts]]\nmetric = "segment_pearson"\npool = true',
         "made.toml: parts: table 2: 'segment_pearson' cannot be pooled over language pairs"),
        ('[[parts]]\nmetric = "mae"', "parts: table 1: 'mae' has no bounds, so that its scores have no scale"),
        ('[[parts]]\nmetric = "mcc"\nreader = "qe_sentence"',
         "parts: table 1: 'mcc' works on Tags, but reader 'qe_sentence' reads Scores; give the table a reader"),
        ('[[parts]]\nmetric = "mcc"\nreader = "tag_line"', "parts: table 1: unknown reader 'tag_line'"),
        ("parts = 3", "parts: must be an array of tables, not 3"),
        ('overall = "median"\n[[parts]]\nmetric = "acc_eq"', "overall: must be mean or cluster_ranks"),
    ],
)  # fmt: skip
def test_mistakes_are_one_line(registry, text, mistake):
    with pytest.raises(ProfileError) as error:
        made(f'reader = "mtme"\n{text}', registry)
    assert mistake in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_a_profile_needs_no_reader_if_every_part_has_one(registry):
    parts = ['[[parts]]\nmetric = "mcc"\nreader = "tag_lines"', '[[parts]]\nmetric = "pearson"']
    assert made(parts[0], registry).reader == "tag_lines"
    assert "reader: is missing" in failure(ProfileError, made, "\n".join(parts), registry)


def test_a_mistake_in_the_parts_is_not_a_missing_primary_metric(registry):
    assert failure(ProfileError, made, 'reader = "mtme"\n[[parts]]\nmetrik = "acc_eq"', registry) == (
        "made.toml: parts: table 1: metric: is missing; parts: table 1: metrik: unknown key, did you mean 'metric'?"
    )


def test_parts_replace_the_metrics_of_the_profile_that_is_extended(registry):
    profile = made('extends = "wmt23_metrics_segment"\n[[parts]]\nmetric = "spa"', registry)
    assert (profile.primary, profile.secondary, profile.across) == ("overall", (), "mean")
    assert profile.title == "WMT23 metrics task, segment level"
    longer = made('extends = "wmt24_metrics"\nalpha = 0.01', registry)
    assert [rule.metric for rule in part_rules(longer)] == ["spa(replicate=official)", "acc_eq"]


def test_settings_change_rules_of_parts(registry):
    assert changed(registry, "alpha=0.01").alpha == 0.01
    assert [rule.metric for rule in part_rules(changed(registry, "permutations=10"))] == [
        "acc_eq",
        "spa(permutations=10)",
    ]
    assert changed(registry, "permutations=10").changed == {"permutations": "10"}
    replaced = changed(registry, 'parts=[{metric = "spa", weight = 3}]')
    assert [rule.weight for rule in part_rules(replaced)] == [3]
    assert "selection=wmt24" in changed(registry, "selection=wmt24").reader


@pytest.mark.parametrize(
    ("setting", "mistake"),
    [
        ("primary=spa", "primary: has no effect on parts"),
        ("weights={en-de = 1}", "weights: has no effect on parts"),
        ("parts=[{metric = 3}]", "parts: table 1: metric: must be"),
        ("parts=acc_eq", "parts: must be an array of tables"),
        ("permutation=3", "unknown profile key 'permutation'; did you mean 'permutations'?"),
    ],
)
def test_settings_that_cannot_be(registry, setting, mistake):
    assert mistake in failure(qeframe.QeframeError, changed, registry, setting)


@pytest.mark.parametrize(
    ("name", "pairs", "parts"),
    [
        ("wmt22_metrics", ["en-de", "en-ru", "zh-en"], 201),
        ("wmt23_metrics", ["en-de", "he-en", "zh-en"], 10),
        ("wmt24_metrics", ["en-de", "en-es", "ja-zh"], 6),
        ("wmt25_metrics", [f"p{nth}" for nth in range(16)], 32),
    ],
)
def test_the_official_rankings_have_their_parts(registry, name, pairs, parts):
    rules = part_rules(choose_profile(name, (), registry))
    assert sum(1 if rule.pool else len(rule.pairs or pairs) for rule in rules) == parts


def test_the_weights_of_2022(registry):
    """Check values of the official program: accuracy .25, system Pearson of en-ru over all domains .0125."""
    profile = choose_profile("wmt22_metrics", (), registry)
    labels = [
        {**rule.labels, "pair": pair}
        for rule in part_rules(profile)
        for pair in ([",".join(rule.pairs)] if rule.pool else rule.pairs)
    ]
    weights = divide_weights(labels, profile.divide)
    assert weights.sum() == pytest.approx(1)
    assert weights[0] == pytest.approx(0.25)
    found = [
        weight
        for weight, label in zip(weights, labels, strict=True)
        if (label["pair"], label["metric"], label.get("domain")) == ("en-ru", "system_pearson", '""')
    ]
    assert found == [pytest.approx(0.0125)]


@pytest.mark.parametrize("exchanges", ["joint", "official"])
@pytest.mark.parametrize(
    "official", ['{metric = "spa"}', '{metric = "spa(permutations=7)"}', "{parameters = {permutations = 7}}"]
)
def test_a_parameter_changes_under_the_official_exchanges_too(registry, exchanges, official):
    text = f'reader = "mtme"\nexchanges = "{exchanges}"\n[[parts]]\nmetric = "spa"\nofficial = {official}\n'
    profile = choose_profile(made(text, registry), ["permutations=10"], registry)
    assert [rule.metric for rule in part_rules(profile)] == ["spa(permutations=10)"]


@pytest.mark.parametrize("exchanges", ["joint", "official"])
def test_a_parameter_that_only_an_official_metric_has(registry, exchanges):
    text = f'reader = "mtme"\nexchanges = "{exchanges}"\n[[parts]]\nmetric = "acc_eq"\nofficial = {{metric = "spa"}}\n'
    before = made(text, registry)
    if exchanges == "joint":
        with pytest.raises(qeframe.QeframeError, match="unknown profile key 'permutations'"):
            choose_profile(before, ["permutations=10"], registry)
    else:
        after = choose_profile(before, ["permutations=10"], registry)
        assert [rule.metric for rule in part_rules(after)] == ["spa(permutations=10)"]
