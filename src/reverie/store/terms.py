"""How a document's terms are kept: on SQLite compressed, without the space's number; on Postgres, whose full-text index
reads them, as text with it. Rows of older SQLite stores are text as well."""

import re
import zlib
from typing import Any

from reverie.store.dialect.dialect import Dialect

FIELDS = ("body", "context", "extra")  # columns of `documents`
NUMBER = re.compile(r"(?<!\S)\d+_")
WINDOW = -13  # no header, eight kilobytes
# What most documents hold some of, the commonest last. It is a part of the format: another one reads no older store.
COMMON = (
    b"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 2024 2025 2027 januari "
    b"februari march april may june juli august septemb octob novemb decemb monday tuesday wednesday thursday "
    b"friday saturday sunday last next week month year day today tomorrow yesterday morn even night time hour "
    b"minut name number old new good great well better best feel felt look see watch read write told tell said say "
    b"ask answer question know knew think thought want need love like hope tri use make made take took get got "
    b"give gave come came go went work job project team meet plan start finish chang move live hous home citi "
    b"famili mother father sister brother son daughter friend peopl person kid child wife husband dog cat food eat "
    b"cook dinner lunch coffe tea book music movi game play walk travel trip car train bike buy sell cost money "
    b"pay price school class student teacher learn studi help call send email mail messag phone photo file code "
    b"test error run build data tabl list line function valu set add remov updat version rememb forget birthday "
    b"allerg health doctor sleep 2026 assist user"
)


def keep(dialect: Dialect[Any], num: int, terms: str) -> str | bytes:
    """What the column of a document of the space with this number gets for these terms."""
    bare = NUMBER.sub("", terms)
    if not bare:
        return ""
    return pack(bare) if dialect.packs_terms else " ".join(f"{num}_{term}" for term in bare.split())


def bare(kept: str | bytes | memoryview) -> str:
    """The terms in a column, without the space's number.

    >>> bare("3_anna 3_tea"), bare(pack("anna tea")), bare("")
    ('anna tea', 'anna tea', '')
    """
    return NUMBER.sub("", kept) if isinstance(kept, str) else unpack(bytes(kept))


def numbered(kept: str | bytes, num: int) -> list[str]:
    """The terms in a column as they are searched by."""
    if isinstance(kept, str):
        return kept.split()
    return [f"{num}_{term}" for term in unpack(kept).split()]


def unnumbered(kept: str | bytes, _num: int) -> list[str]:
    """The terms in a column, without the space's number."""
    return bare(kept).split() if isinstance(kept, str) else unpack(kept).split()


def pack(terms: str) -> bytes:
    """The same bytes for the same terms."""
    made = zlib.compressobj(9, zlib.DEFLATED, WINDOW, 8, zlib.Z_DEFAULT_STRATEGY, COMMON)
    return made.compress(terms.encode()) + made.flush()


def unpack(packed: bytes) -> str:
    return zlib.decompressobj(WINDOW, COMMON).decompress(packed).decode()
