from collections.abc import Callable

import pytest

import graphrings as gr
from graphrings.errors import FingerprintError, UnknownDatasetError
from graphrings.graphs.catalogue import CATALOGUE, TU, Entry, check_content, hint, lookup
from graphrings.graphs.dataset import Dataset


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("MUTAG", "MUTAG"),
        ("mutag", "MUTAG"),
        ("d&d", "DD"),
        ("IMDB-B", "IMDB-BINARY"),
        ("imdbmulti", "IMDB-MULTI"),
        ("Ptc_mr", "PTC_MR"),
        ("PTC", "PTC"),
        ("proteins-attributes", "PROTEINS-attributes"),
    ],
)
def test_names_and_aliases_are_known_in_any_case(name: str, expected: str) -> None:
    assert lookup(name).name == expected


def test_any_other_tu_name_comes_without_expectations() -> None:
    assert lookup("AIDS") == Entry("AIDS")
    assert lookup("AIDS").fingerprints == ()


@pytest.mark.parametrize("name", ["", "MU TAG", "../MUTAG", "a?b", "-x"])
def test_what_can_be_no_name_is_refused(name: str) -> None:
    with pytest.raises(UnknownDatasetError, match="is not a dataset name; "):
        lookup(name)


def test_the_nearest_name_is_suggested() -> None:
    assert hint("MUTGA") == "; did you mean 'MUTAG'?"
    assert hint("proteine") == "; did you mean 'PROTEINS'?"
    assert hint("mine2", ["MINE", "OTHER"]) == "; did you mean 'MINE'?"
    assert hint("zzz").startswith("; known names are MUTAG, PTC, PTC_MR,")


def test_a_mismatch_says_which_counts_differ() -> None:
    """Without its last graph MUTAG has 187 graphs, and fewer nodes and edges."""
    short = gr.load("MUTAG")[:-1]
    with pytest.raises(FingerprintError) as error:
        check_content(short, lookup("MUTAG"), "here")
    line = str(error.value)
    assert line.startswith("here: not the MUTAG that everyone means: 187 graphs instead of 188, ")
    assert f"{short.n_nodes:,} nodes instead of 3,371" in line
    assert "classes" not in line
    assert line.endswith("to use these graphs anyway, read them by their path")


def test_a_mismatch_in_the_order_shows_the_fingerprints() -> None:
    turned = gr.load("MUTAG")[::-1]
    with pytest.raises(FingerprintError) as error:
        check_content(turned, lookup("MUTAG"), "here")
    assert "the counts are right, but graphs, order, labels or targets differ" in str(error.value)
    assert turned.fingerprint in str(error.value)


def test_every_entry_says_where_it_comes_from() -> None:
    assert len({entry.name for entry in CATALOGUE}) == 13  # eight are those of the paper
    for entry in CATALOGUE:
        assert entry.title
        assert entry.citation
    unseen = [entry.name for entry in CATALOGUE if not entry.fingerprints]
    assert unseen == ["NCI109", "ENZYMES", "ENZYMES-attributes"]
    assert [entry.name for entry in CATALOGUE if TU not in entry.sources] == ["PTC"]


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, marks=[pytest.mark.slow] * (entry.name == "COLLAB"), id=entry.name)
        for entry in CATALOGUE
        if entry.fingerprints
    ],
)
def test_the_published_files_are_what_the_catalogue_expects(
    paper_set: Callable[[str], Dataset], entry: Entry
) -> None:
    dataset = paper_set(entry.name)
    assert dataset.fingerprint in entry.fingerprints
    assert entry.counts == {
        "graphs": len(dataset),
        "nodes": dataset.n_nodes,
        "edges": dataset.n_edges,
        "classes": dataset.n_classes,
        "node labels": dataset.n_labels,
    }
