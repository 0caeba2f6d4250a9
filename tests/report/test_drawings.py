"""Hard graphs as pictures: found where they are at hand, with their twins."""

from dataclasses import replace

import numpy as np
import pytest

import graphrings as gr
from graphrings.report.drawings import at_hand, drawn_graphs, example_graphs, twin_words
from graphrings.report.hard_graphs import DRAWN, answers, often_wrong
from graphrings.report.page import page
from graphrings.report.section import Drawing, Group
from graphrings.results.record import DatasetCard
from report.records import METHODS, dataset_card, experiment, records

pytest.importorskip("igraph", reason="drawing a graph needs igraph")


def mutag_card() -> DatasetCard:
    dataset = gr.load("MUTAG")
    return replace(
        dataset_card("MUTAG"),
        fingerprint=dataset.fingerprint,
        class_names=tuple(map(str, dataset.class_names)),
    )


def test_a_dataset_is_found_by_its_fingerprint_alone() -> None:
    card = mutag_card()
    assert at_hand()(card) is not None
    assert at_hand()(replace(card, fingerprint="0" * 32)) is None
    assert at_hand()(replace(card, name="../nowhere", fingerprint="0")) is None
    own = gr.synthetic.ring_two(20, seed=1)
    known = replace(card, name="mine", fingerprint=own.fingerprint)
    assert at_hand()(known) is None
    assert at_hand([own])(known) is own


@pytest.fixture
def triangles() -> gr.Dataset:
    """Two triangles of different classes, a third of the first class, and a path."""
    import networkx as nx

    shapes = [nx.cycle_graph(3), nx.cycle_graph(3), nx.cycle_graph(3), nx.path_graph(3)]
    return gr.from_networkx(shapes, ["yes", "no", "yes", "no"])


def test_twins_and_conflicts_are_named(triangles: gr.Dataset) -> None:
    twins = np.array([0, 0, 0, 1], dtype=np.int32)
    assert twin_words(triangles, twins, 3) == "No twin"
    assert twin_words(triangles, twins, 0) == (
        "Conflict: a twin of 1 (no); nobody can get both right"
    )
    assert twin_words(triangles, twins, 1) == (
        "Conflict: a twin of 0 (yes) and 2 (yes); nobody can get both right"
    )
    alike = np.array([0, 1, 0, 1], dtype=np.int32)
    assert twin_words(triangles, alike, 0) == "Twin of 2, alike in target"


def test_graphs_are_drawn_with_their_class_and_twins(triangles: gr.Dataset) -> None:
    card = experiment([replace(dataset_card("t"), fingerprint=triangles.fingerprint)])
    group = Group("t", drawings=(Drawing(1, "Said yes"), Drawing(3, "Said yes")))
    first, second = drawn_graphs(card, group, at_hand([triangles]))
    assert first.title == "Graph 1, class no"
    assert first.lines[0] == "Said yes"
    assert first.lines[1].startswith("Conflict: a twin of 0 (yes)")
    assert second.lines[1] == "No twin"
    assert first.svg.startswith("<svg")
    assert drawn_graphs(card, group, lambda _: None) == []


@pytest.mark.slow
def test_the_page_draws_the_hard_graphs_of_a_dataset_at_hand() -> None:
    card = experiment([mutag_card()], METHODS[1:], 1, 3)
    held = records(card, epochs=0)
    without = page(card, held)
    drawn = page(card, held, find=at_hand())
    assert "a graph of" not in without
    said = answers(held, "MUTAG")
    assert said is not None
    hard = said.graphs[often_wrong(said).places][:DRAWN]
    section = drawn.partition('<h2 id="hard">')[2].partition("</section>")[0]
    assert section.count("<title>a graph of ") == len(hard) > 5
    assert all(f"Graph {graph}, class " in drawn for graph in hard)


def test_the_page_shows_a_few_graphs_of_every_class() -> None:
    card = mutag_card()
    shown = example_graphs(card, at_hand())
    named = {one.title.rpartition(", ")[2] for one in shown}
    assert named == {"class not mutagenic (-1)", "class mutagenic (1)"}
    assert all("<svg" in one.svg for one in shown)
    made = page(replace(experiment(), datasets=(card,)), [], find=at_hand())
    data = made.partition('<h2 id="data">')[2].partition("</section>")[0]
    assert data.count("<svg") == len(shown) > 0
    assert "Graphs of MUTAG" in data
    assert example_graphs(card, lambda _: None) == []
