"""Directives: how the user wants the agent to behave from now on, told apart from requests for this once.

A sentence is cut into clauses and described by features: cues that read aloud ("an order", "a ban", "lasting",
"this one") and the words themselves. Each feature has a weight in `directives.tsv`, fitted by `bench/fit_directives.py`
from labelled talk; a sentence whose weights sum to more than nothing is a directive, and its strongest cues are why.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

from reverie.language.vocabulary import APOSTROPHES, BARE, word_set

LONGEST = 400  # characters of a sentence that is looked at: beyond that nobody gives an order
SHOWN = 3  # reasons of a directive

# What may stand before an order without being part of it.
LEAD_INS = word_set("""
    ok okay k yes yep yeah no nope and also but so oh hey hi btw well right good great cool thanks thank thx please pls plz
    kindly just one more thing things quick note rule rules important fyi actually again reminder small last another
    then now first n plus ah hm hmm lol haha perfect nice fine sorry wait bitte und auch y por favor et aussi
    general generally remember future today tonight anyway otherwise still maybe
""")
ORDERS = word_set("""
    accept act add address adjust aim allow alphabetise alphabetize announce answer apologise apologize apply approve argue
    arrange ask assume attach avoid back be become begin block book break bring build bump buy calculate call cancel cap
    capitalise capitalize cc challenge change chase check choose cite clean clear close code collect combine come comment
    commit compare compute confirm consider contact continue contradict convert copy correct count create criticise
    cut date decide default delete deliver deploy describe design diagnose disable do document double draft draw drop
    edit email enable encrypt end ensure escape escalate estimate exclude execute expand expect explain export express
    extract fetch file fill find finish fix flag focus follow force forget format forward get give go greet group guess
    handle have help hide highlight hold humour ignore include indent inform insert install interrupt introduce invent
    invite join judge jump keep label lead leave let limit link list log lower mail make mark match measure mention merge
    mind mirror mix move name negotiate note notify number omit open optimise order organise pack paraphrase pass paste
    pause phrase pick plan point post prefer prefix prepare present pretend print prioritise prioritize proceed promise
    proofread propose protect publish pull push put query question quiz quote rank read rebase rebuild recommend redo
    reduce refactor refer reference refuse remember remind remove rename repeat rephrase replace reply report request
    reschedule reset resize respect respond restart restore retry return revert review rewrite ring rotate round route
    run save say scan schedule search send separate set share shorten show shrink shut sign simplify skip slow solve sort
    speak spell split squash stage start state stay stick stop store structure style suggest sum summarise summarize
    swap switch take talk teach tell test text thank think tidy time tone touch track translate transcribe treat trim
    trust try turn type undo update upgrade upload use validate verify wait wake walk warn watch work wrap write
    answer antworte schreib nenn benutz verwende sag gib mach réponds écris utilise parle dis donne explique fais
    responde escribe usa habla dime dame haz explica utiliza
""")
BANS = word_set(
    "don't never no stop avoid quit not nothing zero nobody none without fewer less keine kein nie niemals nicht"
)
CONDITIONS = word_set("""
    when whenever if every each anytime unless for in on before after once while with during at as until till from under
    anything everything all any always by between within outside inside wenn immer sobald falls quand si chaque cuando
    except instead over above up
""")
TELLERS = word_set("""
    i i'm i've i'd i'll we we're we've we'll he he's she she's they they're it it's there there's my our his her their the
    this that that's these those a an someone everyone people nobody who what which how why where ich wir er sie mein je
    nous mon ma yo mi
""")
LASTING = word_set("""
    always never ever forever every each whenever anytime usually default future permanently throughout generally general
    rule rules anymore everywhere everything anything anyone anybody constantly consistently all any
    immer nie niemals künftig grundsätzlich toujours jamais chaque désormais siempre nunca
""")
LASTING_PHRASES = (
    "from now on", "from here on", "from today", "going forward", "in future", "in the future", "by default", "as a rule",
    "at all times", "no exceptions", "every time", "each time", "any time", "until further notice", "until i say",
    "unless i", "unless you", "without asking", "without my", "not even", "no matter", "any more", "at any point", "as usual",
    "for good", "for the rest", "for as long", "as long as", "so long as", "until the", "till the", "until we", "until i",
    "in this repo", "in this project", "in this chat", "in this codebase", "in our", "in my", "for me", "for us", "to me",
    "new rule", "house rule", "one rule", "general rule", "ever again", "not now not ever", "in general", "as a general",
    "ab jetzt", "von jetzt", "in zukunft", "à partir", "a partir de", "de ahora",
)  # fmt: skip
ONCE = word_set("""
    this these now today tonight tomorrow yesterday once here there above below attached following again quickly asap
    tis current latest next previous morning afternoon minute minutes
