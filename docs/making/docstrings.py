r"""Docstrings as Markdown: directives of reStructuredText become what the site understands.

``.. math:: x`` becomes \[x\], and :math:`x` becomes \(x\).
"""

import re
from importlib import import_module
from inspect import Parameter, Signature, cleandoc, formatannotation, signature
from typing import Any

import griffe

BLOCK = re.compile(r"^\.\. math:: (.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
INLINE = re.compile(r":math:`([^`]*)`")
ROLE = re.compile(r":(?:class|func|meth|mod):`~?([^`]*)`")


def as_markdown(docstring: str) -> str:
    """A docstring whose equations and roles are written in Markdown."""
    text = BLOCK.sub(lambda m: f"\n\\[{' '.join(m[1].split())}\\]\n", docstring)
    text = INLINE.sub(r"\\(\1\\)", text)
    text = re.sub(r"^#", r"\\#", text, flags=re.MULTILINE)  # it counts something, it is no heading
    return ROLE.sub(r"`\1`", text)


def equation(docstring: str) -> str | None:
    """The first equation of a docstring, in LaTeX."""
    match = BLOCK.search(cleandoc(docstring))
    return " ".join(match[1].split()) if match else None


class MarkdownDocstrings(griffe.Extension):
    """Rewrites every docstring that mkdocstrings is going to show.

    Signature and docstring of an estimator are made from its settings when it is imported, so that
    they are asked from the class itself.
    """

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        """Called for every class, before its docstring is looked at."""
        if cls.module.path.startswith(("graphrings.learning", "graphrings.committees")):
            estimator = getattr(import_module(cls.module.path), cls.name, None)
            if hasattr(estimator, "described_settings"):
                cls.docstring = griffe.Docstring(cleandoc(estimator.__doc__ or ""), parent=cls)
                cls.set_member("__init__", constructor(signature(estimator)))

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called for every module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(cleandoc(obj.docstring.value))


def constructor(signed: Signature) -> griffe.Function:
    """A signature as mkdocstrings knows it."""
    parameters = [
        griffe.Parameter(
            parameter.name,
            annotation=formatannotation(parameter.annotation).strip("'"),
            kind=griffe.ParameterKind(parameter.kind.description),
            default=None if parameter.default is Parameter.empty else repr(parameter.default),
        )
        for parameter in signed.parameters.values()
    ]
    return griffe.Function("__init__", parameters=griffe.Parameters(*parameters))
