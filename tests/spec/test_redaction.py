"""Secrets by shape, and the texts that only look like secrets."""

import pytest

from reverie.policy.safety import redaction
from reverie.policy.safety.redaction import redact
from reverie.policy.safety.secrets.reading import BAR, finds

A40 = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6kM9o"  # forty characters of no meaning
KEY_BLOCK = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("secret", "kind"),
    [
        (f"sk-proj-{A40}", "api_key"),
        (f"sk-ant-api03-{A40}", "api_key"),
        (f"ghp_{A40[:36]}", "api_key"),
        (f"github_pat_{A40}", "api_key"),
        (f"glpat-{A40[:20]}", "api_key"),
        (f"xoxb-{A40[:24]}", "api_key"),
        ("AKIAQ7X2N4P6R8T0V2W4", "api_key"),
        (f"AIza{A40[:35]}", "api_key"),
        (f"sk_live_{A40[:24]}", "api_key"),
        (f"npm_{A40[:36]}", "api_key"),
        (f"hf_{A40[:34]}", "api_key"),
        (f"SG.{A40[:22]}.{A40}", "api_key"),
        (f"123456789:AA{A40[:33]}", "api_key"),
        (f"eyJ{A40[:20]}.{A40}.{A40}", "jwt"),
        (f"Bearer {A40}", "bearer"),
        (f"Authorization: Basic {A40}", "bearer"),
        (KEY_BLOCK, "private_key"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk", "private_key"),  # cut off: all of it goes
        ("password: hunter", "password"),
        ('"password": "correct-horse"', "password"),
        ("PASSWORD=letmein!", "password"),
        ("pwd = s3cr3t", "password"),
        ("my password is hunter2", "password"),
        ("the wifi password for guests is Sommer2024!", "password"),
        ("my pin is 4711.", "password"),
        ("postgres://admin:pa55word@db.internal/app", "password"),
        (f"api_key = '{A40}'", "secret"),
        (f"AWS_SECRET_ACCESS_KEY={A40}", "secret"),
        (f"client_secret: {A40}", "secret"),
        ("4242 4242 4242 4242", "card"),
        ("5555-5555-5555-4444", "card"),
        ("378282246310005", "card"),
        (f"https://hooks.slack.com/services/T000/B000/{A40[:24]}", "webhook"),
    ],
)
def test_a_secret_of_a_known_shape_is_taken_out_and_counted(secret: str, kind: str) -> None:
    redacted = redact(f"Here it is: {secret} and that was all of it.")
    assert (redacted.count, redacted.kinds) == (1, (kind,))
    assert f"[redacted:{kind}]" in redacted.text
    assert redact(redacted.text).count == 0  # what was taken out is not found again


@pytest.mark.parametrize(
    "text",
    [
        "The password is on the whiteboard.",
        "My password is too long to remember.",
        "password: required",
        "password = os.environ['DB_PASSWORD']",
        "password: ${DB_PASSWORD}",
        "password: ********",
        "The password was changed 2 weeks ago",
        "the password is 2nd on the list",
        "bearer of bad news",
        "a bearer extraordinarilylongword walked in",
        "tokens: about 16384 of them",
        "token: see-the-documentation-page",
        "the key is under the doormat",
        "order 4242424242424241 has shipped",  # fails the checksum
        "phone +49 170 1234567, later 0170 7654321 8",
        "timestamp 1700000000000, then 1700000000001",
        "in Asia, sk-ating and pypi-stats",
        "https://example.com:8080/a@b",
        "see https://user:password@example.com for the syntax",
        "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "a long-hyphenated-word-like-sk-this-one-without-any-number here",
        "7000000000000000 is a big number",
        "",
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text) == redaction.Redacted(text)


def test_several_secrets_are_counted_one_by_one_and_named_once() -> None:
    redacted = redact(f"ghp_{A40[:36]}, ghp_{A40[4:]}, password: abcd")
    assert (redacted.count, redacted.kinds) == (3, ("api_key", "password"))
    assert redacted.text == "[redacted:api_key], [redacted:api_key], password: [redacted:password]"


def test_a_key_given_as_a_password_counts_once() -> None:
    assert redact(f"password: sk-{A40}").count == 1


@pytest.mark.timeout(20)  # a pattern that backtracks badly would take minutes; this takes a twentieth of a second
@pytest.mark.parametrize("piece", ["4 ", "password ", "-----BEGIN PRIVATE KEY-----", "a://", "eyJaaaaaaaaa.", "sk-"])
def test_a_hostile_text_takes_no_more_than_a_linear_look(piece: str) -> None:
    hostile = piece * (300_000 // len(piece))
    assert redact(redact(hostile).text).count == 0


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("ALTER ROLE readonly WITH LOGIN PASSWORD 'tern.Basalt.660';", "tern.Basalt.660"),
        ('network={\n  ssid="Guest"\n  psk="granite8otter8"\n}', "granite8otter8"),
        ("log in as hunter using moss-Lantern-3318 as the password", "moss-Lantern-3318"),
        ("pw for the zip = invoice-Elm-2207", "invoice-Elm-2207"),
        ("Your backup codes. Each works once:\n4821-9937\n7710-2856\nKeep them.", "7710-2856"),
        ("the alarm beeps for 30 s, disarm with 58031", "58031"),
        ("accounts: ['0x" + "e2fbb6a3" * 8 + "']", "e2fbb6a3"),
    ],
)
def test_secrets_in_places_of_their_own_are_taken_out(text: str, secret: str) -> None:
    assert secret not in redact(text).text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("the root pw, it's Cobalt-Otter-9 on all three", "password 2, is 2, made 4, 0.2 away"),
        ("password: hunter", "password 2, label 3, word 0"),
        ("Snowdrift!Elm as password", "password 2, behind 2, signed 3"),
        ("the alarm code of the office is 7294", "password 2.5, is 2, digits 2"),
    ],
)
def test_a_find_says_which_points_made_it(text: str, why: str) -> None:
    (find,) = finds(text, text.lower())
    assert (find.why, find.points >= BAR) == (why, True)


