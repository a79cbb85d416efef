"""A space in a directory of text files, both ways: a person's edits come in before a night, its work goes out after."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reverie.mirror.comparison import Comparison, Taken
from reverie.mirror.folder import Folder, digest_of
from reverie.mirror.pages import DREAMS, INDEX, Topic, dreams_of, index_of, topics_of
from reverie.model.base import Instant
from reverie.store.db import Database
from reverie.store.tables import diary, mirror_files

DIARY_ENTRIES = 30
Sheet = tuple[str, Sequence[str], Sequence[str]]  # file, frontmatter, lines


@dataclass(frozen=True, slots=True)
class Synced:
    """What one round came to."""

    taken: Taken
    files: tuple[str, ...] = ()  # written
    left_out: tuple[str, ...] = ()  # topics that the index had no room for
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mirror:
    """`keep` stores what a person did; it is called before the mirror remembers having read it, so a kill in between
    reads it again, and storing it twice must store it once."""

    db: Database
    space: str
    path: Path
    keep: Callable[[Taken], None]

    def take_in(self, now: Instant) -> Synced:
        """Only reads: before a night."""
        with Folder.open(self.path) as folder:
            look = self._look(folder)
            self._remember(look, look.texts, now)
            return Synced(look.taken, warnings=look.taken.warnings)

    def sync(self, now: Instant) -> Synced:
        """Reads, then writes what the space holds now around a person's own lines."""
        with Folder.open(self.path) as folder:
            look = self._look(folder)
            topics = topics_of(self.db, self.space)
            index = index_of(topics, look.notes, look.own.get(INDEX, ()), headed=not look.begins_with_own(INDEX))
            texts = {
                name: look.page(name, head, lines) for name, head, lines in self._sheets(look, topics, index.lines)
            }
            bare = {n for n, text in texts.items() if not text.strip() and n in look.texts}  # ours, and nothing is left
            for name in bare:
                if folder.remove(name, digest_of(look.texts[name])):
                    texts[name] = look.texts[name] = ""
            new = {name: text for name, text in texts.items() if look.texts.get(name) != text and name not in bare}
            late = folder.replace(new, {n: digest_of(look.texts[n]) if n in look.texts else None for n in new})
            notes = {name: look.texts[name] for name in look.notes if name not in texts}
            self._remember(look, {**notes, **{n: text for n, text in texts.items() if n not in late}}, now, set(texts))
        warnings = [*look.taken.warnings, *(f"{name} was edited while it was written: read next time" for name in late)]
        if index.left_out:
            warnings.append(f"{INDEX} has no room for {', '.join(index.left_out)}")
        return Synced(look.taken, tuple(sorted(set(new) - set(late))), tuple(index.left_out), tuple(warnings))

    def _look(self, folder: Folder) -> Comparison:
        look = Comparison.of(folder, mirror_files.files(self.db, self.space), self.db.redactor.text)
        if look.taken.said or look.taken.struck:
            self.keep(look.taken)
        return look

    def _sheets(self, look: Comparison, topics: Sequence[Topic], index: Sequence[str]) -> list[Sheet]:
        """Every file to be written; one whose topic has gone keeps only what a person wrote into it."""
        sheets: list[Sheet] = [(topic.file, topic.head, topic.lines) for topic in topics]
        sheets += [(INDEX, (), index), (DREAMS, (), dreams_of(diary.listed(self.db, self.space, limit=DIARY_ENTRIES)))]
        named = {name for name, _, _ in sheets}
        over: list[Sheet] = [(n, (), ()) for n in sorted(look.ours - named) if n in look.texts]
        left_alone = {unread.name for unread in look.unread}
        return [sheet for sheet in (*sheets, *over) if sheet[0] not in left_alone]

    def _remember(self, look: Comparison, texts: dict[str, str], now: Instant, written: set[str] | None = None) -> None:
        ours = look.ours | (written or set())
        with self.db.write("memory") as tx:
            for name, text in texts.items():
                mirror_files.put(tx, self.space, look.record_of(name, text, ours=name in ours), now)
