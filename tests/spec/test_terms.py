"""The terms of a document come back as they were, in fewer bytes."""

import pytest

from reverie.store.terms import bare, numbered, pack, unpack

TERMS = "user know tom bicycl porto dufalo savoga sketchbook number 8340 friday 13 novemb 2026"


@pytest.mark.parametrize("terms", ["", "tea", TERMS, "größe 東京 naïv", " ".join(f"word{n}" for n in range(30_000))])
def test_packed_terms_are_unpacked_as_they_were(terms: str) -> None:
    assert unpack(pack(terms)) == terms
    assert pack(terms) == pack(terms)


def test_they_take_fewer_bytes_also_where_there_are_few() -> None:
    assert len(pack(TERMS)) < 0.8 * len(TERMS)


def test_a_stores_older_rows_are_read_as_the_newer_ones() -> None:
    assert numbered("7_anna 7_tea", 7) == numbered(pack("anna tea"), 7) == ["7_anna", "7_tea"]
    assert bare("7_anna 7_tea") == bare(pack("anna tea")) == "anna tea"


def test_the_common_terms_are_those_that_stores_were_written_with() -> None:
    """Another dictionary would read none of their documents."""
    assert unpack(bytes.fromhex(WRITTEN)) == "user anna like tea monday 9 novemb 2026"


WRITTEN = "0361603acd4b84a43a50f84233ac252c1f83b40000"
