"""What MkDocs calls while it builds the site: generated pages join the files, equations are set."""

import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from making.contributing import changelog_page, contributing_page
from making.equations import with_equations
from making.names import name_pages
from making.registry import method_pages
from making.shell import command_page
from making.tutorials import tutorial_pages

FILE_NAME = re.compile(r"\[([\w-]+)\.md\]\(")  # as in [filter-size.md](filter-size.md)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add all pages that are made from code."""
    made = {
        **name_pages(),
        **method_pages(),
        **tutorial_pages(),
        "reference/command-line.md": command_page(),
        "contributing.md": contributing_page(),
        "changelog.md": changelog_page(),
    }
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Call a page by its name where a link calls it by its file."""
    return FILE_NAME.sub(lambda match: f"[{match[1].replace('-', ' ')}](", markdown)


def on_page_content(html: str, **_: object) -> str:
    """Set the equations of a page."""
    return with_equations(html)


def on_post_page(output: str, **_: object) -> str:
    """Give the dialog of the search the name that the theme leaves out."""
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"', 1)