""")
ONCE_PHRASES = (
    "this one", "that one", "this time", "for now", "for this", "for today", "just this", "right now", "one more",
    "the last", "the first", "the second", "the third", "the next", "the above", "the following", "the attached",
    "at the moment", "last time", "let me", "let's", "make it", "do it", "do that", "fix it", "fix that", "keep it",
    "leave it", "send it", "try again", "go on", "go ahead", "never mind", "no idea", "no worries", "no problem", "don't worry",
    "don't know", "don't think", "don't have",
)  # fmt: skip
BEHAVIOUR = word_set("""
    answer answers reply replies response responses explanation explanations message messages summary summaries draft
    drafts commit commits comment comments docstring docstrings hint hints emoji emojis bullet bullets tone jargon unit units
    metric imperial celsius kilometres kilometers grams gram format sentence sentences paragraph paragraphs markdown heading
    headings apologies disclaimer disclaimers preamble intro intros code tests suggestion suggestions recipe recipes list
    lists table tables example examples reminder reminders wording language english german french spanish dutch finnish
    italian polish portuguese swedish norwegian danish japanese chinese korean russian welsh formal informal casual polite
    brief concise short shorter long longer plain simple emails mails email mail name nickname exclamation marks dashes
    capitals caps questions sources links citations steps options dates times currency euros dollars pounds spelling
    decimals numbers amounts output diff diffs words lines line feedback advice lecture lectures praise small talk opinions
    plans letters reports quotes prices notes branch branches main prod production spoilers warnings abbreviations
    greeting greetings sign-off signature subject style voice accent british american
""")
MEASURES = word_set("max maximum most least min minimum limit tops only under exactly")
ALLOWED = word_set("may can should must needn't ought allowed permission free welcome")
YOU = word_set("you u")
MODIFIERS = word_set("don't never always not only just please pls to you u ever first also then and bitte i'd let's")
SKIPPED = word_set(
    "me us to him her out up down back over always only just please pls first with in about as on for at by"
)
MANNER = word_set("""
    keep be use avoid stop call address refer treat assume ask prefer sign spell round skip remind warn flag let stick stay
    speak talk respond answer default respect remember mention touch push suggest recommend lecture apologise apologize
    promise invent guess pretend quote cite convert express confirm include put start begin end limit wrap prefix interrupt
    challenge contradict correct mind trust follow ignore spare cut drop repeat refactor rename assume install format count
""")
TASKS = word_set("""
    write draft fix translate summarise summarize find list compare check explain make create give show rewrite add remove
    delete calculate compute generate look search help describe plan set update send print open review test run build
    redo undo revert sort draw prepare pick choose try read rename move change turn get tell cancel book order
""")
WISHES = word_set("want prefer like need expect love rather appreciate hate")
OBJECTS = (
    ("it", word_set("it this that these those them one ones him her here there both that's")),
    ("the one", word_set("the")),
    ("a new one", word_set("a an another some two three four five six seven eight nine ten more")),
    ("my", word_set("my our his her their")),
    ("your manner", word_set("your")),
    ("all", word_set("all any every each everything anything anyone anybody everyone everywhere nothing whatever")),
)
MASS = word_set("""
    code jargon people children markdown metric feedback slang sarcasm advice english german french spanish dutch prose praise
    alcohol meat sugar money data html css python small-talk humour humor celsius kids swearing spelling punctuation tabs
""")
NOT_PLURAL = word_set("""
    this always yes thanks was has does is its us plus perhaps sometimes unless besides afterwards towards yours news less
    his hers ours theirs lets gets comes goes says makes takes needs wants seems looks keeps works uses helps means
    hows whats thats cos sms eyes guess james christmas
""")
VERBS = word_set("""
    is are was were am be been has have had do does did will would can could should must may might i'm it's that's there's
    he's she's they're we're you're i've we've i'll we'll i'd don't doesn't didn't isn't aren't wasn't can't won't
    got get went said want need like love hate think know
