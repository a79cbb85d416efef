"""What a person marks as private: never stored, nor written anywhere on the way. Imports nothing, for hooks."""

OPENING, CLOSING = "<private>", "</private>"


def without_private(text: str) -> str:
    """The text without what stands between private marks; without a closing one, all that follows goes.

    >>> without_private("deploy on Monday <private>pin 1</private>please"), without_private("a <Private> b")
    ('deploy on Monday please', 'a ')
    """
    low = text.lower()
    if OPENING not in low or len(low) != len(text):  # a letter that grows in small writing: the store's redactor cuts
        return text
    kept, start = [], 0
    while (at := low.find(OPENING, start)) >= 0:
        kept.append(text[start:at])
        end = low.find(CLOSING, at)
        if end < 0:
            return "".join(kept)
        start = end + len(CLOSING)
    return "".join((*kept, text[start:]))
