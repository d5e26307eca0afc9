"""What all modules share: errors with the library's message, arrays in and out, C structs as numpy types."""
from __future__ import annotations

import os
import threading
from typing import Any, Dict, Optional, Sequence, Tuple, Type

import numpy as np
from numpy.typing import NDArray

from ._native import ffi, lib

Array = NDArray[np.float64]
FLOAT = np.dtype(np.float64)
DOUBLES = ffi.typeof("double[]")

__version__: str = ffi.string(lib.crn_version()).decode()


# --- Errors ---


class Error(Exception):
    """What the library says about a call that was not well made; ``status`` is its kind, ``"argument"``, ``"format"``, ...

    Every error of the package is one, and also the exception of Python's that fits.

    >>> import cairn
    >>> try:
    ...     cairn.solve([[1.0, 2.0]], [1.0])
    ... except ValueError as error:
    ...     print(type(error).__name__, error.status, "|", error)
    ArgumentError argument | M: has shape (1, 2), needs (1, 1)
    """

    status = "error"


class ArgumentError(Error, ValueError):
    """A value is not allowed; the message names it."""

    status = "argument"


class KindError(Error, TypeError):
    """An argument is of the wrong type: complex numbers, objects, text where numbers are needed."""

    status = "argument"


class UnknownNameError(Error, KeyError):
    """There is no body, joint, site, sensor, ... of that name."""

    status = "argument"

    def __str__(self) -> str:
        return str(self.args[0])


class FormatError(Error, ValueError):
    """A file's content is wrong; the message names file, line and field."""

    status = "format"


class FileError(Error, OSError):
    """A file could not be opened, read or written."""

    status = "io"


class NoMemoryError(Error, MemoryError):
    """There is not enough memory."""

    status = "memory"


class UnsupportedError(Error, NotImplementedError):
    """Well-formed, but not something that this build or this function does."""

    status = "unsupported"


class DivergedError(Error, ArithmeticError):
    """A motion is not finite or absurdly fast; the message names the body."""

    status = "diverged"


class BusyError(Error, RuntimeError):
    """Two threads used one world, batch or recording at the same time."""

    status = "busy"


class ClosedError(Error, RuntimeError):
    """The world, batch or recording has been closed, the body, joint or site has been removed, or a study's workers have ended."""

    status = "closed"


_BY_STATUS: Dict[int, Type[Error]] = {
    lib.CRN_ERR_ARGUMENT: ArgumentError,
    lib.CRN_ERR_MEMORY: NoMemoryError,
    lib.CRN_ERR_WORKSPACE: NoMemoryError,
    lib.CRN_ERR_UNSUPPORTED: UnsupportedError,
    lib.CRN_ERR_IO: FileError,
    lib.CRN_ERR_FORMAT: FormatError,
    lib.CRN_ERR_DIVERGED: DivergedError,
}


def check(status: int, error: Any = None, otherwise: str = "") -> None:
    """Raise what a status other than CRN_OK means; ``otherwise`` is the message of calls that have none."""
    if status != lib.CRN_OK:
        said = text(error.text) if error is not None else ""
        name = text(lib.crn_status_name(status))
        raise _BY_STATUS.get(status, Error)(said or otherwise or name)


