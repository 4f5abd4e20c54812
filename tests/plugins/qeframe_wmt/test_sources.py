"""The data sources of the shared tasks: pinned, hashed, and for profiles that exist."""

import hashlib
import re

import pytest

from qeframe.core.loader import load
from qeframe.data.published.beside_profiles import find_data_sources, find_published_tables

SOURCES = find_data_sources(load())
FOLDERS = {"wmt14_metrics": "wmt14-metrics", "wmt14_qe_task1_2": "wmt14-qe-task1.2"}
REPOSITORIES = {
    "wmt20_metrics": "wmt20-repository",
    "wmt20_qe": "wmt20-qe",
    "wmt21_qe": "wmt21-qe-repository",
    "wmt22_qe": "wmt22-qe-repository",
    "wmt23_qe": "wmt23-qe-repository",
    "mslc": "mslc-2023",
    "wmt25_challenge_sets": "wmt25-challenge-sets",
}
NOT_PINNED = {"mt_metrics_eval"}


@pytest.mark.parametrize("source", SOURCES.values(), ids=str)
def test_a_source_says_where_it_is_and_which_revision(source):
    assert source.summary
    assert source.source
    assert all(file.url.startswith("https://") for file in source.files)
    commits = re.findall(r"\b[0-9a-f]{40}\b", source.revision)
    assert bool(commits) == (source.name not in NOT_PINNED)
    for file in source.files:
        assert not commits or any(commit in file.url for commit in commits), "the url is not of the revision"


@pytest.mark.parametrize("source", SOURCES.values(), ids=str)
def test_profiles_of_a_source_exist(source, registry):
    assert {use.profile for use in source.uses} <= set(registry.profiles)


def test_tables_name_sources_that_exist(registry):
    for table in find_published_tables(registry).values():
        assert not table.data or table.data in SOURCES
        assert table.profile in registry.profiles


@pytest.mark.parametrize("name", FOLDERS)
def test_digests_and_sizes_are_those_of_the_files(name, shared_data):
    folder = shared_data(FOLDERS[name])
    for file in SOURCES[name].files:
        content = (folder / file.path).read_bytes()
        assert (file.size, file.sha256) == (len(content), hashlib.sha256(content).hexdigest()), file.path


@pytest.mark.parametrize("name", REPOSITORIES)
def test_digests_of_members_are_those_of_the_files(name, shared_data):
    folder = shared_data(REPOSITORIES[name])
    digests = SOURCES[name].member_digests()
    assert digests
    for path, digest in digests.items():
        assert hashlib.sha256((folder / path).read_bytes()).hexdigest() == digest, path
        assert any(not file.only or path.startswith(tuple(file.only)) for file in SOURCES[name].files)


def test_files_without_a_digest_are_said_not_to_be_verified():
    assert {name: source.checked for name, source in SOURCES.items()} == {
        "wmt14_qe_task1_2": "SHA-256",
        "wmt14_metrics": "SHA-256",
        "wmt20_metrics": "SHA-256 of 30 files",
        "wmt20_qe": "SHA-256 of 2 files",
        "wmt21_qe": "SHA-256 of 5 files",
        "wmt22_qe": "SHA-256 of 112 files",
        "wmt23_qe": "SHA-256 of 8 files",
        "mslc": "SHA-256 of 22 files",
        "wmt25_challenge_sets": "SHA-256 of 75 files",
        "mt_metrics_eval": "not verified",
        "gtm_wmt16": "not verified",
    }
