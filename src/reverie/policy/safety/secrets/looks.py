"""What a value looks like, taken alone: characters of no meaning, a password as people make them, a number, a word.

One table gives each look its points, by what is being looked for. A look says nothing by itself: `reading` adds
the words around a value to it.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from urllib.parse import unquote

from reverie.language.vocabulary import word_set
from reverie.policy.safety.secrets.checks import PLACEHOLDERS, form

PASSWORD, KEY, CODE = 0, 1, 2
NEVER = -9.0
# What it looks like: points where a password is expected, a key, a code.
POINTS: dict[str, tuple[float, float, float]] = {
    "long random": (4, 6, 3),  # 24 characters or more of both cases and digits: nobody's word, and seldom a name
    "random": (4, 4, 3),  # q7Gx02mKpL9r, lqpzwvtrkkbn
    "hash": (1.5, 3, 0),  # a UUID; 32 hexadecimal digits or more
    "mixed": (4, 2, 1),  # Harvest!Moon3
    "made": (4, 1, 1),  # Cobalt-Otter-9, QuartzHare12: words with a capital, joined, and a number
    "signed": (3, 1, 0),  # Snowdrift!Elm
    "numbered": (3, 0.5, 1.5),  # yuzu-neko-118, B3971-x
    "word and digits": (2.5, 0, 1.5),  # hundekuchen88
    "grouped": (2, 3, 3),  # JBSW BMBN R62C INDX
    "combination": (1.5, NEVER, 2.5),  # 14-32-6
    "digits": (2, -1, 2),  # 4711, 4471#
    "few digits": (NEVER, NEVER, 0.5),  # 613
    "slug": (2, 2, 0),  # node-modules-linux-e2bbed9c34db
    "many digits": (0, 0, 1),  # 1700000000000
    "id": (0, 0, 1),  # INV-2024-00871, HX-9920-B
    "paired": (2, -1, -2),  # Dovetail_Joint: joined, with a capital
    "joined": (1, -1, -2),  # tea-rose-attic
    "phrase": (1.5, -4, -4),  # four muddy boots dancing
    "two words": (1, -4, -4),  # green teapot, between quotes
    "words": (0, -2, -4),  # letmein please, between quotes
    "word": (0, -4, -4),
    "names": (0.4, -4, -4),  # Captain Waffles
    "name": (NEVER, NEVER, NEVER),  # utf8mb4, x86_64
    "address": (NEVER, NEVER, NEVER),  # a URL, an e-mail, a path, a date, a version, an amount
    "reference": (NEVER, NEVER, NEVER),  # a variable, a call, a template, a blank form
}
# Letters that follow each other in words of English, German, French, Spanish, Italian, Dutch and Polish.
FOLLOWS = {
    "a": "abcdefghijklmnopqrstuvwxyz", "b": "abceijlmorstuy", "c": "acehiklorstuyz", "d": "abcdefghijlmnoprstuvwyz",
    "e": "abcdefghijklmnopqrstuvwxyz", "f": "aefilorstuy", "g": "abdeghilmnoprstuwy", "h": "abdeilmnorstuwy",
    "i": "abcdefghijklmnopqrstuvwxz", "j": "aeiou", "k": "abdefilnoprstuwy", "l": "abcdefghiklmnoprstuvwyz",
    "m": "abehilmnoprstuy",
    "n": "abcdefghijklmnoprstuvwyz", "o": "abcdefghijklmnopqrstuvwxyz", "p": "adefhijlmnoprstuy", "q": "u",
    "r": "abcdefghijklmnoprstuvwyz", "s": "abcdefghiklmnopqrstuwyz", "t": "abcdefghilmnoprstuvwyz",
    "u": "abcdefghijklmnoprstvxyz",
    "v": "aeioruy", "w": "abdehilnorsty", "x": "acehiopt", "y": "abcdeilmnoprstuw", "z": "aeiouwyz",
}  # fmt: skip
UNUSUAL = 0.25  # of its pairs of letters: random letters have 0.35, hardly a word of eight letters has so many
SIGNS = "!@#$%^&*~+=?"
SHORTEST, LONGEST = 3, 4_000
_ENDS = "\"'`“”„«».,:;)…"
_ADDRESS = re.compile(
    r"""(?ix) \A (?:
    [a-z][a-z0-9+.-]{1,20}:// | https?%3a | mailto: | data: | urn: | op:// | arn:
    | [\w.-]{1,40}@[\w.-]{1,80}:\S  # a URL
    | [\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}\Z                     # an e-mail
    | [a-z][\w.]{0,30}@(?-i:[a-z]{2,20}[\d-]{0,6})\Z                        # somebody at a machine
    | (?:[a-z]:)?[~.]{0,2}[/\\] | [\w.-]{1,60}/[\w.-]{0,60}/ | \w{1,40}/\w{1,40}\.\w{1,5}(?::\d{1,6}){0,2}\Z  # a path
    | [\w-]{1,60}\.(?:py|js|ts|tsx|jsx|json|ya?ml|toml|txt|md|pdf|docx?|xlsx?|csv|png|jpe?g|gif|svg|html?|css|sh|rs|rb
      |java|h|go|cpp|sql|db|log|conf|cfg|ini|env|lock|zip|gz|tgz|tar|bak|pem|pub|crt|key|p12|pfx|kdbx|com|org|net|io|dev
      |de|fr|uk|example|local|internal|eu|us|at|ch|es|it|nl|app|ai|co|me|test|localhost)\b(?::\d{1,5})?(?:\#\S{0,80})?\Z
    | \d{1,3}(?:\.\d{1,3}){3}(?::\d+|/\d+)?\Z | (?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}\Z  # where a machine is
    | v?\d{1,4}(?:\.\d{1,6}){1,3}(?:[-+.]?(?:a|b|rc|alpha|beta|dev|post)\S{0,20})?\Z    # a version, a number
    | (?:\d:)?v?\d{1,4}(?:\.\d{1,8}){1,3}(?:[-+~.](?:\d{1,8}(?:(?:deb|ubuntu|build|bpo|nmu|el|fc|r)\d{0,4})?
      |(?:b|p|r|rc|deb|dfsg|ds|ubuntu|git|bpo|nmu|build|really|el|fc|alpine|slim|bookworm|trixie)\d{0,8})){1,8}\Z
    | \d{4}-\d\d(?:-\d\d)?(?:t\S{0,30})?\Z | \d{1,2}[./]\d{1,2}[./]\d{2,4}\Z | \d{1,2}[:h]\d\d(?::\d\d)?(?:am|pm)?\Z
    | [$€£¥]\d | \d[\d.,]{0,8}(?:%|€|\$|£|k|m|kb|mb|gb|tb|kib|mib|gib|ms|s|min|h|d|x|px|em|rem|vh|pt|km|cm|mm|m|kg|g|mg
      |ml|l|v|w|kw|kwh|hz|khz|mhz|ghz|am|pm|st|nd|rd|th|er|ers|bit|bits|c|f|°c|eur|usd|gbp|kcal|fps|rpm|dpi|p)\Z
    | \#[0-9a-f]{3,8}\Z | u\+[0-9a-f]{4,6}\Z | 0x[0-9a-f]{1,40}\Z | \#\d{1,9}\Z | \+\d | --?[a-z] | @[\w./-]{1,60}\Z
    | sha\d{1,3}[-:] | h1: | md5: | (?:sha\d{0,3}|md5|etag|crc32)\Z
    )"""
)
_REFERENCE = re.compile(
    r"""(?ix)
    [^&]{0,60}&(?:lt|gt|amp|quot|nbsp|\#x?\d) | [<${%(\[*] | \.{3} | … | %[sd]\b | \?\Z | :\w{1,40}\Z | !vault\b | \\
    | [\w.$>-]{1,80}[(\[] | (?:os|process|env|self|this|config|settings|secrets?|vault|request|req|args|params|var|local
      |module|data|values|props|state|ctx|app|form|user|body|input|opts|options|cfg)\.\w
    | [^\W\d]{1,40}(?:\.[^\W\d]{1,40}){1,5}\Z | (?:string|int|id|boolean|float)!\Z
    | (?-i:[A-Z][A-Za-z]{0,30}(?:String|Array|Buffer|Bytes|Str|Type|Field|Input|Dto|Ref))\Z  # a type
    | (?-i:(?:Get|Read|New|ConvertTo|ConvertFrom|Import|Invoke)-[A-Z][A-Za-z]{3,30})\Z
    """
)
_TWO_NAMES = re.compile(r"(?:[A-Z]?[a-z]{3,12}\.)+[A-Z][a-z]{2,12}\Z")  # Haddock.Pie
_NAMED = ("password", "passwd", "pwd", "token", "secret", "_key", "apikey", "credentials", "username", "placeholder")
_STEMS = """
    utf utf8mb sha aes md rsa wpa ed ecdsa secp base oauth ipv http tls tlsv ssl argon pbkdf x h mp web win
    windows python py node php java es k8s k i18n l10n a11y ec s r gpt claude llama gemini usb ps log4j iso rfc
    ieee cve cp latin crc int uint float varchar char amd arm room gate seat level step page line chapter
    section part phase task item row col user test client host server db app dev prod worker port eth wlan pg
    redis mysql postgres mongo v q w m t p l c g d n iphone ipad galaxy pixel office ios debian ubuntu fedora
    otp u2f fido day week top cat f type gen series model version build release sprint covid json html css
    1password argon2id argon2i bcrypt scrypt pkcs x509 2fa 5g 4g
"""
_TECH = re.compile(  # names that have a number: WPA2-Enterprise, utf8mb4, Windows-11, user2
    rf"(?i)(?:{'|'.join(_STEMS.split())})(?:[-_]?\d{{1,4}})?"
    r"(?:[-_/.+](?:\d{1,4}|bit|gcm|cbc|hmac|psk|enterprise|personal|ghz|g|sha\d{1,3}|lts|pro|max|64|86|with|rsa|aes|dsa|ecdsa|pss|oaep|ctr|siv|poly1305|nistp\d{3}))*\Z"
)
_MADE = re.compile(  # numbers at its ends, or between signs
    r"(?=[^A-Z]{0,40}[A-Z])(?=[^a-z]{0,40}[a-z]{2})(?:\d{1,4}[-_./;|+:]?|[A-Za-z]\d[-_./;|+:])?[A-Za-z]{2,40}"
    r"(?:[-_./;|+:](?:[A-Za-z]{1,40}|\d{1,4}(?=[-_./;|+:])))*[-_./;|+:]?(?:\d{1,4})?[!?*#$%&]?"
)
_WORDS_WITHIN = re.compile(r"[A-Z]?[a-z]{2,20}(?![a-z])")
# Words that programs, releases, machines and models are named with.
_NAMES_WITHIN_TEXT = """
    test tests case mock user users client server host node worker main class base type types item list map dict set
    get put post add new old api app dev prod stage staging release candidate version build update patch sprint phase
    step part section chapter page table figure level model models series mini pro max plus ultra turbo instruct chat
    coder vision preview latest beta alpha gemini claude opus sonnet haiku llama mistral qwen deep windows office
    studio visual ubuntu debian linux mac android galaxy pixel iphone room gate seat row block zone area region bucket
    task job issue ticket bug feature branch hot fix pull request merge commit tag group team project meeting report
    invoice order draft copy final budget photo image img scan video file folder data base sql http web view
    controller service manager factory handler helper util utils config settings error exception response result
    value index key field column record entity event hook state store props component button input form layer conv
    net norm encoder decoder python java script rust ruby swift kotlin node react angular vue
"""
_NAMES_WITHIN = frozenset(_NAMES_WITHIN_TEXT.split())
_OF_CODE = _NAMES_WITHIN | word_set("string empty none null schema env secrets vault credentials params args kwargs")
_HUMPS = re.compile(r"[A-Z]?[a-z]{3,14}(?:[A-Z][a-z]{1,14}){2,8}")  # FlagBitArrayToBits
_SLUG = re.compile(r"(?:[a-z][a-z0-9]{1,20}[-_.]){2,6}[0-9a-f]{7,64}\Z")
_SHOUTED = re.compile(r"[A-Z]{6,20}\d{1,3}\Z")  # HOLLYHOCK77
_HASH = re.compile(r"(?i)(?:0x)?[0-9a-f]{32,128}\Z|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_ID = re.compile(r"[A-Z]{1,6}(?:[-_ ][A-Z0-9]{1,8}){1,5}\Z|[A-Z0-9]{2,8}(?:-[A-Z0-9]{1,8}){1,6}\Z|[A-Z0-9]{8,24}\Z")
_SWITCH = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|[a-zA-Z]\d|\d[a-zA-Z]")
_PIECE = re.compile(r"[A-Za-z0-9]+")
_INSIDE = re.compile(rf"[A-Za-z0-9][{re.escape(SIGNS)}]{{1,3}}[A-Za-z0-9]")
_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
_TYPED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*~+_-{}.")
_LETTERS = re.compile(r"[A-Za-z]+")
# Keys pressed together, a name that a program numbered, a character of HTML, a user of a machine.
_OF_PROGRAMS = re.compile(
    r"(?i)\b(?:ctrl|control|shift|alt|cmd|command|meta|super|option|win|fn)[+-]|\w{1,40}\$\d{1,3}\Z|[^&]{0,40}&(?:#\d|(?:lt|gt|amp|quot|nbsp)\b)|\w{1,40}@\w{1,40}\Z"
)


@lru_cache(4_096)
def look_of(value: str) -> str:
    """What a value looks like, as a name of `POINTS`.

    >>> [look_of(v) for v in ("Harvest!Moon3", "Cobalt-Otter-9", "hundekuchen88", "4711", "marmalade", "q7Gx02mKpL9r")]
    ['mixed', 'made', 'word and digits', 'digits', 'word', 'random']
    >>> [look_of(v) for v in ("os.environ[x]", "main.py", "2026-11-17", "INV-2024-00871", "v1.2.3", "a@b.org")]
    ['reference', 'address', 'address', 'id', 'address', 'address']
    """
    plain = _folded(value.strip(_ENDS))
    if plain.strip("#*").isdigit():
        return _of_digits(len(plain.strip("#*")))
    if not SHORTEST <= len(plain) <= LONGEST or plain.lower() in PLACEHOLDERS or form(plain):
        return "reference"
    if any(map(str.isspace, plain)):
        return "words"
    if "/" in plain and plain[0].isalpha() and plain[-1].isdigit() and made_of_words(plain):
        return "made"
    if _ADDRESS.match(plain) and not (len(plain) >= 20 and _BASE64.issuperset(plain) and random(plain)):
        return "address"
    if plain.lower().endswith(_NAMED):
        return "reference"
    if _REFERENCE.match(plain):
        return "paired" if _TWO_NAMES.match(plain) and not _OF_CODE & {*plain.lower().split(".")} else "reference"
    if re.fullmatch(r"\d{1,2}(?:-\d{1,2}){2,3}|[A-Z0-9](?:-[A-Z0-9]){3,7}", plain):
        return "combination"
    if re.fullmatch(r"[\d ,.:/+-]+", plain):
        return "many digits"
    return _of_letters(plain)


def _folded(text: str) -> str:
    """With letters of A to Z in the place of others: how a word is made is the same in every alphabet."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text)
    return "".join(
        c if c.isascii() else ("A" if c.isupper() else "a" if c.islower() else "0" if c.isdecimal() else c)
        for c in parts
        if not unicodedata.combining(c)
    )


def _of_digits(size: int) -> str:
    return "reference" if size < 3 else "few digits" if size == 3 else "digits" if size <= 8 else "many digits"


def _of_letters(plain: str) -> str:
    """Of one word with letters in it."""
    if _HASH.match(plain):
        return "hash"
    if _SLUG.match(plain) and any(map(str.isdigit, plain[-7:])):
        return "slug"
    if _BASE64.issuperset(plain) and len(plain) >= 20 and random(plain):
        return _random(plain)
    signs = _INSIDE.search(plain) is not None
    digits, upper = any(map(str.isdigit, plain)), any(map(str.isupper, plain))
    if signs and not (digits or upper or len(plain) < 6):
        return "signed"
    if signs and len(plain) >= 6:
        return "mixed" if digits else "signed"
    if digits and _TECH.match(plain):
        return "name"
    if _ID.match(plain) and digits and not _SHOUTED.match(plain):
        return "random" if len(plain) >= 16 and "-" not in plain and unlikely(plain) else "id"
    if random(plain) or (_SHOUTED.match(plain) and unlikely(plain)):
        return _random(plain)
    ended = plain[-1] in SIGNS and digits
    if digits and made_of_words(plain):
        return "made"
    if digits and any(map(str.isalpha, plain)):
        if _SHOUTED.match(plain):
            return "word and digits"
        joined = re.search(r"\w[-_./]\w", plain) is not None
        return "numbered" if joined or ended or len(re.findall(r"[A-Z]", plain)) > 1 else "word and digits"
    joined_parts = re.split(r"[-_./]", plain)
    if len(joined_parts) > 1:
        return "paired" if upper and not plain.isupper() and "." not in plain else "joined"
    return "word"


def made_of_words(plain: str) -> bool:
    """Whether two words or more, with a capital but not in capitals, are joined with a number of few digits.

    >>> [made_of_words(w) for w in ("Mulberry-Lane-40", "QuartzHare12", "thimble-Acre-1", "Walrus/Bonnet21")]
    [True, True, True, True]
    >>> [made_of_words(w) for w in ("yuzu-neko-118", "TestCase2", "Qwen2.5-Coder", "Windows-Server-2019")]
    [False, False, False, False]
    """
    if not 7 <= len(plain) <= 40 or not _MADE.fullmatch(plain):
        return False
    words = [word.lower() for word in _WORDS_WITHIN.findall(plain)]
    return len(words) > 1 and len(plain) - sum(map(len, words)) <= 8 and not _NAMES_WITHIN.intersection(words)


def _random(plain: str) -> str:
    every = len(plain) >= 24 and all(any(map(sort, plain)) for sort in (str.isdigit, str.isupper, str.islower))
    return "long random" if every else "random"


def made_up(text: str) -> bool:
    """Whether a word can only be a password: two cases, a digit, and a sign among letters that make words.

    In 35,000 texts of talk, code, logs and mail there was none.

    >>> [made_up(t) for t in ("Harvest!Moon3", "Pewter+Swan14", "C++17", "user@Host2", "Zx9$kk")]
    [True, True, False, False, False]
    """
    plain = _folded(text.strip(_ENDS)).replace("{", "!").replace("}", "!")
    if "%" in plain:
        plain = unquote(plain)
    return (
        8 <= len(plain) <= 40
        and set(plain) <= _TYPED
        and not _OF_PROGRAMS.match(plain)
        and look_of(plain) == "mixed"
        and re.search("[a-z]{2}", plain) is not None
        and any(map(str.isupper, plain))
        and not random(plain)
    )


def random(text: str) -> bool:
    """Characters of no meaning: letters, digits and cases take turns, or letters follow each other as in no word.

    >>> [random(t) for t in ("q7Gx02mKpL9rTz4w", "BuckwheatRiver6", "order-2026-11-17", "lqpzwvtrkkbn", "ordinary")]
    [True, False, False, True, False]
    """
    pieces = [piece for piece in _PIECE.findall(text) if len(piece) >= 5 and not _HUMPS.fullmatch(piece)]
    return any(len(_SWITCH.findall(piece)) >= max(3, len(piece) / 5) for piece in pieces) or unlikely(text)


def unlikely(text: str) -> bool:
    """Whether its letters follow each other as they do in no word."""
    runs = [run.lower() for run in _LETTERS.findall(text)]
    pairs = [pair for run in runs for pair in pairwise(run)]
    return len(pairs) >= 7 and sum(b not in FOLLOWS[a] for a, b in pairs) >= UNUSUAL * len(pairs)
