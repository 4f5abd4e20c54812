from pathlib import Path

import pytest

from qeframe.cli.shared.shards import compute_shard, given
from qeframe.core.errors import DataError


def test_a_request_has_the_path_as_it_was_given():
    assert given({"path": "a/b", "seed": 3}) == {"path": Path("a/b"), "seed": 3}


def test_a_shard_needs_a_folder():
    with pytest.raises(DataError, match="shard 1/2 needs a folder"):
        compute_shard({}, None, (1, 2), fresh=False, workers=1, executor="threads", as_json=False, quiet=True)
