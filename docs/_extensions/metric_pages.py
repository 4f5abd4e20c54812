"""The pages of metrics: one page each, and an index with the table of all."""

import math
from collections.abc import Iterator, Mapping, Sequence

from audit_verdicts import Verdict, read_largest, read_verdicts, verdict_in_words
from component_parts import call_block, default_of, facts_table, label, page, parameters
from docstrings import as_markdown, prose, table
from formulas import formula_block
from worked_examples import worked_example

from qeframe.core.calls import Parametric
from qeframe.core.metric import Metric
from qeframe.core.registry import Registry
from qeframe.core.significance import SignificanceTest
from qeframe.kinds.grid.batch import Grid

__all__ = ["metric_pages"]


def metric_pages(registry: Registry) -> dict[str, str]:
    """Return the pages of all metrics and their index, by path below the folder of generated pages."""
    verdicts, names = read_verdicts(), registry.names(Metric)
    own = {f"metrics/{name}.md": page(*_blocks(name, registry, verdicts)) for name in names}
    return {"metrics.md": _index(names, registry), **own}


def _index(names: list[str], registry: Registry) -> str:
    metrics = {name: default_of(registry, Metric, name) for name in names}
    kinds: dict[str, list[str]] = {}
    for name, metric in metrics.items():
        kinds.setdefault(metric.kind.__name__, []).append(name)
    introduction = (
        "Each metric has a page of its own: its formula, a worked example, its parameters, what it claims, what the "
        "audit found, the tests that work with it, and its papers. The metrics are listed by the kind of data they "
        "score."
    )
    blocks, largest = [], read_largest()
    for kind, members in sorted(kinds.items()):
        rows = [
            [
                f"[`{name}`](#{label(Metric, name)})",
                as_markdown(metrics[name].summary),
                _claims(metrics[name]),
                _gained(metrics[name], largest),
            ]
            for name in members
        ]
        first = metrics[members[0]].kind.__doc__ or ""
        blocks += [
            f"## On `{kind}`",
            next(iter(prose(first))),
            table(["name", "what", "claims", "can be gained"], rows),
        ]
    tree = "\n".join(["```{toctree}", ":hidden:", "", *(f"metrics/{name}" for name in names), "```"])
    declared = [f"## {_DECLARED}", *prose(Metric.__doc__)]
    return page("# Metrics", introduction, *blocks, *declared, tree)


_DECLARED = "What a metric is"


def _blocks(name: str, registry: Registry, verdicts: Sequence[Verdict]) -> Iterator[str]:
    entry, metric = registry.entry(Metric, name), default_of(registry, Metric, name)
    component = entry.component
    yield f"({label(Metric, name)})=\n# `{name}`"
    yield as_markdown(metric.summary[:1].upper() + metric.summary[1:].rstrip(".")) + "."
    if metric.formula:
        yield "## Formula"
        yield formula_block(metric.formula, metric.symbols)
    papers = []
    if isinstance(component, Parametric):
        told = list(prose(component.build.__doc__))
        papers = [text.removeprefix("**References.** ") for text in told if text.startswith("**References.** ")]
        yield "## Definition"
        yield call_block(name, component)
        yield from (text for text in told if not text.startswith("**References.** "))
        yield parameters(component)
    example = worked_example(metric)
    if example:
        yield "## Worked example"
        yield from example
    yield "## Facts"
    yield facts_table({**_facts(metric, registry), "from": as_markdown(str(entry.origin))})
    yield "## Can it be gamed?"
    yield from _gaming(metric, name, verdicts)
    yield "## Papers and tasks"
    yield f"{as_markdown(metric.source)}" if metric.source else ""
    yield from papers


def _gaming(metric: Metric, name: str, verdicts: Sequence[Verdict]) -> Iterator[str]:
    claims = _claims(metric)
    tested = "[Claims](../../claims.md) says what each one states and how it is tested."
    yield f"It claims: {claims}. {tested}" if claims else f"It makes no claim. {tested}"
    gained = _gained(metric, read_largest())
    yield f"Can be gained: {gained}." if gained else "No attack has a gaming index on it."
    found = [verdict for verdict in verdicts if verdict["metric"].partition("(")[0] == name]
    if not found:
        yield "The [audit](../../audit.md) does not hold this metric."
        return
    yield (
        "The [audit](../../audit.md) attacked it with submissions that need no good model. An index of 0 is honest "
        "chance or the unchanged honest submission, 1 is the score of the gold itself."
    )
    yield "\n".join(f"* {verdict_in_words(verdict)}" for verdict in found)


def _claims(metric: Metric) -> str:
    return ", ".join(f"`{claim}`" for claim in sorted(metric.claims))


def _gained(metric: Metric, largest: Mapping[tuple[str, str], tuple[float, str]]) -> str:
    """Return in a line what attacks of each manner gain, and how much they may gain."""
    parts = []
    for manner in ("blind", "cosmetic"):
        bound = f"at most {metric.known_weaknesses[manner]:g}" if manner in metric.known_weaknesses else ""
        index, attack = largest.get((metric.name, manner), (math.nan, ""))
        measured = "" if math.isnan(index) else f"{index:.2f} by `{attack}`" if index >= _TOLD else "nothing"
        if told := ", ".join(filter(None, (measured, bound))):
            parts.append(f"{told} ({manner})")
    return "; ".join(parts)


_TOLD = 0.005
"""A smaller index is nothing."""


def _facts(metric: Metric, registry: Registry) -> dict[str, str]:
    able = {"bind", "exchange"} | {c for c in ("vectors", "per_unit") if getattr(metric, c) is not None}
    able |= {"smooth"} if metric.smooth else set()
    able |= {"grid"} if metric.smooth and issubclass(Grid, metric.kind) else set()
    able |= {"outcomes"} if metric.per_unit is not None else set()
    tests = [n for n in registry.names(SignificanceTest) if default_of(registry, SignificanceTest, n).needs in able]
    low, high = (f"{end:g}".replace("inf", "∞") for end in metric.bounds)
    return {
        "on": f"`{metric.kind.__name__}`",
        "bounds": f"{low} to {high}",
        "better": "higher" if metric.higher_is_better else "lower",
        "where undefined": "n/a (NaN)" if math.isnan(metric.degenerate) else f"{metric.degenerate:g}",
        "claims": _claims(metric) or "none",
        "tests": ", ".join(f"[`{n}`](#{label(SignificanceTest, n)})" for n in tests),
    }