def text(pointer: Any) -> str:
    """A C string; "" of NULL."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer != ffi.NULL else ""


def encoded(value: Any, argument: str) -> bytes:
    """Text as C takes it: UTF-8 without zeros."""
    if not isinstance(value, str):
        raise KindError(f"{argument}: needs a string, not {type(value).__name__}")
    if "\0" in value:
        raise ArgumentError(f"{argument}: contains a zero byte")
    return value.encode("utf-8", "surrogateescape")


def path_of(value: Any, argument: str = "path") -> bytes:
    """A path as C takes it."""
    try:
        path = os.fsencode(value)
    except TypeError:
        raise KindError(f"{argument}: needs a path, not {type(value).__name__}") from None
    if b"\0" in path:
        raise ArgumentError(f"{argument}: contains a zero byte")
    return path


def choice(find: Any, kind: str, value: Any, argument: str) -> int:
    """The value of an enumeration by its name."""
    found = ffi.new(f"{kind} *")
    if not find(encoded(value, argument), found):
        raise ArgumentError(f"{argument}: there is no {value!r}")
    return int(found[0])


def number(value: Any, argument: str, least: float = -np.inf) -> float:
    """A finite number."""
    try:
        if isinstance(value, (str, bytes, complex)):
            raise TypeError
        converted = float(value)
    except (TypeError, ValueError):
        raise KindError(f"{argument}: needs a real number, not {type(value).__name__}") from None
    if not np.isfinite(converted) or converted < least:
        raise ArgumentError(f"{argument}: {converted!r} is not allowed")
    return converted


def whole(value: Any, argument: str, least: int, most: int = 2**31 - 1) -> int:
    """A whole number within limits."""
    try:
        converted = value.__index__()
    except AttributeError:
        raise KindError(f"{argument}: needs a whole number, not {type(value).__name__}") from None
    if not least <= converted <= most:
        raise ArgumentError(f"{argument}: {converted} is not within {least} and {most}")
    return int(converted)


# --- Threads ---


class Guard:
    """Lets one thread in at a time; another one gets an exception instead of waiting."""

    __slots__ = ("_lock", "_name")

    def __init__(self, name: str) -> None:
        self._lock, self._name = threading.Lock(), name

    def __enter__(self) -> None:
        if not self._lock.acquire(False):
            raise BusyError(f"{self._name}: is in use by another thread; one at a time, or a world for each")

    def __exit__(self, *_: Any) -> None:
        self._lock.release()


# --- Arrays ---


def real(value: Any, argument: str, shape: Optional[Sequence[Optional[int]]] = None) -> Array:
    """Real numbers as contiguous doubles, by rows; copied only if they are not. A None in shape is any length."""
    if type(value) is np.ndarray and value.dtype is FLOAT and value.flags.c_contiguous:
        array: Array = value
    else:
        array = _converted(value, argument)
    if shape is not None and array.shape != shape and not _fits(array.shape, shape):
        wanted = ", ".join("any" if s is None else str(s) for s in shape)
        raise ArgumentError(f"{argument}: has shape {array.shape}, needs ({wanted}{',' if len(shape) == 1 else ''})")
    return array


def _fits(given: Tuple[int, ...], shape: Sequence[Optional[int]]) -> bool:
    return len(given) == len(shape) and all(s is None or s == a for s, a in zip(shape, given))


def vector(value: Any, argument: str) -> Array:
    """Real numbers, any number of them."""
    if type(value) is np.ndarray and value.dtype is FLOAT and value.ndim == 1 and value.flags.c_contiguous:
        return value
    return real(value, argument, (None,))


def _converted(value: Any, argument: str) -> Array:
    if isinstance(value, np.ma.MaskedArray):
        raise KindError(f"{argument}: masked arrays are not taken")
    if hasattr(value, "tocsc"):
        raise KindError(f"{argument}: needs a dense array, not {type(value).__name__}")
    try:
        array = np.asarray(value)
    except ValueError as reason:
        raise ArgumentError(f"{argument}: is not an array ({reason})") from None
    if array.dtype.kind not in "biuf":
        raise KindError(f"{argument}: needs real numbers, not {array.dtype}")
    return np.ascontiguousarray(array, dtype=FLOAT).reshape(array.shape)


def is_sparse(value: Any) -> bool:
    """Is it a matrix of scipy.sparse, in whatever format?"""
    return hasattr(value, "tocsc")


class Columns:
    """A sparse matrix in compressed columns, and the arrays that C looks at."""

    def __init__(self, matrix: Any, argument: str, shape: Tuple[int, int]) -> None:
        if tuple(matrix.shape) != shape:
            raise ArgumentError(f"{argument}: has shape {tuple(matrix.shape)}, needs {shape}")
        if matrix.dtype.kind not in "biuf":
            raise KindError(f"{argument}: needs real numbers, not {matrix.dtype}")
        csc = matrix.tocsc()
        if not csc.has_canonical_format:
            csc = csc.copy() if csc is matrix else csc
            csc.sum_duplicates()
        if csc.nnz > 2**31 - 1:
            raise ArgumentError(f"{argument}: has {csc.nnz} entries, more than 2^31")
        self.start = np.ascontiguousarray(csc.indptr, dtype=np.int32)
        self.row = np.ascontiguousarray(csc.indices, dtype=np.int32)
        self.value = np.ascontiguousarray(csc.data, dtype=FLOAT)

    @property
    def pointers(self) -> Tuple[Any, Any, Any]:
        """start, row and value for C."""
        return (ffi.from_buffer("int[]", self.start), ffi.from_buffer("int[]", self.row), doubles(self.value))


def doubles(array: Optional[Array]) -> Any:
    """The numbers of a contiguous array for C; NULL of None."""
    return ffi.NULL if array is None else ffi.from_buffer(DOUBLES, array)


# --- C structs as numpy types ---

_AS_VECTOR = {"crn_vec3": 3, "crn_quat": 4, "crn_mat3": 9}
_PRIMITIVE = {"double": "f8", "int": "i4", "int32_t": "i4", "uint32_t": "u4", "unsigned int": "u4", "_Bool": "?",
              "int64_t": "i8", "uint64_t": "u8", "size_t": "u8", "unsigned char": "u1", "char": "S1"}
_TYPES: Dict[str, np.dtype[Any]] = {}


def struct_type(name: str) -> np.dtype[Any]:
    """The numpy type of a C struct, fields where the compiler put them.

    >>> from cairn._core import struct_type
    >>> struct_type("crn_pose").names
    ('position', 'rotation')
    """
    if name not in _TYPES:
        _TYPES[name] = np.dtype(_field_type(ffi.typeof(name)))
    return _TYPES[name]


def _field_type(ctype: Any) -> Any:
    if ctype.kind == "primitive":
        return np.dtype(_PRIMITIVE[ctype.cname])
    if ctype.kind == "enum":
        return np.dtype("i4")
    if ctype.kind in ("pointer", "function"):
        return np.dtype("u8")
    if ctype.kind == "array":
        return np.dtype((_field_type(ctype.item), (ctype.length,)))
    bare = ctype.cname.split()[-1]
    if bare in _AS_VECTOR:
        return np.dtype(("f8", (_AS_VECTOR[bare],)))
    fields = ctype.fields
    return np.dtype({"names": [n for n, _ in fields], "formats": [_field_type(f.type) for _, f in fields],
                     "offsets": [f.offset for _, f in fields], "itemsize": ffi.sizeof(ctype)})


def struct_array(pointer: Any, name: str, count: int) -> NDArray[Any]:
    """A copy of C structs as a structured array."""
    kind = struct_type(name)
    if count == 0:
        return np.empty(0, kind)
    return np.frombuffer(ffi.buffer(pointer, count * kind.itemsize), kind).copy()


def kept(kind: str, part: Any) -> Any:
    """A copy of a struct inside another one, which does not keep that alive."""
    return ffi.new(f"{kind} *", part)[0]


def vec3(value: Any, argument: str) -> Any:
    """Three numbers as a crn_vec3."""
    x, y, z = real(value, argument, (3,))
    return ffi.new("crn_vec3 *", (x, y, z))[0]
