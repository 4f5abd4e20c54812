"""Compare the rules of error spans on real annotation: which submissions win, and which attacks succeed.

Run as ``python docs/studies/span_rules.py FILE [FOLDER]``. FILE is the MQM annotation of WMT23 en-de in the layout of
mt-metrics-eval, ``en-de.mqm.merged.seg.rating``: for each translation of each system its name, a tab, and the errors as
JSON, or None. The numbers are written into FOLDER, by default ``docs/explanation``: ``span-rules.json``, and the table
of ``span-rules.md``. The annotation itself is not copied.
"""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

import qeframe
from qeframe.core.metric import Attack, Metric
from qeframe.core.ragged import Ragged
from qeframe.kinds.spans import END, SEVERITIES, SEVERITY, START, AnnotatedSegments, Spans

RULES = {
    "2023": "span_f1(rule=2023)",
    "2025": "span_f1(rule=2025)",
    "MPP": "mpp_f",
    "MPP macro": "mpp_f(average=macro)",
    "MPP severity": "mpp_f(severity_penalty=0.5)",
    "EM": "mpp_f(measure=exact)",
    "MP": "mpp_f(measure=any)",
    "many-to-many": "mpp_f(matching=many_to_many)",
}
LEFT_OUT = ("refA", "synthetic_ref")
SEED, DRAWS = 7, 400

# How a submission of known quality differs from the gold: the share of spans that it finds, by how many characters its
# ends are off on average, the share of severities that are wrong, and the false spans for each span of the gold.
QUALITIES: dict[str, tuple[float, float, float, float]] = {
    "excellent": (0.9, 0.5, 0.05, 0.1),
    "good": (0.7, 1.5, 0.15, 0.3),
    "fair": (0.5, 3.0, 0.3, 0.6),
    "poor": (0.3, 6.0, 0.5, 1.0),
    "cautious": (0.4, 1.5, 0.15, 0.05),
    "eager": (0.9, 1.5, 0.15, 1.5),
    "blurred": (0.9, 8.0, 0.15, 0.3),
    "severity-blind": (0.7, 1.5, 1.0, 0.3),
}
CHANGES = ("widened_spans", "split_spans", "one_span", "both_severities")
"""The cosmetic attacks; each is also entered as a change of the good submission."""


def read(path: Path) -> tuple[Spans, dict[str, int]]:
    """Return the annotation of all systems as gold, and the counts of what was left out."""
    rows: list[list[tuple[Any, ...]] | None] = []
    systems: list[str] = []
    left_out: Counter[str] = Counter()
    for line in path.read_text(encoding="utf-8").splitlines():
        system, rating = line.split("\t")
        systems.append(system)
        rows.append(None if rating == "None" else _target_spans(json.loads(rating)["errors"], left_out))
    segments = len(rows) // len(set(systems))
    kept = [i for i, row in enumerate(rows) if row is not None and systems[i] not in LEFT_OUT]
    left_out["translations of references"] = sum(system in LEFT_OUT for system in systems)
    left_out["translations without annotation"] = (
        len(rows) - len(kept) - sum(systems[i] in LEFT_OUT for i in range(len(rows)))
    )
    ends = np.zeros(segments, dtype=np.int64)
    for i, row in enumerate(rows):
        ends[i % segments] = max([ends[i % segments], *(span[END] for span in row or ())])
    lengths = np.maximum(ends, int(np.median(ends[ends > 0])) * (ends == 0))
    gold = [rows[i] for i in kept]
    batch = Spans.from_plain(gold, gold, text=[int(lengths[i % segments]) for i in kept])
    return batch, dict(left_out)


def _target_spans(errors: Sequence[dict[str, Any]], left_out: Counter[str]) -> list[tuple[Any, ...]]:
    spans = []
    for error in errors:
        if error["is_source_error"]:
            left_out["spans of the source"] += 1
        else:
            spans.append((error["start"], error["end"], error["severity"], error["category"]))
    return spans


