"""Quantized vectors stay close to what they were, at a quarter of the size."""

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie.policy.care.tiering import dequantize_all, quantize

VECTORS = np.random.default_rng(7).normal(size=(50, 384)).astype(np.float32)
VECTORS /= np.linalg.norm(VECTORS, axis=1, keepdims=True)


def dequantize(blob: bytes) -> NDArray[np.float32]:
    row: NDArray[np.float32] = dequantize_all([blob])[0]
    return row


def test_a_vector_takes_one_byte_per_dimension_and_four_for_the_scale() -> None:
    assert len(quantize(VECTORS[0])) == 388


@pytest.mark.parametrize("size", [1.0, 1e-6, 1e6])
def test_no_dimension_is_off_by_more_than_half_a_step(size: float) -> None:
    for vector in VECTORS * np.float32(size):
        step = np.abs(vector).max() / 127
        assert np.abs(dequantize(quantize(vector)) - vector).max() <= step / 2 * 1.001


def test_the_direction_is_kept() -> None:
    kept = dequantize_all([quantize(vector) for vector in VECTORS])
    cosines = (kept * VECTORS).sum(axis=1) / np.linalg.norm(kept, axis=1)
    assert cosines.min() > 0.9999


def test_all_at_once_equals_one_by_one() -> None:
    blobs = [quantize(vector) for vector in VECTORS]
    assert np.array_equal(dequantize_all(blobs), np.stack([dequantize(blob) for blob in blobs]))
    assert dequantize_all([]).shape == (0, 0)


def test_nothing_stays_nothing() -> None:
    assert not dequantize(quantize(np.zeros(384, np.float32))).any()
    assert dequantize(quantize(np.zeros(0, np.float32))).shape == (0,)


def test_what_was_quantized_once_does_not_drift_when_quantized_again() -> None:
    once = quantize(VECTORS[3])
    assert np.abs(dequantize(quantize(dequantize(once))) - dequantize(once)).max() < 1e-6
