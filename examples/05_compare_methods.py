"""Compare methods by nested cross-validation from Python; `graphrings run` does the same.

The experiment is small, to be quick: three folds, few epochs.
"""

import graphrings as gr

experiment = gr.experiment(
    datasets=["MUTAG"],
    methods={
        "pgc-dgcnn": {"settings": {"max_epochs": 10}, "grid": {"radius": [1, 2]}},
        "baseline-labels": None,
    },
    n_folds=3,
    repetitions=1,
)

if __name__ == "__main__":  # the processes of a run import this file again
    results = gr.run(experiment, jobs=2)  # store="results.db" keeps them, and goes on from there
    for record in results.records:
        print(f"{record.cell}: {record.scores['accuracy']:.1%}, chosen {dict(record.setting)}")
    print(gr.table(results))
    print(gr.table(results, score="auroc").to_text("md"))
    best = max(gr.table(results).rows, key=lambda row: row["mean"])  # or .to_frame(), for pandas
    print(f"the best is {best['method']} with {best['mean']:.1f} %")
