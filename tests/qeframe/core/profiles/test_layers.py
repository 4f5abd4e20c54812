"""A profile consists of its own file and of those that it extends."""

import attrs
import pytest

from qeframe import ProfileError, UnknownNameError, load
from qeframe.core.profile_files import (
    extended_layers,
    find_profile,
    layer_from_toml,
    profile_from_toml,
    registered_layer,
)
from tests.outcome import failure
from tests.qeframe.core.profiles.small_registry import NEUTRAL, SMALL


def names(own, registry):
    return [layer.name for layer in extended_layers(own, registry)]


def test_layers_of_files_and_profiles(build):
    own = layer_from_toml("alpha = 0.5\n", "own.toml")
    assert (own.table, own.extends, own.where, own.distribution) == ({"alpha": 0.5}, None, "own.toml", "")
    assert extended_layers(own, build()) == [own]
    assert names(layer_from_toml('extends = "own"\n', "own.toml"), build(own=SMALL + NEUTRAL)) == ["own", ""]
    known = build(base=SMALL, left='extends = "base"\n', right='extends = "base"\n')
    assert names(registered_layer("left", known), known) == ["base", "left"]
    assert names(registered_layer("right", known), known) == ["base", "right"]


def test_a_chain_has_the_outermost_first(build):
    known = build(base=SMALL, middle='extends = "base"\n', top='extends = "middle"\n')
    assert names(registered_layer("top", known), known) == ["base", "middle", "top"]
    assert names(layer_from_toml('extends = "middle"\n', "own.toml"), known) == ["base", "middle", ""]
    assert names(registered_layer("base", known), known) == ["base"]


@pytest.mark.parametrize(
    ("texts", "circle"),
    [
        ({"mine": "mine"}, "mine -> mine"),
        ({"mine": "other", "other": "mine"}, "mine -> other -> mine"),
        ({"mine": "a", "a": "b", "b": "a"}, "a -> b -> a"),
    ],
)
def test_a_circle_is_refused_with_the_chain(build, texts, circle):
    known = build(**{name: f'extends = "{extended}"\n' for name, extended in texts.items()})
    message = failure(ProfileError, find_profile, "mine", known)
    assert message == f"profile 'mine': extends: {circle} is a circle; remove one 'extends'"


def test_an_unknown_profile_is_reported_for_the_file_that_extends_it(build):
    known = build(base=SMALL, middle='extends = "bsae"\n', top='extends = "middle"\n')
    message = failure(ProfileError, find_profile, "top", known)
    assert message == "profile 'middle': extends: unknown profile 'bsae'; did you mean 'base'?"
    message = failure(ProfileError, extended_layers, layer_from_toml('extends = ""\n', "own.toml"), known)
    assert message.startswith("own.toml: extends: unknown profile ''")


def test_a_file_extends_a_file_beside_it(build, tmp_path):
    known = build(base=SMALL + NEUTRAL)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "middle.toml").write_text('extends = "base"\nyear = 2020\ntitle = "M"\n')
    own = tmp_path / "own.toml"
    own.write_text('extends = "rules/middle.toml"\nyear = 2026\n')
    profile = profile_from_toml(own.read_text(), str(own), "own", known)
    assert (profile.name, profile.year, profile.title) == ("own", 2026, "M")
    assert profile.set_by_user("title"), "a file of the user states it"
    assert not profile.set_by_user("primary")


def test_a_file_that_is_not_there(build, tmp_path):
    own = layer_from_toml('extends = "base.toml"\n', str(tmp_path / "own.toml"))
    message = failure(ProfileError, extended_layers, own, build())
    assert message == (
        f"{tmp_path / 'own.toml'}: extends: there is no file {tmp_path / 'base.toml'}; "
        "a path is relative to the file that extends"
    )


def test_a_circle_of_files(build, tmp_path):
    for name, extended in (("a", "b"), ("b", "a")):
        (tmp_path / f"{name}.toml").write_text(f'extends = "{extended}.toml"\n')
    own = layer_from_toml((tmp_path / "a.toml").read_text(), str(tmp_path / "a.toml"))
    assert failure(ProfileError, extended_layers, own, build()).endswith("a.toml is a circle; remove one 'extends'")


