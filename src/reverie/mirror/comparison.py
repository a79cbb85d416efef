"""One look at a mirrored directory, beside what the mirror remembers of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from reverie.mirror.edits import Edits, SeenLine, edits, layout, seen, split, statement
from reverie.mirror.folder import Folder, UnreadableFile, digest_of
from reverie.mirror.pages import DREAMS
from reverie.store.tables.mirror_files import MirrorFile


@dataclass(frozen=True, slots=True)
class MirroredStatement:
    """A line that a person wrote into a file."""

    file: str
    text: str
    ours: bool = True  # in a file that the mirror writes; any other may be a page that somebody put there


@dataclass(frozen=True, slots=True)
class Taken:
    """What a person did to the files since the mirror last looked."""

    said: tuple[MirroredStatement, ...] = ()
    struck: tuple[tuple[str, str], ...] = ()  # (file, line) that is no longer there
    warnings: tuple[str, ...] = ()


@dataclass
class Comparison:
    """The files as they are now, against the records of how the mirror last left them."""

    known: dict[str, MirrorFile]
    clean: Callable[[str], str]  # takes secrets out of a text
    texts: dict[str, str] = field(default_factory=dict)
    changed: dict[str, Edits] = field(default_factory=dict)
    shown: dict[str, dict[str, SeenLine]] = field(default_factory=dict)  # by file: its lines as a reader sees them
    own: dict[str, list[str]] = field(default_factory=dict)
    unread: list[UnreadableFile] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    scrubbed: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, folder: Folder, known: dict[str, MirrorFile], clean: Callable[[str], str]) -> "Comparison":
        look = cls(known, clean)
        for name in dict.fromkeys((*folder.names(), *known)):
            found = folder.read(name)
            if isinstance(found, UnreadableFile):
                look.unread.append(found)
            elif found is not None:
                look.texts[name] = found
                look._compare(name, clean(found))
            elif known[name].content:
                look.gone.append(name)
        return look

    def _compare(self, name: str, text: str) -> None:
        row = self.known.get(name)
        if row is not None and row.scrubbed:
            self.scrubbed.append(name)  # something was forgotten: what stands here is not read back
            return
        (old_head, before), (head, now) = split(row.content if row else ""), split(text)
        found = edits(before, now)
        self.shown[name] = seen(now)
        mine = row.own if row else ()
        standing = {line.strip() for line in (*head, *now)}
        kept = [line for line in mine if line.strip() in standing]
        titled = edits(old_head, head).added  # frontmatter is kept, and states nothing
        self.own[name] = list(dict.fromkeys((*kept, *titled, *found.added)))
        self.changed[name] = Edits(found.added, tuple(line for line in found.removed if line not in mine))

    @property
    def taken(self) -> Taken:
        read = {name: found for name, found in self.changed.items() if name != DREAMS}
        said = (
            MirroredStatement(n, text, n in self.ours and not line.material)
            for n, found in read.items()
            for line in (self.shown[n][added] for added in found.added)
            if (text := statement(line.text))
        )
        struck = ((name, line) for name, found in read.items() for line in found.removed)
        return Taken(tuple(said), tuple(struck), tuple(self._warnings()))

    @property
    def notes(self) -> list[str]:
        """A person's own files, which the mirror reads and never writes."""
        return [name for name in self.texts if name not in self.ours]

    @property
    def ours(self) -> set[str]:
        return {name for name, row in self.known.items() if row.ours}

    def begins_with_own(self, name: str) -> bool:
        """Whether the first line of a file is a person's, or their agent's."""
        _, lines = split(self.texts.get(name, ""))
        first = next((line for line in lines if line.strip()), "")
        return first in self.own.get(name, ())

    def struck(self, name: str) -> tuple[str, ...]:
        """Lines of a file that a person does not want to see in it again."""
        before = self.known[name].struck if name in self.known else ()
        now = self.changed[name].removed if name in self.changed else ()
        return tuple(dict.fromkeys((*before, *now)))

    def page(self, name: str, head: Sequence[str], lines: Sequence[str]) -> str:
        """The next text of a file: a person's lines and frontmatter as they are, the rest as it is now."""
        there = self.texts.get(name, "")
        text = "" if name in self.scrubbed else self.clean(there)
        top, now = split(text)
        own = self.own.get(name, ())
        if not set(top) & set(own):
            top = list(head)
        struck = set(self.struck(name))
        body = layout(now, own, [line for line in lines if line not in struck])
        raw = there.splitlines()  # a person's lines stay as they are on the disk, secrets and all: it is their file
        as_written = dict(zip(text.splitlines(), raw, strict=True)) if len(raw) == len(text.splitlines()) else {}
        mine, ending = set(own), "\r\n" if "\r\n" in there else "\n"
        page = [as_written.get(line, line) if line in mine else line for line in (*top, *body)]
        return ending.join(page).rstrip("\r\n") + ending

    def record_of(self, name: str, text: str, *, ours: bool) -> MirrorFile:
        content = self.clean(text)
        return MirrorFile(name, digest_of(text), content, tuple(self.own.get(name, ())), self.struck(name), ours)

    def _warnings(self) -> list[str]:
        warnings = [f"{unread.name} is left alone: {unread.why}" for unread in self.unread]
        warnings += [f"{name} was deleted; memory keeps what it held (`reverie forget` deletes)" for name in self.gone]
        return warnings + [f"{name} is written anew: something in it was forgotten" for name in self.scrubbed]
