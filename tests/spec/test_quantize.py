"""Vectors kept with one byte a number stay close to what they were, at a quarter of the size."""

import numpy as np
import pytest

from reverie.policy.care.quantize import quantize_all, quantized_rows, restored

VECTORS = np.random.default_rng(7).normal(size=(50, 384)).astype(np.float32)
VECTORS /= np.linalg.norm(VECTORS, axis=1, keepdims=True)


def test_a_vector_takes_one_byte_per_dimension_and_four_for_the_scale() -> None:
    assert len(quantize_all(VECTORS[:1])) == 388
    assert len(quantize_all(VECTORS[:3])) == 3 * 388


@pytest.mark.parametrize("size", [1.0, 1e-6, 1e6])
def test_no_dimension_is_off_by_more_than_half_a_step(size: float) -> None:
    whole = VECTORS * np.float32(size)
    steps = np.abs(whole).max(axis=1, keepdims=True) / 127
    assert (np.abs(restored(quantize_all(whole), len(whole)) - whole) <= steps / 2 * 1.001).all()


def test_a_cosine_is_off_by_little() -> None:
    kept = restored(quantize_all(VECTORS), len(VECTORS))
    off = np.abs(kept @ kept.T - VECTORS @ VECTORS.T)
    assert off.max() < 0.003
    assert off.mean() < 0.0006


def test_several_at_once_are_as_one_by_one() -> None:
    one_by_one = b"".join(quantize_all(vector[None, :]) for vector in VECTORS)
    assert quantize_all(VECTORS) == one_by_one
    rows, scales = quantized_rows(one_by_one, len(VECTORS))
    assert (rows.shape, rows.dtype.itemsize, scales.shape) == ((50, 384), 1, (50,))


def test_nothing_stays_nothing() -> None:
    assert not restored(quantize_all(np.zeros((1, 384), np.float32)), 1).any()
    assert restored(quantize_all(np.zeros((1, 0), np.float32)), 1).shape == (1, 0)


def test_what_was_restored_is_kept_as_the_same_bytes() -> None:
    once = quantize_all(VECTORS)
    assert quantize_all(restored(once, len(VECTORS))) == once
