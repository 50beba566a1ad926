"""Bit counts that numba compiles to one machine instruction and Python can run too."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload


def popcount(word: int) -> int:
    """Number of set bits of a word of 64 bits."""
    return int(word).bit_count()


def lowest_bit(word: int) -> int:
    """Index of the lowest set bit of a word of 64 bits that is not zero."""
    value = int(word)
    return (value & -value).bit_length() - 1


def highest_bit(word: int) -> int:
    """Index of the highest set bit of a word of 64 bits; -1 for zero."""
    return int(word).bit_length() - 1


# Compiled code calls an intrinsic without its first parameter, which numba's types do not know.


@intrinsic
def _ctpop(typingctx: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


@intrinsic
def _cttz(typingctx: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@intrinsic
def _ctlz(typingctx: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@overload(popcount, inline="always")
def _popcount(word: Any) -> Any:
    def count(word: Any) -> Any:
        return _ctpop(word)  # type: ignore[call-arg]

    return count


@overload(lowest_bit, inline="always")
def _lowest_bit(word: Any) -> Any:
    def index(word: Any) -> Any:
        return _cttz(word)  # type: ignore[call-arg]

    return index


@overload(highest_bit, inline="always")
def _highest_bit(word: Any) -> Any:
    def index(word: Any) -> Any:
        return 63 - _ctlz(word)  # type: ignore[call-arg]

    return index
