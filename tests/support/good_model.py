"""What a good model would write: it reads the prompt's data as any model must, thinks by the rules, answers in JSON.

So the reasoner's contract goes through the real prompts, the wire, the schemas and the validation.
"""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from reverie.minds.rules.reading.matters import matter_of
from reverie.minds.rules.reasoner import RulesReasoner
from reverie.model.memories import Memory
from reverie.model.thinking import (
    BlockDraft,
    Episode,
    Evidence,
    NightStory,
    ProposedChange,
    QuestionContext,
    Quote,
    Sentence,
)
from tests.support.fault_server import schema_of

Record = dict[str, Any]
Data = dict[str, list[Record]]
RULES = RulesReasoner()
SECTION = re.compile(r"^<(\w+)>\n(.*?)^</\1>", re.DOTALL | re.MULTILINE)


def write(body: dict[str, Any]) -> tuple[str, str]:
    schema = schema_of(body)
    assert schema is not None
    task = TASKS[tuple(schema["properties"])]
    data = {tag: [_record(line) for line in lines.splitlines()] for tag, lines in SECTION.findall(_user(body))}
    return json.dumps(task(data)), "stop"


def _record(line: str) -> Record:
    """A line of data; those of a context to ponder are no records, but a number and a text."""
    return json.loads(line) if line.startswith("{") else dict(zip(("line", "text"), line.split(": ", 1), strict=False))


def ponder(data: Data) -> Record:
    """Every line's first number doubled, under a name of its words."""
    program = []
    for record in data["context"]:
        text = str(record.get("text", ""))
        number, words = re.search(r"\d+", text), re.findall(r"[a-z]{3,}", text.lower())
        if number and words:
            program += [f"{words[-1]} = {number[0]} # {record['line']}", f"twice_the_{words[-1]} = {words[-1]} * 2"]
    return {"program": program, "statements": []}


def facts(data: Data) -> Record:
    drafts = RULES.facts([episode(record) for record in data["episodes"]])
    return {
        "facts": [
            {
                "source": d.source, "quote": d.quote, "about": d.about, "subject": d.subject, "predicate": d.predicate,
                "value": d.value, "negated": d.negated, "replaces": d.replaces,
            }
            for d in drafts
        ]
    }  # fmt: skip


def note(data: Data) -> Record:
    draft = RULES.note([episode(record) for record in data["episodes"]])
    if draft is None:
        return {"title": "", "text": "", "sources": []}
    return {"title": draft.title, "text": draft.text, "sources": list(draft.sources)}


def clash(data: Data) -> Record:
    older, newer = data["older"][0], data["newer"][0]
    same = all(older.get(part) == newer.get(part) for part in ("subject", "predicate"))
    kind = "update" if same and matter_of(words(older)).exclusive else "none"
    return {"kind": kind, "why": "the newer one says so", "confidence": 0.9}


def profile(data: Data) -> Record:
    draft = RULES.profile(data["about"][0]["entity"], [memory(record) for record in data["facts"]])
    return {"text": draft.text, "sources": list(draft.sources)} if draft else {"text": "", "sources": []}


def insights(data: Data) -> Record:
    drafts = RULES.infer([memory(record) for record in data["facts"]])
    return {
        "insights": [
            {"text": d.text, "kind": d.kind, "premises": list(d.premises), "confidence": 1.0} for d in drafts
        ]
    }  # fmt: skip


def text(data: Data) -> Record:
    if "text" in data:
        return {"text": RULES.summary(data["text"][0]["text"], data["text"][0]["sentences"])}
    night = data["night"][0]
    learned = tuple(quote(record) for record in data["learned"])
    return {"text": RULES.diary(NightStory("n", at(night["date"]), night["kind"], learned))}


def quote(record: Record) -> Quote:
    return Quote(record["text"], record["who"], at(record["date"]), record.get("about", ""))


def questions(data: Data) -> Record:
    context = QuestionContext(
        tuple(evidence(record) for record in data["facts"]), tuple(episode(record) for record in data["turns"])
    )
    drafts = RULES.questions(context, data["wanted"][0]["count"])
    return {"questions": [{"text": d.text, "why": d.why, "sources": list(d.sources)} for d in drafts]}


def answer(data: Data) -> Record:
    draft = RULES.answer(data["question"][0]["text"], [evidence(record) for record in data["evidence"]])
    if draft is None:
        return {"known": False, "text": "", "confidence": 0, "sources": []}
    return {"known": True, "text": draft.text, "confidence": draft.confidence, "sources": list(draft.sources)}


def sentences(data: Data) -> Record:
    known = [memory(record) for record in data["memories"]]
    standing = {record["id"]: standing_sentence(record, known) for record in data["sentences"]}
    block = BlockDraft(data["block"][0]["label"], data["block"][0]["limit"], tuple(standing.values()))
    after = RULES.rethink(block, known)
    kept = {sentence: handle for handle, sentence in standing.items()}
    return {
        "sentences": [
            {"keep": kept[s], "text": "", "sources": []}
            if s in kept
            else {"keep": "", "text": s.text, "sources": list(s.sources)}
            for s in after.sentences
        ]
    }


def standing_sentence(record: Record, known: list[Memory]) -> Sentence:
    """It rests on the memories whose words it quotes, or on what is not shown."""
    quoted = tuple(one.id for one in known if one.quote and one.quote in record["text"])
    return Sentence(record["text"], quoted or (record["id"],), record["own"])


def verdict(data: Data) -> Record:
    change = data["change"][0]
    found = tuple(evidence(record) for record in data["evidence"])
    said = RULES.review(ProposedChange(change["label"], change["before"], change["after"], found))
    return {"approve": said.approve, "why": said.why}


TASKS: dict[tuple[str, ...], Callable[[Data], Record]] = {
    ("facts",): facts,
    ("title", "text", "sources"): note,
    ("kind", "why", "confidence"): clash,
    ("text", "sources"): profile,
    ("insights",): insights,
    ("program", "statements"): ponder,
    ("text",): text,
    ("questions",): questions,
    ("known", "text", "confidence", "sources"): answer,
    ("sentences",): sentences,
    ("approve", "why"): verdict,
}


def episode(record: Record) -> Episode:
    return Episode(
        record["id"], record["text"], at(record["said"]), speaker=record["speaker"], role=record.get("role", "user"),
        before=tuple(record.get("before", ())),
    )  # fmt: skip


def memory(record: Record) -> Memory:
    said = at(record["date"])
    return Memory(
        id=record["id"], space="", kind="fact", text=record["text"], sources=("turn",), created_at=said, said_at=said,
        subject=record.get("subject"), predicate=record.get("predicate"), value=record.get("value"),
        valid_until=at(record["until"]) if "until" in record else None, marks={"quote": words(record)},
    )  # fmt: skip


def evidence(record: Record) -> Evidence:
    said = at(record["date"]) if "date" in record else None
    return Evidence(
        record["id"], record["text"], said, "user", 0.9, kind="fact", subject=record.get("subject"),
        predicate=record.get("predicate"), value=record.get("value"), quote=words(record),
    )  # fmt: skip


def words(record: Record) -> str:
    """What somebody said, as a record shows it: between the quotation marks after who and when."""
    said = re.search(r': "(.*)"', record["text"], re.DOTALL)
    return said[1] if said else ""


def at(day: str, time: str = "00:00") -> float:
    return datetime.fromisoformat(f"{day[:10]} {time}").replace(tzinfo=UTC).timestamp()


def _user(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"])
