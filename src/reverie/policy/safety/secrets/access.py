"""Passwords and codes that are never called so: "you get in with Mulberry-Lane-40", "the barrier wants 66203".

First what could be one is looked for, by how it is written; only then the words around it, which must speak of
getting in. A password needs one such word, a number several signs of different sorts: what is locked, what one does
with it, how the number is said.
"""

import re
from collections.abc import Iterator
from re import Match

from reverie.policy.safety.secrets.looks import look_of

AROUND, BEHIND = 110, 70  # characters that are read before and after
LONGEST = 44
# A capital, a small letter, and a sign or number inside: few words of any text are so written.
_PASSWORD = re.compile(
    r"(?<![\w@/.:#$%&+=~\\|;!?*^-])(?=[^\s]{0,40}[0-9!@#$%^&*~+|;{}])"
    r"(?:[^\W_]|[_.;|/+!@#$%^&*~{}-](?=[^\s\"'`,)\]»”])){7,44}(?![\w@/:=(\[+-]|[.#][a-z])"
)
_SIGNED, _JOINT = re.compile(r"[0-9!@#$%^&*~+|;{}]"), re.compile(r"[^\W_][-_.!][^\W_]")
_LEET = re.compile(r"[A-Z][a-z]{0,12}(?:[013457][A-Za-z]{1,12}){2,4}\d{0,4}")  # Bl4ckC0ffee
_APPOSED = re.compile(  # the board X: a noun before it, and nothing that joins the two
    r"(?i)\b(?!(?:it|him|her|them|me|us|you|usual|same|one|echo|always|again)\s)[^\W\d_]{1,24}\s[\"'`“„«(]{0,2}\Z"
)
_OF_JSON = re.compile(r"[\"']\s{0,2}[:=]\s{0,2}\Z|\b(?:noqa|port|pid|line|rfc|http|status)[:= ]{1,3}\Z")
_JOINED = re.compile(r"(?<![\w.@/-])[^\W_]+(?:[-_.!][^\W_]+)+(?![\w@/(=])")
_TO_TYPE = re.compile(  # what somebody is told to type
    r"(?i)\b(?:types?|typed|enter|escrib[ae]|teclea|tape[rz]?|saisi[sr]|saisissez|tippe?|gib|digita|digite|inserisci"
    r"|wpisz|skriv|typ|codes?|key|clave|clé|codice"
    r"|schlüssel|pass):?\s[\"'`«„“]?\s?\Z"
)
_THEN = re.compile(  # then the next key, or nothing
    r"(?i)[\"'`»”]?(?:\s(?:and|then|y|et|e|und|ein|en|i|och|at|as|to get|to log|when|if|exactly)\b|[.,;!]?\s{0,2}$"
    r"|[.,;!]\s)"
)
_CODE = re.compile(
    r"(?<![\w.,:/#@$€£%+=~*\\-])(?<!\d )(?:\d{4,8}[#*]{0,2}|[*#]\d{4,8}[*#]?|\d{3}[ -]\d{3}|\d{4}[ -]\d{4}"
    r"|[A-Z0-9](?:-[A-Z0-9]){3,6}|\d{1,2}(?:-\d{1,2}){2,3}|(?=\d*[A-Z])(?=[A-Z]?\d)[A-Z0-9]{4,7}[#*]?)"
    r"(?![\w/%€$£°@=(\[-]|[.,:]\d|\.[a-z]|#\w| \d)"
)
_ACCESS = re.compile(
    r"""(?ix)(?<![a-zà-ž])(?:
    (?:get|gets|got|getting|let|lets|log|logs|logging|logged|sign|signs|signed|signing|buzz|let's)(?:[ ](?:you|me|us
    |them|him|her|folks))?
      [ -]?(?:in|into|on|onto|back[ ]in)(?![a-z])
    | logins?|logons?|typ(?:e|es|ed|ing)|enter(?:s|ed)?|prompt(?:s|ed)?|asks?|asked|asking|unlock(?:s|ed|ing)?
    | decrypts?|decrypted|encrypt(?:s|ed|ion)?|locked|protected|opens?|admin(?:istrator)?|root|sudo|sso|ssh|rdp|s?ftp
    |smb|vnc|telnet
    | nas|idrac|ilo|ipmi|bmc|vpn|portal|dashboard|router|wi-?fi|wlan|hotspot|printer|user(?:name)?s?|guests?|accounts?
    | acct|credentials?|creds?
    | the[ ]usual|(?:new|same|old|usual|other|normal|current)[ ]one|one-off|app-specific
    | (?:set|changed?|reset|updated?|switched|rotated|put|made)[ ](?:it|that|this|them|mine|ours|his|hers
    |everything)?[ ]?(?:back[ ])?(?:to|is|as)
    | give[ ](?:it|them|him|her)|answer(?:s|ed)?[ ](?:with|is|it)|bind|mount|break-?glass|emergency|secret|memori[sz]e
    | (?:don['’]?t|do[ ]not|never|not)[ ](?:to[ ])?(?:share|tell|post|lose|forget|repeat)|keep[ ](?:it|this
    |that)[ ](?:safe|secret|private)
    | rotate[sd]?|leaked|sticky|post-it|wrote[ ]it|written[ ]down|rescue|demo|spotify|netflix|hulu|disney|icloud
    |gmail|outlook|paypal|ebay
    | online[ ]banking|e-?mail|bank|rcon|amazon|steam|playstation|xbox|discord|slack|instagram|facebook|linkedin|zoom
    |dropbox|jira|jenkins|grafana|synology|payroll|intranet
    | access|accès|acceso|acesso|accesso|zugang|zugriff|toegang|dostęp
    | kommst[ ]du|reinkomm\w*|rein|anmeld\w{1,4}|angemeldet|einlogg\w{1,4}|eingeben|eingibst|gib|gebt|tippe?
    |entsperr\w{1,4}|entschlüssel\w{1,4}|benutzer
    | connecte\w{0,3}|entre[rz]?|tape[rz]?|sais\w{1,4}|déverrouill\w{1,4}|déchiffr\w{1,4}|retiens|utilisateur
    |identifiant|sésame|j'ai[ ]mis|compte
    | entra[rs]?|escrib\w{1,4}|desbloque\w{1,4}|descifr\w{1,4}|pon|inici\w{1,4}[ ]sesión|acced\w{1,4}|usuario|cuenta|usa
    | digit[aeo]\w{0,3}|acess\w{1,4}|usem?|usuário|conta|entrem
    | accedi\w{0,3}|digita\w{0,3}|scriv\w{1,3}|sblocc\w{1,4}|utente|inserisci
    | inloggen|inlog|aanmelden|typ|ontgrendel\w{0,3}|gebruiker|zaloguj\w{0,3}|wpisz|odblok\w{1,5}|użytkownik|konto
    |logga[ ]in|skriv|användare
    )(?![a-zà-ž])
    | войти|вход|введи|логин|разблок|пользовател|зайти|доступ | 登录|登陆|登入|输入|解锁|账号|帐号|用户名 | ログイン
    |入力|解除|アカウント|ユーザー
    | 로그인|입력|계정|아이디|비번|접속
    """
)
# A thing with that name is no password.
_NAMED = re.compile(
    r"(?i)(?:release|version|branch|ticket|issue|models?|build|flight|room|table|figure|chapter|order|invoice|sku"
    r"|product"
    r"|files?|called|named|project|class|function|method|tests?|tag|container|pod|host|hostname|machine|node|commit"
    r"|by|per|see|like"
    r"|module|package|import|def|struct|enum|interface|extends|implements|plate|reg|part|serial|firmware|ssid|network"
    r"|theme|font"
    r"|named|vs\.?|than|and|or|run|running|upgrade to|install|device|handle|nick(?:name)?|alias|username|user"
    r"|id)[:=]?[ \t]{0,2}[\"'`(]{0,2}\Z"
    r"|\b(?:colou?r|names?|number|size|version|theme|font|title|nickname|handle)"
    r" (?:is|was|are|ist|est|es)\s[\"'`(]{0,2}\Z"
)
_OTHERWISE = re.compile(
    r"(?i)\b(?:ctrl|shift|alt|cmd|meta|super|option|esc)\b|\*\*|\+\+|@v?\d|^[\w-]+@[\w-]+$|^fritz!|^yahoo!|#[a-z_]+$"
    r"|&[a-z]+;|&&|\|\||://"
)
# Other codes than those that open something.
_OTHER_CODE = re.compile(
    r"(?i)(?:postal|postcode|post|zip|area|exit|status|error|country|qr|source|promo|discount|coupon|course|dress"
    r"|response|return|sort|colou?r|bar|hex|rabatt|promotion)\w{0,3}"
    r"[ -]?(?:codes?|code postal)?\b[^\n.!?,]{0,12}\Z|\b(?:code postal|código postal|cap|plz)\b[^\n.!?,]{0,12}\Z"
    r"|\b(?:zip|postal|post|area|country|sort|swift|promo|discount|coupon|exit|status|error|qr|bar)[ -]?codes?\b"
    r"[^\n.!?,]{0,40}\Z|\bclock\b[^\n.!?,]{0,24}\Z"
    r"|[a-z][\w.]{0,40}[._](?!\w{0,20}(?:code|pin))\w{1,30}\s?[=:]\s?\Z"
    r"|\b(?:limit|max|min|size|count|from `\d+`)\b[^\n]{0,16}\Z"
    r"|\b(?:sku|product|item|flight|booking|room|bus|line|stra(?:ß|ss)e|year|baujahr|height|width|weighs?|costs?"
    r"|price|number is|(?:house|flat|room|unit|suite|phone|account|order|case|bus|train|platform) n(?:umber|o\.?|r\.?)"
    r"|at|by|until|till|um|à|a las|since|(?<!punch )(?<!key )(?<!type )(?<!tap )in|seit|from)[:"
    r" ]{1,2}\Z"
)
_THING = re.compile(
    r"""(?ix)(?<![a-zà-ž])(?:
    (?:front|back|side|garage|cellar|shed|roof|main|car)?[ ]?(?:doors?|gates?|barriers?)|safes?|lock(?:er|box|s)?
    |lock[ ]box|key[ ]?(?:box|safe|pad)|padlock|alarm|vault
    | building|entrance|entry|flat|apartment|airbnb|lobby|stairwell|elevator|lift|garage|car[ ]?park|parking|shed
    |bike|suitcase|luggage|briefcase|gym
    | i?phone|ipad|tablet|laptop|tv|telly|sim|voicemail|car[ ]radio|stereo|radio|thermostat|printer|copier
    |photocopier|safe[ ]deposit|atm|debit|credit|bank|card|girocard
    | parental|signal|whatsapp|conference|meeting|bridge|kiosk|pad|mailbox|letterbox|wallet|kids|cleaner|landlord
    |intercom|buzzer|house|office|cabin|storage[ ]unit|unit
    | tür|haustür|tor|tresor|keller|garage|handy|karte|ec-?karte|girokarte|safe|alarmanlage|gartentor|fahrradschloss
    |schloss|spind
    | porte|portail|coffre|cadenas|boîte[ ]à[ ](?:clés|lettres)|clés|cave|local[ ]à[ ]vélos|immeuble|téléphone|carte
    |alarme|digicode|interphone|casier
    | puerta|portal|caja[ ]fuerte|candado|móvil|tarjeta|alarma|garaje|taquilla | porta|portão|cofre|cadeado|celular
    |cartão|alarme|garagem
    | cancello|cassaforte|lucchetto|telefono|carta|bancomat|allarme|portone | deur|poort|kluis|slot|telefoon|pas
    |fietsenstalling|kelder|berging|schuur|sleutelkastje
    | drzwi|bram[ay]|furtk[ai]|klatk[ai]|piwnic[ay]|sejfu?|kłódk[ai]|telefonu?|kart[ay]|domofonu?|dörr(?:en)?
    |grind|dør(?:en)?
    )(?![a-zà-ž]) | дверь|двери|подъезд|домофон|ворот|сейф|замок|телефон|карт[аыу] | 门禁|大门|门锁|保险箱|手机
    |银行卡|门 | 玄関|ドア|金庫|ロッカー|スマホ|カード | 현관|도어락|금고|카드|휴대폰
    """
)
_ACT = re.compile(
    r"""(?ix)(?<![a-zà-ž])(?:
    opens?|unlock(?:s|ed)?|disarms?|punch|dials?|key[ ]in|type|enter|press|turn[ ]to|locked|lock(?:s|ed)|let[ ](?:me
    |you|us|them)|get[ ](?:in|into|you|me)|gets[ ]you
    | log[ ]in|sign[ ]in|verif(?:y|ication)|confirm|wants?|wanted|asks?|asked|takes|override|buzz|reset|use|lets|cast
    |tap|tap[ ]in|arm
    | öffne\w*|aufmach\w*|aufsperr\w*|eingeben|gib|tippe?|drück\w*|entsperr\w* | ouvr\w+|tape[rz]?|compose[rz]?
    |entre[rz]?|déverrouill\w+
    | abr[eia]\w*|marca\w*|teclea\w*|desbloque\w* | digit[ae]\w* | apr[ei]\w*|sblocc\w* | openen?|toets|typ
    | otwier\w+|wpisz|wciśnij
    )(?![a-zà-ž]) | набери|открыва|введи | 输入|打开|解锁|开门 | 入力|開け|解除 | 입력|열
    """
)
_NOUN = re.compile(
    r"""(?ix)(?<![a-zà-ž])(?:
    codes?|digits|\d-digit|combination|combo|number[ ]on|pins?|passcode|otp|one-time|keypad|security|anti-theft|secret
    |geheimzahl|ziffern|kombination|zahlencode|türcode
    | chiffres|combinaison|código|codigo|cifras|combinación|clave|senha|combinação|codice|cifre|combinazione
    |cijfercode|cijfers|kod|kodu|szyfr
    )(?![a-zà-ž]) | \b(?:код|пин|цифр)\w* | 密码|验证码|验证|密碼|驗證碼|暗号 | 暗証|番号|コード | 비밀번호|번호|코드
    |인증
    """
)
_GUARDED = re.compile(
    r"(?i)\b(?:don['’]?t|do not|never)\s(?:share|tell|give|post|text|forget|lose)|\bexpires?\b|\bvalid (?:for|until)\b|"
    r"\bsame as (?:last|before|always|ever)|\bas (?:always|usual|ever)\b|\b(?:kids|nobody|anyone)\b|nicht weiter|ne "
    r"(?:le )?(?:donne|dis)"
    r"|no (?:lo )?(?:compartas|digas)|有效|않|刻内"
)
_SAID = re.compile(
    r"""(?ix)(?:
    [:=→：—–]\s{0,3} | (?<![a-zà-ž])(?:is|are|it['’]?s|that['’]?s|they['’]?re|was|to|with|now|on|mine['’]?s|use|enter
    |type|punch[ ]in|dial|press|key[ ]in|try|still|wants|takes|then|uses|used|for
    | (?:changed?|switched|went|updated|rotated|moved)[ ](?:\w{1,12}[ ]){0,3}from
    | ist|sind|lautet|mit|jetzt|auf|war|c['’]est(?:[ ]le)?|est(?:[ ]le)?|avec|es(?:[ ]el)?|son|con|é|è|com|met|op|to
    |jest|numer|again|just|number
    | changed[ ]to|tape[rz]?|wpisz|combo|combination|pin|code['’]?s?|kod|codice|código)\s{1,2}
    | (?:是|为|は|：|은|는|с|на|это|code
    |код|kod|코드|码|號|号)\s{0,2}
    )["'`“„«(]{0,2}\Z"""
)
_UNIT = re.compile(
    r"(?i)\s{0,2}(?:mm|cm|m|km|ft|kg|g|mg|ml|l|w|v|hz|kwh?|px|ms|s|sec|min|h|am|pm|eur|usd|gbp|€|\$|£|%|°|k\b|mb|gb"
    r"|euros?|dollars?|pounds?|people|times"
    r"|steps|miles|words|rows|lines|items|users|calories|kcal|tokens?|characters|hours?|minutes?|seconds?|days?"
    r"|weeks?|months?|years?|points?|votes|views"
    r"|pages|and \d|-\d|x\d|to \d|of \d|or \d{3})\b"
)
_CLOCK = re.compile(r"(?i)\b(?:alarm|clock|timer|wake|wecker)\b[^\n.!?]{0,30}\b(?:set|goes|rings|auf|at|for|up)\b")
_TIME = re.compile(r"[01]?\d[0-5]\d\Z|2[0-3][0-5]\d\Z")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_TURNS = re.compile(r"\d{1,2}(?:-\d{1,2}){2,6}\Z")
_PAIR = re.compile(  # admin / oakleaf77
    r"(?<![\w/.-])(?i:(?:admin|root|guest|demo|user|test)\w{0,10}|[\w.]{1,30}@[\w.-]{1,40})\s/\s"
    r"(?P<secret>[^\s/,;\"'`]{6,40})(?![^\s,;.)]|\s{0,2}/)"
)
PAIRED = ("made", "mixed", "signed", "numbered", "word and digits", "paired", "random", "id")
ENOUGH = 3


