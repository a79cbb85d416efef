"""The JSON schema of each answer. Every property is required and none may be added: what strict providers ask for."""

from typing import Any, get_args

from reverie.minds.llm.client import Schema
from reverie.model.thinking import ClashKind, FactKind

FACT_KINDS: tuple[FactKind, ...] = get_args(FactKind)
CLASH_KINDS: tuple[ClashKind, ...] = get_args(ClashKind)

_TEXT: dict[str, Any] = {"type": "string"}
_YES_NO: dict[str, Any] = {"type": "boolean"}
_SHARE: dict[str, Any] = {"type": "number"}
_IDS: dict[str, Any] = {"type": "array", "items": _TEXT}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def _choice(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


_FACT = _object(
    source=_TEXT, text=_TEXT, subject=_TEXT, predicate=_TEXT, value=_TEXT, kind=_choice(*FACT_KINDS),
    when=_TEXT, negated=_YES_NO, replaces=_TEXT, asked=_YES_NO,
)  # fmt: skip
_INSIGHT = _object(text=_TEXT, kind=_choice("deduction", "induction"), premises=_IDS, confidence=_SHARE)

FACTS: Schema = _object(facts=_list(_FACT))
NOTE: Schema = _object(title=_TEXT, text=_TEXT, sources=_IDS)
CLASH: Schema = _object(kind=_choice(*CLASH_KINDS), why=_TEXT, confidence=_SHARE)
PROFILE: Schema = _object(text=_TEXT, sources=_IDS)
INSIGHTS: Schema = _object(insights=_list(_INSIGHT))
TEXT: Schema = _object(text=_TEXT)
QUESTIONS: Schema = _object(questions=_list(_object(text=_TEXT, why=_TEXT, sources=_IDS)))
ANSWER: Schema = _object(known=_YES_NO, text=_TEXT, confidence=_SHARE, sources=_IDS)
SENTENCES: Schema = _object(sentences=_list(_object(keep=_TEXT, text=_TEXT, sources=_IDS)))
VERDICT: Schema = _object(approve=_YES_NO, why=_TEXT)
CITY: Schema = _object(city=_TEXT)