""")
VERDICTS = word_set("""
    ok okay fine forbidden banned allowed off out taboo confidential secret private welcome mandatory required optional
    enough noise sacred untouchable read-only frozen default standard excluded preferred
""")
OPENINGS = (
    ("an order", ORDERS),
    ("a ban", BANS),
    ("a condition", CONDITIONS),
    ("a statement", TELLERS),
)
WORD_CUES = (
    ("lasting word", LASTING),
    ("of the moment", ONCE),
    ("the agent's manner", BEHAVIOUR),
    ("a measure", MEASURES),
    ("please", word_set("please pls plz pleas bitte kindly favor plaît")),
    ("a path", word_set("/")),
    ("quotes", word_set("§")),
    ("a number", word_set("#")),
    ("to the agent", word_set("you your u ur you're yourself du dein tu")),
    ("of oneself", word_set("i i'm my me we our us")),
    ("the one", word_set("the this that it")),
    (
        "a recurring day",
        word_set(
            "mondays tuesdays wednesdays thursdays fridays saturdays sundays mornings evenings weekends weekdays daily weekly monthly nightly"
        ),
    ),
    ("a choice", word_set("not instead rather over than")),
    ("only", word_set("only just solely strictly nur solo")),
    ("unless", word_set("unless except until till")),
)
PHRASE_CUES = (
    ("lasting", LASTING_PHRASES),
    ("this one", ONCE_PHRASES),
)
PAST = re.compile(
    r"\b(?:was|were|had|did|didn't|went|got|said|told|made|took|came|gave|found|thought|used to|\w{3,}ed)\b"
)
ANNOUNCES = re.compile(
    r"\b(?:rules?|one thing|things|request|going forward|for the future|from now on|remember|note|preferences?)\b", re.I
)
_OPAQUE = re.compile(
    r"```.*?```|`[^`\n]{1,200}`|\"[^\"\n]{2,300}\"|“[^”\n]{2,300}”|„[^“”\n]{2,300}[“”]|«[^»]{2,300}»|https?://\S+"
)
_TOKEN = re.compile(
    r"(?P<path>(?:[\w.-]*/[\w.*/-]+|[\w-]+/(?=\s|$)|\*?\.?[\w-]+\.(?:py|go|js|ts|md|yaml|yml|json|toml|txt|csv|sql|rs|java)\b))"
    r"|(?P<number>[~€$£#]?\d[\d.,:%h]*)|(?P<word>[^\W\d_][\w'-]*)|(?P<mark>[.,;:!?…()–—=+-]+)|(?P<quoted>§)"
)
_JOINS = word_set("and but so then because cos or n und aber et mais y pero")


@dataclass(frozen=True, slots=True)
class Standing:
    """How much a sentence reads as a lasting wish about the agent's behaviour, and why."""

    score: float
    reasons: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return self.score > 0


@dataclass(frozen=True, slots=True)
class Clause:
    """The words of one clause, and those among them that are left when its lead-in is taken away."""

    words: tuple[str, ...]
    bare: tuple[str, ...]

    @property
    def head(self) -> str:
        return self.bare[0] if self.bare else ""


def standing(sentence: str) -> Standing:
    """What a sentence is on its own.

    >>> standing("Please keep answers short, no emojis.").holds, standing("Make this one shorter.").holds
    (True, False)
    """
    return standings([sentence])[0]


def standings(sentences: Sequence[str]) -> list[Standing]:
    """What each sentence of a turn is; one that follows a directive may continue it ("Only on Fridays.").

    >>> [one.holds for one in standings(["Two rules.", "No emojis in commits.", "I baked bread yesterday."])]
    [False, True, False]
    """
    found: list[Standing] = []
    for i, sentence in enumerate(sentences):
        before = sentences[i - 1] if i else ""
        found.append(_weighed(sentence, before, bool(found) and found[-1].holds))
    return found


_NAMED_SCOPE = re.compile(
    r"\b(?:in|on|for|under|inside|within|of) (?:the |this |our |my )?"
    r"((?:project|repo|repository|folder|package|module|branch|chapter|service|account|book|course)s? "
    r"[\"“]?[\w./-]+|[\w./-]+ (?:project|repo|repository|folder|package|module|branch|service|account|course))\b",
    re.I,
)
_PATH = re.compile(r"(?<![\w/:])(?:[\w.-]+/)+[\w.*-]*|(?<![\w/])\.?[\w-]+\.(?:py|go|js|ts|md|ya?ml|json|toml|sql|rs)\b")


