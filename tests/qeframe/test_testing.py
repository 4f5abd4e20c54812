"""What a plugin's tests run: gates, fixed values, snapshots."""

import attrs
import numpy as np
import pytest
from hypothesis import given, settings

from qeframe.core.metric import CLAIMS
from qeframe.core.reader import Reader
from qeframe.kinds.registered import kind_of, registered_kinds
from qeframe.plugin import Batch, DataError, Metric, Parametric, Scores, Tags, TiePolicy, Values
from qeframe.testing import check_gaming, grids_batches, scores_batches, weights
from qeframe.testing.failures import failure, not_tried, place_of, shown_part
from qeframe.testing.fixed_values import Fixed, digest, fixed_values, word_of
from qeframe.testing.gates import check_required, gates_asked, required_claims
from qeframe.testing.laws.checks import LAWS
from qeframe.testing.laws.law import drawn_from
from qeframe.testing.laws.probes import SIZES, fixed_submissions
from qeframe.testing.laws.reader_laws import ProfileFile
from qeframe.testing.snapshot import changes, lock, read_lock, write_lock
from qeframe.testing.strategies import exchanges
from qeframe.testing.verdicts import Verdict, verdicts_on
from tests.registered import REGISTRY


def test_a_failure_is_an_assertion_error_that_pytest_shows_as_text():
    error = failure(["what", "Metric 'm' breaks the law 'l'"])
    assert isinstance(error, AssertionError)
    assert isinstance(error, pytest.fail.Exception)
    assert str(error) == "what\nMetric 'm' breaks the law 'l'"


def test_what_is_not_tried_skips_a_test():
    assert isinstance(not_tried("a reason"), pytest.skip.Exception)


def test_the_place_of_an_error_is_in_the_source_of_its_author():
    def broken():
        return np.zeros((2, 3)) @ np.zeros(2)

    with pytest.raises(ValueError, match="matmul") as caught:
        broken()
    assert place_of(caught.value).startswith(f"broken, line {broken.__code__.co_firstlineno + 1} of ")


def test_an_error_without_a_traceback_has_no_place():
    assert place_of(ValueError()) == ""


def test_an_error_that_qeframe_raises_has_the_place_of_its_cause_and_none_without_one():
    mine, ours, generated = (
        {"__name__": "mine"},
        {"__name__": "qeframe.x"},
        {"__name__": "hypothesis_temporary_module_1"},
    )
    exec("def failing(): raise KeyError(1)", mine)
    exec(
        "def of(cause):\n"
        "    try: cause()\n"
        "    except KeyError as error: raise ValueError from error\n"
        "    raise ValueError",
        ours,
    )
    exec("def each(of, cause):\n    try: of(cause)\n    except ValueError as error: return error", generated)
    assert place_of(generated["each"](ours["of"], mine["failing"])) == "failing, line 1 of mine"
    assert place_of(generated["each"](ours["of"], lambda: None)) == ""


def test_parts_of_examples_in_python_notation():
    batch = Values.from_plain(None, [1.0, 2.0])
    assert shown_part((batch, np.array([0, 1])), kind_of(Values)) == "(Values(predicted=[1.0, 2.0]), [0, 1])"


@pytest.mark.parametrize("kind", [kind for kind in LAWS if kind not in (Reader, ProfileFile)])
def test_every_class_with_numbers_has_values_smallest_first(kind):
    component = REGISTRY.all(kind)[0]
    assert word_of(kind)
    names = [fixed.name for fixed in fixed_values(kind, component)]
    assert names
    assert len(set(names)) == len(names)


def test_a_class_without_numbers_has_no_word():
    assert word_of(object) == ""


def test_values_have_nine_digits():
    def value(computed):
        return Fixed(name="x", compute=lambda: computed, plain={}).value

    assert value(1 / 3) == "0.333333333"
    assert value(np.array([1e-13, np.nan])) == "0 nan"
    assert value(["OK", 0.1234567891]) == digest('["OK", "0.123456789"]')
    assert value(np.zeros(101)).startswith("#")


def test_a_refusal_is_a_value():
    def refuse():
        raise DataError("no")

    assert Fixed(name="x", compute=refuse, plain={}).value == "DataError"


def test_the_value_of_a_metric_is_its_score():
    fixed = next(iter(fixed_values(Metric, REGISTRY.get(Metric, "mae"))))
    errors = np.abs(np.array(fixed.plain["gold"]) - np.array(fixed.plain["predicted"]))
    assert float(fixed.value) == pytest.approx(errors.mean())


