"""What a model adds: facts kept by the rules alone and with it, tokens a turn, chat with and without memory.

    python bench/minds.py --gguf model.gguf           # a model of yours, served by llama.cpp in a process of its own
    python bench/minds.py --url http://127.0.0.1:11434/v1 --model openai:qwen3
    python bench/minds.py --histories anahit,corwin --turns 60
    python bench/minds.py --histories unpacked/yarn_shop.jsonl --only facts  # no labels: read the lines

Facts are judged against the labels of `bench/histories/dev` (worth keeping, or a directive) and of the planted history
of `reverie models check`; every line that the model added is printed, to be read by whoever judges. The rules are those
of a night: with the judge, which was fitted to the histories of `dev`, so that figures on those flatter the rules.
Answers are judged by words that a right one has.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from reverie.language import quoting
from reverie.language.speech import utterances
from reverie.minds.llm.models import open_models
from reverie.minds.llm.selection.check import rules_with
from reverie.minds.llm.selection.exam import planted
from reverie.minds.llm.spec import ModelSpec
from reverie.minds.meter import MemoryLedger
from reverie.model.thinking import Episode, FactDraft
from reverie.reverie import Reverie

HISTORIES = Path(__file__).parent / "histories" / "dev"
WORTH = ("keep", "keep-about", "directive")
AT_ONCE = 12  # turns in one call, as in a night
EARLIER = 16  # turns before one
PORT = 8099
SERVER = """
import sys, time, xllamacpp
p = xllamacpp.CommonParams()
p.model.path, p.n_ctx, p.n_parallel = sys.argv[1], 4096, 1
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = int(sys.argv[3])
p.hostnames, p.port = ["127.0.0.1"], int(sys.argv[2])
s = xllamacpp.Server(p)
while True: time.sleep(60)
"""


@dataclass(frozen=True)
class LabelledHistory:
    name: str
    episodes: Sequence[Episode]
    worth: frozenset[tuple[str, str]]  # episode and sentence
    known: frozenset[tuple[str, str]]  # that have a label


@contextmanager
def served(gguf: str, threads: int) -> Iterator[str]:
    """The base URL of a server of this model."""
    server = subprocess.Popen([sys.executable, "-c", SERVER, gguf, str(PORT), str(threads)], stderr=subprocess.DEVNULL)
    try:
        for _ in range(120):
            try:
                urlopen(f"http://127.0.0.1:{PORT}/health", timeout=1).close()
                break
            except (URLError, OSError):
                time.sleep(1)
        yield f"http://127.0.0.1:{PORT}/v1"
    finally:
        server.kill()


def labelled(name: str, most: int) -> LabelledHistory:
    """The first user turns of a history; with the labels of their sentences, if it is one of `dev`."""
    path = Path(name) if name.endswith(".jsonl") else HISTORIES / f"{name}.jsonl"
    turns = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    labels: dict[tuple[str, str], str] = {}
    sentences = path.with_suffix(".sentences.tsv")
    for line in sentences.read_text("utf-8").splitlines() if sentences.exists() else ():
        place, label, _, text = line.split("\t")
        labels[place.split(":")[-2], text] = label
    episodes = [_episode(turns, i) for i, turn in enumerate(turns) if turn["role"] == "user"][:most]
    heard = {episode.id for episode in episodes}
    known = {place: label for place, label in labels.items() if place[0] in heard}
    worth = frozenset(place for place, label in known.items() if label in WORTH)
    return LabelledHistory(path.stem, episodes, worth, frozenset(known))


def _episode(turns: Sequence[dict[str, Any]], i: int) -> Episode:
    """A turn with those of its session before it, as a night reads it."""
    turn = turns[i]
    session = [one for one in turns[max(0, i - EARLIER) : i] if one["session"] == turn["session"]]
    before = tuple(f"{one['role']}: {one['text']}" for one in session)
    said_at = datetime.fromisoformat(turn["at"]).timestamp()
    return Episode(str(turn["n"]), turn["text"], said_at, before=before[-2:], earlier=before[:-2])


def planted_history() -> LabelledHistory:
    history = planted()
    known = frozenset((e.id, one.text) for e in history.episodes for one in utterances(e.text))
    return LabelledHistory("planted", history.episodes, history.kept | history.wishes, known)


def judged(drafts: Sequence[FactDraft], history: LabelledHistory) -> tuple[int, int]:
    """Sentences rightly kept; quotes that hold nothing worth keeping."""
    right = {(d.source, text) for d in drafts for id, text in history.worth if id == d.source and text in d.quote}
    wrong = [d for d in drafts if not any(id == d.source and text in d.quote for id, text in history.worth)]
    return len(right), len(wrong)


def facts(history: LabelledHistory, spec: ModelSpec) -> dict[str, object]:
    ledger, rules = MemoryLedger(), rules_with("minilm")
    models = open_models([spec], ledger, environ={})
    reasoner = models.reasoner(rules)
    assert reasoner is not None
    parts = [history.episodes[i : i + AT_ONCE] for i in range(0, len(history.episodes), AT_ONCE)]
    began = time.monotonic()
    drafts = [draft for part in parts for draft in reasoner.facts(part)]
    seconds = time.monotonic() - began
    by_rules = rules.facts(history.episodes)
    alone, together = judged(by_rules, history), judged(drafts, history)
    tokens = sum(entry.tokens for entry in ledger.entries.values())
    faults = dict(reasoner.faults.counts())
    models.close()
    turns = len(history.episodes)
    added = [_line(draft, history) for draft in drafts if draft not in by_rules]
    marks = {"rules": alone, "model": together, "worth keeping": len(history.worth)} if history.known else {}
    return {"history": history.name, "turns": turns, **marks, "facts": len(by_rules), "added": added,
            "tokens a turn": round(tokens / turns, 1), "seconds": round(seconds, 1), "faults": faults}  # fmt: skip


def _line(draft: FactDraft, history: LabelledHistory) -> str:
    """A fact as a night shows it, behind its turn."""
    said_at = next(episode.said_at for episode in history.episodes if episode.id == draft.source)
    about = f"{draft.told} {draft.about}".strip()
    return f"{draft.source} {quoting.shown(draft.quote, 'user', said_at, about, draft.when, draft.on, talk=draft.talk)}"


def chat(settings: dict[str, Any], remembered: bool) -> tuple[int, int, float]:
    """Right answers, questions, seconds, in a store that has heard the planted history or nothing."""
    history = planted()
    with tempfile.TemporaryDirectory() as home, Reverie.open(home, durable=False, anticipate=0, **settings) as memory:
        space = memory.space()
        if remembered:
            for episode in history.episodes:
                space.append("user", episode.text, session="then", at=episode.said_at)
            space.sleep()
        began = time.monotonic()
        right = 0
        for place, (question, words) in enumerate(history.questions):
            reply = space.say(question, session=f"now-{place}").text.casefold()
            right += any(word in reply for word in words)
            print(f"{right} of {place + 1}: {question} {reply[:120]!r}", file=sys.stderr, flush=True)
    return right, len(history.questions), time.monotonic() - began


def whole_night(name: str, turns: int, settings: dict[str, Any]) -> dict[str, object]:
    """Tokens a turn over all steps of a night."""
    lines = (HISTORIES / f"{name}.jsonl").read_text("utf-8").splitlines()[:turns]
    with tempfile.TemporaryDirectory() as home, Reverie.open(home, durable=False, **settings) as memory:
        space = memory.space()
        for turn in map(json.loads, lines):
            at = datetime.fromisoformat(turn["at"]).timestamp()
            space.append(turn["role"], turn["text"], session=turn["session"], at=at)
        began = time.monotonic()
        space.sleep()
        spent = {line.key: (line.calls, line.tokens_in, line.tokens_out) for line in space.costs("step")}
    tokens = sum(read + wrote for _, read, wrote in spent.values())
    return {"history": name, "turns": len(lines), "tokens a turn": round(tokens / len(lines), 1),
            "seconds": round(time.monotonic() - began), "steps": spent}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gguf")
    parser.add_argument("--url")
    parser.add_argument("--model", default="openai:local")
    parser.add_argument("--histories", default="anahit,corwin,chidinma")
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--context", type=int, default=1_500, help="tokens of context that the primary model is given")
    parser.add_argument("--only", choices=("facts", "chat", "night"))
    given = parser.parse_args()
    if given.gguf:
        with served(given.gguf, given.threads) as url:
            run(url, given)
    else:
        run(given.url, given)


def run(url: str, given: argparse.Namespace) -> None:
    spec = ModelSpec(given.model, base_url=url, timeout=600.0, concurrency=1, answer_tokens=200)
    settings = {"sleeper_model": given.model, "primary_model": given.model, "model_base_url": url,
                "model_timeout": 1_200.0, "model_answer_tokens": 200, "model_concurrency": 1,
                "context_tokens": 1_500, "embedder": "minilm"}  # fmt: skip
    if given.only in (None, "facts"):
        for history in (planted_history(), *(labelled(n, given.turns) for n in given.histories.split(","))):
            print(json.dumps(facts(history, spec)), flush=True)
    if given.only in (None, "chat"):
        rules = {**settings, "sleeper_model": "", "primary_model": ""}
        print(json.dumps({"chat": "rules alone, with memory", "right": chat(rules, True)[0]}), flush=True)
        talking = {**settings, "sleeper_model": "", "context_tokens": given.context}  # memory as the rules make it
        for remembered in (True, False):
            right, asked, seconds = chat(talking, remembered)
            print(json.dumps({"chat": "with memory" if remembered else "without", "right": right, "of": asked,
                              "seconds": round(seconds)}), flush=True)  # fmt: skip
    if given.only in (None, "night"):
        print(json.dumps(whole_night(given.histories.split(",")[0], given.turns, settings)), flush=True)


if __name__ == "__main__":
    main()
