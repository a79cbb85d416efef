"""The files of a space written again without some of what they hold: nothing of that is left in the bytes, no hash."""

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reverie.store.files.mapped import Arrays
from reverie.store.search.lexicon_file import fitting, marks_of, postings_of
from reverie.store.search.matrix import Made

Mask = NDArray[np.bool_]
Content = tuple[Arrays, dict[str, Any]]  # arrays by name, and what is noted beside them


class HeldFile(NamedTuple):
    """A file as it was. Its content can be read as long as this is held, also when its name is gone."""

    key: str  # the embedder, or `large_spaces.WORDS`
    made: Made
    content: Content

    @property
    def refs(self) -> list[str]:
        return [ref.decode() for ref in self.content[0]["refs"].tolist()]


def words_without(content: Content, out: Collection[str], gone: Collection[str]) -> Content:
    """A file of words without the entries of the refs `out`; of those, `gone` is named as nothing's source either."""
    arrays, noted = content
    kept = _others(arrays["refs"], out)
    lengths = arrays["lengths"][kept]
    kinds, sessions = _codes(arrays["kinds"][kept], noted["kinds"]), _codes(arrays["sessions"][kept], noted["sessions"])
    pruned = {
        **{name: arrays[name][kept] for name in ("refs", "said_at", "said")},
        "lengths": lengths,
        "kinds": kinds[0],
        "sessions": sessions[0],
        **_drawn(arrays, kept, gone),
        **_postings(arrays, kept),
    }
    return pruned, {"kinds": kinds[1], "sessions": sessions[1], "total": int(lengths.sum())}


def vectors_without(content: Content, out: Collection[str]) -> Content:
    """A file of vectors without those of the refs `out`."""
    arrays, noted = content
    kept = _others(arrays["refs"], out)
    pruned = {name: arrays[name][kept] for name in ("refs", "bytes", "steps")}
    if "centres" in arrays:
        pruned = {"centres": arrays["centres"], "starts": _places(kept)[arrays["starts"]], **pruned}
    return pruned, noted


def _others(refs: NDArray[np.bytes_], out: Collection[str]) -> Mask:
    """Which of the refs are none of `out`."""
    return ~np.isin(refs, np.array([ref.encode() for ref in out] or [b""], np.bytes_))


def _places(kept: Mask) -> NDArray[np.int64]:
    """How many are kept before each place, and in all."""
    return np.concatenate([[0], np.cumsum(kept)])


def _codes(codes: NDArray[Any], names: list[Any]) -> tuple[NDArray[Any], list[Any]]:
    """Codes into a list, and the list without the names that nothing has any more."""
    used, again = np.unique(codes, return_inverse=True)
    return again.astype(codes.dtype), [names[code] for code in used.tolist()]


def _drawn(arrays: Arrays, kept: Mask, gone: Collection[str]) -> Arrays:
    starts = arrays["drawn_starts"]
    named = _others(arrays["drawn"], gone) & np.repeat(kept, np.diff(starts))
    counts = np.diff(_places(named)[starts])[kept]
    return {"drawn": arrays["drawn"][named], "drawn_starts": fitting(np.concatenate([[0], np.cumsum(counts)]))}


def _postings(arrays: Arrays, kept: Mask) -> Arrays:
    """Those of the slots that are kept, and the keys of those terms alone that still stand somewhere."""
    slots, quarters = postings_of(arrays["marks"])
    here = kept[slots]
    counts = np.diff(_places(here)[arrays["starts"]])
    return {
        "keys": arrays["keys"][counts > 0],
        "starts": fitting(np.concatenate([[0], np.cumsum(counts[counts > 0])])),
        "marks": marks_of(_places(kept)[slots[here]], quarters[here]),
    }
