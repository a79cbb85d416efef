"""What each property and parameter means, for those that do not say so where they are made.

A line `name: meaning` holds for every noun that has the property, `Noun.name: meaning` for one.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

MEANINGS = """
a: The memory that the edge starts at.
accepted: How often the answer was taken as it is.
actor: Who wrote it: a person, an agent, an operator or a night.
admit: Whether nights read the sessions that the rule names.
after: Only what was said at or after this moment, in seconds since the epoch.
Change.after: The row as it is since the night; null if the night deleted it.
age: How old the answer is, in seconds.
agent: Which coding agent calls.
answer: The id of the answer.
AnswerOut.answer: The text that is given.
answers: Prepared answers that may be served now.
appended: What came of each turn, in the order they were given.
as_of: Asks what was believed at this moment, in seconds since the epoch.
asked: How many questions were asked.
Memory.asked: Whether a person asked for it to be remembered.
at: When it happened, in seconds since the epoch.
TurnIn.at: When it was said, in seconds since the epoch; now if not given.
MemoryIn.at: When it was said, in seconds since the epoch; now if not given.
attempts: How often the night was begun.
auto_tags: Tags that nights gave it.
b: The memory that the edge ends at.
base_confidence: How sure it was before time went by; confidence follows from this.
base_version: The version of the block that the proposal was made for.
batches: How many batches the step has written.
before: Only what was said before this moment, in seconds since the epoch.
Change.before: The row as it was before the night; null if the night made it.
began_at: When it began, in seconds since the epoch.
block: The id of the block.
Memory.block: The label of the block that the line waits for.
Turn.block: The label of the block that the line was too long for.
blocks: How many blocks there are.
by: Who made the rule.
calls: How many calls were made.
captured: How many turns of this session are kept.
changed: Whether the tier would change.
changed_blocks: Labels of the blocks that were written since this session last saw them.
channel: How the session reaches the agent: a chat, a mailbox, a telephone.
code: A stable name for a program to act on.
colour: The verdict as a light: green, yellow or red.
completedAt: When the run ended, as ISO 8601.
confidence: How sure it is, from 0 to 1.
consolidation: How many nights have met it, from 0 to 1.
contradiction: The record of the contradiction.
core: Whether it stands in core memory.
correction: Whether a person said it to correct something.
corroborations: How often it was said again, independently.
cost: What it has cost, in dollars.
cost_asleep: What nights have cost, in dollars.
cost_awake: What conversations have cost, in dollars.
counted: The recalls that count as evidence.
counts: How many of each there were.
created_at: When it was made, in seconds since the epoch.
cursor: How far the step has come, in its own words.
days: On how many days it was recalled.
decay: How far it has faded, from 0 to 1.
decided_at: When it was decided, in seconds since the epoch.
decided_by: Who decided it.
default_blocks: Whether the space begins with the usual blocks.
description: What the block is for, as an agent reads it.
diff: The change as a unified diff.
diversity: How different the questions were that found it, from 0 to 1.
dropped: The id of the answer that is not given any more.
due: What is due, if anything.
due_at: When it falls due, in seconds since the epoch.
durationMs: How long the run took, in milliseconds; null while it lasts.
duration_ms: How long it took, in milliseconds.
ended_at: When it ended, in seconds since the epoch; null while it lasts.
error: What went wrong.
held: Reviews that wait for a person before anything is forgotten.
everything: Whether all of the space is forgotten.
evidence: What it rests on.
excluded: Why nights conclude nothing from it; null if they do.
expires_at: Until when it holds, in seconds since the epoch.
explain: Whether each hit shows what its score is made of.
failed: How many of the calls failed.
fast_lane: Whether it may be promoted without waiting for more evidence.
first_seq: The place of the session's first turn.
flags: What to know about the hit: a conflict, superseded, said earlier, stale.
frequency: How often it was recalled, from 0 to 1.
gate: Which gate this is.
gates: Each gate with what it needed and what was there.
happened_at: The date of the event itself, in seconds since the epoch.
hash: A digest of the text: the same for exact duplicates.
hits: How often it was served.
Hits.hits: What was found, best first.
Context.hits: The hits that are in the text.
id: The id by which other calls name it.
ids: The ids of memories and turns.
importance: How much it matters, from 0 to 1.
include_stale: Whether superseded and stale memories are found too, marked and ranked low.
items: The things of this page.
k: How many hits at most.
key: The idempotency key that it was sent with.
Change.key: The key of the row that changed.
KeyMade.key: The key without its secret.
Line.key: What the line counts: a day, a model, a purpose.
kind: Which kind it is.
kinds: Only hits of these kinds; all if empty.
label: The name of the block.
lastAliveAt: When the sleeper last said that it lives, as ISO 8601.
last_at: When it last happened, in seconds since the epoch.
last_hit_at: When it was last served, in seconds since the epoch.
last_linked_at: When a night last looked for its links, in seconds since the epoch.
last_night_at: When the last night ended, in seconds since the epoch.
last_seq: The place of the session's last turn.
last_tagged_at: When a night last tagged it, in seconds since the epoch.
last_used_at: When it was last recalled, in seconds since the epoch.
left: What may still be found in files, and how it goes.
left_out: What did not fit or was passed over, one line each.
limit: The most characters that the block holds.
lines: The lines of the report.
links: How many edges it has.
live: How many may be served now.
made: How many were made.
manual_tags: Tags that a person gave it; nights never touch them.
marks: What nights know of it.
matched: How well it fits the query by itself, from 0 to 1.
matter: What it is about: of several hits on one matter the newest counts.
memories: The memories that are meant, by id.
SessionFigures.memories: How many memories there are.
UsageOut.memories: How many memories there are.
memory: The memory that is meant.
message: What happened, in words.
metadata: Values of your own, to filter by.
min_confidence: Only what is at least so sure, from 0 to 1.
mode: all, or raw for turns and episodes word for word.
model: Which model wrote it; empty for the rules.
moment: Which moment of the session the hook tells.
n: The place of the change in its night.
name: What you call it.
needed: What the gate asks for.
new: The text that takes its place.
newer: What was said later.
Difference.newer: The newer version.
next: Goes into `after` for the part that follows; null at the end.
SleepState.next: What is due next.
nextDueAt: When the next run falls due, as ISO 8601.
night: The night that it belongs to.
notes: What the run came to, in words.
now: The moment that the night takes for now, in seconds since the epoch.
off: Whether serving is switched off, and why.
old: The text to be replaced; it must stand in the block exactly once.
older: What was said earlier.
Difference.older: The older version.
open: Whether the gate lets it pass.
org: The org that it belongs to.
orgId: The org that the run is for.
origin: By which channel it came.
out_of_reach: Copies that are not ours to delete, such as backups.
owner: The space that the block belongs to; null if it is the org's.
parts: What the score is made of, where that was asked for.
paused: Whether nights are paused.
person: Everything that this person said is meant.
pinned: Whether it is kept hot and does not fade.
placement: The tier that it would get now.
position: The place in the order.
predicate: What is said of the subject.
predictor: What foresaw the question.
predictors: How each way to foresee questions has done.
prepared: What was thought before about a question much like this one.
priority: Its weight among alike ones, from 0 to 1.
probes: How often it was checked against a full search.
promoted: Whether it has been promoted.
proposal: The text that is proposed.
protected: Whether nights may only propose changes to it.
purge: What was done so that no byte is left in files.
quarantine: Why nobody is shown it until a person has looked at it; null if it may be shown.
quarantined: Whether it waits for a person before any night uses it.
queries: How many different questions found it.
query: What to look for, in plain words.
question: The question that the answer was prepared for.
questions: How many questions were asked.
quote: The speaker's own words in it.
read_only: Whether agents may not write it.
reason: Why it was done.
reasons: What the verdict rests on.
recalls: How often it was recalled.
receipt: The receipt of what was forgotten.
recency: How lately it was recalled, from 0 to 1.
recent_edges: Edges made lately.
redacted: How many secrets were taken out before it was stored.
refused: The gates that it did not pass.
regime: awake or asleep.
reinforced_at: When it was last said again, in seconds since the epoch.
rejected: How often it was thrown away.
relation: How the two are related.
Change.relation: The table that changed.
relationship_score: How well it is linked.
released: Whether the hold was ended.
relevance: The score as it is shown, from 0 to 1.
repeated: Whether the key had been seen before: nothing was stored again.
requested_at: When it was asked for, in seconds since the epoch.
resolved_at: When it was settled, in seconds since the epoch.
resolved_by: Who settled it.
retry_at: When to try again, in seconds since the epoch.
review: The id of the review that waits for a person.
revoked_at: When it was revoked, in seconds since the epoch.
richness: How many concepts it has, from 0 to 1.
role: Who speaks: user, assistant, tool or system.
runId: The id of the run.
runs: The runs, newest first.
said_at: When it was said, in seconds since the epoch.
saved: Tokens that serving it has saved.
score: What hits are ordered by.
seen: What the text shows, to be left out next time.
seq: The place in the space's one sequence.
session: The conversation that it belongs to.
settings: Settings that differ from the configuration.
signals: The figures that promotion weighs.
similarity: How near the question is to the one that was prepared, from 0 to 1.
source: Which program appends it.
sources: The turns and memories that it rests on.
space: The space that it belongs to.
spaceId: The space that the run is for.
spaces: How many spaces there are.
span_days: Days between the first recall and the last.
speaker: A person's name where it is known.
spent: What models have cost this space, in dollars.
stale: Whether it is out of date.
standing: What decides its tier.
state: How it stands.
status: How it stands or ended.
step: Which step of the night.
steps: The steps, in their order.
subject: Whom or what it is about.
summary: What it says, in short.
surprisal: How unexpected it was.
tags: Tags; all of them must be there where one searches.
target: What the review is about.
text: The text itself.
texts: What would go, by id; only of a dry run.
thorough: Whether the files were rewritten.
tier: hot, warm or archive.
tiers: Only these tiers; empty for hot and warm, and the archive where they hold too little.
title: A few words to call it by.
token: The fencing token of the lease.
tokens_thinking: Tokens that the model thought with before it answered.
tokens: How many tokens it is.
tokens_asleep: Tokens that nights have used.
tokens_awake: Tokens that conversations have used.
tokens_cached: Tokens that the provider had in its cache.
tokens_in: Tokens that were read.
tokens_of: Tokens of each part, in the order of the text.
tokens_out: Tokens that were written.
tokens_saved: Tokens that served answers have saved.
trigger: What made the space sleep.
triggeredAt: When the run was asked for, as ISO 8601.
trust: How far it is trusted, from 0 (unknown) to 4 (the user).
truth: How true it seems, from 0 to 1.
turn: The id of the turn.
turns: The turns that are meant.
UsageOut.turns: How many turns there are.
SessionOut.turns: How many turns it has.
unpriced: How many calls have no known price.
unused_days: Days since it was last used.
updated_at: When it was last changed, in seconds since the epoch.
upto: The place in the log that the night reads up to.
used_at: When it was last used, in seconds since the epoch.
uses: How often it was recalled.
valid_from: Since when it holds, in seconds since the epoch.
valid_until: Until when it held, in seconds since the epoch; null while it does.
value: What is said.
AdmissionRule.value: The name that the rule looks for; `*` stands for anything.
Passed.value: What was there.
verbs: What the key may do.
verdict: Whether it may be promoted, and why not.
version: The number of the version.
HealthOut.version: Which Reverie this is.
weight: How strong the edge is, from 0 to 1.
why: Why, in words.
winner: The id of the side that holds.
worker: Which sleeper does it.
would_change: What would have to happen for another verdict.
wrong: How many served answers were wrong.
added: What was new.
by_kind: How many there are of each kind.
cancelled_at: When it was cancelled, in seconds since the epoch; null while it stands.
contexts: How many contexts were pondered.
digest: A digest of what it says.
fired_at: When it was last shown, in seconds since the epoch.
gone: What is not there any more.
insights: The insights that came of it.
made_at: When it was made, in seconds since the epoch.
path: Where it lies.
pondered: What has been pondered of it.
pondered_at: When it was last pondered, in seconds since the epoch.
remind: What to remind of.
scope: Where it holds.
studies: What is studied.
study: What is studied, by its id.
when: What has to come up.
"""
PARAMETERS = """
answer: The id of an answer.
by: What the lines are summed up by.
contradiction: The id of a contradiction.
idempotency-key: The same key twice does it once, and answers alike.
include_stale: Whether superseded and stale memories are listed too.
key: The id of a key.
kind: Only this kind.
label: The name of a block.
live: Whether only those that may be served now are listed.
memory: The id of a memory; six characters, as a context shows them, are enough.
name: The name of the new space.
newer: The number of the newer version.
newest_first: Whether the newest comes first.
night: The id of a night, or `last`.
older: The number of the older version.
orgId: The org whose runs are asked for.
review: The id of a review.
said_after: Only what was said at or after this moment, in seconds since the epoch.
said_before: Only what was said before this moment, in seconds since the epoch.
session: Only of this conversation.
status: Only those that stand so.
subject: Only what is about this.
tag: Only what has this tag.
tier: Only of this tier.
turn: The id of a turn.
x-org-id: The org that is meant.
intent: The id of an intent.
over: Whether those that are over are listed too.
study: The id of a study.
"""


@cache
def _table(lines: str) -> Mapping[str, str]:
    return dict(line.split(": ", 1) for line in lines.strip().splitlines())


def describe(document: dict[str, Any]) -> dict[str, Any]:
    """Gives each property and parameter of the document its meaning, unless it has one."""
    for noun, schema in document["components"]["schemas"].items():
        for name, found in schema.get("properties", {}).items():
            meaning = _table(MEANINGS).get(f"{noun}.{name}") or _table(MEANINGS).get(name)
            if meaning:
                _say(found, meaning)
    for parameter in _parameters(document):
        meaning = _table(PARAMETERS).get(parameter["name"]) or _table(MEANINGS).get(parameter["name"])
        if meaning:
            _say(parameter, meaning)
    _of_others(document)
    return document


# By tag: the APIs of others that are served here. What they mean is said there.
OTHERS = {"letta": "Letta", "mem0": "mem0", "memory stores": "Anthropic", "dreams": "Anthropic"}


def _of_others(document: dict[str, Any]) -> None:
    """Says of what is still silent in others' APIs whose meaning it has."""
    schemas = document["components"]["schemas"]
    for operation in (one for operations in document["paths"].values() for one in operations.values()):
        whose = next((OTHERS[tag] for tag in operation.get("tags", ()) if tag in OTHERS), "")
        if not whose:
            continue
        for parameter in operation.get("parameters", ()):
            _say(parameter, f"As in the API of {whose}.")
        for noun in _reached(operation.get("requestBody", {}), schemas, set()):
            for found in schemas[noun].get("properties", {}).values():
                _say(found, f"As in the API of {whose}.")


def _reached(part: Any, schemas: Mapping[str, Any], seen: set[str]) -> set[str]:
    """The schemas that a part of the document refers to, directly or by others."""
    if isinstance(part, dict):
        noun = str(part.get("$ref", "")).rpartition("/")[2]
        if noun in schemas and noun not in seen:
            seen.add(noun)
            _reached(schemas[noun], schemas, seen)
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _reached(inner, schemas, seen)
    return seen


def _say(found: dict[str, Any], meaning: str) -> None:
    """Beside a reference too: OpenAPI 3.1 lets a description stand there."""
    found.setdefault("description", meaning)


def _parameters(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for operations in document["paths"].values():
        for operation in operations.values():
            yield from operation.get("parameters", ())
