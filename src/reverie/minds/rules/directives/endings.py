"""Sentences by which a user takes a directive back: "forget the rule about commas", "you can stop signing them"."""

import re

TAKEN_BACK = "taken back"  # it says nothing else
LET_OFF = "let off"  # if it ends no directive, it is one: "you can stop signing mails"
RETRACTED = "retracted"  # whatever was said last
_LEAD = (
    r"^(?:(?:ok(?:ay)?|and|also|but|so|oh|hey|btw|please|pls|just|actually|yes|no|well|hm+|sorry|right|anyway|then|haha|lol"
    r"|you can|you may|feel free to|let's|we can)[\s,.:;!–-]+)*"
)
_SAID = r"(?:rules?|instructions?|bans?|what i (?:said|told you)|(?:that |the )?things?(?: i said)?)"
_FORMS = (
    (
        TAKEN_BACK,
        r"(?:forget|drop|scrap|ignore|lift|scratch|undo|cancel|disregard|skip|revoke|never ?mind)(?: about)? "
        rf"(?:(?:the|that|my|this|your|all) )?(?:[\w-]+ ){{0,3}}?{_SAID}\b",
    ),
    (TAKEN_BACK, r"i take (?:back )?(?:the|that|my) (?:[\w-]+ ){0,3}(?:rule|ban|instruction)\b"),
    (
        TAKEN_BACK,
        r"(?:the|that|my|this) (?:[\w-]+ ){0,4}(?:rule|ban|instruction) (?:about [\w -]+ |with [\w -]+ )?"
        r"(?:is (?:off|over|gone|lifted|cancel+ed|history)|no longer (?:applies|holds|counts)"
        r"|doesn't (?:apply|hold|count) any ?more)",
    ),
    (
        LET_OFF,
        r"(?:you can |you may |feel free to )(?:now )?(?:stop|quit|drop|skip|leave out|lose) "
        r"(?:with |the |that |those |\w+ing\b)",
    ),
    (
        LET_OFF,
        r"(?:you (?:don't (?:have|need) to|needn't|need not)|no need to|don't bother (?:to|with)) .*"
        r"\b(?:any ?more|any longer|from now on|now)[.!]*$",
    ),
    (
        LET_OFF,
        r"(?:emojis?|smileys|bullets?|bullet points|lists|tables|jokes|links|headings|markdown|long answers|"
        r"long replies|small talk|swearing|questions|english|german|french|spanish) (?:is|are) "
        r"(?:fine|ok(?:ay)?|allowed|welcome) (?:again|now|after all)[.!]*$",
    ),
    (
        RETRACTED,
        r"(?:never ?mind|forget (?:it|that|i said (?:that|it|anything))|scratch that|ignore that|i take that back|"
        r"on second thou?ghts?,? no|just kidding|only joking)(?:[\s,.!]*(?:again|then|please|lol|haha))*[.!]*$",
    ),
)  # fmt: skip
_COMPILED = tuple((name, re.compile(rf"{_LEAD}(?:{form})", re.I)) for name, form in _FORMS)


_CHANGES = re.compile(
    r"\b(?:mov(?:es|ed) (?:to|by|now|,)|moves\b|chang(?:es|ed|ing)\b|new (?:rule|deal|thing|plan)|instead|no longer"
    r"|any ?more|again\b|loosen|relax|back to|after all|rather than|is (?:now )?(?:over|off|allowed|ok(?:ay)?|fine)\b"
    r"|(?:you|u) (?:can|may) (?:now|stop|drop|use|tell|say|mention|go|have|put|write|show|include|ask)\b"
    r"|(?:is|are|to|in|of) \S{1,12} now\b|\d now\b|drop the|stop the|scrap\b|make it\b|is enough\b"
    r"|not the \w+ (?:thing|one)\b|now, not\b|from now on it'?s\b"
    r"|too (?:low|high|long|short|many|few|much))",
    re.I,
)


def changes(directive: str) -> bool:
    """Whether a directive speaks of a change: it may be of one that was given before.

    >>> changes("so the no notifications thing moves, 10 to 19 now"), changes("from now on no emojis")
    (True, False)
    """
    return _CHANGES.search(directive) is not None


def ending_of(sentence: str) -> str:
    """How a sentence takes a directive back, or nothing.

    >>> ending_of("Forget the rule about commas."), ending_of("you can stop signing my mails"), ending_of("never mind")
    ('taken back', 'let off', 'retracted')
    >>> ending_of("forget about Marta, she won't come")
    ''
    """
    plain = sentence.replace("’", "'").strip()
    if plain.endswith("?"):
        return ""
    return next((name for name, form in _COMPILED if form.match(plain)), "")