def scope_of(quote: str) -> str:
    """The path or project that a directive is limited to, as it is named there; empty where none is.

    >>> scope_of("never edit anything under legacy/ without asking"), scope_of("in the billing repo use tabs")
    ('legacy/', 'billing repo')
    """
    path = _PATH.search(quote)
    named = _NAMED_SCOPE.search(quote)
    return path[0] if path else named[1].strip('"“') if named else ""


@lru_cache(maxsize=4096)
def _weighed(sentence: str, before: str, after_one: bool) -> Standing:
    table = weights()
    present = [(name, table[name]) for name in features(sentence, before, after_one) if name in table]
    cues = sorted(
        (one for one in present if not one[0].startswith(("w ", "p ")) and one[1] > 0), key=lambda one: -one[1]
    )
    score = table["bias"] + sum(weight for _, weight in present)
    return Standing(round(score, 3), tuple(name for name, _ in cues[:SHOWN]))


@lru_cache(maxsize=1)
def weights() -> dict[str, float]:
    """The weight of each feature, as it was fitted; "w" is a word, "p" a pair of words, the rest are cues."""
    text = files(__package__).joinpath("directives.tsv").read_text("utf-8")
    return {name: float(weight) for name, _, weight in (line.partition("\t") for line in text.splitlines())}


def features(sentence: str, before: str = "", after_one: bool = False) -> set[str]:
    """What a sentence shows: its cues by name, pairs of cues, its words and pairs of words."""
    words = said(sentence)
    found = set(cues(words, sentence, before, after_one))
    pairs = {f"{a} + {b}" for a in found for b in found if a < b}
    plain = [word for word in words if word[0].isalnum() or word in ("#", "/", "§")]
    return {
        *found,
        *pairs,
        *(f"w {word}" for word in plain),
        *(f"p {a} {b}" for a, b in pairwise(["^", *words, "$"])),
    }


def said(sentence: str) -> list[str]:
    """The words as the cues read them: lower case, numbers, paths and quotations closed to view.

    >>> said('Dont touch legacy/ at 5pm, say "hi"')
    ["don't", 'touch', '/', 'at', '#', 'pm', ',', 'say', '§']
    """
    text = _OPAQUE.sub(" § ", sentence[:LONGEST].translate(APOSTROPHES)).lower()
    short = {"path": "/", "number": "#", "quoted": "§"}
    return [
        short.get(token.lastgroup or "", "") or BARE.get(token[0], token[0][:1] if token["mark"] else token[0])
        for token in _TOKEN.finditer(text)
    ]


def clauses(words: Sequence[str]) -> list[Clause]:
    parts: list[list[str]] = [[]]
    for word in words:
        if not word[0].isalnum() and word not in "#/§":
            parts.append([])
        elif word in _JOINS and parts[-1]:
            parts.append([word])
        else:
            parts[-1].append(word)
    return [Clause(tuple(part), _without_lead_in(part)) for part in parts if part]


def _without_lead_in(words: Sequence[str]) -> tuple[str, ...]:
    start = next((i for i, word in enumerate(words) if word not in LEAD_INS), len(words))
    return tuple(words[start:])


def cues(words: Sequence[str], sentence: str, before: str, after_one: bool) -> Iterator[str]:
    """The named signs for and against."""
    parts = clauses(words)
    text = " ".join(words)
    everything = set(words)
    heads = [part.head for part in parts if part.head]
    for i, head in enumerate(heads):
        yield from _opening(head, ", later" if i else "")
    for part in parts:
        yield from _orders(part)
        yield from _bans(part)
        yield from _addressed(part)
    yield from _shape(words, parts)
    yield from _phrases(text, everything)
    if sentence.rstrip(" )\"'").endswith("?"):
        yield "asked"
    if PAST.search(text):
        yield "past"
    if ANNOUNCES.search(before):
        yield "after a rule was announced"
    if after_one:
        yield "after a directive"
    yield _length(len(words))


def _opening(head: str, where: str) -> Iterator[str]:
    """How a clause begins: with an order, a ban, a condition, or somebody who does something."""
    for name, table in OPENINGS:
        if head in table:
            yield f"{name}{where}"


