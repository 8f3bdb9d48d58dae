"""Compiles the functions of the rules as parts of one program, which is optimised once, as a whole.

Left to itself numba optimises and assembles every function together with all that it calls, and so a function at the
bottom once more for each way that leads to it from above. Nobody calls the rules from Python but through `run`: so a
part only hands its tidied text on, and the whole optimiser sees each part once, when `run` is compiled. A part is also
compiled once for all numbers that it is called with, not anew for each number that is written down at a call.

This leans on how numba 0.68 builds its libraries. numba is pinned, and another version compiles anew in the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from llvmlite import binding
from numba import njit, types
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

Untyped: TypeAlias = Any  # what numba and llvmlite hand on carries no types
OPTIONS: dict[str, Untyped] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


class Part(JITCodeLibrary):
    """The text of one function, and of which other parts it calls."""

    def add_ir_module(self, ir_module: Untyped) -> None:
        text = binding.parse_assembly(cgutils.normalize_ir_text(str(ir_module)))
        text.name = ir_module.name
        self._optimize_functions(text)
        self._final_module.link_in(text)

    def finalize(self) -> None:
        """Ends the text; nothing is optimised, and nothing can be run."""
        self._raise_if_finalized()
        self._finalized = True

    def _get_module_for_linking(self) -> Untyped:
        """This part and all that it needs, for `run` to link in. A part is linked behind one that calls it, for the
        linker leaves out what nobody has asked for yet."""
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
        """0: a part can't be called from Python."""
        return 0

    @property
    def codegen(self) -> Untyped:
        return _NoEnvironments


def _shareable(module: Untyped) -> Untyped:
    """The module, whose functions may now be defined by others as well."""
    for function in module.functions:
        if not function.is_declaration and function.linkage == binding.Linkage.external:
            function.linkage = "linkonce_odr"
    return module


class _NoEnvironments:
    """Stands where numba would fill in the Python objects of a function; the rules have none."""

    @staticmethod
    def set_env(name: str, environment: object) -> None:
        pass


class PartCompiler(Compiler):
    """numba's compiler, writing into a Part."""

    def __init__(self, typing_context: Untyped, target_context: Untyped, library: Untyped, *rest: object) -> None:
        super().__init__(typing_context, target_context, library or Part(target_context.codegen(), "part"), *rest)


class Program(JITCodeLibrary):
    """What is called from Python, with all its parts."""

    def _optimize_final_module(self) -> None:
        """One pass once all parts are in; as nobody else calls them, they may be changed, merged and dropped.

        Loops of the rules go over a handful of records: to make vectors of them costs time and gains none.
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
    """A decorator: the function is compiled as a part, and written out wherever it is called if `inline`."""
    make: Untyped = njit(pipeline_class=PartCompiler, forceinline=inline, boundscheck=boundscheck, **OPTIONS)

    def decorate(function: Callable[..., Untyped]) -> Untyped:
        dispatcher = make(function)
        resolve = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, kws: resolve(
            [types.unliteral(arg) for arg in args], {name: types.unliteral(arg) for name, arg in kws.items()}
        )
        return dispatcher

    return decorate
