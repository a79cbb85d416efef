"""What somebody said in a text, and what is material: code, logs, tables, quoted mail, pasted documents.

Material is found by search and never read as anybody's speech. Each line is judged once, so a long text costs what its
length is. What is said comes back as sentences exactly as they stand there, each with its place.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reverie.language.handed import handed_at, handed_until, patched, typed_out
from reverie.language.pasted import brought_from, is_recipe, quotations
from reverie.language.sentences import split_spans
from reverie.language.supposed import claimed, opens_case

LONGEST_LINE = 1_200  # characters: beyond that nobody typed it
LONGEST_SENTENCE = 500
A_TEXT = 12  # words from which something may be a text of its own
LONG_TURN = 700  # so much in several lines is seldom typed
ONE_BREATH = 300
DOCUMENT_WORDS = 60  # a paragraph of so many words without its writer in it was written elsewhere


@dataclass(frozen=True, slots=True)
class Utterance:
    """One sentence as it was typed, and where it stands in the text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextLine:
    text: str
    start: int
    material: bool = False


_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_RULE = re.compile(r"\s{0,3}([-_=*—#])\1{2,}\s*$")
_QUOTED = re.compile(r"\s{0,3}>")
_HEADER = re.compile(r"(?:From|To|Cc|Bcc|Subject|Sent|Date|Reply-To|Von|An|Betreff|De|Objet) ?: ?\S", re.I)
_MAIL_FOLLOWS = re.compile(
    r"(?<!-)-{2,} ?(?:Original Message|Forwarded message|Begin forwarded)"
    r"|Begin forwarded message:|On .{6,80} wrote:\s*$",
    re.I,
)
_LOG = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d[.,\]\s]"
    r"|(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE)\b[ :\]\[]"
    r"|Traceback \(most|  +File \"|\s+at [\w$.<>]+\(|Caused by:|goroutine \d+|panic:|E +[a-z]"
    r"|[\w.$]{1,80}(?:Error|Exception): "
    r"|#\d+ +0x|Error: |thread '[^']*' panicked|\d+(?:\.\d+)?[KMGT]B? +/|/[\w.-]+/[\w./-]{12,}\s*$|\[\w+\]\s*$|"
    r"npm ERR!|error\[E\d+\]|FAILED |=====|-----)"
)
_CODE = re.compile(
    r"\s*(?:(?:async )?def \w+\(|class \w+[:(]|import [\w.{*]+|from [\w.]+ import |return\b.*[();]|@\w+[\w.]*(?:\(|$)"
    r"|#include|(?:const|let|var) \w+ ?=|diff --git|@@ |\+\+\+ |--- [ab]/"
    r"|(?:export |public |private |static |pub )*(?:function|func|fn|void|interface|struct|enum)\b.*[({]"
    r"|(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|WITH|EXPLAIN) .*"
    r"|\$ \w|>>> |//|/\*|\*/|<!--|</?\w+[^>]*>\s*$"
    r"|(?:if|for|while|switch|elif|else|try|except|catch)\b.*[:{]\s*$|[}\])]+[;,)]*\s*$"
    r"|[A-Za-z_][\w.\"'\[\]]* ?(?::=|==|\+=|->|=>) ?\S|[\w.]+\(.*\)[;{]?\s*$|[\w.\[\]]+ = .+[;({\[\])\"']\s*$)"
)
_TABLE = re.compile(r"\s*\|.*\|\s*$|\S.* {2,}\S+ {2,}\S|.* = ?[\d.,]+\s*$|[^\t]+\t[^\t]+\t|\s*[+|][-+=|:]{3,}")
_DATA = re.compile(r"\s*(?:[{}\[\]],?\s*$|\"[\w.-]+\" ?: ?|\{ ?\"|[\w.-]+(?:,[\w.-]+){3,}\s*$)")
_PAIR = re.compile(r"\s*-? ?[A-Za-z_][\w.-]{0,30} ?[:=] ?\S")
_INDENTED = re.compile(r"(?: {4,}|\t+)\S")
_HEADING = re.compile(r"\s*(?:#{1,6} |§ ?\d|Article \d|Section \d)")
_SYMBOLS = re.compile(r"[{}\[\]();=<>|\\/_*&^%$#@+~]")
_ASIDE = re.compile(r"\[[^\[\]]*\][.!?]?")  # a remark of whoever wrote the talk down: [sends a photo]
_SAYS = re.compile(
    r"\b(?:says?|said|wrote|writes?|reads?|replied|answered|asked|told (?:me|us|him|her|them))[,:]?\s{0,3}\Z", re.I
)
OPENING, CLOSING = ('"', "“", "„", "«"), ('"', "”", "“", "»")
_NUMBERED = re.compile(r"^[ \t]{0,8}\(?\d{1,3}[.)]\s", re.M)
_WORDS = re.compile(r"[^\W\d_]+")
_TITLED = re.compile(r"\s*(?:[A-ZÀ-Þ]{3,} ){1,}[A-ZÀ-Þ]{3,} ?(?:[(:—–-]|$)")
_IN_MARKS = re.compile(r"\s*[\"“„](?!.*[\"”“] \w).{40,}[\"”“][.!]?\s*$", re.DOTALL)
_WRITER = re.compile(r"\b(?:i|i'm|im|i've|ive|i'll|i'd|my|me|mine|we|we're|our|us)\b", re.I)
# How leaflets, terms and notices speak; nobody talks so of their own day.
_FORMAL = re.compile(
    r"\b(?:shall|may (?:become|occur|take|cause|bring)|(?:is|are) (?:to be|permitted|prohibited|charged|required|"
    r"liable|"
    r"available to|entitled|subject to)|(?:will|must|should|can|may) (?:not )?be \w+ed|has been reported|upon|"
    r"in case of|"
    r"do not \w+|you (?:should|must)|tell your|contact your|consult|pursuant|herein|no later than|the (?:renter|tenant|"
    r"customer|patient|user|employee|applicant|insured|undersigned|management)|as a consequence|very common|"
    r"uncommon)\b",
    re.I,
)
_SHOWN_TEXT = re.compile(
    r"\b(?:(?:here'?s|here is|this is|how'?s|check|read|see) (?:my|the|this|a|our) (?:\w+ ){0,2}|(?:the|my|first|"
    r"last) )"
    r"(?:draft|paragraph|abstract|text|essay|letter|caption|intro(?:duction)?|statement|e-?mail|mail|message|leaflet|"
    r"discussion|article|poem|post|section)\b[^.?!]*:\s*$|\bit (?:says|reads|goes):\s*$",
    re.I,
)
_ASKED_TO_READ = re.compile(
    r"\b(?:this|these|the following|attached|got an?|sent (?:me|us)|came from)\b.{0,40}\b(?:leaflet|letter|e-?mail|"
    r"mail|text|"
    r"document|contract|lease|policy|notice|terms|article|report|offer|form|instructions|page)\b",
    re.I,
)
_OWN_VOICE = re.compile(r"\b(?:i|i'm|im|i've|ive|i'll|i'd|my|me|mine|we|we're|our|us|you|your)\b", re.I)
_PASTED_AFTER = re.compile(
    r"\b(?:past(?:e|ing|ed)|copied|copy|forward(?:ing|ed)?|fwd|below|following|here(?:'s| is| are)|attached|verbatim"
    r"|sent|this is (?:the|what)|says|wrote|reads|from the|it goes|quote|text|letter|e-?mail|mail|doc|document|policy"
    r"|lease|contract|report|notes|minutes|transcript|readme|ticket|message|announcement|handout|syllabus|abstract|assignment"
    r"|prompt|output|log)\b",
    re.I,
)


