"""Where commands, addresses and settings of programs hold secrets: flags, links, headers, lists of bytes.

`shapes` makes its table of these lines: kind, marks, pattern, check and, where the group `secret` is only a place,
what is looked for in it.
"""

import re
from collections.abc import Callable

from reverie.language.vocabulary import STOP_WORDS, word_set
from reverie.policy.safety.secrets import checks
from reverie.policy.safety.secrets.looks import look_of, random, unlikely
from reverie.policy.safety.secrets.words import look_at

NEW = r"(?!\[redacted)"  # what was taken out is not found again
Line = tuple[str, str, str, Callable[[str], bool], str]
TYPED = frozenset(("made", "mixed", "signed", "random", "long random", "numbered", "hash"))
_DESCRIBED = word_set(
    "string str text value name file path env stdin int bool flag option is and or to for from in the"
)


# In no list of words that wallets choose from, and in nearly every sentence.
_JOINING = word_set("the and for with are was were but from have has had not its our his her their them been who")
_FILE = re.compile(r"\d\.\d+\.\d|\.(?:html?|tgz|gz|zip|tar|whl|jar|md|pdf|png|svg|js|css|py|ts|json|ya?ml)\Z")
_SETTINGS = re.compile(r"[a-z]{2,12}=[^=]")
_ELSEWHERE = re.compile(r"[$@%<{(\[~*/.]|[\w.]{1,60}[(\[]|\w{2,20}:/|(?:file|env|op|vault):|:\d")


def typed(value: str) -> bool:
    """Behind a short flag: written as passwords are, and no port, path or name."""
    return look_of(value) in TYPED and not re.search(r":\d|/|^\d+$|^[a-z]+\d?(?:-[a-z]+\d*)*$", value)


def given(value: str) -> bool:
    """Behind a flag that says what it is: anything but a placeholder, a reference, or what a help page says of it."""
    plain = value.strip("\"'")
    return (
        not _ELSEWHERE.match(plain)
        and not checks.form(plain)
        and len(plain) > 3
        and not plain.isupper()
        and plain.lower() not in _DESCRIBED | checks.PLAIN_WORDS | checks.PLACEHOLDERS
        and look_of(plain) != "address"
    )


def typed_or_word(value: str) -> bool:
    """Written as passwords are, or a word with a number."""
    return look_of(value) in (*TYPED, "word and digits", "paired") and not checks.form(value)


def keyed(value: str) -> bool:
    """Behind a flag for a key: what is no name of one, and no list of settings."""
    return given(value) and not _SETTINGS.match(value) and look_of(value.strip("\"'")) in (*TYPED, "grouped")


def said_to_a_server(value: str) -> bool:
    return look_of(value) in TYPED or checks.basic(value) or (" " in value and any(map(str.isdigit, value)))


def made_or_grouped(value: str) -> bool:
    """What somebody gives to a call that logs in: written as passwords are, a word with a number, or in groups."""
    return typed_or_word(value) or look_at(value, quoted=True) == "grouped"


def made_by_somebody(value: str) -> bool:
    return look_of(value) in ("made", "mixed")


def scattered(value: str) -> bool:
    """Characters of no meaning, in a link or a header."""
    return random(value) and not checks.form(value)


def in_a_link(value: str) -> bool:
    """Characters of no meaning, not the words of a page's name or a file's."""
    return not _FILE.search(value) and (scattered(value) or checks.generated(value) or look_of(value) in TYPED)


def scattered_or_signed(value: str) -> bool:
    """Characters of no meaning, or many signs among them."""
    return scattered(value) or (len(re.findall(r"[^\w\s]", value)) >= 4 and not checks.form(value))


def generated_or_hex(value: str) -> bool:
    return checks.generated(value) or (len(set(value)) > 8 and look_of(value) == "hash")


def bytes_of_a_key(value: str) -> bool:
    """Numbers of a byte each, and not all the same."""
    numbers = [int(n, 16 if "x" in n.lower() else 10) for n in re.findall(r"0x[0-9a-fA-F]{1,2}|\d{1,3}", value)]
    return len(numbers) >= 16 and max(numbers) < 256 and len(set(numbers)) > len(numbers) / 3


