"""The rules in plain Python, pair by pair: what the fast versions are held to."""

from qeframe.plugin.kinds import NO_DECISION, NOT_ASKED

__all__ = ["accuracy", "consistency", "judgebench", "pairs_of", "position", "section_mean", "verdict"]


def pairs_of(batch):
    """Return (gold, decisions that were asked for) of every pair."""
    rows = zip(batch.gold.tolist(), batch.decisions.tolist(), strict=True)
    return [(gold, [d for d in decisions if d != NOT_ASKED]) for gold, decisions in rows]


def judgebench(batch):
    right = 0
    for gold, decisions in pairs_of(batch):
        count = 0
        for decision in decisions:
            if decision == gold:
                count += 1
            elif gold != 0 and decision == -gold:
                count -= 1
        right += count > 0
    return right / len(batch)


def accuracy(batch, ties=0.0):
    total = 0.0
    for gold, decisions in pairs_of(batch):
        credits = [1.0 if d == gold else ties if d == 0 else 0.0 for d in decisions]
        total += sum(credits) / len(credits)
    return total / len(batch)


def consistency(batch):
    both = [decisions for _, decisions in pairs_of(batch) if len(decisions) == 2]
    if not both:
        return float("nan")
    return sum(a == b != NO_DECISION for a, b in both) / len(both)


def position(batch):
    first = second = both = 0
    for (_, decisions), shown in zip(pairs_of(batch), batch.shown_first.tolist(), strict=True):
        if len(decisions) < 2 or shown == 0:
            continue
        both += 1
        for decision, is_first in zip(decisions, (shown, -shown), strict=True):
            first += decision == is_first
            second += decision == -is_first
    return abs(first - second) / (2 * both) if both else float("nan")


def verdict(decisions):
    made = [d for d in decisions if d != NO_DECISION]
    if not made:
        return "none"
    return {1: "A", 0: "tie", -1: "B"}[(sum(made) > 0) - (sum(made) < 0)]


def section_mean(accuracies, sections):
    """Return the mean over sections of the mean of their subsets, from accuracies and (weight, subsets) by section."""
    total = weights = 0.0
    for weight, subsets in sections:
        found = {name: count for name, count in subsets.items() if name in accuracies}
        if found:
            count = sum(found.values())
            total += weight * sum(accuracies[name] * found[name] for name in found) / count
            weights += weight
    return total / weights
