"""The annotation of 2026 as it is published: one JSON object, by campaign a list of screens in order of time.

A screen has one annotator, some segments of a document, and some systems. The steps are those of the program that
filters and the one that analyzes: what an annotator did before a reset, attention checks and tutorials are no data;
annotators whose scores disagree with all others may be left out.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import combinations
from pathlib import Path

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.plugin.readers import TextFile, file_bytes, read_text_lines
from qeframe_wmt.formats.json_lines import Fields, without_collection
from qeframe_wmt.formats.json_members import json_members
from qeframe_wmt.readers.wmt26.annotations import (
    Annotation,
    Gold,
    GoldRule,
    LeftOut,
    Reliability,
    Translation,
    read_lines_of_2025,
    read_score,
)
from qeframe_wmt.readers.wmt26.items import LINES, Item, parse_annotated_item
from qeframe_wmt.readers.wmt26.marks import Mark, Offsets, read_mark

_NAME = re.compile(r"(?P<source>\S+?)---(?P<target>\S+)(?: v[0-9]+)?")
_RESET = "__RESET__"
_TUTORIAL, _CHECK = "_#_tutorial_#_", "attention_check_"
_LONGEST = 2**40
"""A file without line ends is one line."""

_FEWEST_SCREENS = 3
"""An annotator with fewer screens is not judged."""
_MOST_UNKNOWN = 10
"""A system with so many scores or fewer says nothing about an annotator."""
_EPSILON = 1e-6


def read_gold(path: Path, rule: GoldRule, *, packed: bool = False) -> Gold:
    """Read human annotation: ``NAME.json`` is the one object of 2026, another file has the lines of 2025."""
    if path.suffix != ".json":
        file = read_text_lines(path, texts=True, pipe=True, packed=packed, holds=LINES)
        return read_lines_of_2025(file, rule)
    content, stored = file_bytes(path, pipe=True, longest=_LONGEST)
    with without_collection():
        return _read_campaigns(TextFile(path, (), sha256(stored).hexdigest()), content, rule)


def read_campaign(path: Path, rule: GoldRule, *, packed: bool = False) -> Gold:
    """Read the scores of a campaign alone, which must have one; of its marks nothing is counted."""
    campaign = read_gold(path, rule, packed=packed)
    if not campaign.translations:
        raise campaign.file.error("no translation has a score", remedy="give a file with annotation")
    of_scores = {of: count for of, count in campaign.left_out.items() if of[1] != "span"}
    return attrs.evolve(campaign, left_out=Counter(of_scores))


@frozen(eq=False)
class _Scored:
    """One segment on a screen: the scores, and where they were read."""

    item: Item
    answers: Fields  # by system
    texts: Fields
    scores: Mapping[str, float]  # those that count


@frozen(eq=False)
class _Screen:
    """A screen of an annotator."""

    user: str
    segments: Sequence[_Scored]


@frozen(eq=False)
class _Campaign:
    """What was read of the campaign of a language pair."""

    pair: str
    languages: tuple[str, str]
    rule: GoldRule
    by_user: dict[str, list[Fields]] = field(factory=dict)
    lines: list[int] = field(factory=list)
    left_out: Counter[tuple[str, str, str]] = field(factory=Counter)  # what, why, and by whom

    def add(self, screen: Fields) -> None:
        """Add a screen in order of time."""
        user = screen.name("user_id")
        self.lines.append(screen.line)
        if screen.values.get("annotation") == _RESET:
            self.left_out["screen", "before a reset", user] += len(self.by_user.pop(user, ()))
        elif why := _no_content(screen):
            self.left_out["screen", why, user] += 1
        else:
            used = {key: screen.values[key] for key in ("item", "annotation") if key in screen.values}
            self.by_user.setdefault(user, []).append(Fields(screen.file, screen.line, used, screen.steps))

    def screens(self) -> list[_Screen]:
        """Return the screens that count, those of an annotator together."""
        return [_Screen(user, list(self._segments(screen, user))) for user, of in self.by_user.items() for screen in of]

    def _segments(self, screen: Fields, user: str) -> Iterator[_Scored]:
        items, annotated = screen.objects("item"), screen.get("annotation", list)
        if len(items) != len(annotated):
            what = f"'{screen.where[:-1]}' has {len(annotated)} annotations of {len(items)} items"
            raise screen.error(what, remedy="give an annotation, or null, for each item")
        for position, (shown, given) in enumerate(zip(items, annotated, strict=True)):
            if given is None:
                self.left_out["item", "skipped by the annotator", user] += 1
                continue
            if not isinstance(given, dict):
                what = f"'{screen.where}annotation[{position}]' is no object"
                raise screen.error(what, remedy="give an object by system, or null")
            answers = Fields(screen.file, screen.line, given, (screen.steps, "annotation", position))
            texts = shown.object("tgt")
            scores = dict(self._scores(answers, texts.values, user))
            yield _Scored(parse_annotated_item(shown, self.languages), answers, texts, scores)

    def _scores(self, answers: Fields, displayed: Collection[str], user: str) -> Iterator[tuple[str, float]]:
        for system in answers.values:
            answer = answers.object(answers.checked_name(system, "the name of a system"))
            if system in self.rule.references:
                self.left_out["annotation", f"{system}: a reference", user] += 1
            elif answer.values.get("score", 0) is None:
                self.left_out["annotation", "without a score", user] += 1
            elif system not in displayed and self.rule.displayed_only:
                self.left_out["annotation", "of a system that was not displayed", user] += 1
            else:
                yield system, read_score(answer)


def _no_content(screen: Fields) -> str:
    """Return why a screen is no data; empty for one that is."""
    items = screen.objects("item")
    name = items[0].values.get("item_id") if items else None
    if name is None:
        return "without an id of its item"
    if isinstance(name, str) and (name.startswith(_CHECK) or _TUTORIAL in name):
        return "an attention check" if name.startswith(_CHECK) else "a tutorial"
    return ""


def _read_campaigns(file: TextFile, content: bytes, rule: GoldRule) -> Gold:
    left_out: LeftOut = Counter()
    translations: list[Translation] = []
    annotators: dict[str, dict[str, Reliability]] = {}
    counts: dict[str, dict[str, int]] = {}
    remarks: dict[str, list[str]] = {}
    for campaign in _campaigns(file, content, rule):
        screens = campaign.screens()
        reliable = annotators[campaign.pair] = reliability(screens, rule.least_probability)
        kept = [screen for screen in screens if not reliable[screen.user].excluded]
        for user, of_user in reliable.items():
            if of_user.excluded:
                campaign.left_out["screen", f"a probability below {rule.least_probability:g}", user] += of_user.screens
        translations += _translations(campaign, kept)
        counts[campaign.pair] = {"lines": len(campaign.lines), "screens": len(screens), "scored_screens": len(kept)}
        remarks[campaign.pair] = list(_remarks(screens, kept, reliable))
        left_out.update(_by_reason(campaign, reliable))
        if not campaign.by_user:
            left_out[campaign.pair, "language pair", "no screen with scores"] += 1
    return Gold(file, translations, left_out, annotators, counts, remarks)


def _campaigns(file: TextFile, content: bytes, rule: GoldRule) -> Iterator[_Campaign]:
    """Yield the campaigns, each as soon as all of it was read."""
    names: dict[str, str] = {}
    for name, screens in json_members(file, content):
        match = _NAME.fullmatch(name)
        if match is None:
            remedy = "name it SOURCE---TARGET, as in 'eng---deu v3'"
            raise file.error(f"a campaign is named '{name}'", remedy=remedy)
        languages = (match["source"], match["target"])
        pair = "-".join(languages)
        if pair in names:
            raise file.error(f"'{names[pair]}' and '{name}' are campaigns of {pair}", remedy="keep one of them")
        names[pair], campaign = name, _Campaign(pair, languages, rule)
        for screen in screens:
            campaign.add(screen)
        yield campaign


def reliability(screens: Sequence[_Screen], least_probability: float) -> dict[str, Reliability]:
    """Return how well each annotator of a campaign agrees with the scores of all, him included.

    Two scores of one segment on a screen differ by d; all scores of the two systems by mu, with the variances v1 and
    v2. The probability is the mean of 2^(-(d - mu)^2 / 2(v1 + v2)) over all such pairs of systems.

    References
    ----------
    WMT26 general MT task, humeval/02a-filter_data.py.
    """
    of_system: dict[str, list[float]] = {}
    for segment in _segments_of(screens):
        for system, score in segment.scores.items():
            of_system.setdefault(system, []).append(score)
    moments = {
        system: (float(np.mean(scores)), float(np.var(scores, ddof=1)))
        for system, scores in of_system.items()
        if len(scores) > _MOST_UNKNOWN
    }
    terms: dict[str, list[tuple[float, float]]] = {}
    counts = Counter(screen.user for screen in screens)
    for screen in screens:
        squares = terms.setdefault(screen.user, [])
        for segment in screen.segments if counts[screen.user] >= _FEWEST_SCREENS else ():
            known = [(score, *moments[system]) for system, score in segment.scores.items() if system in moments]
            squares += [
                ((a - b - m + n) ** 2, 2 * (v + w) + _EPSILON) for (a, m, v), (b, n, w) in combinations(known, 2)
            ]
    found = {}
    for user, of_user in terms.items():
        squared, scale = np.array(of_user).reshape(-1, 2).T
        probability = float(np.mean(2 ** -(squared / scale))) if of_user else None
        excluded = probability is not None and probability < least_probability
        found[user] = Reliability(probability, counts[user], excluded)
    return found


def _translations(campaign: _Campaign, screens: Sequence[_Screen]) -> Iterator[Translation]:
    annotations: dict[tuple[str, str], tuple[Item, list[Annotation], int]] = {}
    texts: dict[tuple[str, str], tuple[str, Offsets, int]] = {}
    for screen in screens:
        for segment in screen.segments:
            for system, score in segment.scores.items():
                place = (segment.item.key, system)
                marks: tuple[Mark, ...] = ()
                if system in segment.texts.values:
                    offsets = _offsets(segment, place, texts)
                    marks = tuple(
                        read_mark(mark, offsets, tokens=True, beyond="error")
                        for mark in segment.answers.object(system).objects("error_spans")
                    )
                _, listed, _ = annotations.setdefault(place, (segment.item, [], segment.answers.line))
                listed.append(Annotation(score, marks, screen.user))
    for place, (item, listed, line) in annotations.items():
        yield Translation(item, place[1], texts[place][0] if place in texts else "", listed, line)


def _offsets(
    segment: _Scored, place: tuple[str, str], texts: dict[tuple[str, str], tuple[str, Offsets, int]]
) -> Offsets:
    """Return the offsets of a displayed text, which is the same on every screen."""
    text = segment.texts.text(place[1])
    if place not in texts:
        texts[place] = (text, Offsets(text), segment.texts.line)
    first, offsets, line = texts[place]
    if first != text:
        what = f"another text of {place[1]} for item '{place[0]}' than on line {line}"
        raise segment.texts.error(what, remedy="a translation has one text")
    return offsets


def _by_reason(campaign: _Campaign, reliable: Mapping[str, Reliability]) -> LeftOut:
    """Return how much was left out for each reason, which names the annotators and how much of each."""
    users: dict[tuple[str, str], dict[str, int]] = {}
    for (what, why, user), count in sorted(campaign.left_out.items()):
        if count:
            users.setdefault((what, why), {})[user] = count

    def named(why: str, user: str, count: int) -> str:
        of_user = reliable.get(user)
        excluded = of_user is not None and of_user.excluded and why.startswith("a probability")
        return f"{user} ({of_user.probability:.4f})" if excluded and of_user else f"{user} ({count})"

    return Counter(
        {
            (campaign.pair, what, f"{why}: {', '.join(named(why, *of) for of in by.items())}"): sum(by.values())
            for (what, why), by in users.items()
        }
    )


def _remarks(screens: Sequence[_Screen], kept: Sequence[_Screen], reliable: Mapping[str, Reliability]) -> Iterator[str]:
    """Yield what a reader of the ranking has to know: scores of systems that were not displayed, and the filter."""
    unseen = sum(system not in of.texts.values for of in _segments_of(kept) for system in of.scores)
    if unseen:
        yield (
            f"{unseen} scores are of systems that were not displayed, and count as in the official program; "
            "displayed_only=yes of the reader leaves them out"
        )
    excluded = [user for user, of_user in reliable.items() if of_user.excluded]
    before, after = (_means(screens), _means(kept)) if excluded else ({}, {})
    if list(before) != list(after):
        means = ", ".join(f"{system} {mean:.2f}" for system, mean in before.items())
        moved = ", ".join(system for system, other in zip(before, after, strict=True) if system != other)
        without = f"without the filter, which leaves out {', '.join(excluded)}"
        yield f"{without}, the order of the means is {means}; it differs in the places of {moved}"


def _means(screens: Sequence[_Screen]) -> dict[str, float]:
    """Return the mean over items of the mean score of an item, by system, the best first."""
    scores: dict[str, dict[str, list[float]]] = {}
    for segment in _segments_of(screens):
        for system, score in segment.scores.items():
            scores.setdefault(system, {}).setdefault(segment.item.key, []).append(score)
    means = {
        system: float(np.mean([sum(of_item) / len(of_item) for of_item in items.values()]))
        for system, items in scores.items()
    }
    return dict(sorted(means.items(), key=lambda entry: -entry[1]))


def _segments_of(screens: Sequence[_Screen]) -> Iterator[_Scored]:
    return (segment for screen in screens for segment in screen.segments)