def mnemonic(value: str) -> bool:
    """Twelve words or more, none of which only joins others."""
    words = re.findall("[a-z]+", value)
    joining = {*words} & STOP_WORDS
    few = len(joining) <= len(words) / 8 and not joining & _JOINING
    return len(words) in (12, 15, 18, 21, 24) and len({*words}) > len(words) / 2 and few


def backs_a_card(value: str) -> bool:
    return len(set(value)) > 1


_PASS_FLAG = r"(?:[\w.-]{0,30}(?:passw(?:or)?d|passphrase|passwd|pwd|(?<!by)(?<!com)(?<!ask)pass|psk))"
_KEY_FLAG = r"(?:[\w.-]{0,30}(?:secret|(?<!no-)token|api-?key|access-?key|auth-?key|private-?key|credentials?))"
_VALUE = rf"(?:\"{NEW}(?P<a>[^\"\n]{{4,200}})\"|'{NEW}(?P<b>[^'\n]{{4,200}})'|{NEW}(?P<c>[^\s\"'`|<>]{{4,2000}}))"
ADDRESS = r"[^\s\"'<>`]{0,400}?"
COMMANDS: tuple[Line, ...] = (
    # --db-password X, -storepass X, /pass:X
    ("password", "-pass|-pwd|pass|/p:|/pw|/rp:|-psk",
     rf"(?:(?<![^\s\"'`(])--?{_PASS_FLAG}(?:=|\s{{1,2}})|\s/(?:p|pass|password|pw|rp):)(?!-){_VALUE}", given, ""),
    ("secret", "-secret|-token|key|-cred",
     rf"(?<![^\s\"'`(])--?{_KEY_FLAG}(?:=|\s{{1,2}})(?!-){_VALUE}", keyed, ""),
    # -p X, -P X, -w X, -k X, -pX, behind a program's name
    ("password", " -p| -w| -k| -a",
     rf"(?m:(?:^|(?<=[\s\"'`(;|&$]))(?=[A-Za-z0-9./_-]{{2,60}}\s))(?!(?:sudo )?(?:cp|mkdir|grep|e?grep|rg|tar|rsync|ps"
     rf"|ls|scp|nc|docker run|ssh|pytest|python3?|pip3?|git|sed|perl|nmap|lsof|kill|make|install|xargs|useradd|tee|rm"
     rf"|mv|touch|find|ln)\s)[^\n]{{0,200}}?\s-(?:[pPwkaAX]\s{{1,2}}|p)[\"']?{NEW}"
     r"(?P<secret>[^\s\"'`|<>]{6,200})",
     typed, ""),
    ("password", "ssh-keygen|openssl|gpg",
     rf"\b(?:ssh-keygen|openssl|gpg)\b[^\n]{{0,200}}?\s-(?:N|P|k|pass(?:in|out)? pass:)\s{{0,2}}[\"']{NEW}"
     rf"(?P<secret>[^\"'\n]{{4,100}})[\"']", given, ""),
    ("password", "openssl", rf"\bopenssl\b[^\n]{{0,200}}?\s(?:-k\s|pass:){NEW}(?P<secret>[^\s\"'$]{{4,100}})", given,
     ""),
    # What programs say to servers
    ("password", "pass ", rf"(?m:^)[<>\s*]{{0,4}}PASS\s{NEW}(?P<secret>\S{{4,100}})(?m:$)", given, ""),
    ("password", "auth |login ",
     rf"\b(?:AUTH (?:PLAIN|LOGIN|default|\w{{1,20}})|\w{{1,8}} LOGIN \S{{1,60}})\s[\"']?{NEW}"
     rf"(?P<secret>[^\"'\n]{{6,200}}?)[\"']?(?m:$)", said_to_a_server, ""),
    # ana:Wicker-Basket-1, a line each
    ("password", ":", rf"(?m:^)[ \t]{{0,8}}[\w.@+-]{{2,40}}:{NEW}(?P<secret>[^\s:@\"'`,;(){{}}\[\]]{{7,44}})(?m:$)",
     made_by_somebody, ""),
    ("secret", "unseal|--unseal", rf"\bunseal\s{{1,2}}{NEW}(?P<secret>[A-Za-z0-9+/=]{{24,100}})", scattered, ""),
    ("password", "snmp",
     rf"\bsnmp[a-z]{{2,12}}\b[^\n]{{0,100}}?\s-c\s{{1,2}}[\"']?{NEW}(?P<secret>[^\s\"']{{4,60}})", given, ""),
    ("password", "net use",
     rf"(?i:\bnet use\b)[^\n]{{0,160}}?/user:\S{{1,80}}\s{{1,2}}{NEW}(?P<secret>[^\s\"'/]{{4,100}})", given, ""),
    ("password", "send", rf"\bsend\s{{1,2}}[\"']{NEW}(?P<secret>[^\"'\\\n]{{4,100}})\\[rn][\"']", typed, ""),
    ("password", "echo|printf",
     rf"\b(?:echo|printf)\s{{1,2}}(?:-[ne]{{1,2}}\s)?[\"']?{NEW}(?P<secret>[^\s\"'"
     rf"|]{{4,100}})[\"']?\s{{0,2}}\|[^\n]{{0,60}}?"
     r"(?:sudo\s-S|--\w{0,20}password-stdin|passwd|cryptsetup|chpasswd|openssl|gpg)", given, ""),
    ("password", "chpasswd",
     rf"[\"']?[\w.-]{{1,40}}:{NEW}(?P<secret>[^\s\"'|]{{4,100}})[\"']?\s{{0,2}}\|\s{{0,2}}(?:sudo\s)?chpasswd", given,
     ""),
    ("password",
     "requirepass|masterauth|community|enable secret|enable password|key-string|bindpw|rootpw|bindcredential|secret 0"
     "|auth_pass",
     r"\b(?:requirepass|masterauth|(?:snmp-server|snmp) community|(?:ro|rw)community6?|enable (?:secret|password)(?:"
     r" level \d{1,2})?|username \S{1,40}(?: privilege \d{1,2})? (?:secret|password)"
     rf"|key-string|bindpw|rootpw|olcRootPW:|auth_pass)\s{{1,4}}(?:[057]\s)?[\"']?{NEW}(?P<secret>[^\s\"';]{{4,200}})",
     given, ""),
    ("secret", "://", rf"(?i:https?://{ADDRESS})(?P<secret>[?&#][^\s\"'<>`)]{{8,800}})", checks.no_form,
     r"(?i:[?&#]\w{0,20}(?:token|key|secret|signature|sig|password|pwd|otp|invite|ticket|auth))="
     rf"{NEW}(?P<secret>[A-Za-z0-9_%.~+-]{{15,600}})"),
    # A link that lets in whoever has it
    ("secret", "://",
     rf"(?i:https?://{ADDRESS}(?:auth|verif|reset|magic|log-?in|sign-?in|invit|confirm|activat|password|session|sso"
     rf"|callback|oauth"
     rf"|unsubscribe|join|share|download|token|hook|vault|send)){ADDRESS}(?P<secret>[?&#/][^\s\"'<>`)]{{8,800}})",
     in_a_link,
     rf"(?:[?&#](?!(?:client_id|state|redirect|response|scope|utm_|id=|uid|user|ref=|v=|gclid|fbclid|node|origin|kid"
     rf"|email)\w{{0,20}}=?)[\w.-]{{1,30}}=|/){NEW}"
     r"(?P<secret>[A-Za-z0-9_%.~+-]{15,600})"),
    # login("dana", "X"), loginAs('editor', 'X')
    ("password", "log|sign|auth",
     rf"(?i:\b|_|\.)(?i:log_?in|sign_?in|authenticate)(?:_?[aA]s|_?[wW]ith\w{{0,20}}|_?[uU]ser)?\(\s{{0,4}}[\"'][^\"'\n]{{1,80}}[\"'],"
     rf"\s{{0,4}}(?:\"{NEW}(?P<a>[^\"\n]{{4,100}})\"|'{NEW}(?P<b>[^'\n]{{4,100}})')", made_or_grouped, ""),
    # jwt.sign(payload, 'X'), createHmac('sha256', 'X')
    ("secret", "jwt.|hmac",
     rf"(?i:\bjwt\.(?:sign|encode|verify|decode)|createHmac|hmac\.new)\([^)\n]{{0,80}}?,\s{{0,4}}b?[\"']{NEW}"
     rf"(?P<secret>[^\"'\n]{{6,200}})[\"']", typed_or_word, ""),
    ("password", "net user",
     rf"(?i:\bnet user)\s{{1,2}}[\w.-]{{1,40}}\s{{1,2}}{NEW}(?P<secret>[^\s/\"'*]{{4,100}})", given, ""),
    ("secret", "mc alias set",
     rf"\bmc alias set \S{{1,60}} \S{{1,200}} \S{{1,100}} {NEW}(?P<secret>[^\s\"'$]{{8,200}})", given, ""),
    # admin:X, in a line of other words
    ("password", "admin:|root:|guest:|user:|test:|demo:",
     rf"(?<![\w/@.:-])(?:admin|root|guest|user|test|demo):{NEW}(?P<secret>[^\s:@\"'`,;(){{}}\[\]]{{7,44}})(?![^\s,;.)\"'`])",
     made_by_somebody, ""),
    # the turns of a lock
    ("password", "left|right",
     rf"(?i:\b(?:safe|lock|dial|combination|combo|vault)\b)[^\n]{{0,60}}?{NEW}"
     rf"(?P<secret>\d{{1,2}} (?:to the )?(?:left|right)"
     rf"(?:[, ]{{1,2}}(?:then )?\d{{1,2}} (?:to the )?(?:left|right)){{1,3}}"
     rf"|(?:left|right) (?:to )?\d{{1,2}}(?:[, ]{{1,2}}(?:then )?(?:left|right) (?:to )?\d{{1,2}}){{1,3}})", bool, ""),
    # PWD={X}; of ODBC
    ("password", "pwd={|password={",
     rf"(?i:\b(?:pwd|password)=\{{){NEW}(?P<secret>[^{{}}\n]{{4,100}})\}}(?=;|[\"'\s]|\Z)",
     typed_or_word, ""),
    # dana:X@ftp.acme.example, and app:X@tcp(db:3306) of Go
    ("password", "@",
     rf"(?<![\w/@.:+-])(?!(?i:mailto|b?cc|to|from|e?-?mail|user|contact|sips?|xmpp|acct|login|reply-to|owner|author|by):)"
     rf"[\w.-]{{1,40}}:{NEW}(?P<secret>[^\s:@/\"'()]{{6,60}})@(?=(?:tcp|unix)\(|[a-z0-9-]{{1,40}}(?:\.[a-z0-9-]{{1,40}}){{1,4}}"
     rf"\.[a-z]{{2,10}}\b)", typed_or_word, ""),
    ("secret", "?sess|&sess|?sid=|&sid=",
     rf"(?i:[?&](?:sid|sess(?:ion)?(?:_?(?:id|key|token))?)=){NEW}(?P<secret>[A-Za-z0-9_%.~+-]{{24,600}})",
     generated_or_hex, ""),
    ("secret", "authorization", r"(?i:\bauthorization[\"']?\s{0,3}[:=])(?P<secret>[^\n]{8,4000})", scattered,
     rf"(?:[=:\s\"']){NEW}(?P<secret>[A-Za-z0-9._~+/-]{{16,2000}}={{0,2}})"),
    ("secret", "key|secret|seed|bytes|psk",
     r"(?i:key|secret|seed|psk)[^\n\[{(]{0,40}[\[{(]\s{0,20}(?P<secret>(?:0x[0-9a-fA-F]{1,2}|\d{1,3})"
     r"(?:\s{0,20},\s{0,20}(?:0x[0-9a-fA-F]{1,2}|\d{1,3})){15,130})",
     bytes_of_a_key, ""),
    ("secret", "key|secret|psk",
     rf"(?i:key|secret|psk)[\"']?\s{{0,3}}[:=]?\s{{0,3}}[\"']?{NEW}(?P<secret>(?:[0-9a-fA-F]{{2}}[:"
     rf" ]){{15,63}}[0-9a-fA-F]{{2}})(?![:\w])",
     scattered, ""),
    ("private_key", "private|priv|pk ",
     rf"(?i:\bpriv(?:ate)?[ _-]?key|\bpk)\b[^\n]{{0,24}}?(?<![0-9A-Za-z]){NEW}"
     rf"(?P<secret>[0-9a-f]{{64}})(?![0-9A-Za-z])",
     generated_or_hex, ""),
    ("private_key", "wif|wallet|bitcoin|btc|private|import|electrum|privkey|key",
     r"(?<![A-Za-z0-9])(?P<secret>5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![A-Za-z0-9])",
     scattered, ""),
    ("secret", "-", r"(?<![\w-])(?P<secret>(?=[A-Z-]{0,28}\d)[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4})(?![\w-])", bool, ""),
    ("recovery_code", "-", r"(?<![\w-])(?P<secret>\d{6}(?:-\d{6}){7})(?![\w-])", bool, ""),
    ("password", "-", r"(?<![\w-])(?P<secret>[a-z]{4}(?:-[a-z]{4}){3})(?![\w-])", unlikely, ""),
    ("recovery_phrase", "1",
     r"(?P<secret>(?<![\w.])1[.):]{0,1}[ \t]{1,2}[a-z]{3,8}(?:[\s,;]{1,4}\d{1,2}[.):]{0,1}["
     r" \t]{1,2}[a-z]{3,8}){11,23})", bool, ""),
    ("recovery_phrase", "seed|mnemonic|wallet|recovery|metamask|ledger|trezor|phantom|phrase",
     r"(?m:^|[:\"'`(→—–?!.-])[ \t]{0,3}(?P<secret>[a-z]{3,8}(?:[ \t,\n]{1,2}[a-z]{3,8}){11,23})(?=[ \t]{0,3}(?:$"
     r"|[\"'`)\n.(—–<]))", mnemonic, ""),
    ("private_key", "-mac:", r"(?:Private|\])-MAC: (?P<secret>[0-9a-f]{40,64})", bool, ""),
    ("api_key", "live|prod|sk_|sk-|key|token|secret|api|pat|auth|svc",
     r"(?<![A-Za-z0-9_-])(?:[a-z][a-z0-9]{0,11}[_-]){0,2}(?:sk|secret|key|apikey|api|pat|tok|token|live|prod|auth"
     r"|access|svc|priv|sec|cred|bot)"
     r"[_-](?:[a-z][a-z0-9]{0,7}[_-]){0,2}(?P<secret>[A-Za-z0-9]{20,120})(?![\w-])", scattered, ""),
    # AZURE_OPENAI_KEY=…: a setting by its name, and digits of no meaning
    ("secret", "_key|_pat|_psk|_token|_secret|_signing|_salt|_pepper|_hmac|_seed|_auth|_credential",
     r"(?<![\w.-])(?![\w]{0,60}(?:HASH|PUBLIC|PUB_|CACHE|PRIMARY|FOREIGN|SORT|PARTITION|IDEMPOT|DEDUP|OBJECT|IMAGE|HOST)"
     rf"\w{{0,40}}=)[A-Z][A-Z0-9]{{1,30}}(?:_[A-Z0-9]{{1,30}}){{0,6}}_(?:KEY|PAT|PSK|TOKEN|SECRET|SIGNING|SALT|PEPPER|HMAC|SEED|AUTH|CREDENTIALS?)[\"']?\s?[=:]\s?[\"']?"
     rf"{NEW}(?P<secret>[0-9a-f]{{32,128}})(?![\w-])", backs_a_card, ""),
    # define('AUTH_KEY', '…'), also with blanks and any sign
    ("secret", "define",
     rf"\bdefine\s?\(\s{{0,4}}[\"'](?:\w{{1,40}}_)?(?:KEY|SALT|SECRET|TOKEN|PASSWORD)[\"'],\s{{0,20}}"
     rf"(?:\"{NEW}(?P<a>[^\"\n]{{16,200}})\"|'{NEW}(?P<b>[^'\n]{{16,200}})')", scattered_or_signed, ""),
    # Addresses of services that let in whoever has the last part
    ("secret", "alchemy.com|infura.io|quiknode.pro|ankr.com|blastapi.io|getblock.io|chainstack.com|drpc.org|moralis"
     "|ifttt.com|tenderly.co|helius",
     rf"(?:alchemy\.com|infura\.io|quiknode\.pro|rpc\.ankr\.com|blastapi\.io|getblock\.io|chainstack\.com|drpc\.org"
     rf"|moralis-nodes\.com|maker\.ifttt\.com|tenderly\.co)/(?:[\w-]{{1,30}}/){{0,5}}{NEW}"
     r"(?P<secret>[A-Za-z0-9_-]{20,80})(?![\w-])", generated_or_hex, ""),
    # BW_SESSION="…": a setting of the environment, and characters of no meaning
    ("secret", "=",
     rf"(?<![\w.-])(?![\w]{{0,40}}(?:HASH|SHA|DIGEST|CHECKSUM|COMMIT|REV|PUBLIC|CERT|FINGERPRINT|ETAG|NONCE|BUILD|_ID"
     rf"|UUID|VERSION|IMAGE|INTEGRITY|KID|PATH)\w{{0,40}}=)"
     rf"[A-Z][A-Z0-9]{{1,30}}(?:_[A-Z0-9]{{1,30}}){{1,8}}=[\"']?{NEW}(?P<secret>(?=[^\s\"']{{0,200}}[A-Z])"
     rf"(?=[^\s\"']{{0,200}}[a-z])(?=[^\s\"']{{0,200}}\d)[A-Za-z0-9+/_-]{{32,400}}={{0,2}})(?![^\s\"';])",
     scattered, ""),
)  # fmt: skip

