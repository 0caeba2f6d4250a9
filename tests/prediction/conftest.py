from pathlib import Path

import pytest

import graphrings as gr

# Alcohols and amines, which the letter O or N tells apart.
SMILES = [f"{'C' * n}{end}" for n in range(2, 12) for end in ("O", "N")]


@pytest.fixture(scope="session")
def alcohols() -> gr.Dataset:
    return gr.from_smiles(SMILES, ["yes", "no"] * 10)


@pytest.fixture(scope="session")
def saved(alcohols: gr.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "alcohols.safetensors"
    gr.BaselineClassifier(random_state=0).fit(alcohols).save(path)
    return path


@pytest.fixture
def model(saved: Path) -> gr.BaselineClassifier:
    return gr.load_model(saved)
