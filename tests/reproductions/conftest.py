"""What reproductions share: runs of a profile on published data by the command line."""

import json

import pytest

from qeframe.cli import main


@pytest.fixture
def result(capsys):
    """Run a profile on a folder and return its evaluation.json."""

    def run(profile, place, *settings):
        options = [part for setting in settings for part in ("--set", setting)]
        main(["run", profile, str(place), *options, "--json", "--quiet"])
        return json.loads(capsys.readouterr().out)

    return run


@pytest.fixture
def evaluated(result):
    """Run a profile without tests and intervals; return the values by submission, name and task, and evaluation.json.

    The task of a value over all tasks is "".
    """

    def run(profile, place, *settings):
        found = result(profile, place, "test=", "interval=", *settings)
        first, values = next(iter(found["tasks"])), {}
        for each in found["submissions"]:
            for metric, score in each["scores"].items():
                tasks = {"": score, **(score["tasks"] or {first: score})}
                values |= {(each["name"], metric, task): of_task["value"] for task, of_task in tasks.items()}
            for task, stated in each["stated"].items():
                values |= {(each["name"], what, task): value for what, value in stated.items()}
        return values, found

    return run