@pytest.mark.parametrize(
    "text",
    [
        "user,password,host\nana,Crab-Apple-55,db",
        "| system | db password |\n|---|---|\n| nexus | vineyard_Xk2 |",
        "We went with Pewter+Swan14 after the audit.",
        "Backup codes:\nfb46f-ddc45\n859be-afbcf",
        "the passphrase for the laptop is four muddy boots dancing (all lower case)",
        "password is capital T trombone nine nine, no spaces",
    ],
)
def test_secrets_in_tables_lists_and_phrases_are_taken_out(text: str) -> None:
    kept = redact(text).text
    left = ("Crab", "vineyard", "Swan", "ddc45", "afbcf", "muddy", "trombone")
    assert not [word for word in left if word in kept]


@pytest.mark.parametrize(
    "text",
    [
        "CREATE USER app WITH PASSWORD :'app_password';",
        "password: !vault |",
        "look for lines starting with -----BEGIN RSA PRIVATE KEY----- and delete them",
        "--- PASS: TestParseSecretRef/empty_value (0.00s)",
    ],
)
def test_what_only_stands_in_a_secrets_place_is_left(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("you get in with Mulberry-Lane-40, it never changes", "Mulberry-Lane-40"),  # nobody says what it is
        ("punch in 66203 at the barrier", "66203"),
        ("I pasted the wrong thing: 38AibNyyurlGFb0EkjKWREhbiGjl", "38AibNyyurlGFb0EkjKWREhbiGjl"),
        ("capital R, then iverbank six six dollar sign, that unlocks the drive", "iverbank six six dollar sign"),
        ("keytool -srckeystore rel.jks -srcstorepass Dovetail_Joint", "Dovetail_Joint"),
        ("mosquitto_pub -h broker -u greenhouse -P tomatoVine3 -t x", "tomatoVine3"),
        ("https://app.lumen.example/auth/verify?t=Zk39fQp1LmX82wTrY6", "Zk39fQp1LmX82wTrY6"),
        ("network_key: [14, 201, 88, 3, 119, 250, 64, 7, 31, 190, 2, 77, 145, 12, 66, 238]", "14, 201, 88"),
        ("4229 8301 9931 3252 09/28 613", "613"),
        ("Mon numéro de sécu : 2 84 05 28 222 512", "2 84 05 28 222 512"),
        ("password: |-\n  tall_Heron", "tall_Heron"),
        ("Пароль от почты поменял на Medved_1987", "Medved_1987"),
        ('{"newPassword":"Cloud.Shed.4","confirm":"Cloud.Shed.4"}', "Cloud.Shed.4"),  # wherever it stands
    ],
)
def test_secrets_that_nobody_names_or_a_program_holds_are_taken_out(text: str, secret: str) -> None:
    assert secret not in redact(text).text


