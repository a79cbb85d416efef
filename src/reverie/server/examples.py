"""One example of every noun that the API answers with; the OpenAPI document shows them."""

from collections.abc import Mapping
from typing import Any

AGENT = "agent-7c9e6679-7425-40de-944b-e07fc1f90ae7"
TURN_ID = "turn-16fd2706-8baf-433b-82eb-8c7fada847da"
MEMORY_ID = "mem-886313e1-3b8a-5372-9b90-0c9aee199e5d"
BLOCK_ID = "block-0f8fad5b-d9cb-469f-a165-70867728950e"
KEY_ID = "key-3d813cbb-47fb-32ba-91df-831e1593ac29"
NIGHT_ID = "night-9b2f8c1e5d7a4b60a1c2d3e4f5061728"
SAID = 1_767_225_600.0

SPACE = {
    "id": AGENT,
    "name": "alice",
    "settings": {"cadence_turns": 10},
    "metadata": {},
    "watermark": 12,
    "created_at": SAID,
}
APPENDED = {"id": TURN_ID, "seq": 13, "repeated": False, "redacted": 0}
TURN = {
    "id": TURN_ID,
    "space": AGENT,
    "seq": 13,
    "session": "s1",
    "role": "user",
    "text": "I moved to Hamburg last week",
    "at": SAID,
    "origin": "user",
    "trust": 4,
    "speaker": None,
    "metadata": {},
    "key": None,
    "redacted": 0,
}
BLOCK = {
    "id": BLOCK_ID,
    "org": "org-1",
    "label": "human",
    "value": "Lives in Hamburg.",
    "limit": 5000,
    "description": "The person: identity, home, work, preferences.",
    "read_only": False,
    "protected": False,
    "tags": [],
    "metadata": {},
    "version": 2,
    "owner": AGENT,
    "session": None,
    "created_at": SAID,
    "updated_at": SAID,
}
MEMORY = {
    "id": MEMORY_ID,
    "space": AGENT,
    "kind": "fact",
    "text": "Alice lives in Hamburg.",
    "sources": [TURN_ID],
    "created_at": SAID,
    "said_at": SAID,
    "subject": "Alice",
    "predicate": "lives_in",
    "value": "Hamburg",
    "importance": 0.7,
    "confidence": 0.95,
    "tier": "hot",
    "version": 1,
}
KEY = {
    "id": KEY_ID,
    "org": "org-1",
    "name": "laptop",
    "scope": "write",
    "space": None,
    "created_at": SAID,
    "expires_at": None,
    "revoked_at": None,
    "used_at": None,
}
HIT = {
    "id": MEMORY_ID,
    "kind": "fact",
    "text": "Alice lives in Hamburg.",
    "score": 0.61,
    "relevance": 0.83,
    "sources": [TURN_ID],
    "said_at": SAID,
    "valid_from": SAID,
    "valid_until": None,
    "trust": 4,
    "speaker": "Alice",
    "session": "s1",
    "flags": [],
    "parts": {},
}

EXAMPLES: Mapping[str, Any] = {
    "SpaceOut": SPACE,
    "SleepSettings": {"cadence_turns": 10},
    "Appended": APPENDED,
    "TurnsOut": {"appended": [APPENDED]},
    "Turn": TURN,
    "SessionOut": {
        "session": "s1",
        "first_seq": 1,
        "last_seq": 13,
        "began_at": SAID,
        "last_at": SAID,
        "turns": 13,
        "ended_at": None,
    },
    "Ended": {"ended": True},
    "Hits": {"hits": [HIT]},
    "Context": {
        "text": "<human>\nLives in Hamburg.\n</human>",
        "tokens": 12,
        "hits": [HIT],
        "left_out": [],
        "changed_blocks": ["human"],
    },
    "Forgetting": {"turns": [TURN_ID], "memories": [MEMORY_ID], "counts": {"memories": 1, "turns": 1}},
    "Block": BLOCK,
    "BlockVersion": {
        "block": BLOCK_ID,
        "version": 2,
        "value": "Lives in Hamburg.",
        "actor": "person",
        "reason": "replace",
        "night": None,
        "at": SAID,
        "diff": "-Lives in Lisbon.\n+Lives in Hamburg.\n",
    },
    "BlockWrite": {
        "label": "human",
        "status": "written",
        "version": 2,
        "value": "Lives in Hamburg.",
        "why": "",
        "turn": None,
    },
    "Difference": {"older": 1, "newer": 2, "diff": "-Lives in Lisbon.\n+Lives in Hamburg.\n"},
    "Memory": MEMORY,
    "Edge": {
        "space": AGENT,
        "a": MEMORY_ID,
        "b": "mem-2",
        "relation": "related",
        "weight": 0.7,
        "created_at": SAID,
        "night": NIGHT_ID,
        "why": "shared tags",
    },
    "ApiKey": KEY,
    "KeyMade": {"key": KEY, "secret": "rv_…"},
    "Health": {"status": "ok", "version": "0.1.0", "why": ""},
}