def test_a_circle_of_one_file_under_another_path(build, tmp_path):
    (tmp_path / "p").mkdir()
    path = tmp_path / "p" / "a.toml"
    path.write_text('extends = "../p/a.toml"\n')
    message = failure(ProfileError, extended_layers, layer_from_toml(path.read_text(), str(path)), build())
    assert message == (f"{path}: extends: {path} -> {tmp_path}/p/../p/a.toml is a circle; remove one 'extends'")


def test_a_registered_profile_extends_no_file(build):
    message = failure(ProfileError, find_profile, "mine", build(mine='extends = "base.toml"\n'))
    assert message.startswith("profile 'mine': extends: 'base.toml' is the name of a file")


def test_a_file_that_is_no_profile(build, tmp_path):
    (tmp_path / "base.toml").write_bytes(b"\xff")
    own = layer_from_toml('extends = "base.toml"\n', str(tmp_path / "own.toml"))
    assert "cannot be read" in failure(ProfileError, extended_layers, own, build())
    (tmp_path / "base.toml").write_bytes(b" " * (2**20 + 1))
    assert "is too large for a profile" in failure(ProfileError, extended_layers, own, build())


@pytest.mark.parametrize("value", ["3", '["base"]', "true"])
def test_a_profile_extends_one_name(value):
    message = failure(ProfileError, layer_from_toml, f"extends = {value}\n", "own.toml")
    assert message.startswith("own.toml: extends: must be the name of one profile in quotes, not ")


def test_a_profile_belongs_to_the_distribution_that_brings_it(build):
    assert registered_layer("qe_word", load()).distribution == "qeframe"
    assert registered_layer("mine", build(mine=SMALL)).distribution == ""


def test_mistakes_name_the_distribution_that_brings_the_profile(build):
    found = build(mine=SMALL + "yaer = 2014\n")
    file, origin = found.profiles["mine"]
    theirs = attrs.evolve(origin, distribution="their-rules", version="1.2")
    found = attrs.evolve(found, profiles={"mine": (file, theirs)})
    message = failure(ProfileError, find_profile, "mine", found)
    assert message == (
        "profile 'mine' of distribution 'their-rules 1.2': yaer: unknown key, did you mean 'year' or 'reader'?"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("title = " + "{a=" * 5000 + "1" + "}" * 5000, "nested too deeply"),
        ("year = " + "9" * 5000, "a number has too many digits"),
    ],
)
def test_what_cannot_be_read_is_reported(read, text, said):
    message = failure(ProfileError, read, SMALL + text + "\n")
    assert message.startswith("own.toml cannot be read: ")
    assert said in message


def test_what_is_not_toml_is_reported_with_line_and_column(read):
    message = failure(ProfileError, read, SMALL + "alpha = = 3\n")
    remedy = "write one KEY = VALUE a line, each key once, texts in quotes"
    assert message == f"own.toml:3: not TOML: Invalid value in column 9; {remedy}"
    assert failure(ProfileError, read, SMALL + "alpha =").startswith("own.toml:3: not TOML: Invalid value; ")


def test_a_key_that_is_stated_twice_is_reported_where_its_statement_ends():
    message = failure(ProfileError, layer_from_toml, 'title = "x"\ntitle = """\na\nb = 1"""\nyear = 3\n', "own.toml")
    what = "the statement that ends here states a key twice in column 9"
    assert message == f"own.toml:4: not TOML: {what}; write one KEY = VALUE a line, each key once, texts in quotes"


def test_a_registered_file_that_is_not_text_is_reported(build, tmp_path):
    found = build(mine=SMALL)
    tmp_path.joinpath("mine.toml").write_bytes(b"title = '\xff'")
    assert failure(ProfileError, find_profile, "mine", found).startswith("profile 'mine' cannot be read: ")
    tmp_path.joinpath("mine.toml").unlink()
    assert failure(ProfileError, find_profile, "mine", found).startswith("profile 'mine' cannot be read: ")


def test_an_unknown_profile_is_reported_with_the_nearest(build):
    found = build(wmt14=SMALL + NEUTRAL)
    message = failure(UnknownNameError, find_profile, "wmt41", found)
    assert message == "unknown profile 'wmt41'; did you mean 'wmt14'?"
    message = failure(UnknownNameError, find_profile, "else", found)
    assert message.startswith("unknown profile 'else'; 'qeframe profiles' lists them (blocked: ")
