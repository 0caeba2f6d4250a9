"""Code that readers may copy: the pictures of a page, made from what ``graphrings export`` writes.

A few lines of pandas and matplotlib each; the tests run all of them.
"""

from __future__ import annotations

from graphrings.tasks.scores import Score

CELLS = """\
import pandas as pd     # graphrings export --store results.db -o cells.csv
import matplotlib.pyplot as plt
cells = pd.read_csv("cells.csv")
"""
PREDICTIONS = """\
import pandas as pd     # graphrings export --store results.db --predictions -o said.csv
import matplotlib.pyplot as plt
said = pd.read_csv("said.csv")
"""
OPENING = f"""{CELLS}
means = cells.groupby(["dataset", "method"])["SCORE"].agg(["mean", "sem"])
for dataset, rows in means.groupby(level=0):
    plt.figure()
    plt.errorbar(rows["mean"], rows.index.get_level_values(1), xerr=2 * rows["sem"], fmt="o")
    plt.title(dataset)
    plt.xlabel("SCORE")
"""
FOREST = f"""{CELLS}
wide = cells.pivot_table("SCORE", ["dataset", "repetition", "fold"], "method")
differences = wide.sub(wide[REFERENCE], axis=0).drop(columns=REFERENCE)
for dataset, rows in differences.groupby(level=0):
    plt.figure()
    plt.errorbar(rows.mean(), rows.columns, xerr=2 * rows.sem(), fmt="o")
    plt.axvline(0)
    plt.title(dataset)
"""
FOLDS = f"""{CELLS}
for dataset, rows in cells.groupby("dataset"):
    rows.boxplot("SCORE", by="method", rot=90)
    plt.title(dataset)
"""
RADIUS = f"""import json
{CELLS}
cells["radius"] = [json.loads(setting).get("radius") for setting in cells["setting"]]
chosen = cells.dropna(subset=["radius"])
if len(chosen):
    chosen.groupby(["radius", "dataset"])["SCORE"].mean().unstack().plot(marker="o")
"""
COST = f"""{CELLS}
for dataset, rows in cells.groupby("dataset"):
    means = rows.groupby("method")[["seconds", "SCORE"]].mean()
    means.plot.scatter("seconds", "SCORE", logx=True, title=dataset)
    for method, (seconds, score) in means.iterrows():
        plt.annotate(method, (seconds, score))
"""
CHOSEN = f"""import json
{CELLS}
settings = pd.DataFrame([json.loads(setting) for setting in cells["setting"]])
for name in settings.columns[settings.map(str).nunique() > 1]:
    pd.crosstab(cells["method"], settings[name].map(str)).plot.barh(stacked=True, title=name)
"""
CURVES = """\
import json             # graphrings export --store results.db -o cells.jsonl
from pathlib import Path
import matplotlib.pyplot as plt
import pandas as pd
losses = {}             # dataset, method, setting -> the validation losses of its folds
for line in Path("cells.jsonl").read_text().splitlines():
    cell = json.loads(line)
    for trial in cell.get("trials", []):
        if trial.get("curve"):
            key = cell["dataset"], cell["method"], json.dumps(trial["setting"])
            losses.setdefault(key, []).append(trial["curve"]["validation_loss"])
for (dataset, method, setting), folds in losses.items():
    plt.figure(f"{method} on {dataset}")
    plt.plot(pd.DataFrame(map(pd.Series, folds)).mean(), label=setting)
    plt.legend()
"""
CALIBRATION = f"""import json
{PREDICTIONS}
said = said.dropna(subset=["probabilities"])
said["sure"] = [max(json.loads(each).values()) for each in said["probabilities"]]
said["right"] = said["truth"] == said["predicted"]
for dataset, rows in said.groupby("dataset"):
    bins = [rows["method"], pd.cut(rows["sure"], 10)]
    curve = rows.groupby(bins, observed=True)[["sure", "right"]].mean()
    plt.figure()
    for method, points in curve.groupby(level=0):
        plt.plot(points["sure"], points["right"], marker="o", label=method)
    plt.legend()
    plt.title(dataset)
"""
CONFUSION = f"""{PREDICTIONS}
for place, rows in said.groupby(["dataset", "method"]):
    counts = pd.crosstab(rows["truth"], rows["predicted"], normalize="index")
    plt.matshow(counts, vmin=0, vmax=1)
    plt.title(" ".join(place))
"""
AGREEMENT = f"""{PREDICTIONS}
for place, rows in said.groupby(["dataset", "method"]):
    rows.plot.scatter("truth", "predicted", alpha=0.3, title=" ".join(place))
"""
HARD = f"""{PREDICTIONS}
said["wrong"] = said["truth"] != said["predicted"]
shares = said.pivot_table("wrong", ["dataset", "graph"], "method")
print(shares[shares.min(axis=1) >= 0.9])
"""
ERRORS = f"""{PREDICTIONS}
said["error"] = (said["truth"] - said["predicted"]).abs()
print(said.groupby(["dataset", "graph"])["error"].mean().nlargest(20))
"""
TIME = f"""{CELLS}
seconds = cells.groupby(["dataset", "method"])["seconds"].median().unstack()
seconds.plot.barh(logx=True)
"""


def written(code: str, score: Score, **names: str) -> str:
    """A recipe for a score; other words in capitals are quoted names."""
    text = code.replace("SCORE", score.name)
    for word, name in names.items():
        text = text.replace(word.upper(), repr(name))
    return text
