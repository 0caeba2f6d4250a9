"""What a compiler does not find by itself: numbers kept in registers, memory asked for early.

A loop that adds up rows reads and writes its sums in memory again and again, since the compiler
does not know how many columns there are. With ``span`` it says so: 32 neighbouring numbers are one
value, which is computed with like a number, on any processor, without a change of rounding.
A ``short_span`` has 8, a ``quad`` 4. With ``fetch`` a loop that jumps through memory asks for what
it will read some rounds later.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any, SupportsIndex

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.core.datamodel import models
from numba.extending import lower_builtin, register_model, type_callable
from numba.np.arrayobj import make_array
from numpy.typing import NDArray

SPAN = 32  # numbers: what the layers of our networks have as columns of a ring
SHORT = 8  # numbers: what the layers of attention have as columns of a head
QUAD = 4  # numbers: their heads
Place = SupportsIndex
Rule = Callable[..., Any]


def span(array: NDArray[Any], place: Place) -> NDArray[Any]:
    """The ``SPAN`` numbers from a place of an array on, its rows being counted as one."""
    return array.reshape(-1)[operator.index(place) :][:SPAN].copy()


def short_span(array: NDArray[Any], place: Place) -> NDArray[Any]:
    """The same with ``SHORT`` numbers."""
    return array.reshape(-1)[operator.index(place) :][:SHORT].copy()


def quad(array: NDArray[Any], place: Place) -> NDArray[Any]:
    """The same with ``QUAD`` numbers."""
    return array.reshape(-1)[operator.index(place) :][:QUAD].copy()


def put_span(array: NDArray[Any], place: Place, numbers: NDArray[Any]) -> None:
    """Write a span, of any length, to where it would be read."""
    array.reshape(-1)[operator.index(place) :][: len(numbers)] = numbers


def total(numbers: NDArray[Any]) -> Any:
    """The sum of a span: of its halves, of the halves of that, and so on."""
    while len(numbers) > 1:
        numbers = numbers[: len(numbers) // 2] + numbers[len(numbers) // 2 :]
    return numbers[0]


def chosen(sign: NDArray[Any], one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Of two spans the numbers of one where ``sign`` is above 0, else those of the other."""
    return np.where(sign > 0, one, other)


def limited(numbers: NDArray[Any], most: np.floating[Any]) -> NDArray[Any]:
    """A span whose numbers are not beyond ``-most`` or ``most``; what is no number stays none."""
    within: NDArray[Any] = np.clip(numbers, -most, most)
    return within


def fetch(array: NDArray[Any], place: Place) -> None:
    """Bring a number of an array, and what lies around it, near; nothing is read or changed."""


class SpanType(types.Type):
    """A span, for the compiler."""

    def __init__(self, number: Any, length: int) -> None:
        self.number, self.length = number, length
        super().__init__(f"Span({number}, {length})")


@register_model(SpanType)
class SpanModel(models.PrimitiveModel):
    """A span as a vector of LLVM, which knows the registers of a processor."""

    def __init__(self, manager: Any, kind: SpanType) -> None:
        number = manager.lookup(kind.number).get_value_type()
        super().__init__(manager, kind, ir.VectorType(number, kind.length))


def has_type(function: Any) -> Callable[[Rule], Rule]:
    """What follows says what a function returns for arguments of some types; None refuses them."""

    def register(typed: Rule) -> Rule:
        type_callable(function)(lambda _: typed)
        return typed

    return register


def has_code(function: Any, *kinds: Any) -> Callable[[Rule], Rule]:
    """What follows writes the machine code of a function for arguments of some kinds."""

    def register(write: Rule) -> Rule:
        lower_builtin(function, *kinds)(write)
        return write

    return register


@has_type(put_span)
def type_of_put(array: Any, _place: Any, numbers: Any) -> Any:
    """Arrays are in one piece, and numbers of the same precision."""
    fits = isinstance(numbers, SpanType) and numbers.number == array.dtype
    return types.void if array.layout == "C" and fits else None


@has_type(total)
def type_of_total(numbers: Any) -> Any:
    """A number."""
    return numbers.number if isinstance(numbers, SpanType) else None


@has_type(chosen)
def type_of_chosen(sign: Any, one: Any, other: Any) -> Any:
    """All three are alike."""
    return one if isinstance(one, SpanType) and sign == one == other else None


@has_type(limited)
def type_of_limited(numbers: Any, most: Any) -> Any:
    """A span and a number of the same precision."""
    return joined(most, numbers)


@has_type(fetch)
def type_of_fetch(array: Any, _place: Any) -> Any:
    """Arrays are in one piece."""
    return types.void if array.layout == "C" else None


