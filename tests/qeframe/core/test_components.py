"""Each class of components: what it refuses when it is made."""

from functools import partial
from pathlib import Path
from random import Random

import attrs
import numpy as np
import pytest

from qeframe.core.batch_kind import BatchKind
from qeframe.core.component import Component
from qeframe.core.display import View
from qeframe.core.errors import DataError
from qeframe.core.metric import CLAIMS, Metric, TiePolicy, segment_scores
from qeframe.core.metric_calls import scores_of_groups
from qeframe.core.ranking import Aggregation, Ranking, RankingInput, RankingRule
from qeframe.core.reader import ExampleRequest, Reader
from qeframe.core.significance import Correction, Pairwise, SignificanceTest, ordered_pairs, select_pairs
from qeframe.core.submission_format import SubmissionFormat
from qeframe.gaming.gaming_gate import declared_gate
from qeframe.kinds.registered import registered_kinds
from qeframe.kinds.scores.batch import Scores
from tests.outcome import failure
from tests.qeframe.core.components.made_plugins import share_equal


# An aggregation states how its parts are weighed; by default all alike, over tasks.
def test_an_aggregation_is_over_tasks_with_equal_weights_by_default():
    first = Aggregation(name="first", summary="", aggregate=lambda scores, weights, higher: scores[..., 0])
    assert (first.by, first.pools, first.exclude, first.weighting, first.interval) == ("", False, (), "equal", "joint")
    assert first.linear
    assert first.higher_is_better is None
    assert first.aggregate(np.array([[1.0, 2.0], [3.0, 4.0]]), np.ones(2), True).tolist() == [1, 3]


# The pairs that a test compares, and functions over the differences of all pairs.
KEY = (1, 2)


def test_pairs_are_unordered_and_the_better_comes_first() -> None:
    first, second = ordered_pairs(np.array([0.1, np.nan, 0.3, 0.1]))
    assert list(zip(first, second, strict=True)) == [(2, 0), (2, 3), (2, 1), (0, 3), (0, 1), (3, 1)]
    first, second = ordered_pairs(np.array([0.1, 0.2]), as_given=True)
    assert (list(first), list(second)) == ([0], [1])
    assert ordered_pairs(np.array([0.5]))[0].shape == (0,)


def test_differences_of_pairs_are_selected_in_either_order():
    scores = np.array([[0.1, 0.7, 0.4, 0.0], [1.0, 2.0, 4.0, 8.0]])
    pairs = ordered_pairs(np.arange(4.0))
    differences = scores[:, pairs[0]] - scores[:, pairs[1]]
    assert select_pairs(differences, pairs, pairs) is differences
    wanted = np.array([0, 3, 2]), np.array([3, 1, 0])
    assert (select_pairs(differences, pairs, wanted) == scores[:, wanted[0]] - scores[:, wanted[1]]).all()
    assert select_pairs(differences, pairs, (np.array([1]), np.array([1]))) is None
    nothing = np.empty(0, dtype=np.int64)
    assert select_pairs(differences, pairs, (nothing, nothing)).shape == (2, 0)


# A component is printed by its name, and cannot be changed.
def test_a_component_is_printed_by_its_name_and_cannot_be_changed():
    assert str(Component(name="f_beta(beta=2)", summary="")) == "f_beta(beta=2)"
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Component(name="x", summary="").name = "y"


# Metrics and tie policies check what they declare; scores of single units and groups.
def test_a_tie_policy_needs_nine_cells():
    assert "3 x 3" in failure(DataError, TiePolicy, name="x", summary="", table=((1, 0), (0, 1)))


def test_claims_are_laws_and_a_single_word_is_one():
    line = failure(DataError, attrs.evolve, share_equal(), claims=("honest",))
    assert line == f"there is no law for the claim 'honest'; the claims are {', '.join(CLAIMS)}"
    assert attrs.evolve(share_equal(), claims="monotone").claims == {"monotone"}


@pytest.mark.parametrize(
    "bounds", [(0.0, 0.0), (1.0, 0.0), (np.nan, 1.0), (0.0,), (0.0, 1.0, 2.0), "01", ("a", "b"), None]
)
def test_bounds_are_two_numbers_of_which_the_first_is_smaller(bounds):
    line = failure(DataError, attrs.evolve, share_equal(), bounds=bounds)
    assert line.startswith("metric 'share_equal': bounds are ")
    assert line.endswith("; give two numbers, the smaller one first")


@pytest.mark.parametrize("key", ["formula", "symbols"])
def test_a_formula_and_its_symbols_are_texts(key):
    line = failure(DataError, attrs.evolve, share_equal(), **{key: 1})
    assert line == f"metric 'share_equal': {key} is int 1, not a text"
    assert getattr(attrs.evolve(share_equal(), **{key: "x"}), key) == "x"


