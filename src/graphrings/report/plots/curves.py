"""Learning curves: the losses of the chosen trials and of every setting, epoch by epoch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from graphrings.report.plots.canvas import INK, label, legend, picture, tell
from graphrings.report.plots.looks import COLOURS, DASHES, Key, Look
from graphrings.report.section import Group, Shown, drawn, records_of
from graphrings.report.statistics import Floats
from graphrings.report.tables import Comparison
from graphrings.report.words import setting_value
from graphrings.results.record import ExperimentCard, MethodCard, Record, Setting, Trial
from graphrings.results.setting_curves import Curves, SettingCurve, setting_curves
from graphrings.tasks import TASKS

LINES = 10  # individual folds shown
ALL_LINES = 60  # of individual folds in all pictures together
EPOCHS = 40  # points of a mean at most, and of a fold's line half of them
KINDS = (("training", COLOURS[0], "-"), ("validation", COLOURS[4], (0, (5, 2))))
KEYS = (
    Key("training", Look(COLOURS[0], "", "-"), has_line=True),
    Key("validation", Look(COLOURS[4], "", "--"), has_line=True),
)
MOST_SETTINGS = 8  # lines of a picture by setting
MOST_VALUES = 6  # of a setting, in a picture of its own


def curve_pictures(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """Learning curves of all methods that are trained by epochs."""
    card, curves = comparison.card, comparison.curves or setting_curves(records)
    lines = max(2, min(LINES, ALL_LINES // max(1, len(card.methods) * len(card.datasets))))
    loss = TASKS[card.task].loss_title
    return Shown(
        f"Losses ({loss}) of the chosen trials: thin lines are single folds, thick ones their mean "
        "as long as half of the folds are still trained. Ticks at the bottom are the epochs whose "
        "weights were kept. Where several settings were tried, further pictures have the mean "
        "validation loss of each over all folds, whether it won or not; the thick line with a dot "
        f"is the one that won most often. {lacking_words(curves)}".strip(),
        tuple(
            group for d in card.datasets if (group := _group(card, records, d.name, lines, curves))
        ),
        KEYS,
    )


def lacking_words(curves: Curves) -> str:
    """What the pictures by setting do not show because its curves were not kept."""
    every = [curve for row in curves.values() for curve in row]
    n_lacking = sum(curve.n_lacking for curve in every)
    if not n_lacking:
        return ""
    n_trials = n_lacking + sum(curve.n_curves for curve in every)
    return (
        f"Of {n_trials:,} trials {n_lacking:,} left no curve and do not count in them: a setting "
        "that won rarely may look better than it was."
    )


def _group(
    card: ExperimentCard, records: Sequence[Record], dataset: str, lines: int, curves: Curves
) -> Group | None:
    pictures = []
    for method in card.methods:
        row, keys = curves.get((dataset, method.name), ()), searched_keys(method)
        place = f"{method.name} on {dataset}"
        pictures.append((method.name, learning_curves(records, dataset, method.name, lines)))
        named = [(setting_name(curve.setting, keys), curve) for curve in row]
        what = keys[0] if len(keys) == 1 else "setting"
        pictures.append((f"{method.name}, by {what}", by_setting(named, place, what)))
        for key in keys if len(keys) > 1 else ():
            svg = by_setting(by_value(row, key), place, key, MOST_VALUES)
            pictures.append((f"{method.name}, by {key}", svg))
    shown = drawn(pictures)
    return Group(dataset, shown) if shown else None


def searched_keys(method: MethodCard) -> list[str]:
    """The settings that a method could choose."""
    return [key for key, values in method.grid.items() if len(values) > 1]


def setting_name(setting: Setting, keys: Sequence[str]) -> str:
    """What tells a setting from the others of its grid."""
    known = (f"{key} {setting_value(setting[key])}" for key in keys if key in setting)
    return ", ".join(known) or "all"


Named = tuple[str, SettingCurve]


def by_value(row: Sequence[SettingCurve], key: str) -> list[Named]:
    """The curves of all settings that share a value, added, from the smallest value on."""
    sums: dict[str, SettingCurve] = {}
    for curve in row:
        if key in curve.setting:
            value = setting_value(curve.setting[key])
            sums[value] = sums[value] + curve if value in sums else curve
    return [(f"{key} {value}", sums[value]) for value in sorted(sums, key=natural)]


def by_setting(
    named: Sequence[Named], place: str, what: str, most: int = MOST_SETTINGS
) -> str | None:
    """The mean validation losses, that of the most frequent winner marked; None for fewer than two.

    Of many only so many are shown: those that won most often, and then those of the lowest loss.
    """
    known = [(name, curve) for name, curve in named if np.isfinite(curve.mean).any()]
    if len(known) < 2:
        return None
    best = sorted(known, key=lambda one: (-one[1].n_chosen, float(np.nanmin(one[1].mean))))
    winner, kept = best[0], [one for one in known if one in best[:most]]

    def draw(axes: Axes) -> None:
        handles: list[Artist] = []
        for i, one in enumerate(kept):
            look: Any = {
                "color": COLOURS[i],
                "ls": DASHES[i % 4],
                "lw": 2.6 if one is winner else 1.4,
            }
            epochs, losses = _few(one[1].mean)
            line = axes.plot(epochs, losses, **look)
            tell(line, told_curve(*one))
            if one is winner:
                tell(
                    axes.plot(epochs[-1], losses[-1], "o", color=COLOURS[i], ms=8), told_curve(*one)
                )
            handles += line
        axes.set_ylim(0, 1.08 * max(float(np.nanmax(curve.mean)) for _, curve in kept) or 1)
        _epochs(axes)
        legend(axes, handles, [label(name, 44) for name, _ in kept], _columns(kept))

    few = "" if len(kept) == len(known) else f", {len(kept)} of {len(known)}"
    told = "; ".join(told_curve(*one) for one in kept)
    height = 200 + 17 * -(-len(kept) // _columns(kept))
    return picture(draw, height, f"Validation loss of {place} by {what}{few}: {told}", clip=True)


def told_curve(name: str, curve: SettingCurve) -> str:
    """What a line shows, in words."""
    trials = f"{curve.n_curves:,} fold{'s' * (curve.n_curves != 1)}"
    return f"{name}: lowest {np.nanmin(curve.mean):.3g}, {trials}, won {curve.n_chosen:,}"


def _columns(named: Sequence[Named]) -> int:
    widest = max(len(label(name, 44)) for name, _ in named)
    return max(1, min(len(named), 46 // (widest + 6)))


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
