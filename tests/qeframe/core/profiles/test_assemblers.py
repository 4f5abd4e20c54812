"""An assembler of a third party: the profiles that ask for it, how they are evaluated, and how it is refused."""

import json
import re
from types import ModuleType

import attrs
import pytest

import qeframe
from qeframe import (
    CapabilityError,
    DataError,
    PluginError,
    ProfileError,
    UnknownNameError,
    choose_profile,
    differences,
    profile_from_toml,
)
from qeframe.api.overrides import with_value
from qeframe.core.components.metric import Metric
from qeframe.core.profiles.resolved import resolve
from qeframe.core.profiles.schema import PartRule, Profile
from qeframe.plugin.evaluation import Assembler, evaluate_tasks
from qeframe.studies import distinguish, distinguish_by_attacks
from qeframe.studies.power.nested_draws import scored_submissions
from tests.qeframe.core.profiles.small_registry import hook
from tests.written import write_files

PROFILE = """
reader = "qe_plain"
test = ""
interval = ""
{more}
[mine]
metric = "pearson"
"""


def wrong(table):
    stated = table.get("mine", {})
    return [f"mine.{key}: unknown key" for key in stated if key != "metric"]


def incompatible(profile, registry, reads):
    mine = profile.tables.get("mine")
    if mine is None or mine.get("metric") in registry.names(Metric) or "(" in mine["metric"]:
        return []
    return [f"mine: there is no metric '{mine['metric']}'"]


def rules(profile):
    return [PartRule(metric=profile.tables["mine"]["metric"])]


def evaluate(resolved, tasks, request):
    """Evaluate the profile of this one metric, and call its score the overall one."""
    plain = attrs.evolve(resolved.profile, tables={}, primary=resolved.parts[0].rule.metric)
    evaluation = evaluate_tasks(resolve(plain, request.registry, reads=False), tasks, request)
    return attrs.evolve(evaluation, title="assembled", signature=attrs.evolve(evaluation.signature, seed=request.seed))


def with_parameter(profile, key, value, registry):
    metric = with_value(profile.tables["mine"]["metric"], key, value, registry)
    return attrs.evolve(profile, tables={"mine": {"metric": metric}})


MINE = Assembler(
    name="mine", summary="one metric", key="mine", replaces=("primary", "secondary"), wrong=wrong,
    incompatible=incompatible, rules=rules, evaluate=evaluate, with_parameter=with_parameter,
)  # fmt: skip


def plugin(*assemblers):
    module = ModuleType("brought")
    module.qeframe_assemblers = hook("qeframe_assemblers", list(assemblers))
    return module


def loaded(*assemblers):
    return qeframe.load(extra={"third": plugin(*assemblers)})


@pytest.fixture(scope="module")
def registry():
    return loaded(MINE)


def made(registry, more="", text=PROFILE):
    return profile_from_toml(text.format(more=more), "made.toml", "made", registry)


@pytest.fixture
def folder(tmp_path):
    sides = {"gold.txt": [1, 2, 3, 5], "submissions/a.txt": [1, 3, 2, 5], "submissions/b.txt": [2, 1, 3, 4]}
    return write_files(tmp_path, sides)


def test_the_assembler_that_a_table_asks_for_evaluates_the_profile(registry, folder):
    evaluation = qeframe.evaluate(made(registry), folder, registry=registry, attacks=True, seed=3)
    plain = qeframe.evaluate("qe_sentence", folder, settings=["primary=pearson", "secondary=[]"], registry=registry)
    assert evaluation.title == "assembled"
    assert {s.name: s.scores["pearson"].value for s in evaluation.submissions if s.kind == "real"} == {
        s.name: s.scores["pearson"].value for s in plain.submissions
    }
    assert any(s.kind == "attack" for s in evaluation.submissions)
    assert evaluation.signature.plugins["third"] == "(given)"


def test_a_profile_keeps_the_table_among_its_rules(registry):
    profile = made(registry, '[provenance]\nchosen = ["mine"]\n')
    assert (profile.primary, profile.tables, profile.is_assembled) == ("overall", {"mine": {"metric": "pearson"}}, True)
    assert profile.rules["mine"] == {"metric": "pearson"}
    assert profile.certainty("mine").certainty == "chosen"
    assert "mine" in profile.stated
    plain = choose_profile("qe_sentence", (), registry)
    assert ("mine", {"metric": "pearson"}, None) in differences(profile, plain)


def test_what_it_replaces_may_be_stated_by_what_the_profile_extends(registry):
    profile = made(registry, text='extends = "qe_sentence"\n[mine]\nmetric = "spearman"\n')
    assert (profile.primary, profile.secondary) == ("overall", ())
    assert resolve(profile, registry).metrics[0].name == "spearman"


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("[mine]\nmetrik = 3", "mine.metrik: unknown key"),
        ('[mine]\nmetric = "pears"', "mine: there is no metric 'pears'"),
        ('primary = "pearson"\n[mine]\nmetric = "mae"', "primary: has no effect on mine; leave it out"),
        ("[mien]\nmetric = 3", "mien: unknown key, did you mean 'mine'?"),
        ("[mine]\n[provenance]\nread = ['mien']", "provenance.read: unknown key 'mien', did you mean 'mine'?"),
        ('[mine]\nmetric = "mae"\n[[parts]]\nmetric = "spa"', "parts: excludes mine; leave one of them out"),
    ],
)
def test_mistakes_are_one_line(registry, text, mistake):
    with pytest.raises(ProfileError) as error:
        made(registry, text=f'reader = "qe_plain"\n{text}')
    assert mistake in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_a_setting_changes_the_table_or_a_parameter_of_its_metrics(registry):
    changed = choose_profile(made(registry), ["mine={metric = 'kendall'}", "ties=wmt14"], registry)
    assert changed.tables == {"mine": {"metric": "kendall(ties=wmt14)"}}
    assert changed.changed == {"mine": "{metric = 'kendall'}", "ties": "wmt14"}
    with pytest.raises(DataError, match=re.escape("cannot set mine.metrik: unknown key")):
        choose_profile(made(registry), ["mine={metrik = 3}"], registry)
    with pytest.raises(DataError, match=re.escape("cannot add to mine: it is not a list")):
        choose_profile(made(registry), ["mine+={metric = 'mae'}"], registry)


