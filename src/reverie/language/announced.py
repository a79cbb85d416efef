"""A text that was announced: "marking year 5, I paste them one by one", "Ready when you are.", and then the text."""

import re

LONGEST_REPLY = 160  # characters of whoever only says that it may come

_READY = re.compile(
    r"\b(?:send|paste|share|post|drop|read|type|give) (?:it|them|me|the|over|away|on|in|ahead)\b|\bgo (?:ahead|on)\b"
    r"|\bready when\b|\blet['’]?s (?:have|see|hear)\b|\bover to you\b|\bfire away\b|\b(?:ready|listening)\b",
    re.I,
)
_COMES = re.compile(
    r"\b(?:past(?:e|ing)|next message|one (?:by one|at a time|after (?:the other|another))|typed as spoken"
    r"|dictat(?:e|ing)|read(?:ing)? (?:it|them|you) (?:out|aloud)|(?:comes|coming|follows) (?:next|now|below|up)"
    r"|send(?:ing)? (?:you )?(?:it|them|the|his|her|their|one))\b",
    re.I,
)
_OWN = re.compile(r"\b(?:my|our) (?!(?:pupils?|students?|patients?|customers?|clients?)\b)", re.I)


def announced(said: str, reply: str) -> bool:
    """Whether what comes after this turn and its reply is the text that the turn spoke of.

    >>> announced("Next message is today's patient, typed as spoken.", "Understood, send it over.")
    True
    >>> announced("I'll paste my address next.", "Go ahead.")
    False
    """
    if len(reply) > LONGEST_REPLY or not _READY.search(reply):
        return False
    return any(_COMES.search(part) and not _OWN.search(part) for part in re.split(r"[.!?\n]", said[-600:]))
