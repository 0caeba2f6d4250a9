"""How long the largest dataset takes to read, and how much memory: ``make bench``."""

import resource
import time
import warnings

import graphrings as gr
from graphrings.errors import DatasetNote, GraphRingsError

if __name__ == "__main__":
    gr.load("MUTAG")  # compiles
    warnings.simplefilter("ignore", DatasetNote)
    try:
        start = time.process_time()
        collab = gr.load("COLLAB")
        seconds = time.process_time() - start
    except GraphRingsError as error:
        print(f"COLLAB is left out: {error}")
    else:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(f"Reading {collab}: {seconds:.1f} s of CPU time, peak memory {peak:.2f} GB")
