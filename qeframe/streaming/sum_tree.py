"""Sums that go up a binary tree over chunks, so that they have the same bits however the chunks are divided."""

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from attrs import define, field, frozen

S = TypeVar("S", bound=Any)
"""What is added, by ``+``."""


@frozen(eq=False)
class Node(Generic[S]):
    """The sum over the chunks from ``index << height`` up to, and without, ``(index + 1) << height``, if they exist."""

    height: int
    index: int
    sums: S


@define(eq=False)
class SumTree(Generic[S]):
    """The sums over chunks that follow each other: of the largest nodes that they fill, from left to right.

    Two halves of a node are added as soon as both are there, the left one first.
    """

    nodes: list[Node[S]] = field(factory=list)

    def add(self, nodes: Iterable[Node[S]]) -> "SumTree[S]":
        """Add nodes that follow those that are there; return the tree."""
        for node in nodes:
            self.nodes.append(node)
            while len(self.nodes) > 1 and _are_halves(*self.nodes[-2:]):
                left, right = self.nodes[-2:]
                self.nodes[-2:] = [Node(left.height + 1, left.index // 2, left.sums + right.sums)]
        return self

    def whole(self) -> S:
        """Return the sum over all chunks; the nodes begin with the first chunk, and the last one may be a part."""
        *before, total = [node.sums for node in self.nodes]
        for left in reversed(before):
            total = left + total
        return total


def _are_halves(left: Node[Any], right: Node[Any]) -> bool:
    return left.height == right.height and not left.index % 2 and right.index == left.index + 1
