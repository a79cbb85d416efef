"""Words that say a secret stands near, each with how much it says; and words that join one to its value.

Every line is a fact about how people and programs speak of secrets, and none is about a secret itself.
"""

import re
from dataclasses import dataclass

from reverie.language.vocabulary import word_set
from reverie.policy.safety.secrets.looks import CODE, KEY, PASSWORD


@dataclass(frozen=True, slots=True)
class Cue:
    """What a secret is called. `wants` is the column of `looks.POINTS`; `marks` are looked for first."""

    kind: str
    wants: int
    points: float
    words: str
    marks: str
    label: bool = True  # "password: X" gives X; "wifi: X" gives a network's name


_OWNERS = (
    r"(?:api|access|secret|private|auth|signing|encryption|master|service|licen[sc]e|account|shared|client|app"
    r"|admin|storage|deploy|webhook|session|crypto|bot|pre-?shared|subscription|consumer|integration|jwt|hmac|dd"
    r"|maps|server|project|recovery|unseal|activation|product|wallet|ssh|write|read|ingest|live|root|org|team"
    r"|personal|refresh|security|user|bearer|x-auth|setup|entry|manual|decryption|cluster|tunnel|registration"
    r"|application|provisioning|enrol?lment|t?otp|2fa|mfa|vapid|duo)"
)
_PLACES = (
    r"(?:gate|door|alarm|safe|entry|access|security|unlock|verification|verify|confirmation|one[- ]time|log[- ]?in"
    r"|sign[- ]?in|sms|otp|auth|authentication|pairing|key ?pad|garage|lock ?box|key ?box|building|entrance|locker"
    r"|padlock|vault|disarm|2fa|mfa|two[- ]factor|backup|recovery|rescue|scratch|reset|activation|parental|sim"
    r"|phone|house|shed|gym|bike|luggage|suitcase|bank|guard|steam|entrance|stairwell|parking|card|voicemail|lock"
    r"|office|secret|carte|porte|portail|alarme|immeuble|coffre|puerta|alarma|tarjeta|porta|cofre|cancello"
    r"|cassaforte|cellar|basement|tresor|tür|haustür|zugangs|sicherheits)"
)
CUES: tuple[Cue, ...] = (
    Cue("password", PASSWORD, 2,
        r"pass?w(?:or|ro|r)?[dt]e?s?(?!less)|pass?[word]{2,5}d(?![a-z])|(?<=[\"'*:])assword|p[as]{2}s?wort"
        r"|passcodes?"
        r"|passord(?:et)?|paswoord|pasvorto",
        "passw|pasw|passo|pasow|passr|pass|assword|psaswort|passcode|passord|paswoord"),
    Cue("password", PASSWORD, 2, r"passphrases?", "passphrase"),
    Cue("password", PASSWORD, 2,
    r"(?<!old)pwd|pswd|psswd|(?<![a-z0-9])(?:pw|pws|psw|psk)|(?<=bind)pw|(?<=root)pw|(?<=db_)pw|(?<=user)pw",
        "pwd|pw|psw|psswd|psk"),
    Cue("password", PASSWORD, 1.5,
        r"(?<![a-z])(?<!--- )pass(?=[\"'`]?\s{0,3}[:=→\n])|(?<=[a-z0-9]_)pass|(?<=[a-z]-)pass|(?<=db)pass"
        r"|(?<=user)pass|(?<=root)pass|(?<=smtp)pass|(?<=mail)pass",
        "pass"),
    Cue("password", PASSWORD, 2,
        r"kennw[oö]rt(?:er)?|(?<![a-z])(?:mdp|mots? de passe|mot_de_passe|heslo|jelsz[oó]|senha|clave"
        r"|lösenord(?:et)?|adgangskode(?:n)?|salasana|has[lł]o|has[lł]a|wachtwoord(?:en)?|parol[aăeă]|şifre(?:si"
        r"|miz)?|parool|slaptažodis|lozinka|geslo"
        r"|palavra-passe|código de acesso|mật khẩu|kata sandi|κωδικός)"
        r"|contrase[ñn]as?|contrasenya|парол[ьяею]\w{0,2}|密码|密碼|口令|パスワード|パス(?=[:：は])|合言葉|暗証番号"
        r"|비밀번호|비번|패스워드|סיסמה|كلمة (?:السر|المرور)|รหัสผ่าน",
        "kennw|mdp|de passe|de_passe|heslo|jelsz|senha|clave|lösenord|adgangsk|salasana|haslo|hasło|wachtw"
        "|hasła|hasla|parol|paroo|şifre|slapta|lozinka|geslo|palavra|acesso|khẩu|sandi|κωδ|contrase|парол|密码|密碼"
        "|口令|パス|合言葉|暗証番号|비밀번호|비번|패스워드"
        "|סיסמה|كلمة|รหัส"),
    Cue("password", PASSWORD, 2.5,
        r"(?<![a-z])(?:(?:code|safe|duress|memorable|magic|secret|challenge|panic|verbal|telephone|security|account)["
        r" -]?word"
        r"|(?:(?:security|secret|challenge|recovery)[ -]answers?|memorable[ -](?:answer|place|name|date))(?![a-z])"
        r"|(?:security"
        r"|secret) q(?:uestions?)?(?:\s?[\"'“(][^\"'”)\n]{1,60}[\"'”)])?(?![a-z])|answer to the security question"
        r"|(?:unlock|secret|decryption|magic|login|security|encryption|backup|challenge|safe|code|support"
        r"|verification|verbal)[ -]?phrase|the phrase(?=:)|losung(?:swort)?|kennwort|mot magique"
        r"|palabra (?:clave|secreta"
        r"|mágica)"
        r"|sicherheitsfrage|sicherheitsantwort|réponse secrète|question secrète|respuesta secreta|parola d['’]ordine)"
        r"(?! (?:is|are) (?:a|an|the|not|case))",
        "word|answer|memorable|secret|phrase|losung|kennwort|mot magique|palabra|sicherheits|secrète|secreta|d'ordine"
        "|d’ordine|security"),
    Cue("password", PASSWORD, 1.5,
        r"(?<![a-z])(?:the|my|our|his|her|their|your|sudo|root|admin|wifi|login|user) pass(?![a-z])"
        r"|(?<=[,;/] )pass(?= [^\s]{6})",
        "pass"),
    Cue("password", PASSWORD, 2, r"(?<![a-z])u(?:ser)?: ?[^\s,;/]{1,40}[ ,;/]{1,3}p(?=:)", "u: |u:|user:"),
    Cue("password", PASSWORD, 4,
        r"(?<![a-z])(?:wi-?fi|wlan|wpa[23]?|network|router|hotspot)[ -](?:key|code|schl[uü]ssel)(?![a-z])"
        r"|(?<![a-z])(?:wi-?fi|wlan|network|ssid)[ :][^\n.,;]{1,30}[,;/] (?:the )?key(?![a-z])",
        "key|code|schl"),
    Cue("password", PASSWORD, 2.5,
        r"(?<![a-z])maiden name(?![a-z])",
        "maiden name"),
    Cue("password", PASSWORD, 2,
        r"(?<![a-z])community string(?![a-z])|(?<![a-z])identified (?:with \w{1,40} )?by(?![a-z])",
        "identified|community string"),
    Cue("password", PASSWORD, 1.5,
        r"(?<![a-z])(?:log[- ]?ins?|log(?:ged|ging)? (?:me )?in|logon|sign[- ]?in|cred[sz]?|credentials?"
        r"|zugangsdaten|anmeldedaten|zugang|identifiants?|credenciales|credenziali)(?![a-z])|(?<=ps)credential"
        r"|securestring",
        "login|log in|log me in|logged in|logging in|log-in|logon|sign in|sign-in|signin|cred|daten|zugang"
        "|identifiant|securestring"),
    Cue("password", PASSWORD, 1,
        r"(?<![a-z])(?:wi-?fi|wlan|hotspot|vpn|router|accounts?|acct)",
        "wi-fi|wifi|wlan|hotspot|vpn|router|account|acct", label=False),
    Cue("password", CODE, 2.5,
        r"(?<![a-z0-9_-])(?:pins?(?:[ -]?(?:code|number|nummer))?|geheimzahl|puk|tan|otp|t?otp code|digicode|pincode"
        r"|(?:tür|haus|tor|sperr|entsperr|geräte|display|alarm|garagen|tresor|einmal|sms)-?code|zahlencode|zugangscode"
        r"|sicherheitscode|bestätigungscode|freischaltcode|toegangscode|deurcode|verificatiecode|code secret|code"
        r" pin)(?![a-z_])"
        r"|(?<![а-я])(?:пин(?:-?код)?|код (?:от|для|подтверждения|доступа|домофона|двери|подъезда|сейфа)"
        r"|домофон\w{0,2})(?![а-я])"
        r"|验证码|驗證碼|动态码|校验码|门禁码?|取款密码|認証コード|確認コード|暗証|인증번호|인증코드",
        "pin|geheimzahl|puk|tan|otp|digicode|code|пин|код|домофон|验证码|驗證碼|动态码|校验码|门禁|認証|確認|暗証"
        "|인증"),
    Cue("password", CODE, 3.5,
        r"(?<![a-z0-9_-])(?:cvv2?|cvc2?|csc|security code)(?:[ -]?code)?(?![a-z_])",
        "cvv|cvc|csc|security code"),
    Cue("recovery_code", CODE, 3,
        r"(?<![a-z])2fa backup(?=:)|(?<![a-z])(?:backup|recovery|rescue|scratch|2fa|emergency|restore|bitlocker"
        r"|filevault|wiederherstellungs?)["
        r" -]?"
        r"(?:codes?|keys?|strings?|kit|schlüssel)(?![a-z])|codes? de (?:secours|récupération|recuperación|respaldo)"
        r"|códigos? de (?:recuperación|respaldo|recuperação|backup)"
        r"|codici? di (?:recupero|backup)|herstelcodes?",
        "2fa|code|key|recovery string|kit|schlüssel|código|codigo|codic"),
    Cue("password", CODE, 2.5,
        rf"(?<![a-z]){_PLACES}(?:'s|’s)?[ _-]?(?:codes?|numbers? pad)(?![a-z])|key ?pad"
        r"|(?<![a-z.])key[ -]?code(?![a-z])"
        r"|(?<![a-z])(?:key|lock) ?(?:box|safe)(?= \d)|(?<![a-z])(?:verification|security|access|unlock)"
        r" (?:number|pin|digits)(?![a-z])|(?<![a-z])(?:2fa|mfa)(?=[^\n\d]{1,30}\d{3} ?\d{3}(?!\d))"
        r"|(?<![a-zäöü])(?:zahlen|fahrrad|vorhänge|spind)schloss|(?<![a-z])kombination (?:vom|für|zum|des|am)(?![a-z])"
        r"|(?<![a-z])(?:door|gate|alarm|garage|safe|padlock|(?:lock|key) ?box)s?\b[^\n.!?:]{0,60}?\bcode(?![a-z])"
        r"|(?:code d['’]acc[eè]s|c[oó]digo de (?:acceso|la puerta|la alarma|seguridad|segurança"
        r"|(?:verifica|confirma)(?:ci[oó]n|ção))"
        r"|codice di accesso)",
        "code|keypad|key pad|codigo|código|codice|keybox|key box|key safe|keysafe|lockbox|lock box|verification number"
        "|number|security pin|access pin|digits|2fa|mfa|schloss|kombination"),
    Cue("password", CODE, 2,
        r"(?<![a-z])(?:opens?|works?) with(?![a-z])|(?:öffnet|geht auf) mit|s['’]ouvre avec|(?<![a-z])(?:bike"
        r"|combination|luggage) lock(?![a-z])|padlock",
        "open with|opens with|works with|work with|öffnet mit|auf mit|ouvre avec|lock"),
    Cue("password", CODE, 2.5,
        rf"(?<![a-z])(?:codes?|c[oó]digo|codice) (?:to|for|of|on|at|de|del|du|da|do|della|per|zum|zur|für) (?:the "
        rf"|my |our |your |la |el |le |ma |mon |mi |l['’])?(?:[a-z]{{1,12}} ){{0,2}}?{_PLACES}(?![a-z])",
        "code |codes |digo |codice "),
    Cue("password", CODE, 2.5,
        r"(?<![a-z])(?:lock(?:er)?|safe|padlock|vault|bike|luggage|suitcase|gym|door|gate|tresor)(?:'s"
        r"|’s)?[ -](?:combination|combo|kombination)|combination (?:for|to|of|on) (?:the|my|our)",
        "combination|combo|kombination"),
    Cue("password", CODE, 2,
        r"(?<![a-z])(?:your(?: [a-z0-9]{1,20}){0,2} code|(?:use|enter|type|try|give)(?: the| this)? code|disarm(?:s"
        r"|ed)?|unlocks?|unlocked)(?![a-z])",
        "code|disarm|unlock"),
    Cue("password", CODE, 2,
        r"(?<![a-z])(?:press|punch in|key in|type in|tapp?e|drück\w{0,3})(?![a-z])",
        "press|punch in|key in|type in|tape|tappe|drück"),
    Cue("card", CODE, 3,
        r"(?<![a-z])(?:card (?:number|no\.?|nr\.?|#)|kartennummer|num[eé]ro de carte|n[uú]mero de (?:la )?tarjeta)",
        "card n|card #|kartennummer|de carte|tarjeta"),
    Cue("secret", KEY, 1.5,
        rf"{_OWNERS}[ _.-]?(?:key|token|secret|credential|seed)s?(?:_id|_?base(?:64)?)?(?![a-z])"
        r"|(?<![a-z])(?:apikey|authtoken|app_?id|appkey|skey|ikey|priv_?key|pk(?= ?[(:=])|api_?hash|session string"
        r"|private(?=:)|sid(?==)|secreto|segredo|segreto|sekret|geheim|api-?schl[uü]ssel|clave api|chave (?:de )?api"
        r"|cl[eé] api"
        r"|_auth)(?![a-z])|(?<=[?&])(?:code|auth|access|pass|pw|sid|sign|credential)(?==)|x-[a-z]{2,20}-(?:key"
        r"|token|secret|signature)(?![a-z])",
        "key|token|secret|credential|seed|pk|api_hash|apihash|session string|private|sid=|segre|sekret|geheim|chave"
        "|appid|app_id|schl|clave api|clé|cle api|_auth|code=|auth=|access=|pass="
        "|pw=|sid=|sign=|x-"),
    Cue("secret", KEY, 1,
        r"(?<![a-z])(?:tokens?|secrets?|chave|sessid|phpsessid|jsessionid|ssws|authenticate|pat(?= ?[:=])"
        r"|signature|sig(?==)|jeton|geheimnis|schl[uü]ssel|fernet|hmac|salt(?= ?[:=]))(?![a-z])|(?<=[a-z_-])(?:token"
        r"|secret)(?![a-z])"
        r"|(?<![a-z])x-(?![a-z-]{0,30}(?:id|trace|request|version|cache|hash|sum|correlation|served|powered|forwarded"
        r"|frame|content|limit|span|delivery|event|by|for)(?![a-z]))"
        r"[a-z]{2,20}(?:-[a-z]{2,20})?(?=[\"'`]?(?: header)?\s?[:=])|密钥|密鑰|トークン|シークレット|토큰"
        r"|токен\w{0,2}|секрет(?:ный ключ)?",
        "token|secret|chave|sessid|sessionid|ssws|authenticate|pat|signature|sig=|jeton|geheimnis|schl|fernet|hmac"
        "|salt|x-|密钥|密鑰|トークン|シークレット"
        "|토큰|токен|секрет"),
    Cue("secret", KEY, 1,  # key: X secret: Y
        r"(?<![a-z])key(?=\s?[:=]\s?[^\s,;]{8,100}[\s,;/|]{1,4}(?:and )?(?:the )?secret\b)", "secret"),
    Cue("secret", KEY, 1, r"(?<![a-z])authenticator(?: app)?(?![a-z])", "authenticator"),
    Cue("secret", KEY, -1.5, r"(?<![a-z])session(?==[\w.%-]{24})", "session="),
    Cue("secret", KEY, -0.5, r"(?<![a-z])seed(?![a-z])", "seed"),
    Cue("secret", KEY, 0.5, r"(?<![a-z])(?:licen[cs]e|serial|product|activation) (?:no|number|code)(?=:)",
    "licen|serial|product|activation"),
    Cue("password", PASSWORD, 2,
        r"(?<![a-z])(?:keepass\w{0,2}|bitwarden|lastpass|1password|dashlane|luks|veracrypt|truecrypt|bitlocker"
        r"|filevault|restic|borg)(?: master)?(?=\s?:)"
        r"|(?<![a-z])master(?=:)",
        "keepass|bitwarden|lastpass|1password|dashlane|luks|crypt|bitlocker|filevault|restic|borg|master:"),
    Cue("secret", KEY, -1.5, r"(?<![a-z])keys?(?![a-z])|(?<=_)key(?![a-z])", "key"),
)  # fmt: skip
PATTERNS = tuple(re.compile(cue.words) for cue in CUES)  # of a text in small letters
# Each mark with the cues that it may belong to: what a text without letters beyond A to Z can have, and the others.
_MARKS = tuple(frozenset(cue.marks.split("|")) for cue in CUES)
_NEEDED = tuple({mark for mark in marks if not any(other in mark for other in marks - {mark})} for marks in _MARKS)
_MARKED = {
    mark: tuple(n for n, needed in enumerate(_NEEDED) if mark in needed) for mark in sorted(set().union(*_NEEDED))
}
_PLAIN_MARKS = tuple((mark, cues) for mark, cues in _MARKED.items() if mark.isascii())
_OTHER_MARKS = tuple((mark, cues) for mark, cues in _MARKED.items() if not mark.isascii())


