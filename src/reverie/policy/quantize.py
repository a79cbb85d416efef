"""Vectors of the archive tier, kept at a quarter of their size: one int8 per dimension and one scale."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

STEPS = 127
_SCALE = np.dtype("<f4")


def quantize(vector: NDArray[np.float32]) -> bytes:
    """388 bytes for 384 dimensions; no dimension is off by more than half a step, `max(abs(vector)) / 254`."""
    scale = np.array(np.abs(vector).max(initial=0.0) / STEPS, _SCALE)
    steps = np.rint(vector / scale) if scale else vector
    return scale.tobytes() + steps.clip(-STEPS, STEPS).astype(np.int8).tobytes()


def dequantize(blob: bytes) -> NDArray[np.float32]:
    vector: NDArray[np.float32] = dequantize_all([blob])[0]
    return vector


def dequantize_all(blobs: Sequence[bytes]) -> NDArray[np.float32]:
    """One row per blob, all of one size: what a scan over the archive multiplies with."""
    if not blobs:
        return np.zeros((0, 0), np.float32)
    rows = np.frombuffer(b"".join(blobs), np.uint8).reshape(len(blobs), -1)
    scales = rows[:, : _SCALE.itemsize].copy().view(_SCALE)
    steps = rows[:, _SCALE.itemsize :].view(np.int8)
    return steps.astype(np.float32) * scales
