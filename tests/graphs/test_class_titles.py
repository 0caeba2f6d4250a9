from dataclasses import replace

import numpy as np

import graphrings as gr
from graphrings.graphs.catalogue import CATALOGUE
from graphrings.graphs.class_titles import class_titles, known_titles, titled


def test_the_catalogue_knows_what_the_numbers_of_mutag_mean() -> None:
    """125 of the 188 compounds of Debnath et al. are mutagenic."""
    mutag = gr.load("MUTAG")
    assert class_titles(mutag) == ("not mutagenic (-1)", "mutagenic (1)")
    assert mutag.class_names == (-1, 1)
    assert titled(mutag, np.int64(1)) == "mutagenic (1)"
    assert titled(mutag, "else") == "else"


def test_classes_are_told_by_their_sizes() -> None:
    """A file that numbers them the other way round has the same titles."""
    (entry,) = (entry for entry in CATALOGUE if entry.name == "PROTEINS")
    (content,) = entry.fingerprints
    assert known_titles(content, (1, 2), (663, 450)) == ("enzyme (1)", "no enzyme (2)")
    assert known_titles(content, (1, 2), (450, 663)) == ("no enzyme (1)", "enzyme (2)")


def test_other_graphs_keep_their_names() -> None:
    mutag = gr.load("MUTAG")
    turned = replace(mutag, targets=mutag.targets[::-1].copy())
    for other in (mutag[:9], turned, gr.synthetic.ego_networks(3)):
        assert class_titles(other) == tuple(map(str, other.class_names))


def test_sizes_tell_the_classes_apart_and_make_up_the_dataset() -> None:
    known = [entry for entry in CATALOGUE if entry.classes]
    assert len(known) >= 6
    for entry in known:
        assert len(set(entry.classes.values())) == len(entry.classes) == entry.counts["classes"]
        assert sum(entry.classes.values()) == entry.counts["graphs"]