def unnamed(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of passwords and codes that only the words of access near them tell.

    >>> [t[a:b] for t in ("you get in with Mulberry-Lane-40.", "see Mulberry-Lane-40.") for a, b, _ in unnamed(t)]
    ['Mulberry-Lane-40']
    >>> [t[a:b] for t in ("punch in 66203 at the barrier", "the barrier is 1200 mm wide") for a, b, _ in unnamed(t)]
    ['66203']
    """
    for match in _JOINED.finditer(text) if _JOINT.search(text) else ():
        if _is_typed_in(text, match):
            yield match.start(), match.end(), "password"
    if not _SIGNED.search(text):
        return
    for match in _PASSWORD.finditer(text):
        if _is_password(text, match):
            yield match.start(), match.end(), "password"
    for match in _CODE.finditer(text):
        if _signs(text, match) >= _wanted(match[0]):
            yield match.start(), match.end(), "password"
    for match in _PAIR.finditer(text):
        if look_of(match["secret"]) in PAIRED and speaks_of_access(text, *match.span("secret")):
            yield *match.span("secret"), "password"


def _wanted(number: str) -> int:
    """How many signs a number needs: a year more, the turns of a lock fewer."""
    turns = [int(part) for part in number.split("-")] if _TURNS.match(number) else []
    date = len(turns) == 3 and turns[0] <= 31 and turns[1] <= 12
    return ENOUGH + (_YEAR.match(number) is not None) - (len(turns) > 2 and not date)


def _is_typed_in(text: str, match: Match[str]) -> bool:
    start, end = match.span()
    told = _TO_TYPE.search(text[max(0, start - 16) : start])
    return bool(
        told
        and _THEN.match(text, end)
        and look_of(match[0]) in ("paired", "numbered", "made")
        and speaks_of_access(text, start - len(told[0]), end)
    )


def speaks_of_access(text: str, start: int, end: int, often: int = 1) -> bool:
    """Whether the words around a place speak of getting in, so many of them at least."""
    before, after = text[max(0, start - AROUND) : start], text[end : end + BEHIND]
    return len({word.lower() for part in (before, after) for word in _ACCESS.findall(part)}) >= often


def _is_password(text: str, match: Match[str]) -> bool:
    start, end = match.span()
    word, look, before = match[0], look_of(match[0]), text[max(0, start - 24) : start]
    if look in ("made", "mixed", "signed"):
        written = look == "made" or (any(map(str.isupper, word)) and not word.isupper() and word[0].isalpha())
        written = written and (_SAID.search(before) is not None or _APPOSED.search(before) is None)
        often = 1
    else:  # one word and a number: it has to be said, and more than once what it is for
        written = (
            (look in ("word and digits", "numbered") or _LEET.match(word) is not None)
            and word[0].isupper()
            and _SAID.search(before) is not None
        )
        often = 2
    return (
        written
        and not _OTHERWISE.search(word)
        and not _NAMED.search(before)
        and speaks_of_access(text, start, end, often)
    )


def _signs(text: str, match: Match[str]) -> int:
    """How many words around a number say that it opens something."""
    start, end = match.span()
    before, after = text[max(0, start - AROUND) : start], text[end : end + BEHIND]
    said = bool(_SAID.search(before)) or (before.endswith(", ") and after[:1] in (".", ",", "", "\n"))
    direct = [found.end() for found in _THING.finditer(before[-16:])]
    if direct and not before[-16:][direct[-1] :].strip(" :"):  # "gate 5502#", "the code of the gate 5502"
        said = said or match[0][-1] in "#*" or _TURNS.match(match[0]) is not None or _NOUN.search(before) is not None
    if _CLOCK.search(before) and _TIME.match(match[0]) and not _NOUN.search(before):
        return 0
    asked_for = said or _NOUN.search(before[-30:]) or _ACT.search(before[-16:])
    if not asked_for or _UNIT.match(after) or _OTHER_CODE.search(before) or _OF_JSON.search(before):
        return 0
    around = f"{before} ; {after}"
    things, acts = (min(2, len({found.lower() for found in sort.findall(around)})) for sort in (_THING, _ACT))
    noun, guarded = (_NOUN.search(around) is not None, _GUARDED.search(around) is not None)
    opens_something = things or (acts and (noun or guarded))
    return things + acts + noun + guarded + said + (match[0][-1] in "#*") if opens_something else 0
