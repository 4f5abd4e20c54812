"""Parts of a corpus: the bits of one run for any number of parts, from lines, gzip and other kinds; bad input."""

import gzip

import numpy as np
import pytest

from qeframe import DataError, Runner, stream
from qeframe.execution.shards import Merged
from qeframe.streaming import first_pass, second_pass, stream_shards
from qeframe.streaming import stream as module
from qeframe.streaming.stream_shards import make_index, merge_streams, stream_shard

UNITS, CHUNK = 1003, 50


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for changed in (module, first_pass, second_pass, stream_shards):
        monkeypatch.setattr(changed, "UNITS_IN_CHUNK", CHUNK)


@pytest.fixture
def request_of(tmp_path):
    rng = np.random.default_rng(2)
    gold = rng.normal(size=UNITS) + 1e5
    for name, values in {"gold": gold, "a": gold + rng.normal(size=UNITS), "b": -gold, "c": np.ones(UNITS)}.items():
        end = "\r\n" if name == "b" else "\n"
        text = end.join(f"{value:.6f}" for value in values) + ("" if name == "a" else end * 3)
        (tmp_path / f"{name}.txt").write_bytes((b"\xef\xbb\xbf" if name == "gold" else b"") + text.encode())
    return {
        "metrics": ["pearson", "mae"], "gold": "gold.txt", "submissions": ["a.txt", "b.txt", "c.txt"],
        "test": "bootstrap(draws=70)", "interval": "bootstrap(draws=20)", "correction": "holm", "alpha": 0.05,
        "confidence": 0.95, "best": "low", "seed": 5,
    }  # fmt: skip


def merged(request, tmp_path, count, index="index"):
    folders = [tmp_path / f"{count}-{number}" for number in range(1, count + 1)]
    for number, folder in enumerate(folders, start=1):
        stream_shard(request, tmp_path / index, (number, count), folder, Runner())
    return merge_streams(Merged(folders[::-1]))


@pytest.mark.parametrize(
    ("count", "chunk"), [(1, CHUNK), (2, CHUNK), (7, CHUNK), (30, CHUNK), pytest.param(100, 10, marks=pytest.mark.slow)]
)
def test_any_number_of_shards_gives_the_bits_of_one_run(request_of, tmp_path, monkeypatch, count, chunk):
    """Thirty shards of 21 chunks: some have none. A hundred of 101 chunks."""
    for changed in (module, first_pass, second_pass, stream_shards):
        monkeypatch.setattr(changed, "UNITS_IN_CHUNK", chunk)
    make_index(request_of, tmp_path / "index", Runner())
    assert merged(request_of, tmp_path, count).to_json() == stream(**request_of).to_json()


def test_sources_that_are_read_from_the_start(request_of, tmp_path):
    for name in ("gold", "a"):
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress((tmp_path / f"{name}.txt").read_bytes()))
    packed = {**request_of, "gold": "gold.gz", "submissions": ["a.gz", "b.txt"], "test": "bootstrap(scheme=poisson)"}
    assert merged(packed, tmp_path, 3).to_json() == stream(**packed).to_json()


def test_tags_and_no_draws(tmp_path, request_of):
    rng = np.random.default_rng(1)
    for name in ("gold", "a"):
        lines = [" ".join(rng.choice(["OK", "BAD"], size=5)) for _ in range(170)]
        (tmp_path / f"{name}.tags").write_text("\n".join(lines) + "\n")
    tags = {**request_of, "metrics": ["mcc", "f1_mult"], "gold": "gold.tags", "submissions": ["a.tags"]}
    for rules in ({}, {"test": "", "interval": ""}):
        (tmp_path / "index").unlink(missing_ok=True)
        for folder in tmp_path.glob("2-*"):
            stream_shards.WorkFolder(folder).remove()
        assert merged({**tags, **rules}, tmp_path, 2).to_json() == stream(**{**tags, **rules}).to_json()


def test_a_shard_that_is_there_is_not_summed_again(request_of, tmp_path, monkeypatch):
    stream_shard(request_of, tmp_path / "index", (1, 2), tmp_path / "s", Runner())
    with pytest.raises(DataError, match="holds another shard"):
        stream_shard(request_of, tmp_path / "index", (2, 2), tmp_path / "s", Runner())
    stream_shard(request_of, tmp_path / "index", (2, 2), tmp_path / "s", Runner(), fresh=True)
    monkeypatch.setattr(stream_shards.Plan, "sums", None)
    stream_shard(request_of, tmp_path / "index", (2, 2), tmp_path / "s", Runner())


def test_what_has_changed_or_is_damaged_is_refused(request_of, tmp_path):
    whole = merged(request_of, tmp_path, 2)
    index, text = tmp_path / "index", (tmp_path / "a.txt").read_text()
    (tmp_path / "a.txt").write_text(text.replace("1", "2"))
    with pytest.raises(DataError, match=r"a\.txt: the file has changed"):
        stream_shard(request_of, index, (1, 2), tmp_path / "other", Runner())
    (tmp_path / "a.txt").write_text(text + "\n")
    with pytest.raises(DataError, match="index of another corpus: it differs in sizes of files"):
        stream_shard(request_of, index, (1, 2), tmp_path / "another", Runner())
    (tmp_path / "a.txt").write_text(text)
    stream_shard({**request_of, "seed": 6}, index, (2, 2), tmp_path / "seed", Runner())
    with pytest.raises(DataError, match="is a shard of another run"):
        Merged([tmp_path / "2-1", tmp_path / "seed"])
    block = tmp_path / "2-2" / "draws-0"
    block.write_bytes(block.read_bytes()[:-1] + b"x")
    with pytest.raises(DataError, match="2-2: the sums are damaged; compute this shard again"):
        merge_streams(Merged([tmp_path / "2-1", tmp_path / "2-2"]))
    stream_shard(request_of, index, (2, 2), tmp_path / "2-2", Runner(), fresh=True)
    assert merge_streams(Merged([tmp_path / "2-1", tmp_path / "2-2"])).to_json() == whole.to_json()
    index.write_bytes(b"PK")
    with pytest.raises(DataError, match="is not an index of this version of qeframe"):
        merge_streams(Merged([tmp_path / "2-1", tmp_path / "2-2"]))
