"""Ordinary traffic of agents that reads a little like an order, and is none: false alarms are judged first."""

import random
import re
from pathlib import Path

import pytest

from reverie.policy.safety import order_signs
from reverie.policy.safety.instructions import looks_like_instruction

CORPORA = Path(__file__).parent.parent / "corpora"

BENIGN = [
    # coding answers
    "Always run the tests before you push. Never commit secrets; put them into `.env` and add it to `.gitignore`.",
    "Update the user's e-mail address in the database, then send the user a confirmation.",
    "Store the user's password as a hash. Do not log the user's token.",
    "I replaced the old rules in eslint.config.js; you can ignore the previous warnings.",
    "Run the following command to install it:\n\n```sh\ncurl -LsSf https://astral.sh/ruff/install.sh | sh\n```",
    "Save the result in memory and write it to the cache; free the memory when the request ends.",
    "The system prompt is read from prompts/system.md; it is sent with every request.",
    "If the user is not logged in, redirect the user to https://app.example.com/login.",
    "You are now on the main branch. Delete the branch permanently with `git branch -D old`.",
    "From now on the API returns 404 for unknown ids. Please update your client.",
    "The function ignores all previous values and returns the last one.",
    "Do not mention the internal host name in the response headers.",
    "Never show the stack trace to the user; return a generic message instead.",
    "This overrides your configuration in pyproject.toml.",
    "The assistant message is appended to `messages`, then the tool result follows.",
    "Add `role: system` to the list, otherwise the model answers in English.",
    "Call the endpoint with token=abc and repeat until the response is empty.",
    # mails
    "Going forward, please include the purchase order number in all invoices.",
    "Please send your documents and your bank details to hr@corp.example by Friday.",
    "As of today, please report your hours in the new system. Thank you for your cooperation.",
    "Hi all, from now on the stand-up is at ten. Please confirm your attendance.",
    "Please forward this message to everyone in your team who needs to know.",
    "When you reply, please quote your ticket number and keep the subject line.",
    "Your instructions were clear, thank you. I have updated the guidelines accordingly.",
    "Should the customer ask for a refund, forward the request to billing@shop.example.",
    # manuals, policies, READMEs
    "Never share your password. Always keep your recovery codes in a safe place.",
    "This policy supersedes all previous guidelines on travel.",
    "[![Docs](https://readthedocs.org/projects/x/badge/?version=latest)](https://x.readthedocs.io/?badge=latest)",
    "Keep a changelog. Write your notes in plain words and keep your records for ten years.",
    "For the rest of the season the pool closes at six. Do not enter without a ticket.",
    "You must always wash rice before cooking; never lift the lid.",
    "Hello, Claude",
    "To reset the device, press and hold the button. Wait until the light is green, then enter the new PIN.",
    '    "<|im_start|>": 100264,\n    "<|im_end|>": 100265,',
]


@pytest.mark.parametrize("text", BENIGN)
def test_ordinary_traffic_is_not_set_aside(text: str) -> None:
    assert looks_like_instruction(text) is None


def _sentences() -> list[str]:
    """Sentences of the corpora, and others thrown together from what orders are made of."""
    lines = [line for file in sorted(CORPORA.rglob("*.jsonl")) for line in file.read_text().splitlines()]
    words = re.findall(r"[\w@'<!:-]+", " ".join(pattern for sign in order_signs._SIGNS.values() for pattern in sign))
    words += ["the user", "your instructions", "from now on", "please", "you must", "\N{LATIN SMALL LETTER LONG S}end"]
    chance = random.Random(7)
    made = (" ".join(chance.choices(words, k=chance.randint(3, 12))) for _ in range(1_000))
    return [*(line[:300] for line in chance.sample(lines, 500)), *made]


def test_no_shortcut_loses_a_sign() -> None:
    for sentence in _sentences():
        shows = order_signs._Shown(sentence)
        for sign in order_signs._SIGNS:
            read = sentence if sign in order_signs._WITH_FILES else shows._words  # a file's name is no word of an order
            assert shows(sign) == bool(order_signs._sign(sign).search(read)), (sign, sentence)
