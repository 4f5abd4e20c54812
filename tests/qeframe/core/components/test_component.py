"""A component is printed by its name, and cannot be changed."""

import attrs
import pytest

from qeframe.core.components.component import Component


def test_a_component_is_printed_by_its_name():
    assert str(Component(name="f_beta(beta=2)", summary="")) == "f_beta(beta=2)"


def test_a_component_cannot_be_changed():
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Component(name="x", summary="").name = "y"


@pytest.mark.parametrize("formerly", ["old", ["old"], ("old",)])
def test_a_single_word_is_one_former_name(formerly):
    assert Component(name="new", summary="", formerly=formerly).formerly == ("old",)
