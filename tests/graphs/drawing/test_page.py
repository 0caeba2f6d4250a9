import numpy as np

import graphrings as gr
from graphrings.graphs.drawing.page import SHOWN, dataset_html, examples
from graphrings.graphs.libraries import library as real


def test_every_class_is_shown() -> None:
    molecules = gr.load("MUTAG")
    shown = examples(molecules)
    assert molecules.targets is not None
    assert np.bincount(molecules.targets[shown]).tolist() == [SHOWN // 2, SHOWN // 2]


def test_values_are_shown_from_the_smallest_to_the_largest() -> None:
    dataset = gr.from_edges([[(0, 1)]] * 9, np.linspace(0.5, 8.5, 9)[::-1])
    assert dataset.targets is not None
    targets = dataset.targets[examples(dataset)]
    assert (targets[0], targets[-1]) == (0.5, 8.5)
    assert (np.diff(targets) > 0).all()


def test_graphs_too_large_to_be_seen_are_left_out() -> None:
    star = [(0, v) for v in range(1, 400)]
    assert examples(gr.from_edges([star, [(0, 1)]])).tolist() == [1]


def test_a_notebook_shows_words_and_pictures() -> None:
    page = gr.load("MUTAG")._repr_html_()
    assert "188 graphs" in page
    assert page.count("<svg") == SHOWN


def test_names_are_escaped() -> None:
    dataset = gr.from_edges([[(0, 1)]], ["<b>"], name="<i>")
    assert "<b>" not in dataset_html(dataset)
    assert "<i>" not in dataset_html(dataset)


def test_without_the_library_there_are_words(monkeypatch: object) -> None:
    import graphrings.graphs.drawing.layouts as layouts

    monkeypatch.setattr(  # type: ignore[attr-defined]
        layouts, "library", lambda _, extra, purpose: real("no_such_library", extra, purpose)
    )
    page = gr.load("MUTAG")._repr_html_()
    assert "no pictures: drawing a graph needs no_such_library" in page
    assert "<svg" not in page


def test_no_graphs_are_no_pictures() -> None:
    assert "0 graphs" in gr.load("MUTAG")[:0]._repr_html_()
