"""Small mistakes, put into the source one at a time: what a slip of the hand would write."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
SWAPPED_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """One mistake: the text between two places of a source, and what stands there instead."""

    kind: str
    line: int
    column: int
    start: int  # in bytes
    end: int
    before: str
    after: str

    def source(self, original: bytes) -> bytes:
        """The source with the mistake in it."""
        return original[: self.start] + self.after.encode() + original[self.end :]


def mutants(source: bytes) -> list[Mutant]:
    """All mistakes that can be put into a source, in the order of the file.

    Left alone are annotations, decorators, docstrings and other strings, and the words of errors.
    """
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node in _reached(ast.parse(source)):
        for kind, place, changed in _changes(node):
            start = starts[place.lineno - 1] + place.col_offset
            end = starts[place.end_lineno - 1] + place.end_col_offset
            after = ast.unparse(changed)
            after = after if isinstance(place, ast.stmt) else f"({after})"
            before, column = source[start:end].decode(), place.col_offset + 1
            found.append(Mutant(kind, place.lineno, column, start, end, before, after))
    return sorted(found, key=lambda mutant: (mutant.start, mutant.end, mutant.after))


def _reached(node: ast.AST) -> Iterator[Any]:
    """Every node with a place that mistakes are put into."""
    if isinstance(node, ast.Raise | ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom):
        return
    if hasattr(node, "lineno"):
        yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _reached(child)


def _changes(node: Any) -> Iterator[tuple[str, Any, ast.AST]]:
    """The kind of a mistake, the node it is put into, and what stands there instead."""
    match node:
        case ast.Compare(ops=[op]):
            for other in COMPARISONS[type(op)]:
                yield "comparison", node, _with(node, ops=[other()])
        case ast.BinOp(op=op, left=left) if not _is_text(left):
            yield "arithmetic", node, _with(node, op=ARITHMETIC[type(op)]())
        case ast.AugAssign(op=op):
            yield "arithmetic", node, _with(node, op=ARITHMETIC[type(op)]())
        case ast.BoolOp(op=op):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield "boolean", node, _with(node, op=other)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "boolean", node, operand
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(operand, ast.Constant):
            yield "arithmetic", node, operand
        case ast.Constant(value=bool(value)):
            yield "constant", node, ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield "off by one", node, ast.Constant(value + 1)
            yield "off by one", node, ast.Constant(value - 1)
        case ast.Constant(value=float(value)):
            yield "constant", node, ast.Constant(value * 1.5 + 0.01)
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield "return", node, ast.Return(ast.Constant(None))
        case ast.Call(func=ast.Name(id=name)) if name in SWAPPED_NAMES:
            yield "min and max", node.func, ast.Name(SWAPPED_NAMES[name])
        case ast.Slice(lower=None, upper=ast.expr() as upper, step=None):
            yield "off by one", upper, ast.BinOp(upper, ast.Sub(), ast.Constant(1))
        case ast.Continue():
            yield "branch", node, ast.Break()
        case ast.Break():
            yield "branch", node, ast.Continue()
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            if isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.NamedExpr):
                yield "branch", test, ast.UnaryOp(ast.Not(), test)


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return ast.fix_missing_locations(changed)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
