"""Secrets as people paste them, made up in their true shapes, each in the sentence, code, file or log it came in.

Written before the rules of `policy/safety` were read, and never tuned to: a rule is changed for a kind of secret in
the world, not for a line here. Prefixes are put together when the list is made, so no scanner trips on this file.
"""

import base64
import random
import string
from collections.abc import Callable
from dataclasses import dataclass

DIGITS, HEX = string.digits, string.digits + "abcdef"
LOWER = string.ascii_lowercase + DIGITS
UPPER = string.ascii_uppercase + DIGITS
ALNUM = string.ascii_letters + DIGITS
URLSAFE = ALNUM + "-_"
BASE64 = ALNUM + "+/"
BASE32 = string.ascii_uppercase + "234567"
BECH32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"


@dataclass(frozen=True)
class Sample:
    kind: str
    text: str
    secret: str


class Maker:
    """Random characters, and the few shapes that have a checksum or parts."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def of(self, alphabet: str, length: int) -> str:
        """So many characters, with a digit and a letter where the alphabet has both: nearly all generated ones have."""
        made = [self.random.choice(alphabet) for _ in range(length)]
        letters = [c for c in alphabet if c.isalpha()]
        if length > 8 and letters and set(alphabet) & set(DIGITS):
            first, second = self.random.sample(range(length), 2)
            made[first], made[second] = (
                self.random.choice(letters),
                self.random.choice(sorted(set(alphabet) & set(DIGITS))),
            )
        return "".join(made)

    def uuid(self) -> str:
        return "-".join(self.of(HEX, n) for n in (8, 4, 4, 4, 12))

    def base64(self, length: int) -> str:
        return base64.b64encode(self.random.randbytes(length)).decode()

    def jwt(self) -> str:
        head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
        body = base64.urlsafe_b64encode(b'{"sub":"%s","iat":1790000000}' % self.of(DIGITS, 9).encode()).decode()
        return f"{head}.{body.rstrip('=')}.{self.of(URLSAFE, 43)}"

    def card(self, prefix: str, length: int) -> str:
        digits = prefix + self.of(DIGITS, length - len(prefix) - 1)
        total = sum(sum(divmod(int(d) * (2 - i % 2), 10)) for i, d in enumerate(reversed(digits)))
        return digits + str(-total % 10)

    def iban(self, country: str, bank: str, length: int) -> str:
        account = bank + self.of(DIGITS, length - 4 - len(bank))
        spelled = "".join(str(int(c, 36)) for c in f"{account}{country}00")
        return f"{country}{98 - int(spelled) % 97:02d}{account}"

    def pem(self, label: str, lines: int) -> str:
        body = "\n".join(self.of(BASE64, 64) for _ in range(lines))
        dashes = "-" * 5
        return f"{dashes}BEGIN {label}{dashes}\n{body}\n{dashes}END {label}{dashes}"


Make = Callable[[Maker], str] | str  # a fixed one, where people choose such


def _in(*parts: str) -> str:
    return "".join(parts)


# kind, the text around it, how it is made
TOKENS: tuple[tuple[str, str, Make], ...] = (
    ("aws access key", "export AWS_ACCESS_KEY_ID={}", lambda m: _in("AK", "IA") + m.of(BASE32, 16)),
    ("aws session key", "creds: {} (expires in 1h)", lambda m: _in("AS", "IA") + m.of(BASE32, 16)),
    ("aws secret", "aws_secret_access_key = {}\n", lambda m: m.of(BASE64, 40)),
    ("aws bedrock key", "AWS_BEARER_TOKEN_BEDROCK={}", lambda m: _in("ABSK", "QmVkcm9ja0FQSUtleS") + m.of(BASE64, 110)),
    ("openai project key", "client = OpenAI(api_key='{}')", lambda m: _in("sk-", "proj-") + m.of(URLSAFE, 74)),
    ("openai key", "I put {} in the notebook, delete it later", lambda m: _in("sk", "-") + m.of(ALNUM, 48)),
    ("anthropic key", "ANTHROPIC_API_KEY={}", lambda m: _in("sk-", "ant-api03-") + m.of(URLSAFE, 93) + "AA"),
    ("openrouter key", "use {} for routing", lambda m: _in("sk-", "or-v1-") + m.of(HEX, 64)),
    ("groq key", "groq: {}", lambda m: _in("gs", "k_") + m.of(ALNUM, 52)),
    ("xai key", "XAI={}", lambda m: _in("xa", "i-") + m.of(ALNUM, 80)),
    ("perplexity key", "pplx key is {}", lambda m: _in("pp", "lx-") + m.of(ALNUM, 48)),
    ("replicate token", "curl -H 'Authorization: Token {}'", lambda m: _in("r", "8_") + m.of(ALNUM, 37)),
    ("hugging face token", "login(token=\"{}\")", lambda m: _in("h", "f_") + m.of(string.ascii_letters, 34)),
    (
        "google api key",
        "https://maps.googleapis.com/maps/api/js?key={}&v=3",
        lambda m: _in("AI", "za") + m.of(URLSAFE, 35),
    ),
    ("google oauth secret", "client_secret: {}", lambda m: _in("GOC", "SPX-") + m.of(URLSAFE, 28)),
    ("google oauth token", "got back {} from the playground", lambda m: _in("ya2", "9.a0") + m.of(URLSAFE, 120)),
    ("github token", "git clone https://{}@github.com/acme/site.git", lambda m: _in("gh", "p_") + m.of(ALNUM, 36)),
    ("github app token", "x-access-token:{}", lambda m: _in("gh", "s_") + m.of(ALNUM, 36)),
    ("github pat", "GH_TOKEN: {}", lambda m: _in("github", "_pat_") + m.of(ALNUM, 22) + "_" + m.of(ALNUM, 59)),
    ("gitlab token", "PRIVATE-TOKEN: {}", lambda m: _in("gl", "pat-") + m.of(URLSAFE, 20)),
    ("gitlab runner token", "gitlab-runner register --token {}", lambda m: _in("gl", "rt-") + m.of(URLSAFE, 20)),
    (
        "gitlab deploy token",
        "docker login -u deploy -p {} registry.acme.dev",
        lambda m: _in("gl", "dt-") + m.of(URLSAFE, 20),
    ),
    (
        "slack bot token",
        "SLACK={}", lambda m: _in("xox",
        "b-") + f"{m.of(DIGITS, 12)}-{m.of(DIGITS, 13)}-{m.of(ALNUM, 24)}",
    ),
    (
        "slack user token",
        "the old one was {}", lambda m: _in("xox",
        "p-") + f"{m.of(DIGITS, 11)}-{m.of(DIGITS, 12)}-{m.of(HEX, 32)}",
    ),
    (
        "slack app token",
        "socket mode: {}", lambda m: _in("xa",
        "pp-1-A") + f"{m.of(UPPER, 10)}-{m.of(DIGITS, 13)}-{m.of(HEX, 64)}",
    ),
    (
        "slack webhook",
        "notify {}", lambda m: _in("https://hooks.",
        "slack.com/services/T") + f"{m.of(UPPER, 8)}/B{m.of(UPPER, 8)}/{m.of(ALNUM, 24)}",
    ),
    (
        "discord webhook",
        "post to {}", lambda m: _in("https://disc",
        "ord.com/api/webhooks/") + f"{m.of(DIGITS, 18)}/{m.of(URLSAFE, 68)}",
    ),
    ("discord bot token", "bot.run('{}')", lambda m: f"M{m.of(ALNUM, 25)}.{m.of(URLSAFE, 6)}.{m.of(URLSAFE, 38)}"),
    (
        "telegram token",
        "telegram bot {} is live",
        lambda m: f"{m.of('123456789', 10)}:{_in('A', 'A')}{m.of(URLSAFE, 33)}",
    ),
    (
        "teams webhook",
        "{}", lambda m: _in("https://acme.web",
        "hook.office.com/webhookb2/") + f"{m.uuid()}@{m.uuid()}/IncomingWebhook/{m.of(HEX, 32)}/{m.uuid()}",
    ),
    ("stripe live key", "stripe.api_key = '{}'", lambda m: _in("sk_", "live_") + m.of(ALNUM, 24)),
    ("stripe long key", "Stripe.setup('{}')", lambda m: _in("sk_", "live_51") + m.of(ALNUM, 97)),
    ("stripe restricted key", "rk: {}", lambda m: _in("rk_", "live_") + m.of(ALNUM, 24)),
    ("stripe webhook secret", "endpoint_secret = \"{}\"", lambda m: _in("wh", "sec_") + m.of(ALNUM, 32)),
    (
        "paypal braintree token",
        "token {}",
        lambda m: _in("access_token", "$production$") + m.of(LOWER, 16) + "$" + m.of(HEX, 32),
    ),
    ("square token", "SQUARE={}", lambda m: _in("EAA", "AE") + m.of(URLSAFE, 59)),
    ("square secret", "application secret {}", lambda m: _in("sq0", "csp-") + m.of(URLSAFE, 43)),
    ("shopify token", "X-Shopify-Access-Token: {}", lambda m: _in("shp", "at_") + m.of(HEX, 32)),
    ("twilio key", "Client('{}', secret)", lambda m: _in("S", "K") + m.of(HEX, 32)),
    ("twilio auth token", "twilio_auth_token: \"{}\"", lambda m: m.of(HEX, 32)),
    ("sendgrid key", "sg = {}", lambda m: _in("S", "G.") + f"{m.of(URLSAFE, 22)}.{m.of(URLSAFE, 43)}"),
    ("mailgun key", "auth=('api', '{}')", lambda m: _in("ke", "y-") + m.of(HEX, 32)),
    ("mailchimp key", "MAILCHIMP_API_KEY={}", lambda m: m.of(HEX, 32) + "-us14"),
    ("brevo key", "api-key: {}", lambda m: _in("xkey", "sib-") + m.of(HEX, 64) + "-" + m.of(ALNUM, 16)),
    ("resend key", "new Resend('{}')", lambda m: _in("re", "_") + m.of(ALNUM, 8) + "_" + m.of(ALNUM, 24)),
    ("postman key", "X-API-Key: {}", lambda m: _in("PM", "AK-") + m.of(HEX, 24) + "-" + m.of(HEX, 34)),
    ("npm token", "//packages.example.org/:_authToken={}", lambda m: _in("np", "m_") + m.of(ALNUM, 36)),
    ("npm old token", "//npm.acme.dev/:_authToken={}", lambda m: m.uuid()),
    ("pypi token", "password = {}", lambda m: _in("py", "pi-AgEIcHlwaS5vcmc") + m.of(URLSAFE, 150)),
    ("docker pat", "docker login -u ana --password {}", lambda m: _in("dckr", "_pat_") + m.of(URLSAFE, 27)),
    ("rubygems key", ":rubygems_api_key: {}", lambda m: _in("ruby", "gems_") + m.of(HEX, 48)),
    ("digitalocean token", "doctl auth init -t {}", lambda m: _in("dop", "_v1_") + m.of(HEX, 64)),
    ("heroku key", "HEROKU_API_KEY={}", lambda m: m.uuid()),
    ("cloudflare token", "CLOUDFLARE_API_TOKEN={}", lambda m: m.of(URLSAFE, 40)),
    ("vercel token", "vercel --token {} deploy", lambda m: m.of(ALNUM, 24)),
    ("netlify token", "NETLIFY_AUTH_TOKEN={}", lambda m: _in("nf", "p_") + m.of(ALNUM, 36)),
    ("fly token", "FLY_API_TOKEN=\"{}\"", lambda m: _in("Fly", "V1 fm2_") + m.of(BASE64, 180)),
    ("supabase key", "supabase service key {}", lambda m: _in("sb", "p_") + m.of(HEX, 40)),
    ("planetscale password", "pscale: {}", lambda m: _in("psc", "ale_pw_") + m.of(URLSAFE, 43)),
    ("databricks token", "dbx token {} for the job", lambda m: _in("da", "pi") + m.of(HEX, 32)),
    ("datadog key", "DD_API_KEY={}", lambda m: m.of(HEX, 32)),
    ("newrelic key", "license {}", lambda m: _in("NR", "AK-") + m.of(UPPER, 27)),
    ("sentry token", "sentry-cli --auth-token {} releases list", lambda m: _in("sntry", "u_") + m.of(HEX, 64)),
    ("grafana token", "grafana {}", lambda m: _in("gl", "sa_") + m.of(ALNUM, 32) + "_" + m.of(HEX, 8)),
    ("pulumi token", "pulumi login with {}", lambda m: _in("pu", "l-") + m.of(HEX, 40)),
    (
        "terraform token",
        "credentials \"app.terraform.io\" {{ token = \"{}\" }}",
        lambda m: m.of(ALNUM, 14) + ".atlasv1." + m.of(URLSAFE, 67),
    ),
    ("vault token", "VAULT_TOKEN={}", lambda m: _in("hv", "s.") + m.of(ALNUM, 24)),
    ("doppler token", "doppler run --token {}", lambda m: _in("dp.", "st.prd.") + m.of(ALNUM, 43)),
    ("1password token", "OP_SERVICE_ACCOUNT_TOKEN={}", lambda m: _in("op", "s_ey") + m.of(BASE64, 300)),
    (
        "atlassian token",
        "jira: ana@acme.dev / {}",
        lambda m: _in("ATATT", "3xFfGF0") + m.of(URLSAFE, 170) + "=" + m.of(UPPER, 8),
    ),
    ("linear key", "LINEAR={}", lambda m: _in("lin", "_api_") + m.of(ALNUM, 40)),
    ("notion token", "notion integration {}", lambda m: _in("nt", "n_") + m.of(ALNUM, 46)),
    ("airtable pat", "airtable {}", lambda m: _in("pa", "t") + m.of(ALNUM, 14) + "." + m.of(HEX, 64)),
    ("figma token", "X-Figma-Token: {}", lambda m: _in("fi", "gd_") + m.of(URLSAFE, 40)),
    ("dropbox token", "dbx = dropbox.Dropbox('{}')", lambda m: _in("s", "l.") + m.of(URLSAFE, 135)),
    ("facebook token", "fb page token {}", lambda m: _in("EAA", "CEdEose0cBA") + m.of(ALNUM, 150)),
    (
        "azure storage key",
        "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey={};EndpointSuffix=core.windows.net",
        lambda m: m.base64(64),
    ),
    ("azure client secret", "AZURE_CLIENT_SECRET={}", lambda m: m.of(ALNUM, 3) + "8Q~" + m.of(ALNUM + "_.~-", 34)),
    (
        "azure sas",
        "https://acme.blob.core.windows.net/dump/a.bak?sv=2024-11-04&sr=b&sp=r&sig={}",
        lambda m: m.base64(32).replace("+", "%2B").replace("/", "%2F").replace("=", "%3D"),
    ),
    (
        "gcp service account",
        "{{\"type\": \"service_account\", \"private_key_id\": \"{}\", \"client_id\": \"1\"}}",
        lambda m: m.of(HEX, 40),
    ),
    ("django key", "SECRET_KEY = 'django-insecure-{}'", lambda m: m.of(LOWER + "!@#$%^&*(-_=+)", 50)),
    ("totp seed", "otpauth://totp/acme:ana?secret={}&issuer=acme", lambda m: m.of(BASE32, 32)),
)  # fmt: skip

# Secrets in the frames that people and programs put around them.
FRAMED: tuple[tuple[str, str, Make], ...] = (
    ("postgres url", "DATABASE_URL=postgres://app:{}@db.internal:5432/shop", "tulip-rain"),
    ("mysql url", "mysql+pymysql://root:{}@10.0.0.4/wp", lambda m: m.of(ALNUM, 9)),
    (
        "mongo url",
        "connect to mongodb+srv://ana:{}@cluster0.x1.mongodb.net/?retryWrites=true",
        lambda m: "P%40ss" + m.of(ALNUM, 6),
    ),
    ("redis url", "REDIS_URL=rediss://:{}@cache.acme.dev:6380/0", lambda m: m.of(HEX, 40)),
    ("amqp url", "broker_url = 'amqp://worker:{}@mq:5672//'", "bunnyhop"),
    ("jdbc url", "jdbc:sqlserver://db.acme.dev:1433;databaseName=erp;user=sa;password={};encrypt=true", "Str0ng!Pass"),
    ("jdbc query url", "jdbc:postgresql://db/erp?user=erp&password={}&ssl=true", lambda m: m.of(ALNUM, 12)),
    (
        "ado string",
        "Server=tcp:acme.database.windows.net;Initial Catalog=crm;User ID=crm;Password={};",
        "wint3r-Is-here",
    ),
    ("ado pwd", "Data Source=.;Initial Catalog=a;Uid=b;Pwd={};", "Kx#2pl!9"),
    (
        "service bus",
        "Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={}",
        lambda m: m.base64(32),
    ),
    ("smtp url", "EMAIL_URL=smtp://mailer:{}@smtp.acme.dev:587", lambda m: m.of(ALNUM, 10)),
    ("https userinfo", "pip install --index-url https://ci:{}@pypi.acme.dev/simple acme", lambda m: m.of(ALNUM, 16)),
    ("curl -u", "curl -s -u admin:{} https://ci.acme.dev/api/json", "m0ntparnasse"),
    ("curl --user", "curl --user 'ana:{}' https://api.acme.dev", "rosewood!44"),
    ("bearer", "-H \"Authorization: Bearer {}\"", lambda m: m.of(URLSAFE, 40)),
    ("basic header", "Authorization: Basic {}", lambda m: base64.b64encode(b"ana:" + m.of(ALNUM, 9).encode()).decode()),
    ("cookie", "Cookie: theme=dark; sessionid={}; lang=de", lambda m: m.of(LOWER, 32)),
    (
        "set-cookie",
        "< Set-Cookie: connect.sid=s%3A{}; Path=/; HttpOnly",
        lambda m: m.of(URLSAFE, 32) + "." + m.of(ALNUM, 43),
    ),
    ("jwt", "I get 401 with {} any idea?", lambda m: m.jwt()),
    ("rsa key", "my key:\n{}\nwhy does ssh refuse it", lambda m: m.pem("RSA PRIVATE KEY", 6)),
    ("openssh key", "{}", lambda m: m.pem("OPENSSH PRIVATE KEY", 5)),
    ("escaped key", "\"private_key\": \"{}\"", lambda m: m.pem("PRIVATE KEY", 4).replace("\n", "\\n")),
    ("pgp key", "{}", lambda m: m.pem("PGP PRIVATE KEY BLOCK", 6)),
    ("age key", "# public key: age1x\n{}", lambda m: _in("AGE-SECRET", "-KEY-1") + m.of(BECH32, 58)),
    (
        "putty key",
        "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n{}\nPrivate-MAC: 00",
        lambda m: m.of(BASE64, 48),
    ),
    ("visa", "pay with {} exp 04/29", lambda m: m.card("4532", 16)),
    ("amex", "my amex is {}", lambda m: m.card("3782", 15)),
    ("mastercard spaced", "card: {}", lambda m: " ".join(_fours(m.card("5412", 16)))),
    ("iban de", "überweise auf {} bitte", lambda m: m.iban("DE", "37040044", 22)),
    ("iban gb", "IBAN {}", lambda m: " ".join(_fours(m.iban("GB", "NWBK", 22)))),
    ("iban fr", "mon compte est {}", lambda m: m.iban("FR", "20041", 27)),
    ("spoken password", "my password for netflix is {}", "sunflower82"),
    ("spoken wifi", "the wifi password is {}, tell the guests", "correct-horse-battery"),
    ("spoken pin", "The PIN for the alarm is {}.", "4831"),
    ("spoken plain word", "my password for the bank is {}", "Abracadabra!"),
    ("german", "mein Passwort für GitHub ist {}", "Sommer2019!"),
    ("german label", "Kennwort: {}", "Zwiebelkuchen7"),
    ("french", "mon mot de passe pour le wifi est {}", "fromage123"),
    ("spanish", "mi contraseña de correo es {}", "perro2020"),
    ("italian", "la mia password di Spotify è {}", "gatto_nero9"),
    ("portuguese", "minha senha do banco é {}", "futebol77"),
    ("dutch", "mijn wachtwoord voor werk is {}", "fiets1234"),
    ("polish", "moje hasło do poczty to {}", "kotek88!"),
    ("russian", "мой пароль от почты: {}", "zima2024"),
    ("chinese", "我的密码是{}", "panda8866"),
    ("japanese", "パスワードは{}です", "sakura0401"),
    ("env", "DB_HOST=db\nDB_PASS={}\nDEBUG=1", "hunter2hunter2"),
    ("env quoted", "POSTGRES_PASSWORD='{}'", "letmein please"),
    ("env secret", "JWT_SIGNING_SECRET={}", lambda m: m.of(ALNUM, 32)),
    ("env encryption", "ENCRYPTION_KEY={}", lambda m: m.base64(32)),
    ("yaml", "redis:\n  password: {}\n  port: 6379", "0pen-Sesame"),
    ("json", "{{\"username\": \"ana\", \"password\": \"{}\"}}", "iLoveCats4ever"),
    ("toml", "[auth]\ntoken = \"{}\"", lambda m: m.of(HEX, 40)),
    ("ini", "[client]\nuser=root\npassword={}\n", "root1root"),
    ("flag", "mysqldump -h db -u root --password={} shop > a.sql", "s3cr3t!x"),
    ("short flag", "mysql -uroot -p{} shop", "Xk29vLq8"),
    ("sshpass", "sshpass -p '{}' ssh ana@10.0.0.8", "bluecar77"),
    ("pgpassword", "PGPASSWORD={} psql -h db -U app", "oakleaf"),
    ("netrc", "machine api.acme.dev login ana password {}", lambda m: m.of(ALNUM, 14)),
    (
        "k8s",
        "kind: Secret\ndata:\n  password: {}\ntype: Opaque",
        lambda m: base64.b64encode(b"s3cr3t-" + m.of(LOWER, 8).encode()).decode(),
    ),
    (
        "docker auth",
        "{{\"auths\": {{\"registry.acme.dev\": {{\"auth\": \"{}\"}}}}}}",
        lambda m: base64.b64encode(b"ana:" + m.of(ALNUM, 15).encode()).decode(),
    ),
    ("log line", "2026-11-01 10:03:11 DEBUG login user=ana pwd={} ok", "qwe!rty9"),
    ("query string", "GET /v1/items?limit=5&api_key={} HTTP/1.1", lambda m: m.of(LOWER, 32)),
    ("access token query", "https://graph.acme.dev/me?access_token={}", lambda m: m.of(ALNUM, 48)),
    ("python", "def connect(): return pymysql.connect(host='db', user='x', passwd='{}')", "w1zard_of_oz"),
    ("node", "const apiSecret = \"{}\";", lambda m: m.of(ALNUM, 40)),
    ("java", "props.setProperty(\"db.password\", \"{}\");", "tiger!Scott1"),
    ("xml", "<password>{}</password>", "mag1cBeans"),
    ("x-api-key", "curl -H 'x-api-key: {}' https://api.acme.dev", lambda m: m.of(ALNUM, 40)),
    ("wireguard", "[Interface]\nPrivateKey = {}\nAddress = 10.0.0.2/32", lambda m: m.base64(32)),
    (
        "recovery phrase",
        "my seed phrase: {}",
        "legal winner thank year wave sausage worth useful legal winner thank yellow",
    ),
    ("recovery code", "backup codes: {}", lambda m: f"{m.of(LOWER, 5)}-{m.of(LOWER, 5)}"),
)  # fmt: skip


def _fours(text: str) -> list[str]:
    return [text[i : i + 4] for i in range(0, len(text), 4)]


def secrets(seed: int = 20261117) -> list[Sample]:
    """Every kind once, the characters by the seed."""
    maker = Maker(seed)
    made = ((kind, around, make if isinstance(make, str) else make(maker)) for kind, around, make in (*TOKENS, *FRAMED))
    return [Sample(kind, around.format(secret), secret) for kind, around, secret in made]
