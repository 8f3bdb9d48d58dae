"""Tables of records for the compiled run: a bare pointer that is indexed like a list.

A numba array is seven words and counts its references; a table is one word and borrows. The rules pass their state from
function to function all the time, so this is what makes calls cheap. Indexes are not checked: rules never index from
the end, and runs with bounds checks use arrays instead.
"""

from __future__ import annotations

import operator
from typing import Any, TypeAlias

from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

Untyped: TypeAlias = Any  # objects of numba and llvmlite have no types


class TableType(types.Type):
    """The type of a table of records."""

    def __init__(self, record: types.Record) -> None:
        self.record = record
        super().__init__(name=f"Table({record})")


@register_model(TableType)
class TableModel(models.OpaqueModel):
    """A table as one pointer."""


@infer_global(operator.getitem)
class TableGetItem(AbstractTemplate):
    """`table[i]` is a record."""

    def generic(self, args: Untyped, kws: object) -> Untyped:
        table, index = args
        if isinstance(table, TableType) and isinstance(index, types.Integer):
            return signature(table.record, table, types.intp)
        return None


@lower_builtin(operator.getitem, TableType, types.Integer)
def table_getitem(context: Untyped, builder: Untyped, sig: Untyped, args: Untyped) -> Untyped:
    table, index = args
    record = sig.return_type
    data = context.get_value_type(record)
    rows = builder.bitcast(table, data)
    return cgutils.gep_inbounds(builder, rows, index)


@intrinsic
def borrow(typing_context: object, array: Untyped) -> Untyped:
    """Return a table over the rows of a one-dimensional record array, which must outlive it."""

    def codegen(context: Untyped, builder: Untyped, sig: Untyped, args: Untyped) -> Untyped:
        struct = context.make_array(sig.args[0])(context, builder, args[0])
        return builder.bitcast(struct.data, cgutils.voidptr_t)

    return TableType(array.dtype)(array), codegen


@intrinsic
def refill(typing_context: object, array: Untyped, source: Untyped) -> Untyped:
    """Copy all rows of one record array over those of another of the same length, at once."""

    def codegen(context: Untyped, builder: Untyped, sig: Untyped, args: Untyped) -> Untyped:
        target, rows = (
            context.make_array(kind)(context, builder, arg) for kind, arg in zip(sig.args, args, strict=True)
        )
        cgutils.raw_memcpy(builder, target.data, rows.data, rows.nitems, rows.itemsize)
        return context.get_dummy_value()

    return types.void(array, source), codegen


@intrinsic
def overwrite(typing_context: object, record: Untyped, source: Untyped) -> Untyped:
    """Copy all fields of one record over those of another; the plain version is in `systems.engine.dice`."""

    def codegen(context: Untyped, builder: Untyped, sig: Untyped, args: Untyped) -> Untyped:
        one, size = context.get_constant(types.intp, 1), context.get_constant(types.intp, sig.args[0].size)
        cgutils.raw_memcpy(builder, args[0], args[1], one, size)
        return context.get_dummy_value()

    return types.void(record, source), codegen