def address(context: Any, builder: Any, kinds: Any, array: Any, place: Any) -> Any:
    """Where a number lies in memory."""
    numbers = make_array(kinds[0])(context, builder, array).data
    return builder.gep(numbers, [context.cast(builder, place, kinds[1], types.intp)])


def address_of_span(context: Any, builder: Any, kind: SpanType, kinds: Any, *arguments: Any) -> Any:
    """Where a span does."""
    vector = context.get_value_type(kind)
    return builder.bitcast(address(context, builder, kinds, *arguments), vector.as_pointer())


def with_reader(reader: Any, length: int) -> None:
    """Let the compiler know a function that reads so many numbers."""

    def type_of_span(array: Any, _place: Any) -> Any:
        return SpanType(array.dtype, length) if array.layout == "C" else None

    def read(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds, kind = signature.args, signature.return_type
        where = address_of_span(context, builder, kind, kinds, *arguments)
        # An array begins at any number, not where a register would like it to.
        return builder.load(where, align=kind.number.bitwidth // 8)

    has_type(reader)(type_of_span)
    has_code(reader, types.Array, types.Integer)(read)


@has_code(put_span, types.Array, types.Integer, SpanType)
def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The other way."""
    *kinds, kind = signature.args
    where = address_of_span(context, builder, kind, kinds, *arguments[:2])
    builder.store(arguments[2], where, align=kind.number.bitwidth // 8)
    return context.get_dummy_value()


@has_code(total, SpanType)
def add_up(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Half of the numbers at a time."""
    length, numbers = signature.args[0].length, arguments[0]
    whole, nothing = ir.IntType(32), ir.Constant(numbers.type, ir.Undefined)
    while length > 1:
        half = length // 2
        halves = (
            builder.shuffle_vector(
                numbers, nothing, ir.Constant(ir.VectorType(whole, half), list(places))
            )
            for places in (range(half), range(half, length))
        )
        numbers = builder.fadd(*halves)
        length, nothing = half, ir.Constant(numbers.type, ir.Undefined)
    return builder.extract_element(numbers, whole(0))


@has_code(chosen, SpanType, SpanType, SpanType)
def choose(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
    """What is no number is not above 0."""
    sign, *both = arguments
    above = builder.fcmp_ordered(">", sign, ir.Constant(sign.type, None))
    return builder.select(above, *both)


@has_code(fetch, types.Array, types.Integer)
def ask(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """An instruction of the processor, to read and to keep as long as possible."""
    where = address(context, builder, signature.args, *arguments)
    where = builder.bitcast(where, ir.IntType(8).as_pointer())
    whole = ir.IntType(32)
    kinds = ir.FunctionType(ir.VoidType(), [where.type, whole, whole, whole])
    told = get_or_insert_function(builder.module, kinds, "llvm.prefetch.p0i8")
    builder.call(told, [where, whole(0), whole(3), whole(1)])
    return context.get_dummy_value()


def joined(a: Any, b: Any) -> SpanType | None:
    """What a span and a span, or a number and a span of the same precision, give."""
    return b if isinstance(b, SpanType) and a in (b, b.number) else None


def repeated(builder: Any, value: Any, kind: Any) -> Any:
    """A number as a span of some kind; a span stays what it is."""
    if isinstance(value.type, ir.VectorType):
        return value
    nothing = ir.Constant(kind, ir.Undefined)
    places = ir.Constant(ir.VectorType(ir.IntType(32), kind.count), [0] * kind.count)
    first = builder.insert_element(nothing, value, ir.IntType(32)(0))
    return builder.shuffle_vector(first, nothing, places)


@has_code(limited, SpanType, types.Float)
def limit(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
    """Comparisons that are never true of what is no number."""
    numbers, number = arguments
    most, least = (
        repeated(builder, bound, numbers.type) for bound in (number, builder.fneg(number))
    )
    numbers = builder.select(builder.fcmp_ordered(">", numbers, most), most, numbers)
    return builder.select(builder.fcmp_ordered("<", numbers, least), least, numbers)


def with_operator(sign: Any, name: str) -> None:
    """Let the compiler know an operator between spans, and between a number and a span."""

    def compute(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        kind = arguments[1].type
        return getattr(builder, name)(*(repeated(builder, value, kind) for value in arguments))

    has_type(sign)(joined)
    for left in (SpanType, types.Float):
        has_code(sign, left, SpanType)(compute)


for reader, length in ((span, SPAN), (short_span, SHORT), (quad, QUAD)):
    with_reader(reader, length)
for sign, name in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    with_operator(sign, name)
# All that the machine code of a loop follows from which calls one of these.
WRITTEN = [
    own
    for own in list(vars().values())
    if isinstance(own, FunctionType) and own.__module__ == __name__
]
for known in (span, short_span, quad, put_span, total, chosen, limited, fetch):
    vars(known)["made_from"] = WRITTEN
