"""A supplement: how far each submission is from the best one."""

from attrs import frozen

from qeframe.plugin.evaluation import Supplement, SupplementInput
from qeframe.plugin.report import Cell, Column, Table, format_number


@frozen(kw_only=True)
class Margins:
    """By submission, its distance from the best score, where it is at least `least`."""

    margins: dict[str, float]
    least: float


def their_margins(*, least: float = 0.0) -> Supplement:
    """Return how far each submission is from the best one.

    Parameters
    ----------
    least : float
        The smallest distance that is listed.
    """

    def of_evaluation(given: SupplementInput) -> Margins:
        scores = given.contest.oriented
        distances = dict(zip(given.submissions, (scores.max() - scores).tolist(), strict=True))
        return Margins(margins={name: far for name, far in distances.items() if far >= least}, least=least)

    def tables(value: Margins, evaluation) -> list[Table]:
        names = [submission.name for submission in evaluation.submissions if submission.name in value.margins]
        numbers = [format_number(value.margins[name], 3) for name in names]
        columns = [
            (Column("submission", "left", key=True), [Cell(name) for name in names]),
            (Column("margin"), [Cell(number) for number in numbers]),
        ]
        return [Table.from_columns("Margins to the best submission", columns)]

    return Supplement(
        name="their_margins",
        summary="How far each submission is from the best",
        of_evaluation=of_evaluation,
        value=Margins,
        tables=tables,
    )