def utterances(text: str) -> list[Utterance]:
    """The sentences of what was said, as they stand in the text.

    >>> [one.text for one in utterances("it fails:\\n```\\nI am a comment\\n```\\nI live in Oslo. Help?")]
    ['it fails:', 'I live in Oslo.', 'Help?']
    """
    return list(_remembered_utterances(text) if len(text) <= REMEMBERED else _utterances_in(text))


@lru_cache(maxsize=2048)
def _remembered_utterances(text: str) -> tuple[Utterance, ...]:
    return _utterances_in(text)


def _utterances_in(text: str) -> tuple[Utterance, ...]:
    numbered = len(_NUMBERED.findall(text)) > 1
    return tuple(
        Utterance(text[start:end], start, end)
        for passage_start, passage_end in speech_spans(text)
        for start, end in split_spans(text, passage_start, passage_end, numbered=numbered)
        if end - start <= LONGEST_SENTENCE and not _ASIDE.fullmatch(text, start, end) and not _is_cut(text, start, end)
    )


def _is_cut(text: str, start: int, end: int) -> bool:
    """Whether a sentence ends where somebody else's words begin, or goes on behind them: "my cv says"."""
    before = text[max(0, start - 3) : start].rstrip()[-1:]
    if before in CLOSING and text[start].islower():
        return True
    return _SAYS.search(text, max(start, end - 40), end) is not None and text[end : end + 3].lstrip()[:1] in OPENING


