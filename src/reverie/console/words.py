"""How values are written on a page: moments, amounts, texts that nobody vouches for."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import unified_diff

from markupsafe import Markup, escape

from reverie.language.calendar import span
from reverie.model.base import Instant, short_id

LONG = 600  # characters of a text in a list
MOST = 20_000  # characters of a text on its own page
HIDDEN = dict.fromkeys((*range(9), *range(11, 32), 127, *range(128, 160)), "�")
# Marks that reorder what is read, or cannot be seen at all: shown by their number.
INVISIBLE = (*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF, *range(0xE0000, 0xE0080))
SIGNS = HIDDEN | {code: f"⟨U+{code:04X}⟩" for code in INVISIBLE}


def plain(text: str, most: int = LONG) -> str:
    """A text with every hidden or reordering mark made visible, and no longer than that.

    >>> plain("a\\u202eb\\x00"), plain("abcdef", 3)
    ('a⟨U+202E⟩b�', 'abc …')
    """
    cut = text[:most].translate(SIGNS)
    return f"{cut} …" if len(text) > most else cut


def said(text: str, most: int = LONG) -> Markup:
    """Somebody's words, isolated from the direction of what stands around them."""
    return Markup("<bdi class=said>{}</bdi>").format(plain(text, most))


def commands(text: str, most: int = LONG) -> Markup:
    """A sentence of ours in which `commands` stand between marks.

    >>> str(commands("Run `reverie <x>` now."))
    'Run <code>reverie &lt;x&gt;</code> now.'
    """
    parts = plain(text, most).split("`")
    marked = (Markup("<code>{}</code>").format(part) if n % 2 else escape(part) for n, part in enumerate(parts))
    return Markup("").join(marked)


def absolute(at: Instant) -> str:
    """
    >>> absolute(0.0)
    '1970-01-01 00:00:00 UTC'
    """
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (ValueError, OverflowError, OSError):
        return str(at)


def ago(at: Instant | None, now: Instant) -> Markup:
    """A moment as a person tells it, with the exact one to be had by pointing at it."""
    if at is None:
        return Markup("<span class=dim>never</span>")
    exact = absolute(at)
    away = abs(now - at)
    told = "now" if away < 1 else f"{span(away)} ago" if at <= now else f"in {span(away)}"
    return Markup('<time datetime="{}" title="{}">{}</time>').format(exact[:19].replace(" ", "T") + "Z", exact, told)


def day(at: Instant) -> str:
    return absolute(at)[:10]


def code(id: str) -> Markup:
    """An id that can be copied: its short form is shown, the whole one is what is copied."""
    return Markup('<button type=button class=id data-copy="{}" title="copy {}">{}</button>').format(
        id, id, short_id(id) or id
    )


def money(amount: float | None) -> str:
    """
    >>> money(0.0), money(0.00123), money(12.5), money(None)
    ('$0', '$0.0012', '$12.50', 'no price known')
    """
    if amount is None:
        return "no price known"
    return "$0" if not amount else f"${amount:.2f}" if amount >= 1 else f"${amount:.4f}"


def number(value: float) -> str:
    """
    >>> number(1234567), number(0.5), number(3.0)
    ('1,234,567', '0.5', '3')
    """
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.3g}"


def percent(value: float) -> str:
    return f"{100 * value:.0f}%" if value in (0, 1) or value >= 0.1 else f"{100 * value:.1f}%"


@dataclass(frozen=True, slots=True)
class DiffLine:
    sign: str  # "+", "-", or a blank
    text: str


def diff_lines(before: str, after: str) -> list[DiffLine]:
    """Two texts line by line, with what stands around a change.

    >>> [(line.sign, line.text) for line in diff_lines("a\\nb", "a\\nc")]
    [(' ', 'a'), ('-', 'b'), ('+', 'c')]
    """
    found = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2)
    return [DiffLine(line[0], line[1:]) for line in list(found)[2:] if not line.startswith("@@")]


OUTCOME = ("turns", "facts", "directives", "notes_written", "links", "promoted", "answers")  # what a night came to


def counts_in_words(counts: Mapping[str, object], names: Iterable[str] | None = None) -> str:
    """
    >>> counts_in_words({"turns": 3, "links": 0, "notes_written": 1, "directives": 1})
    '3 turns, 1 note written, 1 directive'
    """
    wanted = counts if names is None else [name for name in names if name in counts]
    return ", ".join(
        f"{number(n)} {_singular(name) if n == 1 else name.replace('_', ' ')}"
        for name in wanted
        if isinstance(n := counts[name], (int, float)) and n and name != "sequence"
    )


def _singular(name: str) -> str:
    """
    >>> _singular("answers"), _singular("notes_written"), _singular("considered"), _singular("summaries")
    ('answer', 'note written', 'considered', 'summary')
    """
    noun, *rest = name.split("_")
    if noun.endswith("ies"):
        noun = f"{noun[:-3]}y"
    elif noun.endswith("s") and not noun.endswith("ss"):
        noun = noun[:-1]
    return " ".join([noun, *rest])


def kinds_in_words(counts: Mapping[str, int]) -> str:
    """How many memories of each kind, the most first.

    >>> kinds_in_words({"fact": 2, "summary": 3, "profile": 1})
    '3 summaries, 2 facts, 1 profile'
    """
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return ", ".join(
        f"{number(n)} {kind if n == 1 else kind[:-1] + 'ies' if kind.endswith('y') else kind + 's'}"
        for kind, n in ordered
    )


def setting(value: object) -> str:
    """A setting's value as it would be written into its field.

    >>> setting(True), setting(60.0), setting(0.5), setting(()), setting(("ponder", "link"))
    ('true', '60', '0.5', 'none', 'ponder, link')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, (tuple, list)):
        value = ", ".join(str(one) for one in value)
    return str(value) if value or value == 0 else "none"


FILTERS = {
    "said": said, "plain": plain, "commands": commands, "ago": ago, "absolute": absolute, "day": day, "code": code,
    "money": money,
    "number": number, "percent": percent, "span": span, "counts": counts_in_words, "kinds": kinds_in_words,
    "setting": setting, "e": escape,
}  # fmt: skip
