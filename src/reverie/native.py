"""Native libraries that want care: in which order they are loaded, without their reporting, and memory that is kept."""

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any


def keep_runtime_silent() -> None:
    """Before onnxruntime is imported: since 1.29 it reports its use to its maker unless told not to.

    A memory sends nothing anywhere. And the reporting thread makes a forked process hang when it exits.
    """
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


def onnxruntime() -> Any:
    keep_runtime_silent()
    return import_module("onnxruntime")


@cache
def int8_products() -> Callable[..., Any] | None:
    """The inner products of rows of bytes with one of them (numkong); None without it.

    Always behind onnxruntime: in the other order the import of onnxruntime ends the process (numkong 7, 1.31).
    """
    with suppress(ImportError):
        onnxruntime()
    try:
        products: Callable[..., Any] = import_module("numkong").dot
    except (ImportError, AttributeError):
        return None
    return products


KEPT = 8 * 2**20  # bytes


@cache
def keep_heap() -> None:
    """Before arrays of a megabyte come and go with every search.

    The C library gives such memory back to the kernel each time and gets it again page by page, which takes a tenth of
    a search among 100,000, until it has once seen a larger piece come back (glibc; elsewhere this does nothing).
    """
    bytes(KEPT)
