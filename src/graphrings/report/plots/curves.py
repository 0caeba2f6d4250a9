"""Learning curves: the losses of the chosen trials, epoch by epoch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from graphrings.report.plots.canvas import INK, label, picture, tell
from graphrings.report.plots.looks import COLOURS, DASHES, Key, Look
from graphrings.report.section import Group, Shown, drawn, records_of
from graphrings.report.statistics import Floats
from graphrings.report.tables import Comparison
from graphrings.report.words import setting_value
from graphrings.results.record import ExperimentCard, Record, Trial
from graphrings.tasks import TASKS

LINES = 10  # individual folds shown
ALL_LINES = 60  # of individual folds in all pictures together
EPOCHS = 40  # points of a mean at most, and of a fold's line half of them
KINDS = (("training", COLOURS[0], "-"), ("validation", COLOURS[4], (0, (5, 2))))
KEYS = (
    Key("training", Look(COLOURS[0], "", "-"), has_line=True),
    Key("validation", Look(COLOURS[4], "", "--"), has_line=True),
)
MOST_VALUES = 6  # of a setting, in a picture of its own


def curve_pictures(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """Learning curves of all methods that are trained by epochs."""
    card = comparison.card
    lines = max(2, min(LINES, ALL_LINES // max(1, len(card.methods) * len(card.datasets))))
    loss = TASKS[card.task].loss_title
    return Shown(
        f"Losses ({loss}) of the chosen trials: thin lines are single folds, thick ones their mean "
        "as long as half of the folds are still trained. Ticks at the bottom are the epochs whose "
        "weights were kept. Where the folds chose different values of a setting, a second picture "
        "has the mean validation loss of each value.",
        tuple(group for d in card.datasets if (group := _group(card, records, d.name, lines))),
        KEYS,
    )


def _group(
    card: ExperimentCard, records: Sequence[Record], dataset: str, lines: int
) -> Group | None:
    pictures = []
    for method in card.methods:
        pictures.append((method.name, learning_curves(records, dataset, method.name, lines)))
        for key, values in method.grid.items():
            if len(values) > 1:
                svg = curves_by_setting(records, dataset, method.name, key)
                pictures.append((f"{method.name}, by {key}", svg))
    shown = drawn(pictures)
    return Group(dataset, shown) if shown else None


def curves_by_setting(records: Sequence[Record], dataset: str, method: str, key: str) -> str | None:
    """The mean validation loss of every value that folds chose; None with fewer than two."""
    by_value: dict[Any, list[Floats]] = defaultdict(list)
    for record in records_of(records, dataset, method):
        trial = record.trials[record.chosen]
        if trial.curve and trial.curve.validation_loss and key in trial.setting:
            by_value[setting_value(trial.setting[key])].append(_finite(trial.curve.validation_loss))
    if not 2 <= len(by_value) <= MOST_VALUES:
        return None
    values = sorted(by_value, key=natural)

    def draw(axes: Axes) -> None:
        top = 0.0
        for i, value in enumerate(values):
            mean = mean_by_epoch(by_value[value])
            epochs, losses = _few(mean)
            words = f"{key} {value}: {len(by_value[value])} folds"
            tell(axes.plot(epochs, losses, color=COLOURS[i], ls=DASHES[i % 4], lw=2), words)
            top = max(top, float(np.nanmax(mean)))
            axes.annotate(
                label(value, 10), (epochs[-1], losses[-1]), xytext=(4, 0),
                textcoords="offset points", va="center", color=COLOURS[i],
            )  # fmt: skip
        axes.set_ylim(0, 1.08 * top or 1)
        _epochs(axes)
        axes.margins(x=0.1)

    counts = ", ".join(f"{value} in {len(by_value[value])} folds" for value in values)
    title = f"Validation loss of {method} on {dataset} by {key}: {counts}"
    return picture(draw, 230, title, clip=True)


def natural(value: str) -> tuple[bool, float, str]:
    """Numbers by their size, then words."""
    try:
        return False, float(value), value
    except ValueError:
        return True, 0.0, value


def _epochs(axes: Axes) -> None:
    axes.set_xlim(left=1)
    axes.locator_params(nbins=5)
    axes.set_xlabel("epoch")
    axes.set_ylabel("loss of a graph")


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
        for (kind, colour, dash), losses in zip(KINDS, _losses(trained), strict=True):
            for one in losses[:: max(1, -(-len(losses) // lines))] if lines else []:
                axes.plot(*_few(one, EPOCHS // 2), color=colour, lw=0.6, alpha=0.3)
            mean = mean_by_epoch(losses)
            last = mean[np.isfinite(mean)]
            words = f"mean {kind} loss, {last[-1]:.3g} at the end" if len(last) else kind
            tell(axes.plot(*_few(mean), color=colour, ls=dash, lw=2), words)
            top = max(top, float(np.nanpercentile(np.concatenate(losses), 99)))
        axes.set_ylim(0, 1.08 * top or 1)
        _best_epochs(axes, trained)
        _epochs(axes)

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


def _best_epochs(axes: Axes, trials: Sequence[Trial]) -> None:
    best = sorted({t.best_epoch + 1 for t in trials if t.best_epoch is not None})
    foot = axes.get_xaxis_transform()
    axes.plot(best, [0.03] * len(best), "|", color=INK, ms=9, mew=1, alpha=0.7, transform=foot)
