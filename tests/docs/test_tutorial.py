"""The tutorial shows what its commands print, and the gallery names the command that makes each picture."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PICTURE = re.compile(r"!\[[^\]]+\]\((pictures/[^)]+)\)")
NOT_DRAWN = {"report.png", "audit.svg", "power.svg"}
"""A screenshot, and pictures of commands that take long."""


def run(commands, folder):
    """Run lines of a shell with this interpreter's qeframe; return what they print on standard output."""
    lines = [line for line in commands.replace(".venv/bin/", "").splitlines() if not re.search("-m venv|pip ", line)]
    program = f'qeframe() {{ {shlex.quote(sys.executable)} -m qeframe "$@"; }}\n' + "\n".join(lines)
    done = subprocess.run(
        ["sh", "-e", "-c", program], cwd=folder, env={**os.environ, "COLUMNS": "100", "MPLBACKEND": "Agg"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def without_version(text):
    return re.sub(r"qeframe:[^|]+\|", "qeframe:VERSION|", text).strip()


@pytest.mark.slow
def test_the_tutorial_shows_what_its_commands_print(tmp_path):
    page = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(sh|text)\n(.*?)^```", page, flags=re.M | re.S)
    shown = 0
    for (kind, commands), (then, output) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if kind == "sh":
            printed = run(commands, tmp_path)
            if then == "text":
                assert without_version(printed) == without_version(output)
                shown += 1
    assert shown == 3
    files = re.search(r"^The files are in `qeframe-demo`:\n\n(.*?)\n\n", page, flags=re.M | re.S)
    first_cells = "\n".join(row.split("|")[1] for row in files[1].splitlines())
    for name in re.findall(r"`([a-z]+\.[a-z]+)`", first_cells):
        assert (tmp_path / "qeframe-demo" / name).exists(), name


@pytest.mark.slow
def test_the_commands_of_the_gallery_make_its_pictures(tmp_path):
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    for commands in re.findall(r"^```sh\n(.*?)^```", page, flags=re.M | re.S):
        if not re.match("qeframe (audit|power)", commands):  # they take long, and have tests of their own
            run(commands, tmp_path)
    made = {path.name for path in tmp_path.rglob("*") if path.suffix in (".svg", ".png")}
    pictures = {Path(name).name for name in PICTURE.findall(page)} - NOT_DRAWN
    assert {name.replace(".png", ".svg") for name in pictures} <= made


def test_every_picture_of_the_documentation_is_in_the_gallery_and_the_tutorial_has_pictures():
    gallery, tutorial = (
        set(PICTURE.findall((DOCS / f"{n}.md").read_text(encoding="utf-8"))) for n in ("gallery", "tutorial")
    )
    stored = {f"pictures/{path.name}" for path in (DOCS / "pictures").iterdir()}
    assert gallery == stored - {"pictures/packages.svg", "pictures/datum.svg", "pictures/everything-bad.svg"}
    assert len(tutorial) >= 3
    assert tutorial <= gallery


def test_stored_pictures_are_small():
    assert all(path.stat().st_size < 400_000 for path in (DOCS / "pictures").iterdir())