def test_one_that_changes_no_parameter_has_none(folder):
    known = loaded(attrs.evolve(MINE, with_parameter=None))
    kendall = made(known, text=PROFILE.replace("pearson", "kendall"))
    with pytest.raises(UnknownNameError, match="unknown profile key 'ties'"):
        choose_profile(kendall, ["ties=wmt14"], known)


def test_a_profile_without_its_plugin_is_refused(registry):
    with pytest.raises(ProfileError, match=re.escape("mine: unknown key")):
        qeframe.evaluate(made(registry), [])
    without = qeframe.load(extra={}, block=["qeframe_task_sets"])
    with pytest.raises(ProfileError, match=re.escape("there is no plugin that evaluates them (blocked: qeframe_task")):
        qeframe.choose_profile("wmt23_metrics", registry=without)


def test_two_of_one_name_or_one_key_are_refused_by_name():
    what = (
        "the assembler 'task_sets' is brought twice: by plugin 'qeframe_task_sets' of distribution 'qeframe .*' and by "
        "plugin 'third' of distribution '.given.'; rename that of plugin 'third'"
    )
    with pytest.raises(PluginError, match=what):
        loaded(attrs.evolve(MINE, name="task_sets"))
    with pytest.raises(
        PluginError,
        match=r"'task_sets' of plugin .*'other' of plugin 'third'.*key 'parts'; start with QEFRAME_BLOCK=third",
    ):
        made(loaded(attrs.evolve(MINE, name="other", key="parts")))
    with pytest.raises(PluginError, match=r"assembler 'mine' of plugin 'third'.*: 'reader' is a key of all profiles"):
        made(loaded(attrs.evolve(MINE, key="reader")))
    with pytest.raises(PluginError, match=r"assembler 'mine' of plugin 'third'.* replaces 'main', which is no key of"):
        made(loaded(attrs.evolve(MINE, replaces="main")))


def fail(*_):
    raise ValueError("nothing works")


@pytest.mark.parametrize("where", ["wrong", "incompatible", "rules", "evaluate", "with_parameter"])
def test_one_that_fails_is_named_with_its_plugin(where, folder):
    known = loaded(attrs.evolve(MINE, **{where: fail}))
    what = f"assembler 'mine' of plugin 'third' of distribution '(given)' failed in {where}: ValueError: nothing works"
    text = PROFILE.replace("pearson", "kendall")
    with pytest.raises(PluginError, match=re.escape(what)):
        qeframe.evaluate(made(known, text=text), folder, settings=["ties=wmt14"], registry=known)


@pytest.mark.parametrize(
    ("where", "returned", "what"),
    [
        ("evaluate", 3, "evaluate returned int 3, expected an Evaluation"),
        ("wrong", "mine: no", "wrong returned str 'mine: no', expected a list of texts"),
        ("incompatible", None, "incompatible returned None, expected a list of texts"),
        ("rules", ["mae"], "rules returned str 'mae', expected a PartRule"),
        ("with_parameter", None, "with_parameter returned None, expected a Profile"),
    ],
)
def test_one_that_returns_something_else_is_named(where, returned, what, folder):
    known = loaded(attrs.evolve(MINE, **{where: lambda *_: returned}))
    text = PROFILE.replace("pearson", "kendall")
    with pytest.raises(PluginError, match=re.escape(what)):
        qeframe.evaluate(made(known, text=text), folder, settings=["ties=wmt14"], registry=known)


def test_errors_of_data_and_capability_pass(folder):
    def refuse(*_):
        raise CapabilityError("not for these")

    known = loaded(attrs.evolve(MINE, evaluate=refuse))
    with pytest.raises(CapabilityError, match=r"^not for these$"):
        qeframe.evaluate(made(known), folder, registry=known)


def test_studies_of_single_metrics_refuse_the_profile(registry, folder):
    profile = made(registry)
    tasks = qeframe.read_tasks(profile, folder, registry)
    with pytest.raises(DataError, match="profile 'made' is a task set"):
        distinguish_by_attacks(profile, tasks, [], registry)
    with pytest.raises(DataError, match="profile 'made' is a task set"):
        distinguish(profile, tasks, registry)
    with pytest.raises(DataError, match="profile 'made' is evaluated by the assembler 'mine'"):
        scored_submissions(profile, tasks, registry, seed=0, runner=qeframe.Runner())


def test_what_it_prints_does_not_mix_with_results(folder, capsys):
    def talk(table):
        print("checking")  # noqa: T201
        return []

    known = loaded(attrs.evolve(MINE, wrong=talk))
    evaluation = qeframe.evaluate(made(known), folder, registry=known)
    out, err = capsys.readouterr()
    assert out == ""
    assert "assembler 'mine' of plugin 'third' of distribution '(given)' printed: checking" in err
    assert json.loads(evaluation.to_json())["signature"]["plugins"]["third"] == "(given)"


def test_a_profile_without_an_assembler_has_no_table():
    assert Profile(reader="mtme", primary="mae").rules.keys() >= {"parts", "primary"}
    assert not Profile(reader="mtme", primary="mae").is_assembled
