"""Attacks measured on many generated golds, for all metrics on one kind of batch at once.

On every gold an attack, its base and the perfect score are computed on the same units. An index is the mean gain over
the mean headroom. Settings are chosen on golds of their own. Golds are added until the errors are small enough, or
until there are too many. What is drawn depends on the seed, the gold's number and the attack's name only, so that the
result of a metric depends neither on the other metrics nor on the runner.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import attrs
import numpy as np
from attrs import frozen

from qeframe.api.attacks import name_with_origin
from qeframe.core.batch import Batch, FloatArray
from qeframe.core.metric import Attack, Metric
from qeframe.core.runner import Runner
from qeframe.gaming.audit_gold import ASKED, Attacked, is_precise, loses
from qeframe.gaming.expected import mean_error, ratio_influence, with_bounds
from qeframe.gaming.one_gold import SCORED, GoldScores, Variant, generated, score_on_gold

_SETTING_GOLDS = 6
"""The golds that settings are chosen on."""
_FIRST_GOLDS = 16
_WANTED, _WANTED_GOLDS = 0.01, 128
"""Up to so many golds an index should have this error; it must have `ASKED`."""
_MOST_GOLDS = 2048
_SAME = 1e-9
"""Settings whose gains differ by less than this share are equally good; the first is taken."""

_SETTINGS, _MEASURED = "settings", "measured"
"""The golds that settings are chosen on, and that indices are measured on; those of the search have other names."""

Rows = dict[tuple[str, Variant], list[FloatArray]]
"""For each metric and variant the numbers of `SCORED` on each gold."""


@frozen(eq=False)
class GoldPlan:
    """What is measured on golds of one kind: for each metric some variants.

    `kind`: the kind of batch of all metrics; it has a generated gold. `wanted`: for each metric the attacks, each with
    a setting.
    """

    kind: type[Batch]
    metrics: Mapping[str, Metric]
    wanted: Mapping[str, Sequence[Variant]]
    seed: int

    def on_gold(self, stream: str, number: int) -> GoldScores:
        """Return the scores on one gold of a stream."""
        gold = generated(self.kind, self.metrics, seed=self.seed, name=f"{stream} {number}")
        return score_on_gold(gold, self.wanted, count_undefined=stream == _MEASURED and number == 0)

    def rows(self, stream: str, numbers: Sequence[int], runner: Runner) -> Rows:
        """Return for each metric and variant the rows of the golds of a stream, in the order of their numbers."""
        rows: Rows = {}
        for on_gold in runner.imap(partial(self.on_gold, stream), numbers):
            for key, row in on_gold.items():
                rows.setdefault(key, []).append(row)
        return rows


def measured_index(rows: Sequence[FloatArray]) -> tuple[float, float, FloatArray]:
    """Return an index, its standard error and the influences of the golds, from the rows of a variant."""
    table = np.asarray(rows)
    index, influence = ratio_influence(table[:, SCORED.index("gain")], table[:, SCORED.index("headroom")])
    return index, mean_error(influence), influence


def attack_on_many_golds(
    plan: GoldPlan, attacks: Sequence[Attack], *, runner: Runner | None = None
) -> dict[str, tuple[Attacked, ...]]:
    """Try attacks on the metrics of a plan, on generated golds.

    `plan`: what it wants already, such as what a search found, is measured too. `attacks`: all on the plan's kind or an
    ancestor. Each is measured with the setting that is best on golds of their own. Returns for each metric the attacks
    that can be made on its gold, in the order given, then those that the plan wants, with intervals that hold for all
    of them at once.
    """
    runner = runner or Runner()
    best = _best_settings(plan, attacks, runner)
    chosen = {name: [*best[name], *plan.wanted.get(name, ())] for name in plan.metrics}
    rows: Rows = {}
    golds, still = 0, {name: of_metric for name, of_metric in chosen.items() if of_metric}
    while still and golds < _MOST_GOLDS:
        # twice as many, so that few rounds settle an index; those that are settled take no further gold
        more = range(golds, max(_FIRST_GOLDS, 2 * golds))
        for key, added in attrs.evolve(plan, wanted=still).rows(_MEASURED, more, runner).items():
            rows.setdefault(key, []).extend(added)
        golds = more.stop
        left = {
            n: [e for e in entries if (n, e) in rows and not _is_settled(e, rows[n, e])] for n, entries in still.items()
        }
        still = {name: entries for name, entries in left.items() if entries}
    return {
        name: with_bounds([_attacked(e, rows[name, e]) for e in variants if (name, e) in rows], plan.seed)
        for name, variants in chosen.items()
    }


def _best_settings(plan: GoldPlan, attacks: Sequence[Attack], runner: Runner) -> dict[str, list[Variant]]:
    """Return for each metric every attack with the setting that is best on golds of their own."""
    tried = {a.name: [Variant(a, s) for s in a.settings] for a in attacks}
    wanted = [e for variants in tried.values() for e in variants]
    rows: Rows = {}
    if wanted:
        rows = attrs.evolve(plan, wanted=dict.fromkeys(plan.metrics, wanted)).rows(
            _SETTINGS, range(_SETTING_GOLDS), runner
        )
    return {name: [_best_setting(name, a, tried[a.name], rows) for a in attacks] for name in plan.metrics}


def _best_setting(metric: str, attack: Attack, variants: Sequence[Variant], rows: Rows) -> Variant:
    """Return an attack with the setting that has the largest index, the first of equally good ones."""
    measured = [e for e in variants if (metric, e) in rows]
    if not measured:
        return Variant(attack, "")
    indices = np.array([measured_index(rows[metric, e])[0] for e in measured])
    indices = np.where(np.isnan(indices), -np.inf, indices)
    return measured[int(np.argmax(indices >= indices.max() - _SAME))]


def _is_settled(variant: Variant, rows: Sequence[FloatArray]) -> bool:
    """Return whether an index has the error that is wanted; of an attack that does not count, that is asked for."""
    index, error, _ = measured_index(rows)
    counts = variant.attack.manner in ("blind", "cosmetic")
    # precise indices first; from so many golds on, the larger error that is still printed is enough
    asked = _WANTED if counts and len(rows) < _WANTED_GOLDS else ASKED
    return is_precise(index, error, asked) or loses(index, error)


def _attacked(variant: Variant, rows: Sequence[FloatArray]) -> tuple[Attacked, FloatArray]:
    """Return the result of a variant, from its rows."""
    index, error, influence = measured_index(rows)
    table = np.asarray(rows)
    defined = ~np.isnan(table[:, :2]).any(axis=1)
    mean = dict(zip(SCORED, _column_means(table[defined]), strict=True))
    failed = bool(np.isnan(table[:, SCORED.index("score")]).all())
    attack = variant.attack
    return Attacked(
        attack=name_with_origin(attack),
        kind=attack.manner,
        knowledge=attack.knowledge,
        summary=attack.summary,
        setting=variant.setting,
        score=np.nan if failed else mean["base"] + mean["gain"],
        base=mean["base"],
        perfect=mean["perfect"],
        index=index,
        error=error,
        golds=len(table),
        determined=is_precise(index, error) or loses(index, error),
        undefined=mean["undefined"],
        refutes=attack.refutes,
    ), influence


def _column_means(table: FloatArray) -> list[float]:
    """Return the means of columns over the golds where they are known; NaN for a column that is unknown everywhere."""
    return [float(column[~np.isnan(column)].mean()) if (~np.isnan(column)).any() else np.nan for column in table.T]
