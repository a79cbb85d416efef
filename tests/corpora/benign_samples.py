"""Strings that look like secrets and are none: what agents read and write all day. Written with `secret_samples`.

A redaction here takes something from a memory that nobody wanted taken.
"""

import base64
import hashlib
import string

from tests.corpora.secret_samples import ALNUM, BASE64, DIGITS, HEX, LOWER, UPPER, URLSAFE, Maker

# Said by people and written by programs: each line is one string.
PROSE = """
Our password policy requires at least twelve characters and a symbol.
I forgot my password again and had to reset it.
The password is case sensitive.
The password is stored in the vault, ask Ana.
Please change your password every 90 days.
password must contain at least 8 characters
password: required
password: str = Field(min_length=8)
Passwords do not match
Is the password the same as last year?
The passphrase is too short.
He said the secret is patience and good flour.
The secret ingredient is nutmeg.
the token is invalid or has expired
Invalid API key provided: sk-xxxx. You can find your API key in the dashboard.
Set OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxx in your environment.
export ANTHROPIC_API_KEY=<your key here>
export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
API_KEY=your-api-key-here
api_key = os.environ["OPENAI_API_KEY"]
api_key=settings.openai_api_key.get_secret_value()
token = request.headers.get("Authorization")
const token = await getAccessToken(user.id);
password = getpass.getpass("Password: ")
password=${DB_PASSWORD}
password: {{ .Values.db.password }}
password: "{{ vault_db_password }}"
secret: ${{ secrets.GITHUB_TOKEN }}
DATABASE_URL=postgres://user:password@localhost:5432/dbname
postgresql://localhost:5432/reverie
redis://localhost:6379/0
mongodb://mongo:27017/test
mysql://user:<password>@host/db
https://user@example.com/path
Connect with postgresql://$USER:$PASSWORD@$HOST/db
curl -u "$USER:$TOKEN" https://api.example.com
curl -u username https://api.example.com
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer YOUR_ACCESS_TOKEN
Authorization: Basic auth is deprecated here
The bearer of this letter is my cousin.
Use a bearer token in the Authorization header.
Cookies are delicious; I baked thirty of them.
Set-Cookie: theme=dark; Path=/
Cookie: lang=en; consent=yes
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
The file starts with -----BEGIN and ends with -----END.
ssh-keygen -t ed25519 -C ana@example.com
The primary key is user_id.
foreign key (order_id) references orders(id)
CREATE TABLE users (id int primary key, password varchar(255) not null);
ALTER ROLE app WITH PASSWORD NULL;
The key is under the mat.
The key to good bread is time.
The key takeaway: ship smaller changes.
key: value
keyboard: qwerty-international-2024
sort_key=created_at_descending
partition_key: customer_region_code
cache_key = f"user:{user_id}:profile"
idempotency_key: order-2026-11-17-0001
idempotency-key: 5f1d7a2e-9a3b-4c7e-8b1a-2f3c4d5e6f70
max_tokens=4096
tokens: 128000
num_tokens_from_messages(messages, model="gpt-4o-2024-08-06")
token_count: 12345
tokenizer: cl100k_base
next_page_token: null
The tokens per second were 143.7 on average.
csrf_token: {{ csrf_token() }}
access_token_lifetime = timedelta(minutes=15)
TOKEN_EXPIRY_SECONDS=3600
secret_santa: draw names by Friday
secretary: Mrs. Lindqvist
SECRET_KEY must be set
client_secret is required
client_id=web-frontend-prod
aws s3 sync s3://acme-site-prod/ ./site --region eu-central-1
arn:aws:iam::123456789012:role/deploy-production
AWS_REGION=eu-central-1
aws_access_key_id is missing from ~/.aws/credentials
kubectl create secret generic db --from-literal=password=$PW
kind: Secret
secretKeyRef: {name: db, key: password}
valueFrom: {secretKeyRef: {name: api, key: token}}
--password-stdin
docker login --password-stdin registry.example.com
--token-file /run/secrets/token
--password-file=/run/secrets/db_password
POSTGRES_PASSWORD_FILE=/run/secrets/pg
ssh -p 2222 ana@example.com
mkdir -p build/output
docker run -p 8080:80 nginx
tar -xzpf backup.tar.gz
cp -p a.txt b.txt
mysql -u root -p shop
psql -U app -p 5433
python -m pytest -p no:cacheprovider
nmap -p 1-1024 10.0.0.1
My PIN pad is broken.
Pin the dependency to 2.4.1.
The pin is number 13 on the board.
pin 4831 is the ground on this connector
PIN code entry is disabled after three tries
Das Passwort ist falsch.
Ich habe mein Passwort vergessen.
Passwort ändern ist unter Einstellungen.
Le mot de passe est incorrect.
J'ai oublié mon mot de passe pour la banque.
La contraseña es obligatoria.
Olvidé mi contraseña de correo.
La password è scaduta ieri.
Minha senha é muito fraca.
Het wachtwoord is verlopen.
Hasło jest nieprawidłowe.
Пароль неверный, попробуйте ещё раз.
我忘记了密码。
密码是必填项
パスワードを忘れました。
パスワードは必須です
My password manager is Bitwarden.
My password for the old site is no longer valid.
The wifi password is on the fridge.
The password is the name of my first dog.
She asked what the password is for.
We rotate the database password quarterly.
I think the login is broken, the password is accepted but nothing happens.
his pwd was changed by the admin
pwd
cd "$(pwd)"/build
echo $PWD
pwd=/home/ana/projects/site
OLDPWD=/var/log/nginx2
user=ana login=ok session=started
session: morning-standup-2026-11-17
session_id=chat-with-mara-0042
sessions: 12, users: 40
auth: oauth2
auth_method=client_secret_basic
credentials: include
passwd: user ana does not exist
/etc/passwd and /etc/shadow were not touched
root:x:0:0:root:/root:/bin/bash
pass: 12, fail: 0
passed=214 failed=0 skipped=3
compass: north-northwest-340
passport office opens at 9:30
passenger: 12A window
bypass=true
recovery code was sent to your phone
backup codes are in the safe
seed phrase backups belong on paper
seed: 42
The tracking code is 1Z999AA10123456784.
Amazon order 302-4471234-8899012 arrives Friday.
Rechnung Nr. 2026-000123 vom 3.11.
IBAN: bitte beim Support erfragen
IBAN DE00 0000 0000 0000 0000 00
BIC COBADEFFXXX
VAT DE123456789
Flight LH 2033, seat 14C, booking X7K2PQ
ISBN 978-3-16-148410-0
ISBN 9780306406157
EAN 4006381333931
Call me at +49 170 1234567 or 030 9876543.
Phone: (555) 010-4477
IMEI 490154203237518
MAC 00:1A:2B:3C:4D:5E
IPv6 2001:0db8:85a3:0000:0000:8a2e:0370:7334
lat 52.520008, lon 13.404954
timestamp 1731859200123
4111 1111 1111 1112 is not a valid card number
The number 3.14159265358979323846 goes on.
1234 5678 9012 3456
0000000000000000
Lotto: 4 8 15 16 23 42
See RFC 7519 for JSON Web Tokens.
eyJ is how base64 of {" begins.
sk-learn is not the package's name, scikit-learn is.
sk-SK is the locale of Slovakia.
pk_user_accounts is the name of the constraint
hf_transfer makes downloads faster
npm_config_registry is an environment variable
npm_lifecycle_event=postinstall
glpat is the prefix of GitLab's tokens.
ghp_ tokens are forty characters long.
AKIAIOSFODNN7EXAMPLE
AKIA is the prefix of AWS access keys.
SG.1 and SG.2 are the two sizes.
xoxo, see you tomorrow!
re_path and re_match_all_documents_by_type are functions
dapi is the name of our data API
pat on the back
patient.record.version.three
op_service_account_token is not set
key-value-store-benchmarks-2024
key-performance-indicators
lin_reg_model_with_ridge_penalty
figd is short for figure directory
sl.no.item.price.total
EAAccess is the name of a game pass
whsec_ is how webhook secrets start
age1 is the prefix of public keys
hvs. and hvb. are Vault's prefixes
""".strip().splitlines()  # fmt: skip