# The end of a card: number, month and year, and the three digits.
ENDS_OF_CARDS: tuple[Line, ...] = (
    ("card", "redacted:card",
     rf"\[redacted:card\][^\n]{{0,50}}?\b\d{{1,2}}\s?[/-]\s?(?:20)?\d\d\b[^\n\d]{{0,24}}{NEW}(?P<secret>\d{{3,4}})"
     rf"(?![\d/.-])", backs_a_card, ""),
    ("card", "digits",
     rf"\[redacted:card\][^\n]{{0,60}}?\bdigits[^\d\n]{{0,24}}{NEW}(?P<secret>\d{{3,4}})(?![\d/-]|\.\d)",
     backs_a_card, ""),
    ("card", "on the back|rückseite|au dos|reverso|sul retro|security digits",
     r"(?<![\d.,])(?P<secret>\d{3})(?=,?\s(?:on|at|from) the back\b|\sauf der rückseite|\sau dos\b|\sen el reverso"
     r"|\ssul retro)", backs_a_card, ""),
)  # fmt: skip

# Numbers that a state gives a person: the word for it, then the number.
_STATE_NUMBERS = (
    r"ssn|social(?=(?: is|:| #| number)\b)"
    r"|social security(?: number| no\.?| #)?|social insurance(?: number)?|personnummer|personnr|fødselsnummer|cpr"
    r"(?:-nummer)?|bsn|burgerservicenummer|pesel|cpf|cnpj|dni|nie|nif|curp"
    r"|aadhaar|aadhar|pan card|steuer-?id(?:entifikationsnummer)?|steuernummer|sozialversicherungsnummer"
    r"|rentenversicherungsnummer|sv-?nummer|ahv(?:-nummer)?|national insurance|ni number|nino|nhs number"
    r"|tax id|tax file number|tfn|medicare|codice fiscale|num[eé]ro de s[eé]cu(?:rit[eé] sociale)?|s[eé]curit[eé]"
    r" sociale|n[uú]mero de la seguridad social|passport|passeport|pasaporte|passaporto|passaporte"
    r"|reisepass\w{0,12}|ausweis\w{0,12}|paspoort\w{0,8}|dowód|driver['’]?s licen[cs]e|driving licen[cs]e"
    r"|führerschein\w{0,8}|permis de conduire|id card|cédula|rut|cuil|cuit|снилс|инн|паспорт\w{0,3}|身份证\w{0,3}"
    r"|护照\w{0,2}|マイナンバー|パスポート|주민등록번호|여권"
)
STATE: tuple[Line, ...] = (
    ("ssn",
     "ssn|social|person|cpr|bsn|burger|pesel|cpf|cnpj|dni|nie|nif|curp|aadha|pan card|steuer|versicherung|ahv|sv-"
     "|insurance|ni number|nino|nhs|tax|tfn|medicare|fiscale|sécu|secu|seguridad|passport|passeport|pasaporte"
     "|passapor|reisepass|ausweis|paspoort|dowód|licen|führerschein|permis|id card|cédula|rut|cuil|cuit|снилс|инн"
     "|паспорт|身份证|护照|マイナンバー|パスポート|주민등록번호|여권|fødsel",
     rf"(?i:(?<![a-z])(?:{_STATE_NUMBERS})(?![a-z]))[^\d\n]{{0,30}}?(?P<secret>(?<![\d.,])(?:[A-Z]{{1,6}} ?)?\d(?:["
     rf" .-]{{0,2}}[0-9A-Z](?![a-z])){{6,20}})(?![\w@])", checks.state_number, ""),
)  # fmt: skip