def submission(batch: Spans, quality: tuple[float, float, float, float], rng: np.random.Generator) -> Spans:
    """Return the batch with a submission of a known quality."""
    found, off, wrong, false = quality
    gold = batch.gold
    segment, values = gold.row_of_value, gold.values[:, : SEVERITY + 1].copy()
    kept = rng.random(len(values)) < found
    segment, values = segment[kept], values[kept]
    signs = rng.choice([-1, 1], (len(values), 2))
    values[:, :SEVERITY] += signs * rng.poisson(off, (len(values), 2))
    flipped = rng.random(len(values)) < (wrong if wrong < 1 else 0)
    values[:, SEVERITY] = np.where(flipped, 1 - np.minimum(values[:, SEVERITY], 1), values[:, SEVERITY])
    like = rng.integers(0, len(gold.values), rng.poisson(false * len(gold.values)))
    where = rng.integers(0, len(batch), len(like))
    length = gold.values[like, END] - gold.values[like, START]
    start = np.floor(rng.random(len(like)) * np.maximum(1, batch.text[where] - length)).astype(np.int64)
    more = np.stack([start, start + length, gold.values[like, SEVERITY]], axis=1)
    segment, values = np.concatenate([segment, where]), np.concatenate([values, more])
    if wrong == 1:
        values[:, SEVERITY] = SEVERITIES.index("minor")
    values[:, START] = np.clip(values[:, START], 0, batch.text[segment])
    values[:, END] = np.clip(values[:, END], values[:, START], batch.text[segment])
    order = np.argsort(segment, kind="stable")
    side = Ragged.from_lengths(values[order], np.bincount(segment, minlength=len(batch)))
    return attrs.evolve(batch, predicted=side)


def entered(batch: Spans, registry: qeframe.Registry) -> dict[str, Spans]:
    """Return all submissions: of known quality, the good one changed, and blind attacks in every setting."""
    rng = np.random.default_rng(SEED)
    made = {name: submission(batch, quality, rng) for name, quality in QUALITIES.items()}
    for name in CHANGES:
        attack = registry.get(Attack, name)
        made[f"good, {name}"] = attack.answer(made["good"], rng)
    for attack in registry.all(Attack):
        if attack.kind is Spans and attack.manner == "blind":
            for setting, answer in (attack.settings or {"": attack.answer}).items():
                made[f"{attack.name} {setting}".strip()] = answer(batch, rng)
    return made


def scores(made: dict[str, Spans], registry: qeframe.Registry) -> dict[str, dict[str, dict[str, float]]]:
    """Return by submission and rule the score and its standard error by the bootstrap."""
    rng = np.random.default_rng(SEED)
    size = len(next(iter(made.values())))
    weights = rng.multinomial(size, np.full(size, 1 / size), DRAWS).astype(np.float64)
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name, batch in made.items():
        found[name] = {}
        for rule, metric in RULES.items():
            statistic = registry.get(Metric, metric).bind(batch)
            drawn = statistic(weights)
            point = float(statistic(np.ones(size)))
            found[name][rule] = {"score": round(point, 6), "error": round(float(drawn.std(ddof=1)), 6)}
    return found


def indices(batch: Spans) -> dict[str, dict[str, Any]]:
    """Return by rule how far each attack gets from chance, or from what it changes, to the perfect score."""
    audit = qeframe.audit(list(RULES.values()), batch, claims=False, seed=SEED)
    by_metric = {metric.metric: metric for metric in audit.metrics}
    return {
        rule: {
            each.attack: round(float(each.index), 4) for each in by_metric[str(name)].attacks if each.index is not None
        }
        for rule, name in RULES.items()
    }


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; the first row is the head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "| :--- |" + " ---: |" * (len(rows[0]) - 1), *lines[1:]])


def score_table(found: dict[str, Any], names: Sequence[str]) -> str:
    """Return scores with the rank among the given submissions; the best of each rule is bold."""
    ranked = {rule: sorted(names, key=lambda name, rule=rule: -found[name][rule]["score"]) for rule in RULES}
    rows = [["submission", *RULES]]
    for name in names:
        cells = [f"{found[name][rule]['score']:.3f} ({ranked[rule].index(name) + 1})" for rule in RULES]
        rows.append([name, *(f"**{cell}**" if cell.endswith("(1)") else cell for cell in cells)])
    return table(rows)


def write(folder: Path, result: dict[str, Any]) -> None:
    """Write the numbers, and put the table of scores between the marks of the page."""
    (folder / "span-rules.json").write_text(json.dumps(result, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    page = folder / "span-rules.md"
    before, rest = page.read_text(encoding="utf-8").split("<!-- qualities -->\n", 1)
    _, after = rest.split("<!-- end of qualities -->", 1)
    made = score_table(result["scores"], [*QUALITIES, *(f"good, {name}" for name in CHANGES)])
    page.write_text(f"{before}<!-- qualities -->\n\n{made}\n\n<!-- end of qualities -->{after}", encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Compute everything and write it."""
    registry = qeframe.load()
    batch, left_out = read(Path(arguments[0]))
    sides: AnnotatedSegments = batch.gold
    counts = {"translations": len(batch), "spans": len(sides.values), "left out": left_out}
    result = {"rules": RULES, "counts": counts, "scores": scores(entered(batch, registry), registry)}
    result["indices"] = indices(batch)
    write(Path(arguments[1]) if len(arguments) > 1 else Path(__file__).parents[1] / "explanation", result)
    sys.stdout.write(json.dumps(counts) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
