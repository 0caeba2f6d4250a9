"""Learning curves: the losses of the chosen trials, epoch by epoch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from graphrings.report.plots.canvas import INK, legend, picture
from graphrings.report.plots.looks import COLOURS
from graphrings.report.section import Shown, by_dataset, records_of
from graphrings.report.statistics import Floats
from graphrings.report.tables import Comparison
from graphrings.results.record import Record, Trial
from graphrings.tasks import TASKS

LINES = 10  # individual folds shown
ALL_LINES = 60  # of individual folds in all pictures together
EPOCHS = 40  # points of a mean at most, and of a fold's line half of them
KINDS = (("training", COLOURS[0], "-"), ("validation", COLOURS[4], (0, (5, 2))))


def curve_pictures(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """Learning curves of all methods that are trained by epochs."""
    card = comparison.card
    lines = max(2, min(LINES, ALL_LINES // max(1, len(card.methods) * len(card.datasets))))
    loss = TASKS[card.task].loss_title
    return Shown(
        f"Losses ({loss}) of the chosen trials: thin lines are single folds, thick ones their mean "
        "as long as half of the folds are still trained. Ticks at the bottom are the epochs whose "
        "weights were kept.",
        by_dataset(card, lambda d, m: learning_curves(records, d, m, lines)),
    )


def learning_curves(
    records: Sequence[Record], dataset: str, method: str, lines: int = LINES
) -> str | None:
    """Training and validation loss of one method on one dataset; None without epochs."""
    trials = [r.trials[r.chosen] for r in records_of(records, dataset, method)]
    trained = [trial for trial in trials if trial.curve and trial.curve.train_loss]
    if not trained:
        return None

    def draw(axes: Axes) -> None:
        top = 0.0
        handles: list[Artist] = []
        for (_, colour, dash), losses in zip(KINDS, _losses(trained), strict=True):
            for one in losses[:: max(1, -(-len(losses) // lines))] if lines else []:
                axes.plot(*_few(one, EPOCHS // 2), color=colour, lw=0.6, alpha=0.3)
            mean = mean_by_epoch(losses)
            handles += axes.plot(*_few(mean), color=colour, ls=dash, lw=2)
            top = max(top, float(np.nanpercentile(np.concatenate(losses), 99)))
        axes.set_ylim(0, 1.08 * top or 1)
        handles += _best_epochs(axes, trained)
        legend(axes, handles, ["training", "validation", "best epochs"][: len(handles)], 3)
        axes.set_xlim(left=1)
        axes.locator_params(nbins=5)
        axes.set_xlabel("epoch")
        axes.set_ylabel("loss of a graph")

    best = [trial.best_epoch + 1 for trial in trained if trial.best_epoch is not None]
    words = f", best epochs {min(best)} to {max(best)}" if best else ""
    folds = f"{len(trained)} fold{'s' * (len(trained) != 1)}"
    title = f"Learning curves of {method} on {dataset}, {folds}{words}"
    return picture(draw, 230, title, clip=True)


def _losses(trials: Sequence[Trial]) -> tuple[list[Floats], list[Floats]]:
    curves = [trial.curve for trial in trials if trial.curve]
    return (
        [_finite(curve.train_loss) for curve in curves],
        [_finite(curve.validation_loss) for curve in curves],
    )


def _finite(values: Sequence[float]) -> Floats:
    losses = np.asarray(values, dtype=float)
    return np.where(np.isfinite(losses), losses, np.nan)


def mean_by_epoch(losses: Sequence[Floats]) -> Floats:
    """The mean of each epoch as long as at least half of the folds are still trained.

    The few that go on longest are not like the rest: their mean would look like a change.
    """
    length = int(np.median([len(one) for one in losses]))
    padded = np.full((len(losses), length), np.nan)
    for row, one in zip(padded, losses, strict=True):
        row[: len(one)] = one[:length]
    known = np.isfinite(padded)
    sums = np.where(known, padded, 0).sum(axis=0)
    return np.where(known.any(axis=0), sums / np.maximum(1, known.sum(axis=0)), np.nan)


def _few(losses: Floats, limit: int = EPOCHS) -> tuple[Floats, Floats]:
    """Epochs, counted from 1, and losses, so many of them at most, with both ends."""
    keep = np.unique(np.linspace(0, len(losses) - 1, min(len(losses), limit)).round().astype(int))
    return keep + 1, losses[keep]


def _best_epochs(axes: Axes, trials: Sequence[Trial]) -> list[Artist]:
    best = sorted({t.best_epoch + 1 for t in trials if t.best_epoch is not None})
    if not best:
        return []
    foot = axes.get_xaxis_transform()
    marks = axes.plot(
        best, [0.03] * len(best), "|", color=INK, ms=9, mew=1, alpha=0.7, transform=foot
    )
    return list(marks)
