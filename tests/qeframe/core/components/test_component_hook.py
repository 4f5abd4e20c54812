"""A plugin brings a class of components, and others bring values of it."""

import pytest
from attrs import frozen

from qeframe.core.components.component import Component, class_word
from qeframe.core.components.component_hook import ComponentHook
from qeframe.core.components.metric import Metric
from qeframe.core.components.parametric import Parametric
from qeframe.core.errors import PluginError
from tests.qeframe.core.components.made_plugins import empty_but, failure, plugin


@frozen(kw_only=True)
class ColorScale(Component):
    """A class that the core does not know."""

    colors: tuple[str, ...] = ()


def grays(*, steps: int = 2) -> ColorScale:
    """Return a scale of grays."""
    return ColorScale(name="grays", summary="Grays", colors=("gray",) * steps)


HOOK = ComponentHook(hook="qeframe_color_scales", kind=ColorScale, summary="Return color scales.")
OWNER = plugin(qeframe_component_hooks=[HOOK])


def test_components_of_a_class_that_a_plugin_brings():
    other = plugin(qeframe_color_scales=[Parametric(grays), ColorScale(name="fire", summary="Reds")])
    for order in ({"a": OWNER, "b": other}, {"a": other, "b": OWNER}):
        registry = empty_but(**order)
        assert registry.names(ColorScale) == ["fire", "grays"]
        assert registry.get(ColorScale, "grays(steps=3)").colors == ("gray",) * 3
        assert registry.hooks["qeframe_color_scales"] is ColorScale
        assert registry.entry(ColorScale, "fire").origin.distribution == "(given)"


def test_what_messages_call_it():
    assert class_word(ColorScale) == "color scale"
    line = failure(Exception, empty_but(a=OWNER).get, ColorScale, "fire")
    assert line.startswith("unknown color scale 'fire'; there are none")


@pytest.mark.parametrize(
    ("hook", "words"),
    [
        (HOOK, "the hook 'qeframe_color_scales' is brought twice: by plugin 'a' of"),
        (
            ComponentHook(hook="qeframe_colors", kind=ColorScale, summary=""),
            "the class of components 'color scale' is brought twice: by plugin 'a' of",
        ),
        (
            ComponentHook(hook="qeframe_metrics", kind=ColorScale, summary=""),
            "the hook 'qeframe_metrics' for a color scale has the name, or the class, of one of qeframe's own",
        ),
        (
            ComponentHook(hook="qeframe_measures", kind=Metric, summary=""),
            "the hook 'qeframe_measures' for a metric has the name, or the class, of one of qeframe's own",
        ),
        (1, "hook qeframe_component_hooks must return values of type ComponentHook, not int"),
    ],
)
def test_what_collides_is_refused_by_name(hook, words):
    assert words in failure(PluginError, empty_but, a=OWNER, b=plugin(qeframe_component_hooks=[hook]))


def test_a_value_of_another_class_is_refused():
    line = failure(PluginError, empty_but, a=OWNER, b=plugin(qeframe_color_scales=[1]))
    assert "hook qeframe_color_scales must return values of type ColorScale, not int" in line


@pytest.mark.parametrize("name", ["color_scales", "qeframe_", "qeframe_Colors", "qeframe_a-b"])
def test_the_name_of_a_hook(name):
    with pytest.raises(ValueError, match="does not begin with qeframe_, or is not lower case"):
        ComponentHook(hook=name, kind=ColorScale, summary="")
