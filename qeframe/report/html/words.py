"""The words of a page for readers who do not know the rules: what headings and terms of tests mean.

A word that is not of the field has its technical name beside it, under which the rules have it.
"""

from collections.abc import Mapping

from attrs import frozen

from qeframe.core.component import Component
from qeframe.core.metric import Metric
from qeframe.core.ranking import RankingRule
from qeframe.core.result import Evaluation
from qeframe.core.significance import Correction, SignificanceTest
from qeframe.report.tables.component_words import component, how_tested
from qeframe.report.tables.leaderboard import best_in_words, confidence_in_words, shows_clusters
from qeframe.report.tables.task_columns import metric_column, name_over_tasks
from qeframe.report.tables.written_names import written_name


@frozen
class Word:
    """A word on the page, what it means, and the technical name under which rules and files have it.

    `detail` says in technical terms how the component of that name computes.
    """

    shown: str
    meaning: str
    technical: str = ""
    detail: str = ""

    @property
    def tip(self) -> str:
        """The technical name and the detail, or without one the meaning, for a tooltip."""
        return ": ".join(filter(None, (self.technical, self.detail or self.meaning)))


def headings(evaluation: Evaluation) -> Mapping[str, Word]:
    """Return by title of a column of the leaderboard what the page shows in its place."""
    rules = evaluation.signature.rules
    by_rule = _meaning(RankingRule, rules.get("ranking", "")), rules.get("ranking", "")
    words = {
        "rank set": Word("rank set", _RANK_SET),
        "drawn ranks": Word("likely ranks", "the ranks of most of the draws of the bootstrap", "drawn ranks"),
        "range": Word("range of ranks", "the first and the last rank by the rule of the task", "range"),
        "official cluster": Word("official cluster", *by_rule),
        "official winner": Word("official winner", *by_rule),
        "detectable": Word(
            "detectable gap", "the smallest difference from the best that would be noticed", "detectable"
        ),
    }
    level = confidence_in_words(evaluation)
    words[f"{level} interval"] = Word(f"{level} interval", _INTERVAL, rules.get("interval", ""))
    for name in evaluation.metrics:
        column = metric_column(evaluation, name)
        technical = name_over_tasks(evaluation, name, name)
        words[column.title] = Word(column.written, _meaning(Metric, name), technical)
    return {title: word for title, word in words.items() if word.tip}


_RANK_SET = "every rank that the significant differences leave possible; a wide range says that the data do not decide"
_INTERVAL = "where the score would lie on other data of the same kind"


def words_for_the_best(evaluation: Evaluation) -> list[tuple[Word, list[str]]]:
    """Return who may be best, and who are the official winners if these are others, each with the word for them."""
    marked = [s.name for s in evaluation.submissions if s.may_be_best]
    found = [(Word("May be best", best_in_words(evaluation)), marked)]
    if shows_clusters(evaluation.submissions):
        rule = evaluation.signature.rules.get("ranking", "")
        winners = [s.name for s in evaluation.submissions if s.winner]
        word = Word("Official winner" if len(winners) == 1 else "Official winners", _meaning(RankingRule, rule), rule)
        found.append((word, winners))
    return [(word, names) for word, names in found if names]


def terms_of_tests(evaluation: Evaluation) -> list[Word]:
    """Return the terms that the significance of an evaluation uses, in the order in which they build on each other.

    Result: empty without comparisons.
    """
    if not evaluation.comparisons:
        return []
    rules = evaluation.signature.rules
    alpha, correction = float(rules.get("alpha", 0.05)), rules.get("correction", "none")
    corrected = correction != "none"
    name = evaluation.primary
    terms = [Word(written_name(name), meaning, name)] if (meaning := _meaning(Metric, name)) else []
    terms.append(Word("p", "how often chance alone makes a difference this large between two equally good submissions"))
    for names in _tests_by_null(evaluation).values():
        details = "; ".join(filter(None, map(_test_in_words, names)))
        terms.append(Word("test", how_tested(names[0]) or "how p is computed", ", ".join(names), details))
    if corrected:
        what = "p made larger, since among many pairs some differ by chance"
        terms.append(Word("adjusted p", what, correction, _meaning(Correction, correction)))
    small = f"{'adjusted p' if corrected else 'p'} is {'below' if rules.get('strict', True) else 'at most'} {alpha:g}"
    missing = "" if corrected else "; p is not adjusted, so that among many pairs some are significant by chance"
    terms.append(Word("significantly better", f"better, and {small}{missing}"))
    if any(submission.rank_set for submission in evaluation.submissions):
        terms.append(Word("rank set", _RANK_SET))
    rule = rules.get("ranking", "")
    if any(submission.cluster is not None for submission in evaluation.submissions):
        terms.append(Word("ranking rule", _meaning(RankingRule, rule), rule))
    return terms


def components_in_words(evaluation: Evaluation) -> list[str]:
    """Return what the metrics, tests, correction and ranking rule of an evaluation compute, each after its name."""
    rules = evaluation.signature.rules
    meanings = {name: _meaning(Metric, name) for name in evaluation.metrics}
    meanings |= {test: _test_in_words(test) for tests in _tests_by_null(evaluation).values() for test in tests}
    meanings[rules.get("correction", "")] = _meaning(Correction, rules.get("correction", ""))
    meanings[rules.get("ranking", "")] = _meaning(RankingRule, rules.get("ranking", ""))
    return [f"{name}: {meaning}" for name, meaning in meanings.items() if name and meaning]


def _tests_by_null(evaluation: Evaluation) -> Mapping[str, list[str]]:
    """Return the names of the tests that gave a p, by null hypothesis."""
    tests: dict[str, list[str]] = {}
    for name in dict.fromkeys(pair.test for pair in evaluation.comparisons if pair.test):
        test = component(SignificanceTest, name)
        tests.setdefault(test.null if test else "", []).append(name)
    return tests


def _test_in_words(name: str) -> str:
    """Return the summary of a test, with what "equal" means in its null hypothesis; empty if no plugin brings it."""
    test = component(SignificanceTest, name)
    return "" if test is None else test.summary + (f"; null hypothesis: {test.null}" if test.null else "")


def _meaning(kind: type[Component], name: str) -> str:
    """Return the summary of a component; empty if no plugin in use brings it."""
    found = component(kind, name)
    return "" if found is None else found.summary
