"""THE list of what the page shows of the records. A new plot is one file and one entry here."""

from __future__ import annotations

from graphrings.report import recipes
from graphrings.report.hard_graphs import largest_errors, wrong_graphs
from graphrings.report.plots.agreement import agreement_pictures
from graphrings.report.plots.boxes import box_pictures
from graphrings.report.plots.calibration import calibration_pictures
from graphrings.report.plots.chosen import chosen_pictures
from graphrings.report.plots.confusion import confusion_pictures
from graphrings.report.plots.costs import cost_pictures
from graphrings.report.plots.curves import curve_pictures
from graphrings.report.plots.radius import radius_pictures
from graphrings.report.plots.times import time_pictures
from graphrings.report.section import Section
from graphrings.tasks import CLASSIFICATION, REGRESSION

GALLERY = (
    Section("folds", "Folds", box_pictures, by_score=True, code=recipes.FOLDS),
    Section("radius", "Radius", radius_pictures, by_score=True, code=recipes.RADIUS),
    Section("cost", "Cost and score", cost_pictures, by_score=True, code=recipes.COST),
    Section(
        "hard",
        "Graphs that nearly every method gets wrong",
        wrong_graphs,
        task=CLASSIFICATION.name,
        needs_predictions=True,
        code=recipes.HARD,
        short="Hard graphs",
    ),
    Section(
        "errors",
        "Graphs with the largest errors",
        largest_errors,
        task=REGRESSION.name,
        needs_predictions=True,
        code=recipes.ERRORS,
        short="Hard graphs",
    ),
    Section(
        "calibration",
        "Calibration",
        calibration_pictures,
        task=CLASSIFICATION.name,
        needs_predictions=True,
        kind="small",
        code=recipes.CALIBRATION,
    ),
    Section(
        "confusion",
        "Confusion",
        confusion_pictures,
        task=CLASSIFICATION.name,
        needs_predictions=True,
        kind="small",
        code=recipes.CONFUSION,
    ),
    Section(
        "agreement",
        "Predicted and true values",
        agreement_pictures,
        task=REGRESSION.name,
        needs_predictions=True,
        kind="small",
        code=recipes.AGREEMENT,
    ),
    Section("chosen", "Chosen settings", chosen_pictures, kind="stacked", code=recipes.CHOSEN),
    Section("curves", "Learning curves", curve_pictures, code=recipes.CURVES),
    Section("time", "Run time", time_pictures, code=recipes.TIME),
)