def test_scores_of_single_units_and_of_groups(registry):
    batch = Scores.from_plain([1.0, 2.0, 3.0, 4.0], [1.0, 0.0, 3.0, 3.0])
    assert segment_scores(share_equal(), batch).tolist() == [1, 0, 1, 0]
    assert scores_of_groups(share_equal(), share_equal().bind(batch), ["b", "a", "b", "a"]).tolist() == [1, 0]
    mae = registry.get(Metric, "mae")
    assert scores_of_groups(mae, mae.bind(batch), ["b", "a", "b", "a"]).tolist() == [0, 1.5]


def test_scores_of_single_units_of_a_metric_without_rows(registry):
    batch = Scores.from_plain([1.0, 2.0, 3.0], [1.0, 0.0, 3.0])
    assert np.isnan(segment_scores(registry.get(Metric, "spearman"), batch)).all()
    assert segment_scores(registry.get(Metric, "spearman"), batch.take(np.array([], dtype=np.int64))).shape == (0,)


# A ranking rule maps a `RankingInput` to a `Ranking`.
def test_a_rule_is_given_scores_and_comparisons():
    def by_score(given: RankingInput) -> Ranking:
        assert given.draws is None
        rank = 1 + (given.oriented[:, None] < given.oriented).sum(axis=1)
        return Ranking(rank=rank, cluster=np.where(given.better.any(axis=0), 2, 1))

    rule = RankingRule(name="by_score", summary="", rank=by_score)
    ranking = rule.rank(RankingInput(oriented=np.array([0.1, 0.3]), better=np.array([[False, False], [True, False]])))
    assert ranking.rank.tolist() == [2, 1]
    assert ranking.cluster.tolist() == [2, 1]
    assert ranking.shares is None


def test_scores_that_differ_by_rounding_reach_rules_as_equal():
    oriented = np.array([0.1 + 0.2, 0.3, 0.3 - 1e-9, np.nan])
    given = RankingInput(oriented=oriented, better=np.zeros((4, 4), dtype=bool), draws=oriented[None])
    assert given.oriented[0] == given.oriented[1] > given.oriented[2]
    assert (given.draws[0, :3] == given.oriented[:3]).all()
    assert not given.oriented.flags.writeable
    assert oriented[0] != oriented[1], "what the caller holds stays as it is"


# A reader maps a path, and the better end of the gold scale, to readings.
def test_a_reader_is_given_a_path_and_the_better_end(tmp_path):
    seen: list[tuple[Path, str]] = []
    reader = Reader(name="nothing", summary="", kind=Scores, read=lambda path, best: seen.append((path, best)) or ())
    assert reader.read(tmp_path, "low") == ()
    assert seen == [(tmp_path, "low")]


def test_a_submission_format_is_one():
    with pytest.raises(DataError, match="not a SubmissionFormat"):
        Reader(name="r", summary="", kind=Scores, read=lambda path, best: (), submission=lambda path: ())
    form = SubmissionFormat(read=lambda path: ())
    assert (form.first, form.parts, form.check, form.read_input) == (None, "language pair", None, None)


def test_a_generated_task_is_written_as_it_is_read(tmp_path):
    made = partial(Reader, name="r", summary="", kind=Scores, read=print)
    assert made().write_example(tmp_path) is made(example={}).write_example(tmp_path) is None
    assert made(example={"t.txt": "1\n"}).write_example(tmp_path).read_text() == "1\n"
    assert made(example={"t.txt": "1\n"}) == made(example={"t.txt": "1\n"}) != made(example={"t.txt": "2\n"})
    drawn = made(example=lambda request: request.in_folders(lambda rng, pair: {"gold": f"{pair} {rng.random()}"}))
    assert drawn.write_example(tmp_path / "one") == tmp_path / "one" / "gold"
    both = drawn.write_example(tmp_path / "two", ExampleRequest(pairs=2))
    assert sorted(path.name for path in both.iterdir()) == ["en-cs", "en-de"]
    assert (both / "en-cs" / "gold").read_text() == (tmp_path / "one" / "gold").read_text()


def test_baselines_follow_the_first_submissions():
    request = ExampleRequest(submissions=2, baselines=("b", "c"))
    assert request.with_baselines({"best": 3, "good": 2, "poor": 1}, 0) == {"best": 3, "good": 2, "b": 0, "c": 0}


# A view shows itself.
def test_a_view_shows_itself():
    view = View("<b>A</b>", "A")
    assert (repr(view), str(view), view._repr_html_()) == ("A", "A", "<b>A</b>")


