"""`kernel`: the one decorator of compiled functions.

Numba by itself compiles each function to machine code, with all that it calls once more inside
it, so a function ten calls deep is optimised ten times. Here a kernel is first a *part*: its
LLVM code, made once for all that call it. Only a kernel that Python
calls becomes an *entry*: its part and all parts below it in one module, which is optimised once,
becomes machine code, and is kept (`cache.py`).
"""

import contextlib
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numpy as np
from numba.core import codegen, compiler, config, dispatcher, event, registry, typed_passes, types
from numba.core.compiler_machinery import register_pass

from .cache import Store

Record = Any
"""Type of a record of a structured array, and of anything else that only numba knows."""
int64 = cast(Callable[[Any], int], np.int64)
"""The integer of compiled code, 64 bits wide and signed; for the type checker it is an int."""
Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
"""How parts are compiled: no objects, no lock, no exceptions, and no way in from outside."""


class _Once(event.Listener):
    """Calls a function when numba compiles for the first time; what it loads does not count."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def on_start(self, _: object) -> None:
        call, self.call = self.call, None
        if call is not None:
            # An unwritable standard error is no reason to stop compiling.
            with contextlib.suppress(Exception):
                call()

    def on_end(self, _: object) -> None:
        """Has to be there."""


def when_compiling(call: Callable[[], None]) -> None:
    """Have a function called, once, if a kernel must be compiled from now on."""
    listen: Any = event.register
    listen("numba:compile", _Once(call))


def record_type(fields: Sequence[Any]) -> Any:
    """The type of an aligned record whose fields are attributes, compiled or not."""
    layout: Any = list(fields)
    return np.dtype((np.record, np.dtype(layout, align=True)))


class _PartLibrary(codegen.JITCodeLibrary):
    """LLVM code that is only to be linked into entries, without machine code of its own.

    Each function is simplified alone, which leaves less to do where it is linked and is worth
    a tenth of the speed of what comes of it.
    """

    def finalize(self) -> None:
        """Nothing is done: what this code calls is linked by the entry."""
        self._raise_if_finalized()
        self._finalized = True


class _EntryLibrary(codegen.JITCodeLibrary):
    """A part with all that it calls, optimised as a whole."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link every library below this one, optimise, and make machine code."""
        found: dict[Any, None] = {}
        pending: list[Any] = [*self._linking_libraries]
        while pending:
            library = pending.pop()
            if library not in found:
                found[library] = None
                if isinstance(library, _PartLibrary):
                    pending += library._linking_libraries
        self._linking_libraries = list(found)
        super().finalize()


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerPart(typed_passes.NativeLowering):
    """Numba's last pass, into a `_PartLibrary`."""

    _name = "lower_part"

    def run_pass(self, state: Any) -> bool:
        """Write the LLVM code and make it known to callers."""
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags = state.flags.copy()
        state.flags.no_compile = True
        super().run_pass(state)
        # Callers look a function up by its entry point; a part has none but needs a name.
        name = object()
        state.targetctx.insert_user_function(name, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=name)
        return True


class _PartCompiler(compiler.CompilerBase):
    """Numba's passes with the last one replaced."""

    def define_pipelines(self) -> list[Any]:
        """The one list of passes."""
        usual = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes = compiler.PassManager("part")
        for each, description in usual.passes:
            is_last = each is typed_passes.NativeLowering
            passes.add_pass(_LowerPart if is_last else each, description)
        passes.finalize()
        return [passes]


class _Part(registry.CPUDispatcher):
    """The parts of a kernel, one for each signature; Python cannot call them."""

    def add_overload(self, cres: Any) -> None:
        """Note a part that has been compiled."""
        self.overloads[tuple(cres.signature.args)] = cres

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The signature that a call in compiled code gets: one for all values of an argument."""
        of_all: Any = types
        args = tuple(map(of_all.unliteral, args))
        return super().get_call_template(
            args, {name: of_all.unliteral(value) for name, value in kws.items()}
        )


class _EntryCompiler(dispatcher._FunctionCompiler):  # type: ignore[name-defined]
    """Makes an entry of a part."""

    def __init__(self, part: _Part) -> None:
        super().__init__(part.py_func, part.targetdescr, OPTIONS, {}, _PartCompiler)
        self.part = part

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        self.part.compile(args)
        part = self.part.overloads[tuple(args)]
        context = part.target_context
        library = _EntryLibrary(context.codegen(), part.library.name)
        library.enable_object_caching()
        library.add_linking_library(part.library)
        context.create_cpython_wrapper(
            library, part.fndesc, part.environment, part.call_helper, release_gil=True
        )
        call = context.get_executable(library, part.fndesc, part.environment)
        return part._replace(library=library, entry_point=call, metadata={})


class Kernel(registry.CPUDispatcher):
    """A compiled function: an entry for Python, a part for other kernels."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Nothing is compiled before a call."""
        super().__init__(function, targetoptions=OPTIONS)
        self._part = _Part(function, targetoptions=OPTIONS, pipeline_class=_PartCompiler)
        self._compiler = _EntryCompiler(self._part)
        self._cache = Store(function)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a call in compiled code is typed by."""
        return self._part.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """What a call in compiled code is linked to."""
        return self._part.get_overload(sig)


def kernel(function: Function) -> Function:
    """Compile a kernel function: no exceptions, no lock, kept for the next run."""
    if config.DISABLE_JIT:
        return function
    return cast(Function, Kernel(function))
