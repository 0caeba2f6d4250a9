"""THE list of what the page shows of the records. A new plot is one file and one entry here."""

from __future__ import annotations

from graphrings.report.hard_graphs import largest_errors, wrong_graphs
from graphrings.report.plots.agreement import agreement_pictures
from graphrings.report.plots.boxes import box_pictures
from graphrings.report.plots.chosen import chosen_pictures
from graphrings.report.plots.confusion import confusion_pictures
from graphrings.report.plots.curves import curve_pictures
from graphrings.report.plots.radius import radius_pictures
from graphrings.report.plots.times import time_pictures
from graphrings.report.section import Section
from graphrings.tasks import CLASSIFICATION, REGRESSION

GALLERY = (
    Section("folds", "Folds", box_pictures),
    Section("radius", "Radius", radius_pictures),
    Section("chosen", "Chosen settings", chosen_pictures),
    Section("curves", "Learning curves", curve_pictures),
    Section(
        "confusion",
        "Confusion",
        confusion_pictures,
        task=CLASSIFICATION.name,
        needs_predictions=True,
        small=True,
    ),
    Section(
        "agreement",
        "Predicted and true values",
        agreement_pictures,
        task=REGRESSION.name,
        needs_predictions=True,
        small=True,
    ),
    Section(
        "hard",
        "Graphs that nearly every method gets wrong",
        wrong_graphs,
        task=CLASSIFICATION.name,
        needs_predictions=True,
    ),
    Section(
        "errors",
        "Graphs with the largest errors",
        largest_errors,
        task=REGRESSION.name,
        needs_predictions=True,
    ),
    Section("time", "Run time", time_pictures),
)