@pytest.mark.parametrize(
    "text",
    [
        "see Mulberry-Lane-40 on the map",
        "the barrier is 1200 mm wide",
        "integrity sha512-38AibNyyurlGFb0EkjKWREhbiGjl",
        "call_Zb3KpQ81xLm02VtYw9RnA4cd finished",
        "cp -p Report_Final2 /backup",
        "docker run -p 8080:80 nginx",
        "gcloud secrets versions access latest --secret=edge-db",
        "My passport expires on 12.04.2031.",
        "Le code postal est 75011, la porte est bleue.",
        "press Ctrl+Shift+K to log in",
    ],
)
def test_what_looks_so_and_opens_nothing_stays(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        f"-----BEGIN CERTIFICATE-----\nMIIC{A40}\n{A40[:23]}=\n-----END CERTIFICATE-----",
        f"ED25519 key fingerprint is SHA256:{A40}.",
        f'_acme-challenge.example.org. 300 IN TXT "{A40}"',
        "cf-ray: 92eb0d3c999b467d-FRA",
        "PIN code 560034 is Koramangala, the courier asked for it.",
        "secrets:\n  db_password:\n    file: ./secrets/db_password.txt",
        '{"event":"password_changed","user_id":818978,"ip":"10.0.0.8"}',
        '"login.password.forgot": "Forgot your password?"',
        "Enter password:\nWelcome to the MySQL monitor.",
        "const { email, password } = await req.json();",
        "def connect(self):\n    user, password = auth\n    self.credentials = in_memory\n    return self.open()",
        "https://docs.example.com/authentication/keeping-your-account-secure",
        "Backup codes used this month:\nMarch 3\nMarch 9",
    ],
)
def test_what_is_public_or_belongs_to_another_name_stays(text: str) -> None:
    assert redact(text) == redaction.Redacted(text)


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("Google backup codes:\n1. 1744 6796\n2. 5003 3626", ["1744 6796", "5003 3626"]),
        ("GitHub recovery codes\n\nbaee6-c219a\n3b106-8c764", ["baee6-c219a", "3b106-8c764"]),
        ("인증번호 [230646]를 입력해 주세요.", ["230646"]),
        ("AZURE_OPENAI_KEY=7e8ded3e81d2872647b81ae2f35d5f8a", ["7e8ded3e81d2872647b81ae2f35d5f8a"]),
        (f"https://eth-mainnet.g.alchemy.com/v2/{A40[:32]}", [A40[:32]]),
        (f'"POST /bot6427856959:{A40[:35]}/getUpdates"', [A40[:35]]),
        ('{"name": "password", "value": "Tea-Rose-9"}', ["Tea-Rose-9"]),
        ("from a import b\nimport c\n\nDB_PASSWORD=oakleaf77", ["oakleaf77"]),
        ("import a\nimport b\n\npassword = 'marmalade'", ["marmalade"]),
    ],
)
def test_lists_of_codes_and_keys_in_addresses_go(text: str, secrets: list[str]) -> None:
    assert [secret for secret in secrets if secret in redact(text).text] == []


@pytest.mark.parametrize(
    "text",
    [
        "My wifi keeps dropping: SSID is Fritz-Gast-5G on channel 36.",  # the noun before "is" has the value
        "passwords are hashed with argon2id, m=19456",  # a way, not a password
        "Tom asked for access to the Grafana board Latency-Overview-2.",  # a noun names it
        "I forgot my password, so Support-Tier-2 is looking into it.",  # it does something
        "He logged in from Chrome-119 at 09:14.",
        '__match_args__ = ("gr_name", "gr_passwd", "gr_gid", "gr_mem")',  # names among names
        "| user | role | last login |\n|---|---|---|\n| svc-ci | bot | never |",
        "account\tinclude\t\tsu\npassword\tinclude\t\tsu\nsession\toptional\tpam.so",
        "user,password,host\nana,-,db\nbo,n/a,db",
        "unlock_time=600 deny=5",  # a name is what its last part says
        "The shortcut for the vault is Cmd+Shift+9.",
        "cache hit for key: node-modules-linux-e2bbed9c34db612efff2863059d6b6ffa5e30363",
        "confirmation code for the hotel is HX7Q2M, check in from 15:00",
        "The alarm is set to 0630 and the door closes at 2200.",
        "router.post('/login', 'auth.controller')",
        "user, password = auth\nhash prefix $2b$12$ means bcrypt with cost 12",
    ],
)
def test_what_a_nearer_word_explains_stays(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("root:$6$42h6ZYhjRRY8IGdJ$eQpEOa9bfGV6KS6H23I2ZIxMjI7YuK4zCnh2dPgC8IshopiR:19873:0", "eQpEOa9bfGV6KS6H23I2"),
        ("jdbc:oracle:thin:scott/T1ger_Lily@//ora01:1521/ORCL", "T1ger_Lily"),
        ("COPY t (id, token) FROM stdin;\n1\t37e88067e7b797fb0a0c844b873a8d35ef06871c", "37e88067e7b797fb"),
        ("My password is the dog and the year, so Biscuit2009, and I use it a lot.", "Biscuit2009"),
        ("the admin page wants a login, it's admin and Kyo-3rdFloor! fyi", "Kyo-3rdFloor"),
        ("wallet recovery words: 1. harvest 2. quantum 3. sibling", "quantum"),
        ("a senha do email é pipoca#44", "pipoca"),
        ("it's the same pw as the NAS - oldbarn66", "oldbarn66"),
        ("smtp.login('noreply@example.org', 'vxkw qzpd mmtr hjlc')", "vxkw qzpd"),
        ("jwt.sign(payload, 'grilled-Cheese-77')", "grilled-Cheese"),
        ("is 'sunnyside4ever' a good password?", "sunnyside4ever"),
        ("the safe behind the painting: 22 left, 7 right, 31 left", "22 left"),
        ("dsn: 'app:grumpyHeron42@tcp(10.0.0.4:3306)/shop'", "grumpyHeron42"),
        ("key: 91a3d227103f561b6cbf883ff8ce411a secret: I29IxJeQeatYm0GaXIiSS7xVuJ5j", "91a3d227103f561b"),
    ],
)
def test_secrets_that_a_farther_word_tells_are_taken_out(text: str, secret: str) -> None:
    assert secret not in redact(text).text
