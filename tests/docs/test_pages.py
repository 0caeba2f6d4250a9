import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from mkdocs.exceptions import PluginError

import graphrings as gr
from graphrings.errors import GraphRingsError
from graphrings.methods import METHODS
from making.docstrings import as_markdown, equation
from making.equations import with_equations
from making.names import PAGES, Name, check_documented, name_pages, page_of
from making.registry import SHOWN, method_equation, method_pages
from making.shell import command_page
from making.sights import CENTRE, SIGHTS, distances, walks
from making.sketch import molecule

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.slow
def test_every_public_name_stands_on_a_page_of_the_reference() -> None:
    text = "\n".join(name_pages().values())
    modules = {"kernels", "layers", "pyg", "synthetic"}
    for name in set(gr.__all__) - modules - {"__version__"}:
        assert re.search(rf"^::: graphrings\.[\w.]*\.{name}$", text, re.MULTILINE), name
    for name in ("kernels.weisfeiler_lehman.WeisfeilerLehman", "layers.ring_conv.RingConv"):
        assert f"::: graphrings.{name}\n" in text
    assert "::: graphrings.graphs.known_answers.spiders\n" in text


def test_a_name_of_an_unknown_room_or_without_docstring_ends_the_build() -> None:
    with pytest.raises(PluginError, match="no page of the reference shows"):
        page_of("thing", "attic.things")
    with pytest.raises(PluginError, match="no docstring"):
        check_documented(Name("gr.thing", "graphrings.thing", lambda: None))


def test_every_page_of_the_reference_shows_something() -> None:
    assert set(name_pages()) == {page.path for page in PAGES}
    assert all("\n::: " in text for text in name_pages().values())


@pytest.mark.slow
def test_every_method_has_a_section_with_equation_picture_and_citation() -> None:
    (text,) = method_pages().values()
    for name, method in METHODS.items():
        section = text.partition(f"{{ #{name} }}")[2].partition("\n## ")[0]
        assert f"\\[{method_equation(method)}\\]" in section
        assert "<svg" in section
        assert method.citation in section
    assert set(SHOWN) <= set(METHODS)


def test_equations_can_all_be_set() -> None:
    for method in METHODS.values():
        html = f'<div class="arithmatex">\\[{method_equation(method)}\\]</div>'
        assert with_equations(html).startswith('<div class="equation" tabindex="0"><math')


def test_docstrings_become_markdown() -> None:
    text = "Sum.\n\n.. math:: a +\n          b\n\n#(a) with :math:`a` and :class:`~x.Y`."
    assert equation(text) == "a + b"
    assert as_markdown(text) == "Sum.\n\n\n\\[a + b\\]\n\n\n\\#(a) with \\(a\\) and `x.Y`."


def test_pictures_show_what_the_code_computes() -> None:
    """Two steps lead back to where they began, once for every neighbour."""
    assert distances()[CENTRE] == 0
    assert walks(2).texts[CENTRE] == str(molecule().degrees[CENTRE])
    for caption, sight in SIGHTS.values():
        assert sight().svg(caption).count("<circle") == molecule().n_nodes


def test_the_page_of_commands_has_them_all() -> None:
    from graphrings.cli.main import main

    page = command_page()
    for verb in main.commands:
        assert f"## graphrings {verb}\n" in page
    assert "--budget" in page.partition("## graphrings fit\n")[2]


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a how-to page."""
    text = (DOCS / "how-to" / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def tables(page: Path) -> list[list[int]]:
    """The number of cells in every line, for each table of a page."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = re.findall(r"(?:^\|.*\|$\n?)+", text, re.MULTILINE)
    return [
        [len(re.findall(r"(?<!\\)\|", line)) - 1 for line in table.splitlines()] for table in found
    ]


def test_lines_of_a_table_have_as_many_cells_as_its_head() -> None:
    """Where they have not, GitHub shows no table."""
    pages = [path for path in (DOCS.parent / "README.md", *DOCS.rglob("*.md")) if tables(path)]
    assert len(pages) > 10
    assert [path.name for path in pages if any(len(set(cells)) > 1 for cells in tables(path))] == []


@pytest.mark.slow
def test_a_method_as_the_how_to_shows_it_runs(tmp_path: Path) -> None:
    (code,), (experiment,) = blocks("own-methods.md", "python"), blocks("own-methods.md", "toml")
    (tmp_path / "ring_forest.py").write_text(code)
    (tmp_path / "experiment.toml").write_text(f"n_folds = 3\nrepetitions = 1\n{experiment}")
    results = gr.run(tmp_path / "experiment.toml", jobs=0, methods=["forest on rings"])
    assert len(results.records) == 3


def test_weights_of_classes_are_settings_as_the_how_to_says() -> None:
    (code,), (experiment,) = blocks("imbalance.md", "python"), blocks("imbalance.md", "toml")
    exec(code, {})  # noqa: S102
    rows = gr.experiment(**tomllib.loads(experiment)).methods
    assert dict(rows[1].settings)["class_weight"] == "balanced"
    with pytest.raises(GraphRingsError, match="class_weight"):
        gr.KernelClassifier("wl", class_weight="balanced")


@pytest.mark.slow
def test_the_picture_of_readme_and_start_page_is_what_its_script_draws() -> None:
    drawn = subprocess.run(
        [sys.executable, "-c", "from making.hero import hero; print(hero(), end='')"],
        cwd=DOCS,
        capture_output=True,
        text=True,
        check=True,
    )
    assert drawn.stdout == (DOCS / "pictures" / "rings.svg").read_text(encoding="utf-8")