def _orders(part: Clause) -> Iterator[str]:
    """What is ordered, and of what: of all things of a kind, or of the one at hand."""
    for i, word in enumerate(part.bare):
        leads = i == 0 or part.bare[i - 1] in MODIFIERS
        if not (leads and word in ORDERS):
            continue
        verb = "manner" if word in MANNER else "task" if word in TASKS else "order"
        banned = bool(set(part.bare[:i]) & {"don't", "never", "not", "stop", "avoid", "no"})
        kind = object_of(part.bare[i + 1 :])
        yield f"{verb}{', not' if banned else ''}"
        yield f"order of {kind}{', not' if banned else ''}"
        yield f"{verb} of {kind}{', not' if banned else ''}"


def _bans(part: Clause) -> Iterator[str]:
    for first, second in pairwise((*part.bare, "$")):
        if first in ("no", "zero", "keine", "kein", "fewer", "less"):
            yield f"no {'more' if second == 'more' else 'things' if _plural(second) else 'thing'}"
        if first in ("stop", "quit", "avoid", "start", "keep") and second.endswith("ing"):
            yield f"{first} doing"


def _addressed(part: Clause) -> Iterator[str]:
    first, second = (*part.bare, "", "")[:2]
    if first in YOU:
        yield "you may" if second in ALLOWED else "you don't" if second == "don't" else "you"
    if first in ("can", "could", "would", "will") and second in YOU:
        yield "would you"
    if first in ("i", "i'd", "we", "we'd") and set(part.bare[1:4]) & WISHES:
        yield "a wish to you" if set(part.bare) & YOU else "a wish"


def object_of(words: Sequence[str]) -> str:
    """What kind of thing an order is about: "the one", "it", "things", "all", …

    >>> object_of(["answers", "short"]), object_of(["me", "the", "table"]), object_of(["it"]), object_of(["a", "poem"])
    ('things', 'the one', 'it', 'a new one')
    """
    left = [word for word in words if word not in SKIPPED]
    if not left:
        return "nothing"
    for kind, table in OBJECTS:
        if left[0] in table:
            return f"{kind} things" if kind == "my" and any(map(_plural, left[1:3])) else kind
    if left[0] == "#":
        return "a new one"
    return "things" if _plural(left[0]) or any(map(_plural, left[1:2])) else "something"


def _plural(word: str) -> bool:
    return word in MASS or (
        len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")) and word not in NOT_PLURAL
    )


def _shape(words: Sequence[str], parts: Sequence[Clause]) -> Iterator[str]:
    everything = set(words)
    if not everything & VERBS and not any(word in ORDERS for part in parts for word in part.bare[:2]):
        yield "no verb"
        if any(map(_plural, words[:3])):
            yield "no verb, things"
    if ":" in words[1:5]:
        yield "a heading"
    if parts and parts[0].head in CONDITIONS:
        later = [word for part in parts for word in part.words[1:]]
        if any(word in ORDERS or word in BANS for word in later):
            yield "a condition with an order"
        if parts[0].bare[1:2] and parts[0].bare[1] in ("i", "you", "u", "we"):
            yield f"a condition: {parts[0].bare[0] if parts[0].bare[0] in ('when', 'whenever', 'if') else 'on'} {'i' if parts[0].bare[1] == 'i' else 'you'}"
        if set(parts[0].bare[1:4]) & {"the", "this", "that", "it"}:
            yield "a condition on the one"
        elif set(parts[0].bare[1:4]) & {"a", "an", "any", "someone", "anyone", "somebody", "something"} or any(
            map(_plural, parts[0].bare[1:4])
        ):
            yield "a condition on any"
    if set(words[-2:]) & {"only", "ever", "always", "never", "please", "pls", "tops", "max", "again"}:
        yield "ends on a rule word"
    plurals = sum(map(_plural, words))
    yield f"{min(plurals, 3)} kinds of things"
    for name, word in pairwise(words):
        if word in VERDICTS and name in (
            "is",
            "are",
            "be",
            "stays",
            "stay",
            "strictly",
            "not",
            "isn't",
            "aren't",
            "always",
        ):
            yield "a verdict"


def _phrases(text: str, words: set[str]) -> Iterator[str]:
    spaced = f" {text} "
    for name, table in WORD_CUES:
        if words & table:
            yield name
    for name, phrases in PHRASE_CUES:
        if any(f" {phrase} " in spaced for phrase in phrases):
            yield name


def _length(count: int) -> str:
    return "a few words" if count <= 4 else "short" if count <= 9 else "of some length" if count <= 20 else "long"