def speech_spans(text: str) -> Sequence[tuple[int, int]]:
    """Where in a text its speaker speaks: without material, and without what others say in quotation marks."""
    return _remembered_spans(text) if len(text) <= REMEMBERED else _spans_in(text)


REMEMBERED = 4_000  # characters: of shorter texts it is known for a while, because a night reads each several times


@lru_cache(maxsize=1024)
def _remembered_spans(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(_spans_in(text))


def _spans_in(text: str) -> list[tuple[int, int]]:
    quoted = sorted(quotations(text))
    return [part for passage in _own_passages(text) for part in _outside(passage, quoted)]


def is_spoken(text: str, quote: str) -> bool:
    """Whether these words stand somewhere in what the speaker of a text says themselves.

    >>> is_spoken("look:\\n> I hate tea\\nfine", "I hate tea"), is_spoken("I hate tea", "hate tea")
    (False, True)
    """
    return any(quote in text[start:end] for start, end in speech_spans(text))


def _outside(passage: tuple[int, int], quoted: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    begin, end = passage
    for start, stop in quoted:
        if stop <= begin or start >= end:
            continue
        if begin < start:
            yield begin, start
        begin = max(begin, stop)
    if begin < end:
        yield begin, end


def spoken(text: str) -> str:
    """The text without its material and what others say in it, passages kept apart.

    >>> spoken("look:\\n> I hate tea\\nfine")
    'look:\\nfine'
    """
    return "\n".join(part for start, end in speech_spans(text) if (part := text[start:end].strip()))


def _own_passages(text: str) -> Iterator[tuple[int, int]]:
    """Passages of speech up to where a text is handed over: "can you translate this: I live in Oslo"."""
    supposing, asks = False, text.rstrip().endswith("?")
    for begin, end in _passages(text):
        passage = text[begin:end]
        supposing = supposing or (asks and opens_case(passage))
        if supposing and not passage.endswith("?"):
            continue
        place = handed_at(passage)
        if place is not None:
            yield begin, begin + place
            return
        yield from claimed(text, begin, end)


def _passages(text: str) -> Iterator[tuple[int, int]]:
    """Spans of speech; prose that was wrapped at a margin is one passage."""
    begin, end, open_ended = -1, -1, False
    for line in _lines(text):
        bare = line.text.strip()
        if line.material or not bare:
            if begin >= 0:
                yield begin, end
            begin, open_ended = -1, False
            continue
        start = line.start + len(line.text) - len(line.text.lstrip())
        if begin >= 0 and not (open_ended and bare[0].islower()):
            yield begin, end
            begin = -1
        begin = start if begin < 0 else begin
        end = start + len(bare)
        open_ended = bare[-1] not in ".!?:;…"
    if begin >= 0:
        yield begin, end


@lru_cache(maxsize=64)  # a long turn is asked for by each of its neighbours
def prose_first(text: str) -> str:
    """The same lines without empty ones, prose before code, logs, tables and data.

    >>> prose_first("```\\nx = 1\\n```\\nThat sets x.")
    'That sets x.\\n```\\nx = 1\\n```'
    """
    lines = [line for line in _judged(_split(text)) if line.text.strip()]
    return "\n".join(line.text.strip() for line in sorted(lines, key=lambda line: line.material))


def _lines(text: str) -> list[TextLine]:
    lines = _split(text)
    brought = brought_from([line.text for line in lines])
    own_lines = [line.text for line in lines[:brought]]
    apart = (
        _ruled(lines[:brought]) | patched(own_lines) | typed_out(own_lines) | frozenset(range(handed_until(own_lines)))
    )
    own = _brought(_pasted(_judged(lines[:brought])), len(text))
    own = [TextLine(line.text, line.start, True) if i in apart else line for i, line in enumerate(own)]
    return [*own, *(TextLine(line.text, line.start, True) for line in lines[brought:])]


def _brought(lines: list[TextLine], size: int) -> list[TextLine]:
    """Of a long text in several lines, only what stands before and after it was typed; the rest was brought along."""
    filled = [i for i, line in enumerate(lines) if line.text.strip()]
    if size <= LONG_TURN or len(filled) < 3:
        return lines
    typed = {filled[0]} if len(lines[filled[0]].text) <= ONE_BREATH else set()
    if len(lines[filled[-1]].text) <= ONE_BREATH and filled[-1] - filled[-2] > 1:
        typed.add(filled[-1])
    return [
        line if i in typed or line.material else TextLine(line.text, line.start, True) for i, line in enumerate(lines)
    ]


def _split(text: str) -> list[TextLine]:
    found: list[TextLine] = []
    start = 0
    for raw in text.splitlines(keepends=True):
        found.append(TextLine(raw.rstrip("\r\n"), start))
        start += len(raw)
    return found


def _judged(lines: Sequence[TextLine]) -> list[TextLine]:
    """Fences, mail and runs of code or data; what follows the head of a mail is the mail."""
    out: list[TextLine] = []
    fence = ""
    mail = False
    for i, line in enumerate(lines):
        if not line.text.strip():
            out.append(TextLine(line.text, line.start, bool(fence)))
            continue
        mark = _FENCE.match(line.text)
        if fence:
            out.append(TextLine(line.text, line.start, True))
            if mark and mark[1] == fence:
                fence = ""
            continue
        if mark:
            closes = line.text.count(mark[1]) > 1 and line.text.rstrip().endswith(mark[1])
            fence = "" if closes else mark[1]
            out.append(TextLine(line.text, line.start, True))
            continue
        mail = mail or _begins_mail(lines, i)
        out.append(TextLine(line.text, line.start, mail or _is_material(lines, i)))
    return out


def _ruled(lines: Sequence[TextLine]) -> frozenset[int]:
    """The lines between two rules ("---"), and behind a single one after what announces a text: somebody else's."""
    rules = [i for i, line in enumerate(lines) if _RULE.match(line.text)]
    pairs = [*zip(rules[::2], rules[1::2], strict=False)]
    if len(rules) % 2 and any(_PASTED_AFTER.search(line.text) for line in lines[: rules[-1]]):
        pairs.append((rules[-1], len(lines) - 1))
    return frozenset(i for first, last in pairs for i in range(first, last + 1)) | frozenset(rules)


def _begins_mail(lines: Sequence[TextLine], i: int) -> bool:
    if _MAIL_FOLLOWS.match(lines[i].text.strip()):
        return True
    heads = [line for line in lines[i : i + 3] if _HEADER.match(line.text.strip())]
    return len(heads) >= 2 and heads[0] is lines[i]


def _is_material(lines: Sequence[TextLine], i: int) -> bool:
    text = lines[i].text
    if len(text) > LONGEST_LINE:
        return not _OWN_VOICE.search(text[:400])
    if any(pattern.match(text) for pattern in (_QUOTED, _LOG, _CODE, _TABLE, _DATA, _HEADING)):
        return True
    if _PAIR.match(text) and sum(bool(_PAIR.match(line.text)) for line in lines[max(0, i - 2) : i + 3]) >= 3:
        return True
    if len(lines) > 1 and _is_capitals(text.strip()):
        return True
    words = len(_WORDS.findall(text))
    symbols = len(_SYMBOLS.findall(text))
    if _INDENTED.match(text) and (symbols > 1 or words < 3):
        return True
    return symbols > 3 and symbols > words


def _is_capitals(text: str) -> bool:
    """A heading, or a record of a machine: several words in capitals, and no sentence."""
    letters = sum(map(str.isalpha, text))
    return letters >= 8 and " " in text and text == text.upper() and not text.endswith((".", "!", "?"))


def _pasted(lines: list[TextLine]) -> list[TextLine]:
    """Paragraphs that were written elsewhere: by their voice, in quotation marks, or after an announcement."""
    out = list(lines)
    announced = shown = False
    for first, last in _paragraphs(lines):
        body = " ".join(line.text for line in lines[first:last] if not line.material)
        if _foreign(body, announced, shown, later=first > 0):
            out[first:last] = [TextLine(line.text, line.start, True) for line in lines[first:last]]
        titled = _TITLED.match(body) is not None and last < len(lines)
        shown = bool(_SHOWN_TEXT.search(body))
        announced = announced or titled or _announces(body)
    return out


def _announces(body: str) -> bool:
    """Whether a paragraph says that what follows was written by somebody else."""
    tail = body.strip()[-120:]
    ends_open = tail.endswith(":") or not tail.endswith((".", "!", "?"))
    return (ends_open and bool(_PASTED_AFTER.search(tail))) or bool(_ASKED_TO_READ.search(body))


def _foreign(body: str, announced: bool, shown: bool, later: bool) -> bool:
    """Whether a paragraph was written elsewhere. `shown`: the line before it says that this is a text."""
    words, own = len(_WORDS.findall(body)), len(_OWN_VOICE.findall(body))
    if _IN_MARKS.match(body) or (later and _TITLED.match(body)) or (shown and words >= A_TEXT) or is_recipe(body):
        return True
    if words >= DOCUMENT_WORDS and (announced or own * 40 < words):
        return True
    writer = len(_WRITER.findall(body))
    formal = later and words >= A_TEXT and len(_FORMAL.findall(body)) * 30 >= words
    if formal and writer * 30 < words:
        return True
    if body.rstrip().endswith("?") and words < 2 * A_TEXT:
        return False
    if announced and not writer and _FORMAL.search(body):
        return True
    return announced and (own * 12 < words or (words >= 2 * A_TEXT and writer * 30 < words))


def _paragraphs(lines: Sequence[TextLine]) -> Iterator[tuple[int, int]]:
    first = 0
    for i, line in enumerate(lines):
        if not line.text.strip():
            if first < i:
                yield first, i
            first = i + 1
        elif _SHOWN_TEXT.search(line.text) or _begins_in_marks(lines, i, first):
            cut = i + 1 if _SHOWN_TEXT.search(line.text) else i
            if first < cut:
                yield first, cut
            first = cut
    if first < len(lines):
        yield first, len(lines)


def _begins_in_marks(lines: Sequence[TextLine], i: int, first: int) -> bool:
    return i > first and _IN_MARKS.match(lines[i].text) is not None
