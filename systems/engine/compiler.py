"""Compile the functions of the rules into one program, on tables of records that numba indexes like lists.

By default numba optimises and assembles each function together with everything it calls, so a low-level function is
processed again for every path that leads to it. Python calls the rules only through `run`, so a part only passes on its
normalised IR, and the whole optimiser sees each part once, when `run` is compiled. A part is also compiled only once
for all the numbers it is called with, not once per literal in a call. This relies on how numba 0.68 builds its
libraries, so numba is pinned; `make canary` runs the tests with the newest version.

A table of records is a bare borrowed pointer of one word; a numba array takes seven words and counts its references.
The rules pass their state from function to function all the time, so this keeps calls cheap. Indexes aren't checked:
rules never index from the end, and runs with bounds checks use arrays instead.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from llvmlite import binding
from numba import njit, types
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

Untyped: TypeAlias = Any  # numba and llvmlite objects have no types
OPTIONS: dict[str, Untyped] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


class Part(JITCodeLibrary):
    """The IR of one function, and the other parts it calls."""

    def add_ir_module(self, ir_module: Untyped) -> None:
        text = binding.parse_assembly(cgutils.normalize_ir_text(str(ir_module)))
        text.name = ir_module.name
        self._optimize_functions(text)
        self._final_module.link_in(text)

    def finalize(self) -> None:
        """Finish the part without optimising it or making it runnable."""
        self._raise_if_finalized()
        self._finalized = True

    def _get_module_for_linking(self) -> Untyped:
        """Return this part and everything it needs, for `run` to link in.

        A part is linked after its callers, because the linker leaves out what isn't needed yet.
        """
        whole = self._final_module.clone()
        for needed in self._needed({id(self)}):
            whole.link_in(needed, preserve=True)
        return _shareable(whole)

    def _needed(self, seen: set[int]) -> Iterator[Untyped]:
        for library in self._linking_libraries:
            if id(library) in seen:
                continue
            seen.add(id(library))
            if isinstance(library, Part):
                yield _shareable(library._final_module.clone())
                yield from library._needed(seen)
            else:
                yield library._get_module_for_linking()

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: a part can't be called from Python."""
        return 0

    @property
    def codegen(self) -> Untyped:
        return _NoEnvironments


def _shareable(module: Untyped) -> Untyped:
    """Return the module with its functions marked so that other modules may define them too."""
    for function in module.functions:
        if not function.is_declaration and function.linkage == binding.Linkage.external:
            function.linkage = "linkonce_odr"
    return module


class _NoEnvironments:
    """Replaces numba's step that fills in a function's Python objects; the rules have none."""

    @staticmethod
    def set_env(name: str, environment: object) -> None:
        pass


class PartCompiler(Compiler):
    """numba's compiler, writing into a Part."""

    def __init__(self, typing_context: Untyped, target_context: Untyped, library: Untyped, *rest: object) -> None:
        super().__init__(typing_context, target_context, library or Part(target_context.codegen(), "part"), *rest)


class Program(JITCodeLibrary):
    """The function called from Python, with all its parts."""

    def _optimize_final_module(self) -> None:
        """Optimise once all parts are in; nothing else calls them, so they can be changed, merged and dropped.

        Loops of the rules run over a handful of records, so vectorising costs time and gains nothing.
        """
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.linkonce_odr:
                function.linkage = "internal"
        manager, builder = self._codegen._module_pass_manager(loop_vectorize=False, slp_vectorize=False)
        manager.run(self._final_module, builder)


class ProgramCompiler(Compiler):
    """numba's compiler, writing into a Program."""

    def __init__(self, typing_context: Untyped, target_context: Untyped, library: Untyped, *rest: object) -> None:
        if library is None:
            library = Program(target_context.codegen(), "program")
            library.enable_object_caching()
        super().__init__(typing_context, target_context, library, *rest)


def part(*, inline: bool, boundscheck: bool) -> Callable[[Callable[..., Untyped]], Untyped]:
    """Return a decorator that compiles a function as a part; if `inline`, it is inlined at every call."""
    make: Untyped = njit(pipeline_class=PartCompiler, forceinline=inline, boundscheck=boundscheck, **OPTIONS)

    def decorate(function: Callable[..., Untyped]) -> Untyped:
        dispatcher = make(function)
        resolve = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, kws: resolve(
            [types.unliteral(arg) for arg in args], {name: types.unliteral(arg) for name, arg in kws.items()}
        )
        return dispatcher

    return decorate


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
    """Copy all rows of a record array at once over those of another of the same length."""

    def codegen(context: Untyped, builder: Untyped, sig: Untyped, args: Untyped) -> Untyped:
        target, rows = (
            context.make_array(kind)(context, builder, arg) for kind, arg in zip(sig.args, args, strict=True)
        )
        cgutils.raw_memcpy(builder, target.data, rows.data, rows.nitems, rows.itemsize)
        return context.get_dummy_value()

    return types.void(array, source), codegen


@intrinsic
def overwrite(typing_context: object, record: Untyped, source: Untyped) -> Untyped:
    """Copy all fields of one record over another's; the plain version is in `systems.engine.dice`."""

    def codegen(context: Untyped, builder: Untyped, sig: Untyped, args: Untyped) -> Untyped:
        one, size = context.get_constant(types.intp, 1), context.get_constant(types.intp, sig.args[0].size)
        cgutils.raw_memcpy(builder, args[0], args[1], one, size)
        return context.get_dummy_value()

    return types.void(record, source), codegen
