"""Secrets that nobody tuned to: how many are caught, how many harmless strings are, and that no byte is stored."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie
from reverie.errors import BadInput
from reverie.policy.safety.redaction import Redactor, redact
from reverie.server.errors import problem_of
from reverie.space import Space
from reverie.telemetry import PlainLines
from tests.conftest import BACKENDS
from tests.contract.test_purge import files
from tests.corpora.benign_samples import benign
from tests.corpora.blind_samples import blind_secrets, blind_strings, round_of
from tests.corpora.secret_samples import Sample, secrets
from tests.support.attacks.corpus import benign as agent_traffic

both = pytest.mark.parametrize("location", BACKENDS, indirect=True)
SEEDS = (20261117, 1, 2)


def parts(sample: Sample) -> list[str]:
    """The secret, and of a long one each half: one half is as bad."""
    half = len(sample.secret) // 2
    return [sample.secret] if half < 8 else [sample.secret[:half], sample.secret[half:]]


def test_at_least_95_of_100_realistic_secrets_are_taken_out() -> None:
    made = [sample for seed in SEEDS for sample in secrets(seed)]
    missed = [one for one in made if any(part in redact(one.text).text for part in parts(one))]
    assert len(made) >= 300
    assert len(missed) <= 0.05 * len(made), [one.kind for one in missed]


def test_at_most_one_of_100_harmless_strings_loses_anything() -> None:
    made = [text for seed in (20261118, 1_000) for text in benign(seed)]
    taken = [text for text in made if redact(text).count]
    assert len(made) >= 1_000
    assert len(taken) <= 0.01 * len(made), taken


def test_so_it_is_with_those_that_were_written_blind() -> None:
    made, strings = blind_secrets(), blind_strings()
    missed = [one.kind for one in made if any(part in redact(one.text).text for part in parts(one))]
    assert (len(made) >= 100, len(strings)) == (True, 500)
    assert len(missed) <= 0.02 * len(made), missed  # 11 of 100 at first sight, one today
    assert [text for text in strings if redact(text).count] == []


@pytest.mark.parametrize(
    ("name", "texts", "caught", "alarms"),
    [
        (1, 100, 100, 0),
        (2, 100, 97, 0),
        (3, 100, 95, 0),
        (4, 100, 100, 1),
        (5, 120, 120, 0),
        (6, 100, 98, 0),
        (7, 100, 97, 4),  # nothing was mended after it: these are its figures at first sight
        ("own", 728, 709, 7),
    ],
)
def test_of_the_rounds_of_judging_no_fewer_are_caught_than_were(
    name: int | str, texts: int, caught: int, alarms: int
) -> None:
    """All but the seventh have been looked at by now; tests/corpora/README.md has the figures at first sight."""
    secret, harmless = round_of(name)
    whole = [t for t in secret if not any(part in redact(one.text).text for one in t for part in parts(one))]
    assert (len(secret), len(whole) >= caught) == (texts, True), len(whole)
    assert sum(1 for text in harmless if redact(text).count) <= alarms


def test_of_agents_traffic_hardly_a_text_loses_anything() -> None:
    texts = [text.text for text in agent_traffic()]
    taken = [text for text in texts if redact(text).count]
    assert len(texts) > 1_000
    assert len(taken) <= 0.002 * len(texts), taken


def test_what_was_taken_out_is_not_found_again() -> None:
    for sample in (*secrets(), *blind_secrets()):
        assert redact(redact(sample.text).text).count == 0, sample.kind


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("a <private>b</private> c", "a [private] c"),
        ("a <PRIVATE>b <private>c</private> d</Private> e", "a [private] e"),  # nested, in any case
        ("a < private reason='x'>b</ private >c", "a [private]c"),
        ("a <private>b", "a [private]"),  # never closed: all that follows
        ("a </private> b", "a </private> b"),
        ("<private>a</private><private>b</private>", "[private][private]"),
    ],
)
def test_what_is_marked_private_is_never_stored(alice: Space, text: str, stored: str) -> None:
    done = alice.append("user", text)
    assert alice.turn(done.id).text == stored
    assert done.redacted == stored.count("[private]")


def test_secrets_are_counted_in_text_and_metadata_and_a_setting_keeps_a_kind(location: str, memory: Reverie) -> None:
    card, given = "4242 4242 4242 4242", {"password": "tulip", "note": {"deep": ["my pin is 4711"]}}
    turn = memory.space("a").append("user", f"pay with {card}", metadata=given)
    assert turn.redacted == 3
    assert memory.space("a").turn(turn.id).metadata == {
        "password": "[redacted:secret]",
        "note": {"deep": ["my pin is [redacted:password]"]},
    }
    with Reverie.open(location, embedder="none", store_secrets="card, iban") as other:
        kept = other.space("b").append("user", f"pay with {card}, pin is 4711")
        assert other.space("b").turn(kept.id).text == f"pay with {card}, pin is [redacted:password]"
    with pytest.raises(Exception, match="store_secrets must be any of"):
        Reverie.open(location, store_secrets="cards")


def lived(memory: Reverie, space: Space, home: Path, sample: Sample) -> None:
    """A secret through every door of the library, a transcript and the mirror."""
    text = sample.text
    name = text if len(text) <= 200 else "longer than any name"
    space.append("user", text, session=name, speaker=name, key=name, metadata={name: [text]})
    space.recall(text)
    space.context(text)
    space.answer(text)
    space.remember(text, tags=(name,), metadata={"given": text})
    block = space.blocks["human"]
    block.append(text)
    block.set(text)
    block.describe(description=text, metadata={"m": text}, tags=[text])
    wrong = space.append("user", "Rex is a cat")
    space.correct(wrong.id, text)
    space.change(metadata={"m": text})
    (home / "notes").mkdir(exist_ok=True)
    (home / "notes" / "mine.md").write_text(f"- {text}\n")
    space.mirror(home / "notes")
    (home / "notes" / "mine.md").unlink()  # a person's own file is theirs; the store must not have it


@both
def test_no_byte_of_a_caught_secret_is_in_the_home(location: str, memory: Reverie, home: Path) -> None:
    tried = [*secrets()[::6], *blind_secrets()[::6]]
    caught = [s for s in tried if not any(part in redact(s.text).text for part in parts(s))]
    for n, sample in enumerate(caught):
        lived(memory, memory.space(f"space {n}"), home, sample)
    memory.parts.events.flush()
    memory.space("space 0").sleep()
    held = [path.read_bytes() for path in files(memory.parts.db, location) if path.exists()]
    left = [s.kind for s in caught for part in parts(s) if any(part.encode() in data for data in held)]
    assert len(caught) > 20
    assert left == []


def test_an_import_and_a_restored_space_lose_their_secrets_too(location: str, memory: Reverie, home: Path) -> None:
    sample = next(s for s in secrets() if s.kind == "github token")
    space = memory.space("a")
    space.append("user", "SLOT one", metadata={"m": "SLOT two"})
    space.blocks["human"].set("SLOT three")
    lines = [line.replace("SLOT", sample.text.replace('"', "'")) for line in space.export()]
    memory.import_space("b", lines, trust=True)
    told = memory.space("b").turns()[0]
    assert "[redacted:api_key]" in told.text
    data = b"".join(path.read_bytes() for path in files(memory.parts.db, location))
    assert sample.secret.encode() not in data


def exported(source: str, folder: Path, samples: list[Sample]) -> Path:
    """What another product left behind, with a secret in each text and in what stands beside it."""
    texts = [sample.text for sample in samples]
    at = "2026-05-01T12:00:00Z"
    lines: list[dict[str, Any]]
    if source == "claude-code":
        lines = [
            {
                "type": "user",
                "uuid": f"u{n}",
                "sessionId": "s1",
                "timestamp": at,
                "message": {"role": "user", "content": text},
            }
            for n, text in enumerate(texts)
        ]
    elif source == "jsonl":
        lines = [{"role": "user", "content": text, "session": text[:200], "name": text[:200]} for text in texts]
        lines += [{"text": f"noted: {text}", "id": f"note {n}"} for n, text in enumerate(texts)]
    else:
        lines = [{"results": [
            {"id": str(n), "memory": text, "created_at": at, "user_id": text, "categories": [text[:60]],
             "metadata": {"given": text, text: "as a name"}} for n, text in enumerate(texts)
        ]}]  # fmt: skip
    path = folder / f"left.{'json' if source == 'mem0' else 'jsonl'}"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


@both
@pytest.mark.parametrize("source", ["claude-code", "jsonl", "mem0"])
def test_what_is_taken_in_from_another_product_loses_its_secrets(
    location: str, memory: Reverie, tmp_path: Path, source: str
) -> None:
    tried = [*secrets()[::6], *blind_secrets()[::6]]
    caught = [s for s in tried if not any(part in redact(s.text).text for part in parts(s))]
    space = memory.space("a")
    done = space.import_from(source, exported(source, tmp_path, caught))
    assert done.turns + done.memories >= len(caught) > 20
    memory.parts.events.flush()
    space.sleep()
    held = [path.read_bytes() for path in files(memory.parts.db, location) if path.exists()]
    left = [s.kind for s in caught for part in parts(s) if any(part.encode() in data for data in held)]
    assert any(b"[redacted:" in data for data in held)
    assert left == []


def test_logs_and_errors_hold_no_secret() -> None:
    sample = next(s for s in secrets() if s.kind == "openai project key")
    record = logging.LogRecord("reverie", logging.ERROR, "", 0, "failed with %s", (sample.secret,), None)
    assert sample.secret not in PlainLines().format(record)
    body = json.dumps(problem_of(BadInput(f"no such thing: {sample.text}", given=sample.text)).body)
    assert sample.secret not in body


def test_json_stays_json_without_its_secrets() -> None:
    given: Any = {"a": 'say "password": "tul\\"ip77"', "b": [1, None, {"token": "x" * 4}]}
    assert json.loads(Redactor().json(json.dumps(given)))["b"] == given["b"]