# Gates in test files: `check_gaming`, and the options of pytest.
def test_check_gaming_names_the_attack(registry):
    mae = attrs.evolve(registry.get(Metric, "mae"), claims=(), known_weaknesses={})
    with pytest.raises(AssertionError, match="Metric 'mae' can be gamed\n  the attack constant_median has the index"):
        check_gaming(mae, attacks=["constant_median"], registry=registry)
    check_gaming(mae, attacks=["constant_median"], above=0.3, registry=registry)
    with pytest.raises(AssertionError, match=r"and 0\.2 is allowed"):
        check_gaming(mae, attacks=["constant_median"], above=0.2, registry=registry)
    check_gaming(mae, attacks=["constant_median"], above=0.277, registry=registry)
    with pytest.raises(AssertionError, match="may be gamed, which is not determined"):
        check_gaming(mae, attacks=["constant_median"], above=0.277, strict=True, registry=registry)


def test_every_metric_of_a_plugin_is_tried(registry):
    class Plugin:
        qeframe_metrics = staticmethod(lambda: [Parametric(distance), registry.get(Metric, "pearson")])
        qeframe_tie_policies = staticmethod(lambda: [registry.get(TiePolicy, "wmt14")])

    def distance() -> Metric:
        return attrs.evolve(registry.get(Metric, "mae"), name="distance", claims=(), known_weaknesses={})

    with pytest.raises(AssertionError, match="Metric 'distance' can be gamed"):
        check_gaming(Plugin, attacks=["constant_median"], registry=registry)


def test_a_required_claim_must_be_made(registry):
    mae = registry.get(Metric, "mae")
    check_required(registry.get(Metric, "pearson"), "constant_proof")
    check_required(mae, "padding_proof")  # there is no such law for its batches
    with pytest.raises(AssertionError, match="Metric 'mae' does not claim 'constant_proof', which is required"):
        check_required(mae, "constant_proof")
    assert required_claims("monotone, blind_proof,monotone") == ("monotone", "blind_proof")
    with pytest.raises(DataError, match="no law for the claim 'safe'"):
        required_claims("safe")


def test_no_gate_without_options(registry):
    assert gates_asked(registry.get(Metric, "mae")) == []


PLUGINS = ["qeframe_ties"]


@pytest.fixture(scope="module")
def locked():
    return lock(REGISTRY, plugins=PLUGINS)


def test_nothing_changes_by_itself(locked, tmp_path):
    write_lock(locked, tmp_path / "lock.json")
    assert changes(read_lock(tmp_path / "lock.json"), REGISTRY, plugins=PLUGINS) == []


def test_a_changed_number_is_told_with_its_smallest_input(locked):
    old = locked["tie policy wmt13"]
    other = attrs.evolve(old, values={**old.values, "<<": "2"})
    (change,) = changes({**locked, "tie policy wmt13": other}, REGISTRY, plugins=PLUGINS)
    assert (change.component, change.kind, change.broken) == ("tie policy wmt13", "changed", True)
    assert change.what.startswith("on << 2 became 1 (recorded of qeframe ")
    assert change.input == {"human": "<", "metric": "<"}


def test_what_is_gone_is_broken_and_what_is_new_is_not(locked):
    recorded = {name: record for name, record in locked.items() if name != "tie policy wmt14"}
    recorded["tie policy wmt99"] = locked["tie policy wmt14"]
    found = {change.component: (change.kind, change.broken) for change in changes(recorded, REGISTRY, plugins=PLUGINS)}
    assert found == {"tie policy wmt14": ("new", False), "tie policy wmt99": ("gone", True)}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{", "it is not JSON"),
        ("{}", "is no lock file of format 1"),
        ('{"format": 1, "components": {"x": {}}}', "its components are not as written"),
    ],
)
def test_other_files_are_refused(tmp_path, text, what):
    path = tmp_path / "lock.json"
    path.write_text(text)
    with pytest.raises(DataError, match=what):
        read_lock(path)


def test_files_that_cannot_be_read_or_written(tmp_path, locked):
    with pytest.raises(DataError, match="cannot be read"):
        read_lock(tmp_path / "none.json")
    with pytest.raises(DataError, match="cannot be written"):
        write_lock(locked, tmp_path / "none" / "lock.json")


@pytest.mark.parametrize("batch", [Scores, Tags])
def test_the_inputs_of_a_kind(batch):
    inputs = fixed_submissions(batch)
    assert list(inputs) == [f"{batch.__name__.lower()}-{size}" for size in SIZES]
    plain = kind_of(batch).plain
    for submissions in inputs.values():
        assert len(submissions) == 3
        assert all(plain(each)["gold"] == plain(submissions[0])["gold"] for each in submissions)


def test_an_unknown_kind_has_none():
    class Unknown(Batch):
        pass

    assert fixed_submissions(Unknown) == {}


@given(weights(4, most=2))
def test_weights(drawn):
    assert drawn.shape == (4,)
    assert 0 < drawn.max() <= 2
    assert drawn.min() >= 0


