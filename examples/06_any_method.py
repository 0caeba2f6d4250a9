"""Any method by its name: networks, some with a filter size, and kernels."""

import graphrings as gr

molecules = gr.load("MUTAG")
training, others = molecules[:150], molecules[150:]

for model in (
    gr.NetworkClassifier("gcn", max_epochs=40, random_state=0),
    gr.NetworkClassifier("gcn", radius=2, max_epochs=40, random_state=0),  # rings 0, 1 and 2
    gr.NetworkClassifier("gin", channels=(16, 16), max_epochs=40, random_state=0),
    gr.KernelClassifier("wl", height=3, C=10.0),
):
    model.fit(training)
    name = model.get_params().get("network", model.get_params().get("kernel"))
    print(f"{name}, radius {model.get_params().get('radius')}: {model.score(others):.0%} right")
