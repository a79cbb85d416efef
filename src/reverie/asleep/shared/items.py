"""Work item by item: what fails is recorded with its error, and the others go on."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from reverie.asleep.step import Minds
from reverie.errors import StoreError
from reverie.model.changes import Changes, Failed
from reverie.model.night import Night
from reverie.store.reader import Reader


class Attempts:
    """What a batch tried, for its Changes. A store that is busy or broken is no item's fault and ends the step."""

    def __init__(self) -> None:
        self._tried: list[str] = []
        self._failed: list[Failed] = []

    @contextmanager
    def item(self, *ids: str) -> Iterator[None]:
        """One piece of work; it may have several names, which then fail together."""
        self._tried += ids
        try:
            yield
        except StoreError:
            raise
        except Exception as error:  # the edge of the loop: one bad item does not hold up the others
            self._failed += [Failed.of(id, error) for id in ids]

    @property
    def tried(self) -> tuple[str, ...]:
        return tuple(self._tried)

    @property
    def failed(self) -> tuple[Failed, ...]:
        return tuple(self._failed)


def drop_failed(_night: Night, _reader: Reader, _minds: Minds, items: Sequence[str]) -> Changes:
    """The `again` of steps that find all their work anew each night: what they did not find again is not tried."""
    return Changes(tried=tuple(items))
