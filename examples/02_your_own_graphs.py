"""From a list of networkx graphs to a dataset, its statistics and its twins."""

import networkx as nx

import graphrings as gr

graphs = [nx.cycle_graph(n) for n in (5, 6, 7)] + [nx.path_graph(n) for n in (5, 6, 7)]
dataset = gr.from_networkx(graphs, targets=["ring"] * 3 + ["chain"] * 3)
print(dataset)
print(gr.statistics(dataset).class_sizes)
print(f"{gr.audit(dataset).n_distinct} of {len(dataset)} graphs can be told apart")