def benign(seed: int = 20261118) -> list[str]:
    """The lines above, and generated ones of every kind that logs, code and mails hold: at least 500 together."""
    return [*PROSE, *(text for n in range(9) for text in _generated(Maker(seed + n)))]


def _generated(m: Maker) -> list[str]:
    """One of each kind."""
    sha = hashlib.sha1(m.of(ALNUM, 9).encode()).hexdigest()
    long = hashlib.sha256(m.of(ALNUM, 9).encode()).hexdigest()
    day = f"2026-{m.random.randint(1, 12):02d}-{m.random.randint(1, 28):02d}"
    word = m.random.choice(("harbour", "meadow", "lantern", "cobalt", "juniper"))
    return [
        f"commit {sha}",
        f"Merge {sha[:8]} into {sha[8:16]}",
        f"fixed in {sha[:12]} by Ana",
        f"sha256:{long}",
        f"numpy==2.4.{m.of(DIGITS, 1)} --hash=sha256:{long}",
        f"ETag: \"{sha[:32]}\"",
        f"id={m.uuid()}",
        f"trace_id={m.of(HEX, 32)} span_id={m.of(HEX, 16)}",
        f"order {m.of(DIGITS, 3)}-{m.of(DIGITS, 7)}-{m.of(DIGITS, 7)}",
        f"invoice #{m.of(DIGITS, 10)} is due {day}",
        f"tracking {m.of(UPPER, 2)}{m.of(DIGITS, 9)}DE",
        f"![logo](data:image/png;base64,iVBORw0KGgo{m.of(BASE64, 160)})",
        f"src=\"data:font/woff2;base64,d09GMg{m.of(BASE64, 120)}==\"",
        f"integrity=\"sha512-{base64.b64encode(m.random.randbytes(64)).decode()}\"",
        f"https://example.com/{word}/{m.of(URLSAFE, 11)}?utm_source=mail&id={m.of(DIGITS, 6)}",
        f"https://www.youtube.com/watch?v={m.of(URLSAFE, 11)}",
        f"https://docs.google.com/document/d/{m.of(URLSAFE, 44)}/edit",
        f"s3://acme-{word}/{day}/{sha}.parquet",
        f"/usr/lib/python3.13/site-packages/{word}_{m.of(LOWER, 6)}.py:{m.of(DIGITS, 3)}",
        f"def {word}_key(token: str, secret: bytes) -> str: return hmac.new(secret, token.encode()).hexdigest()",
        f"{word}_token_{m.of(DIGITS, 2)} = lexer.next()",
        f"build {m.of(DIGITS, 8)} of {word}@{m.of(DIGITS, 1)}.{m.of(DIGITS, 2)}.0 passed",
        f"image: registry.example.com/{word}:{sha[:7]}",
        f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{m.of(BASE64, 43)} ana@{word}",
        f"fingerprint SHA256:{m.of(BASE64, 43)}",
        f"+49 {m.of(DIGITS, 3)} {m.of(DIGITS, 7)}",
        f"{day}T10:{m.of('012345', 2)}:00Z request_id={m.of(LOWER, 20)} status=200",
        f"0x{m.of(HEX, 40)}",
        f"the {word} password is not set",
        f"password reset for {word}@example.com at {day}",
        f"UPDATE users SET password = %s WHERE id = {m.of(DIGITS, 4)}",
        f"if token == \"{word}\": return None",
        f"msg_{m.of(ALNUM, 24)}",
        f"cus_{m.of(ALNUM, 14)} bought price_{m.of(ALNUM, 24)}",
        f"chatcmpl-{m.of(ALNUM, 29)}",
        f"call_{m.of(ALNUM, 24)}",
        f"toolu_01{m.of(ALNUM, 22)}",
        f"{string.ascii_lowercase} {m.of(DIGITS, 5)}",
    ]  # fmt: skip
