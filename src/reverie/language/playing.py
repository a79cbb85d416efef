"""Where somebody takes a part: what they say in it is nobody's own, until they leave it."""

import re

LONGEST_OPENING = 200  # characters in which a play is proposed, or left

_PLAY = r"(?:role-?play\w{0,3}|role play\w{0,3}|rollenspiel|jeu de r[oô]le|juego de rol|gioco di ruolo|text adventure)"
_PLAYED = re.compile(
    r"\b(?:let['’]?s|can we|could we|shall we|lass uns|jouons|hagamos|facciamo|start|be the (?:game|dungeon) master of)"
    rf" (?:(?:do|an?|the|some|ein|un|à) ){{0,2}}(?:{_PLAY}"
    r"|play (?:out )?(?:an?|the|this) (?:scene|part|role)|act out)\b",
    re.I,
)
# A play is named: at the beginning, or by whoever would like to have one.
_NAMED = re.compile(
    rf"\A\W{{0,3}}(?:{_PLAY}|rp|scene|new game|improv|mock \w{{3,20}}|simulation)(?= ?[!:.,;(\n–—-]| time| with| where)"
    rf"|\b(?:let['’]?s (?:play(?= ?[!:.,;(\n–—-])|pretend|act)|pretend"
    rf"|(?:want|like|love) to (?:do an? |practise |practice )?{_PLAY}"
    r"|wir spielen|on joue|jugamos|giochiamo)\b",
    re.I,
)
_YOUR_PART = re.compile(r"\b(?:pretend|mock|you (?:play|be)|you['’]ll be|act as|du spielst|du bist)\b", re.I)
_MY_PART = re.compile(
    r"\b(?:i(?:['’]ll| will)? play (?:the|an?|your)|i['’]ll be (?:the|an?|your)"
    r"|ich spiele (?:de[rn]|die|das|eine?n?)) \w",
    re.I,
)
# What both are, where a play is named: elsewhere "you are a help and I am a nurse" is no play.
_YOU_ARE = re.compile(
    r"\b(?:you(?:['’]re| are|r| will be|['’]ll be| play| be)|du bist|du spielst|tu es|eres|tú eres|tu sei) \w", re.I
)
_I_AM = re.compile(
    r"\b(?:i(?:['’]m| am| will be|['’]ll be| play)|ich bin|ich spiele|je suis|(?:yo )?soy|io sono) ?\w", re.I
)
_PLAY_OVER = re.compile(
    rf"\b(?:stop|end|enough|quit|leave|finish(?:ed)?|done|pause|thanks|ende|schluss)\b[^.!?]{{0,40}}"
    rf"\b(?:{_PLAY}|play|scene|game|spiel)\b"
    rf"|\b(?:{_PLAY}|play|scene|game) (?:is )?(?:over|done|ends?|finished|aside)\b"
    r"|\bout of character\b|\booc\b|\bin real life\b|\birl\b|\bback to (?:reality|work|normal|real life)\b",
    re.I,
)


def play_at(passage: str) -> int | None:
    """The place in a passage from which on somebody plays; None if nobody does."""
    if proposed := _PLAYED.search(passage):
        return proposed.end()
    head = passage[:LONGEST_OPENING]
    named = _NAMED.search(head)
    if named and _YOU_ARE.search(head) and (mine := _I_AM.search(head)):
        return max(named.end(), mine.end())
    return None


def opens_play(text: str) -> bool:
    """Whether somebody takes a part from here on, so that "I" in the turns to come is nobody's own.

    >>> opens_play("let's role play, you are a waiter"), opens_play("I love role play games")
    (True, False)
    >>> opens_play("Role play! You're the guard and I'm a thief."), opens_play("You're a help and I'm a nurse.")
    (True, False)
    """
    head = text[:LONGEST_OPENING]
    return play_at(head) is not None or bool(_YOUR_PART.search(head) and _MY_PART.search(head))


def ends_play(text: str) -> bool:
    """Whether somebody leaves their part: "ok, enough role play".

    >>> ends_play("out of character: I'm tired"), ends_play("I draw my sword")
    (True, False)
    """
    return _PLAY_OVER.search(text[:LONGEST_OPENING]) is not None
