import csv
import io
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import SettingError
from graphrings.explanations.bars import ring_bars
from graphrings.explanations.page import page, signed
from graphrings.explanations.summary import by_label, distance_names, folded, surest

BAD = "<b>&\"'"


@pytest.fixture(scope="module")
def explanation() -> gr.Explanation:
    graphs = gr.synthetic.molecules(30, n_nodes=(4, 9))
    names = (BAD, *graphs.label_names[1:])
    graphs = replace(graphs, label_names=names, name=BAD, class_names=("<i>no", "yes"))
    model = gr.ForestClassifier(n_trees=10, random_state=0).fit(graphs)
    return gr.explain(model, graphs)


def test_a_page_needs_nothing_and_escapes_all_names(
    explanation: gr.Explanation, tmp_path: Path
) -> None:
    explanation.save(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    assert "default-src 'none'" in text
    assert not re.search(r"<(link|img|iframe)|\bon\w+=|url\(|@import", text)
    assert set(re.findall(r"https?://[^\"' ]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert BAD not in text
    assert "<i>no" not in text
    assert "&lt;i&gt;no" in text
    assert text == page(explanation)


def test_a_page_draws_the_graphs_that_are_asked_for(explanation: gr.Explanation) -> None:
    text = page(explanation, [3, 5])
    assert re.findall(r'aria-label="graph (\d+)"', text) == ["3", "5"]
    assert "2 of 30" in text


def test_a_table_adds_up(explanation: gr.Explanation, tmp_path: Path) -> None:
    explanation.save(tmp_path / "table.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text())))
    dataset = explanation.dataset
    for graph in (0, 7):
        own = [row for row in rows if row["graph"] == str(graph)]
        value = {
            part: sum(float(row["contribution"]) for row in own if row["part"] == part)
            for part in ("node", "ring", "left_over", "rings_left_over", "base", "score")
        }
        by_nodes = value["base"] + value["node"] + value["left_over"]
        assert by_nodes == pytest.approx(value["score"])
        assert value["base"] + value["ring"] + value["rings_left_over"] == pytest.approx(
            value["score"]
        )
        edges = [(int(r["number"]), int(r["other"])) for r in own if r["part"] == "edge"]
        assert edges == [tuple(edge) for edge in dataset[graph].edges.tolist()]
    first = [float(r["contribution"]) for r in rows if r["part"] == "edge"]
    np.testing.assert_allclose(first, explanation.edges[:, 0])


def test_a_picture_is_well_formed(explanation: gr.Explanation, tmp_path: Path) -> None:
    explanation.save(tmp_path / "graphs.svg")
    root = ET.fromstring((tmp_path / "graphs.svg").read_text())  # noqa: S314
    assert len(root.findall("{*}svg")) == 24  # twelve graphs, and their bars


def test_other_endings_are_refused_and_nothing_is_written(
    explanation: gr.Explanation, tmp_path: Path
) -> None:
    with pytest.raises(SettingError, match=r"an unknown ending; expected one of \.html, \.csv"):
        explanation.save(tmp_path / "page.pdf")
    assert not list(tmp_path.iterdir())


def test_notebooks_show_the_surest_graphs(explanation: gr.Explanation) -> None:
    text = explanation._repr_html_()
    assert text.count("<figure") == 4
    assert "<i>no" not in text
    assert repr(explanation).startswith("Explanation(30 graphs of ")


def test_a_graph_that_is_not_there_cannot_be_drawn(explanation: gr.Explanation) -> None:
    assert "<svg" in str(explanation.draw(-1))
    with pytest.raises(SettingError, match="graph 30; expected a number from 0 to 29"):
        explanation.draw(30)


def test_the_surest_come_in_turns_of_both_classes(explanation: gr.Explanation) -> None:
    chosen = surest(explanation, 6)
    assert sorted(explanation.predicted[chosen].tolist()) == ["<i>no"] * 3 + ["yes"] * 3
    of_yes = [i for i in chosen if explanation.predicted[i] == "yes"]
    scores = explanation.score[of_yes, 0]
    assert (np.diff(np.abs(scores - explanation.base[of_yes, 0])) <= 0).all()


def test_labels_meet_distances(explanation: gr.Explanation) -> None:
    """The means, times how many nodes there are, are all that nodes do."""
    meeting = by_label(explanation, 0)
    assert meeting.labels[0] == BAD
    total = (meeting.means * np.array(meeting.n_nodes)[:, None]).sum(axis=0)
    np.testing.assert_allclose(total, explanation.nodes_by_ring[:, :, 0].sum(axis=0))


def test_far_distances_share_the_last_column() -> None:
    rows = np.arange(20.0)[None]
    assert folded(rows).tolist() == [[0, 1, 2, 3, 4, 5, 6, sum(range(7, 20))]]
    assert distance_names(20)[-2:] == ["6", "7+"]
    assert distance_names(3) == ["0", "1", "2"]


def test_bars_are_as_long_as_their_values() -> None:
    picture = ring_bars(np.array([1.0, -0.5]), ["0", "1"], 1.0, 0.25, height=40)
    heights = [float(h) for h in re.findall(r'<rect[^>]* height="([^"]+)"', str(picture))]
    assert heights == [40, 20, 10]
    ET.fromstring(str(picture))  # noqa: S314


def test_numbers_have_three_digits_of_the_largest() -> None:
    assert signed([12.34, -0.004, 0.5]) == ["+12.3", "0", "+0.5"]
    assert signed([0.00123, -0.001]) == ["+0.00123", "\N{MINUS SIGN}0.00100"]
    assert signed([0.0]) == ["0"]
    assert signed([]) == []
