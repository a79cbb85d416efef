"""The token of a home: whoever can read it there is the owner, so that a port on loopback need not trust everybody.

A server makes it; clients of the same user find it. Little is imported here: a hook has no time.
"""

import os
from pathlib import Path

from reverie.files import make_directory, new_file, open_to_others
from reverie.model.spaces import KEY_PREFIX

NAME = "token"
CHARACTERS = 40  # at least; what is shorter was not made here


def find_token(home: Path) -> str | None:
    """The token of a home; None if there is none, or it is somebody else's."""
    try:
        fd = os.open(home / NAME, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(fd, encoding="ascii", errors="replace") as file:
        token = file.read(1_000).strip() if os.fstat(fd).st_uid in (os.geteuid(), 0) else ""
    return token if token.startswith(KEY_PREFIX) and len(token) >= CHARACTERS else None


def make_token(home: Path) -> str:
    """The token of a home, made if there is none. One that others could read is no secret any more: it is replaced."""
    make_directory(home)
    token = find_token(home)
    if token is not None and not open_to_others(home / NAME):
        return token
    import secrets

    beside = home / f".{NAME}.{os.getpid()}"
    beside.unlink(missing_ok=True)
    with new_file(beside) as file:
        file.write(KEY_PREFIX + secrets.token_urlsafe(32) + "\n")
    if token is not None or find_token(home) is None:
        beside.replace(home / NAME)
    else:  # another server was first
        beside.unlink()
    made = find_token(home)
    if made is None:
        raise PermissionError(13, "the token cannot be read", str(home / NAME))
    return made
