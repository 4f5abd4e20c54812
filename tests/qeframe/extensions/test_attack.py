"""What attacks draw."""

from qeframe.extensions.attack import generator


def test_a_generator_depends_on_the_seed_and_the_names():
    assert generator(1, "a", "b").random() == generator(1, "a", "b").random()
    assert len({generator(1, "a").random(), generator(2, "a").random(), generator(1, "b").random()}) == 3
