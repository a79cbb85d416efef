"""What is public, though it looks as keys do: certificates, fingerprints, ids of requests, DNS, names of users.

These places are looked for only in a text in which something was found, and what lies in one of them is left.
"""

import re
from collections.abc import Iterator

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_SAID = r"[\"'`]?\s{0,3}(?:[:=]|=>|\bis\b|\bwas\b)?\s{0,3}[\"'`(]{0,2}"
_PUBLIC = tuple(
    re.compile(pattern)
    for pattern in (
        r"-----BEGIN (?![A-Z0-9 ]{0,30}PRIVATE)[A-Z0-9 ]{3,40}-----[^-]{0,40000}(?:-----END|\Z)",
        r"\b(?i:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-nistp\d{3}|sk-ssh-ed25519@openssh\.com)\s{1,2}[A-Za-z0-9+/=]{16,2000}",
        r"(?i:\bsha-?\d{1,3}|\bmd5)[:=-]\s{0,2}[A-Za-z0-9+/=:._-]{16,160}",
        rf"(?i:finger-?print|thumb-?print|digest|check-?sum|e-?tag|cf-ray|[a-z-]{{0,20}}trace"
        rf"[_-]?id|[a-z-]{{0,20}}(?:request|correlation|span|delivery|build|deployment|run|job)[ _-]?id|x-amz-cf-id"
        rf"|x-amz-id-2|x-vercel-id|traceparent|tracestate|[a-z-]{{2,20}}-delivery){_SAID}[^\s\"'`,;)]{{8,200}}",
        r"\bTXT\s{1,8}\"[^\"\n]{1,600}\"|\b_acme-challenge\.[^\n]{1,400}",  # what a name server tells everybody
        # what services name their calls, messages and customers with
        r"\b(?:toolu|msg|call|chatcmpl|req|resp|run|thread|asst|evt|cus|pi|sub|price|prod|acct|batch|fc)"
        r"[_-][A-Za-z0-9]{14,60}(?![\w-])",
        r"(?<![\w:])1:\d{6,15}:(?:web|ios|android):[0-9a-f]{10,40}",
        rf"(?i:\b(?:app(?:lication)?|client|tenant|directory|subscription|object|resource|principal|user|project"
        rf"|organi[sz]ation|workspace|installation|device|event|message|ticket)(?:[ _-]?id)?\b"
        rf"|(?<!secret )(?<!secret-)(?<!session )\b(?:id|uuid|guid)\b)"
        rf"{_SAID}{_UUID}",
        r"(?<![\\\w])[A-Z][A-Z0-9.-]{1,20}\\{1,2}(?![nrt][A-Z0-9_])[A-Za-z][\w.$-]{1,40}",  # CORP\anna
        r"(?<![\w.])[a-zA-Z_]\w{0,40}#(?:19|20)\d\d-\d\d-\d\d",  # createdAt#2024-11-04
    )
)
# The PIN code of an Indian address has six digits.
_POSTAL = re.compile(
    r"(?i)\bpin(?:[ -]?code)?[^\w\n]{0,3}(?:\s?(?:is|(?:for|of)\s[^\d\n]{1,30}))?\s{0,2}[1-9]\d\d ?\d{3}(?!\d)"
)
_OF_ADDRESSES = re.compile(
    r"(?i)\b(?:courier|deliver\w{0,4}|address|post(?:al)?|city|district|shipping|shipped|ship|parcel|pickup|dist\.|nagar"
    r"|layout|colony|bengaluru|bangalore|mumbai|delhi|chennai|kolkata|pune|hyderabad|india|karnataka|maharashtra|road)\b"
)
AROUND = 120


def public_places(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of what everybody may read.

    >>> text = "ED25519 key fingerprint is SHA256:kD3oPVmqW8cTzQ1bYxN5fLr7uHs9aGjE2iRt6wKy4Mn."
    >>> [text[start:end][:10] for start, end in public_places(text)]
    ['SHA256:kD3', 'fingerprin']
    """
    for pattern in _PUBLIC:
        for match in pattern.finditer(text):
            yield match.span()
    for match in _POSTAL.finditer(text):
        if _OF_ADDRESSES.search(text[max(0, match.start() - AROUND) : match.end() + AROUND]):
            yield match.span()
