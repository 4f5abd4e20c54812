"""MPP as its definition says, with exact fractions: every matching of a segment is tried."""

from fractions import Fraction

Span = tuple[int, int, int]


def matchings(edges, used=frozenset(), first=0):
    """Yield every set of pairs that uses no span twice."""
    yield ()
    for i in range(first, len(edges)):
        g, p = edges[i][:2]
        if ("g", g) not in used and ("p", p) not in used:
            for rest in matchings(edges, used | {("g", g), ("p", p)}, i + 1):
                yield (edges[i], *rest)


def share(part, whole):
    return Fraction(part) / whole if whole else Fraction(1)


def harmonic(p, r):
    return 2 * p * r / (p + r) if p + r else Fraction(0)


def worth(gold, said, penalty, weights):
    kept = 1 if gold[2] == said[2] else 1 - penalty
    return kept * min(weights[gold[2]], weights[said[2]])


def edges_of(gold, said, measure, penalty, weights):
    """List (gold, predicted, credit to precision, credit to recall) of all pairs that overlap and earn credit."""
    found = []
    for i, p in enumerate(said):
        for j, g in enumerate(gold):
            overlap = min(g[1], p[1]) - max(g[0], p[0])
            credit = worth(g, p, penalty, weights)
            if measure == "exact":
                credit *= g[:2] == p[:2]
            if overlap > 0 and credit > 0:
                shares = (Fraction(overlap, p[1] - p[0]), Fraction(overlap, g[1] - g[0]))
                found.append((j, i, *(credit * (s if measure == "overlap" else 1) for s in shares)))
    return found


def best_sums(gold, said, *, measure="overlap", penalty=Fraction(0), weights=(Fraction(1),) * 3):
    """Return numerator and denominator of precision, then of recall, of the best matching of a segment."""
    dens = [sum((weights[span[2]] for span in side), Fraction(0)) for side in (said, gold)]

    def key(matching):
        p, r = (share(sum((e[k] for e in matching), Fraction(0)), den) for k, den in zip((2, 3), dens, strict=True))
        pairs = sorted((i, j) for j, i, *_ in matching)
        return harmonic(p, r), p + r, p, r, len(matching), [(-i, -j) for i, j in pairs]

    best = max(matchings(edges_of(gold, said, measure, penalty, weights)), key=key)
    credits = [sum((e[k] for e in best), Fraction(0)) for k in (2, 3)]
    return credits[0], dens[0], credits[1], dens[1], sorted((i, j) for j, i, *_ in best)
