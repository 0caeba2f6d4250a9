"""Train on most molecules, predict the others, keep the model in a file."""

import tempfile
from pathlib import Path

import numpy as np

import graphrings as gr

molecules = gr.load("MUTAG")
shuffled = molecules[np.random.default_rng(0).permutation(len(molecules))]
training, others = shuffled[:150], shuffled[150:]

classifier = gr.PGCClassifier(radius=2, random_state=0).fit(training)
print(f"{len(classifier.history_.epochs)} epochs, accuracy {classifier.score(others):.2f}")
print(classifier.predict(others)[:5], classifier.predict_proba(others)[:5].round(2).tolist())

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "model.safetensors"
    classifier.save(path)
    again = gr.load_model(path)
    print("the same after loading:", (again.predict(others) == classifier.predict(others)).all())
