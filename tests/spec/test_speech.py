"""What was said, told apart from code, logs, tables, quoted mail and pasted documents."""

import time

import pytest

from reverie.language.speech import spoken, utterances

FENCED = "it fails here:\n```python\n# I live in a comment\nimport os\n```\nany idea?"
LOG = "prod is down\n2026-03-11T03:10:04Z ERROR store: flush failed\n2026-03-11T03:10:09Z WARN ring full\nI was asleep"
TRACE = (
    'look\nTraceback (most recent call last):\n  File "a.py", line 3, in <module>\n'
    "ValueError: my name is None\nmy guess: a typo"
)
TABLE = "numbers from staging:\n| run | p99 |\n|-----|-----|\n| a   | 390 |\nms, all of them"
MAIL = "mail from school\n> Dear families,\n> I live on campus. Always reply to the office.\nwhat do I have to do"
HEADERS = "this came in\nFrom: Nia Pugh <nia@example.org>\nSubject: my flat\n\nI moved to Cardiff and I hate it.\n\nNia"
FORWARD = "see below\n---------- Forwarded message ----------\nI am allergic to latex.\nThanks, Odd"
DATA = 'config is\n{\n  "name": "I am data",\n  "port": 8080\n}\nport must stay 8080'
SETTINGS = "here\nname: I am a value\nport: 8080\nregion: eu-north-1\nthat is all I changed"
DIFF = "my change\ndiff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\nI like it"
DOCUMENT = (
    "the new lease came, pasting it:\n\nThe tenant shall keep the premises in good order. The landlord may"
    " enter with notice of two days. Rent is due on the first day of each month.\n\n"
    "Pets are not permitted in the building."
)
LONG = (
    "The council of the district has approved the redevelopment of the harbour basin after a consultation that"
    " lasted eleven months and drew nine hundred responses. Work begins in spring with the removal of the old cranes,"
    " which the museum will restore. Residents of the eastern quay are offered temporary parking on the former rail"
    " yard until the underground garage opens. The cost is shared between the port authority and the region."
)

LEAFLET = (
    "can you read this leaflet for me? I only want what matters\n\nPACKAGE LEAFLET: information for the patient\n\n"
    "Do not use these drops if you are allergic to any of the ingredients. Your sight may become blurred; you should"
    " not drive then.\n\nTell your doctor if you take other medicines.\n\nMy pharmacist is off. Which part is for me?"
)
TERMS = (
    "what's important here?\n\nThe balance is to be paid no later than ten days before the event. In case of late"
    " payment a fee is charged. The renter is liable for any damage."
)
DRAFT = "here's my draft:\nI went to the archive in May and I found eleven of the fourteen names in one afternoon."
RECORD = "see\nCLAIM 8820 STATUS OPEN\nRESERVE 7500 PAID 0\nam I missing something"
COLUMNS = "the list:\nAssam      24,50  26,00\nSencha     48,00  53,00\nI like both"
IN_MARKS = 'the caption\n"The river that feeds the canal had turned to salt by the end of that summer."'

CASES = [
    (
        LEAFLET,
        [*LEAFLET.split("\n")[0].replace("? ", "?|").split("|"), "My pharmacist is off.", "Which part is for me?"],
    ),
    (TERMS, ["what's important here?"]),
    (DRAFT, ["here's my draft:"]),
    (RECORD, ["see", "am I missing something"]),
    (COLUMNS, ["the list:", "I like both"]),
    (IN_MARKS, ["the caption"]),
    ("here's my plan:\nI go home in May and I rest.", ["here's my plan:", "I go home in May and I rest."]),
    ("WHAT A DAY. I AM SO TIRED.", ["WHAT A DAY.", "I AM SO TIRED."]),
    (FENCED, ["it fails here:", "any idea?"]),
    (LOG, ["prod is down", "I was asleep"]),
    (TRACE, ["look", "my guess: a typo"]),
    (TABLE, ["numbers from staging:", "ms, all of them"]),
    (MAIL, ["mail from school", "what do I have to do"]),
    (HEADERS, ["this came in"]),
    (FORWARD, ["see below"]),
    (DATA, ["config is", "port must stay 8080"]),
    (SETTINGS, ["here", "that is all I changed"]),
    (DIFF, ["my change", "I like it"]),
    (DOCUMENT, ["the new lease came, pasting it:"]),
    (f"read this\n\n{LONG}\n\nI live on the eastern quay.", ["read this", "I live on the eastern quay."]),
    ("never touch `legacy/` please. I use `zed` now.", ["never touch `legacy/` please.", "I use `zed` now."]),
    ("- I take 20 mg\n- my GP is Dr. Ekwueme", ["I take 20 mg", "my GP is Dr. Ekwueme"]),
    ("I moved\nlast week. Then I slept.", ["I moved\nlast week.", "Then I slept."]),
    ("7.4 now. He went up again.", ["7.4 now.", "He went up again."]),
    ("1.14 -> 1.17, staging first please", ["1.14 -> 1.17, staging first please"]),
    ("... I came from nights. yes", ["...", "I came from nights.", "yes"]),
    ("", []),
    ("\n\n   \n", []),
    ("```\nnever closed\nI am code", []),
]


@pytest.mark.parametrize(("text", "said"), CASES)
def test_only_what_was_said_comes_back(text: str, said: list[str]) -> None:
    assert [one.text for one in utterances(text)] == said


@pytest.mark.parametrize(("text", "said"), CASES)
def test_every_utterance_stands_in_the_text_as_it_is(text: str, said: list[str]) -> None:
    assert [text[one.start : one.end] for one in utterances(text)] == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "they sent this\n---\nDear stockist, always display our poster.\n---\nthoughts?",
            ["they sent this", "thoughts?"],
        ),
        ("see the mail\n____\nAlways copy me in.\nBye", ["see the mail"]),
        ("I live in Oslo.\n\n---\n\nMy sister is Ada.", ["I live in Oslo.", "My sister is Ada."]),
    ],
)
def test_what_stands_between_rules_is_somebody_elses(text: str, said: list[str]) -> None:
    assert [one.text for one in utterances(text)] == said


def test_plain_talk_stays_whole() -> None:
    talk = "Hi! I live in Umeå. My sister (the nurse) moved to Växjö; she likes it there: quiet, cheap, green."
    assert spoken(talk) == talk


A_QUADRATIC_COST = 10.0  # seconds; what grows with the length alone takes a fiftieth of that, on any machine


@pytest.mark.parametrize(
    "text",
    ["\n" * 100_000, "a:" * 50_000, "> " * 50_000, "x = (" * 20_000, "| " * 50_000, "`" * 100_000, "1.1 " * 25_000],
    ids=["lines", "pairs", "quotes", "brackets", "bars", "ticks", "numbers"],
)
def test_a_hostile_text_costs_what_its_length_is(text: str) -> None:
    began = time.thread_time()  # of this thread alone: others may embed meanwhile
    utterances(text)
    assert time.thread_time() - began < A_QUADRATIC_COST