def cues_of(small: str) -> list[int]:
    """The numbers of the cues that a text in small letters may have."""
    marked = [cues for mark, cues in _PLAIN_MARKS if mark in small]
    if not small.isascii():
        marked += [cues for mark, cues in _OTHER_MARKS if mark in small]
    return sorted({n for cues in marked for n in cues})


# Before one of these a key or token is no secret, behind one a password is not told.
OTHER_KEYS = re.compile(
    r"(?i)(?:public|primary|foreign|cache|tency|sort|partition|object|row|page|next|ation|csrf|xsrf"
    r"|dedup\w{0,8}|hash|composite"
    r"|unique|surrogate|natural|answer|message|routing|image|max|min|num|total|input|output|prompt|completion"
    r"|stop|special"
    r"|lock|arrow|shift|enter|escape|hot|home|house|spare)(?:['’]s)?[ _.-]?\Z"
)
OTHER_CODES = re.compile(
    r"(?i)\b(?:swift|bic|zip|postal|post|area|country|sort|routing|promo|discount|coupon|exit|status|error|qr|bar|dress)"
    r"[ -]\Z"
)
# The confirmation of one of these opens nothing.
TRAVEL = re.compile(
    r"(?i)\b(?:hotel|flights?|booking|booked|reserv\w{2,8}|airlines?|trains?|rental|restaurant|dinner|tickets?|orders?"
    r"|delivery|appointment|check[- ]in|seats?|ferry|cruise|tour|stay|nights|zug|flug|vol|vuelo)\b"
)
DAMPED = re.compile(
    r"(?i)[ _.-]?(?:sha\d{0,3}|hash(?:es|ing|ed)?|polic\w{1,4}|managers?|resets?|fields?|hints?|prompts?|length"
    r"|strength|generators?"
    r"|rotation|expir\w{1,5}|history|file|stdin|protected|confirmation|rules?|count|limits?|usage|budget|type"
    r"|names?|url|uri"
    r"|endpoint|column|input|ref|path|format|ttl|must|should|requirements?|attempts?|authentication|auth|changes?"
    r"|recovery|less|entropy|page|screen|form|dialog|box|guessing|spraying|stuffing|leak|breach|min|max|timeout|lifetime|age|numbers?|channels?|owners?|balance"
    r"|settings|models?|versions?|plans?|status|holders?|tiers?|regions?|flow|buttons?|logs?|events?|errors?|issues?"
    r"|time|delay|interval|window|servers?|providers?|store|storage|support|team|class|function|method|table|priority|restype|argtypes|required|enabled|disabled|id|ids|info|shell|mode|scope|scopes|flag|checkbox|label|option|icon|widget)"
    r"(?![^\W_])"
    r"|_(?:changed|updated|expired|failed|created|deleted|rotated|revoked|sent)(?:_at|_on)?\b"
)
# Between a cue and its value.
IS = word_set("""
    are as auf be became brzmi c'est chose c’est equals er era es est from gets heisst heißt is ist it's its
    it’s je jest lauten lautet luidt nehme picked reads remains said says sia sind that's to use uses using war
    was with zu är è é это という は 为 是 為 는 은 they're they’re mine's mine’s i'm now jetzt ahora désormais
    maintenant agora ora nu teraz теперь 现在 на kidding
    stays stayed staying bleibt reste queda say says put so namely aka i.e answer answers är er zijn sont jest wynosi
""")
# These join a password, but no plain word: "too long to remember".
LOOSE = word_set("""
    as auf from so to using with zu
""")
# May stand before a value, and say nothing.
FILLERS = word_set("""
    actually again ahora always ancora back currently das der die einfach el exactly i ich il immer jetzt just
    la le literally noch now only probably same simply still todavía toujours we you which das's momentan aktuell always
""")
# What follows one of these is what a password is for.
TARGETS = word_set("""
    against am at bei beim by da das de del della dello des do dos du en for für im in into na no of on op para per pour
    till um under van via voor vom von zum zur для на от
""")
# Between a value and a cue behind it.
BACK = word_set("""
    als as come comme como is ist jako was that's that’s c'est c’est jest es è é
""")
# A colon behind one of these begins something else.
OTHER_LABELS = word_set("""
    account at benutzer database date db email error file from host id ip link mail name network note path port
    reason server ssid status todo uri url user username users usuario utilisateur version warning
""")
# An "is" behind one of these tells another value.
OTHER_NOUNS = OTHER_LABELS | word_set("""
    address age branch channel colour color count customer extension handle hostname length limit login model nickname
    number owner plan project reference region release room size ticket title total type year
""")
# "Hashed with X" tells a way, not a password.
WAYS = word_set("""
    authenticated checked combined compared compressed compatible derived encoded encrypted generated handled hashed
    hashes hashing implemented integrated managed migrated protected rehashed replaced rewritten salted shipped signed
    stored stretched tagged tested validated verified verifies works wrapped
""")
# A password that is spelled.
SPELLED = word_set("""
    acht ampersand asterisk bindestrich capital dash dollar dot drei eight eins eleven exclamation five four
    fünf groß großes hash hashtag hyphen klein lower lowercase neun nine null one sechs seven sieben six ten
    three twelve two underscore unterstrich upper uppercase vier zero zwei
""")