# Tests and corrections are values; without a statement a test has both sides and no bound on p.
def test_a_test_has_both_sides_and_no_bound_by_default_and_any_collection_states_them():
    test = SignificanceTest(name="coin", summary="", needs="bind", run=lambda contest, sided: Pairwise(p=np.ones(1)))
    assert (test.sides, test.interval, test.least_p) == ({"one", "two"}, None, 0)
    test = SignificanceTest(name="coin", summary="", needs="bind", run=lambda *_: None, sides=["one"])
    assert test.sides == frozenset({"one"})
    assert hash(test) == hash(test)
    assert significance_test(sides="two").sides == significance_test(sides=("two",)).sides == {"two"}
    assert significance_test(least_p=np.float64(0.5), null="equal scores").sides == {"one", "two"}


def test_a_correction_adjusts_p():
    assert Correction(name="double", summary="", adjust=lambda p: 2 * p).adjust(np.array([0.25])) == 0.5


def test_every_part_but_the_class_is_optional():
    kind = BatchKind(batch=Scores)
    assert kind.submissions is kind.ordinary is kind.fixed_submissions is kind.audit is None
    assert not kind.may_abstain


@pytest.mark.parametrize("kind", registered_kinds(), ids=lambda kind: kind.batch.__name__)
def test_every_kind_of_qeframe_has_ordinary_data(kind):
    make = kind.ordinary or (lambda rng, units: kind.fixed_submissions(rng, units)[0])
    once, again = (make(Random("ordinary"), 20) for _ in range(2))
    assert isinstance(once, kind.batch)
    assert kind.plain(once) == kind.plain(again)


def significance_test(**fields):
    defaults = {"name": "mine", "summary": "", "needs": "bind", "run": lambda compared, sided: Pairwise(p=np.ones(1))}
    return SignificanceTest(**defaults | fields)


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (
            {"needs": "per-unit"},
            "needs is str 'per-unit'; give 'bind' or 'smooth' or 'grid' or 'exchange' or 'outcomes' or 'vectors' or "
            "'per_unit'",
        ),
        ({"sides": ("both",)}, "sides is list ['both']; give 'one', 'two' or both"),
        ({"sides": ()}, "sides is list []; give 'one', 'two' or both"),
        (
            {"null": "equal"},
            "null is str 'equal'; give '' or 'equal scores' or 'exchangeable answers' or 'equal scores or exchangeable "
            "answers'",
        ),
        ({"least_p": 1.01}, "least_p is float 1.01; give a number from 0 to 1"),
        ({"least_p": -0.01}, "least_p is float -0.01; give a number from 0 to 1"),
        ({"least_p": True}, "least_p is bool True; give a number from 0 to 1"),
        ({"least_p": np.nan}, "least_p is float nan; give a number from 0 to 1"),
        ({"run": 3}, "run is int 3; give a function"),
        ({"remarks": "none"}, "remarks is str 'none'; give a function"),
    ],
)
def test_a_wrong_field_of_a_test_is_refused(fields, line):
    assert failure(DataError, significance_test, **fields) == f"significance test 'mine': {line}"


def test_a_wrong_field_of_a_correction_is_refused():
    with pytest.raises(DataError, match=r"^correction 'mine': least_p is str '0'; give a number from 0 to 1$"):
        Correction(name="mine", summary="", adjust=np.copy, least_p="0")
    with pytest.raises(DataError, match=r"^correction 'mine': adjust is float 0.05; give a function$"):
        Correction(name="mine", summary="", adjust=0.05)


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"higher_is_better": "no"}, "higher_is_better is str 'no'; give True or False"),
        ({"smooth": "yes"}, "smooth is str 'yes'; give True or False"),
        ({"working_scale": "logit"}, "working_scale is str 'logit'; give 'identity' or 'arctanh'"),
        ({"interval_scale": "logg"}, "interval_scale is str 'logg'; give 'identity' or 'arctanh' or 'logit' or 'log'"),
        ({"degenerate": "none"}, "degenerate is str 'none'; give a number, or NaN"),
        ({"per_unit": 3}, "per_unit is int 3; give a function"),
        (
            {"known_weaknesses": {"blind": 30}},
            "known_weaknesses are dict {'blind': 30}; give for each attack by name the largest index that it may have, "
            "above 0: .3, not 30 %",
        ),
    ],
)
def test_a_wrong_field_of_a_metric_is_refused(registry, fields, line):
    assert failure(DataError, attrs.evolve, registry.get(Metric, "mae"), **fields) == f"metric 'mae': {line}"


def test_an_index_above_1_can_be_declared(registry):
    mae = attrs.evolve(registry.get(Metric, "mae"), smooth=np.bool_(True), known_weaknesses={"blind": 1.3})
    assert declared_gate(mae, attacks=["constant_median"]).outcome == "kept"