@given(exchanges(3, draws=5))
def test_exchanges(drawn):
    assert drawn.shape == (5, 3)
    assert set(np.unique(drawn)) <= {0, 1}


@settings(max_examples=15)
@given(scores_batches(min_units=3, max_units=4, ties=False, constant=False))
def test_scores_without_ties(batch):
    assert 3 <= len(batch) <= 4
    assert len(set(batch.gold)) == len(batch) == len(set(batch.predicted))


@settings(max_examples=45)
@given(grids_batches(systems=(2, 3), complete=True))
def test_complete_grids(batch):
    assert not np.isnan(batch.gold).any()
    assert 2 <= batch.systems <= 3


@pytest.mark.parametrize("kind", registered_kinds(), ids=lambda kind: kind.batch.__name__)
def test_submissions_of_a_kind_have_the_same_units(kind):
    @settings(max_examples=10)
    @given(drawn_from(kind, complete=True, submissions=3))
    def same_units(batches):
        assert len(batches) == 3
        assert all(isinstance(each, kind.batch) and np.array_equal(each.ids, batches[0].ids) for each in batches)

    same_units()


MAE = REGISTRY.get(Metric, "mae")


def made(**fields) -> Verdict:
    return Verdict(**{"metric": "m", "claim": "monotone", "claimed": True, "holds": True, **fields})


@pytest.mark.parametrize(
    ("fields", "words", "broken"),
    [
        ({"tries": 60}, "claimed, no counterexample in 60 tries", False),
        ({"tries": 1, "exact": True}, "claimed, all cases computed", False),
        ({"holds": False}, "claimed, refuted", True),
        ({"holds": None}, "claimed, and there is no such law for its kind of batch", True),
        ({"claimed": False, "tries": 3}, "not claimed, no counterexample in 3 tries", False),
        ({"claimed": False, "holds": False}, "not claimed, refuted", False),
        ({"claimed": False, "holds": None}, "does not apply", False),
    ],
)
def test_a_verdict_in_words(fields, words, broken):
    verdict = made(**fields)
    assert (verdict.in_words, verdict.broken) == (words, broken)
    assert str(verdict).startswith(words)


def test_a_broken_claim_is_shown_with_the_beginning_of_its_counterexample():
    verdict = made(holds=False, what="it is lower", counterexample={"gold": [1.0], "after": [2.0]})
    assert str(verdict) == "claimed, refuted by gold [1.0], after [2.0]: it is lower"
    verdict = made(holds=False, what="it is lower", counterexample={"gold": [1.0] * 50, "best": "high"})
    assert str(verdict) == "claimed, refuted by gold [1.0, 1.0, 1.0, 1.0, ... 50 in all], best high: it is lower"


def test_there_is_a_verdict_on_each_claim_in_order():
    verdicts = verdicts_on(MAE, tries=2)
    assert tuple(each.claim for each in verdicts) == CLAIMS
    assert {each.claim for each in verdicts if each.claimed} == set(MAE.claims)
    assert {each.metric for each in verdicts} == {"mae"}
    assert [each.claim for each in verdicts if each.holds is None] == ["tie_neutral", "padding_proof"]
    unclaimed = verdicts_on(MAE, tries=2, unclaimed=True)
    assert unclaimed == [each for each in verdicts if not each.claimed]


def test_a_function_is_tried_with_its_defaults():
    def within(*, claims: tuple[str, ...] = ("monotone",)) -> Metric:
        return attrs.evolve(MAE, claims=claims)

    assert verdicts_on(within, tries=2) == verdicts_on(within(), tries=2)
    assert [each.claim for each in verdicts_on(within, tries=1) if each.claimed] == ["monotone"]
    with pytest.raises(DataError, match="function 'nothing' returned None, which is no metric"):
        verdicts_on(nothing)


def nothing() -> None:
    return None


def test_a_claim_that_is_not_kept_is_broken_whether_or_not_it_is_made():
    boaster = attrs.evolve(MAE, claims=["location_scale_invariant"])
    for metric, claimed in ((MAE, False), (boaster, True)):
        (verdict,) = [each for each in verdicts_on(metric, tries=5) if each.claim == "location_scale_invariant"]
        assert (verdict.holds, verdict.claimed, verdict.broken) == (False, claimed, claimed)
        assert set(verdict.counterexample) >= {"gold", "predicted", "scale", "shift"}
        assert verdict.exploit.startswith("Shift or rescale the answers")


def test_without_time_nothing_is_tried():
    assert {each.tries for each in verdicts_on(MAE, seconds=0.0)} == {0}


def test_a_kind_of_batch_without_a_strategy_is_refused():
    bare = attrs.evolve(kind_of(MAE.kind), submissions=None)
    with pytest.raises(DataError, match="their kind has no strategy; give its BatchKind the part 'submissions'"):
        verdicts_on(MAE, kind=bare)
