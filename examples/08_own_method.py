"""A method of one's own among the others: own_method/experiment.toml names it by import path.

The same from the command line: graphrings run own_method/experiment.toml
"""

from pathlib import Path

import graphrings as gr

EXPERIMENT = Path(__file__).parent / "own_method" / "experiment.toml"

if __name__ == "__main__":  # the processes of a run import this file again
    results = gr.run(EXPERIMENT, jobs=2)
    print(results)
    print(gr.table(results))
    print(gr.table(results, against="baseline-labels"))
