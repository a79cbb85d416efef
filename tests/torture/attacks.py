"""The campaign: `python -m tests.torture.attacks [--store URL] [--only TEXT] [--every N] [--gullible] [--json]`.

Prints where the attacks of `tests/corpora/attacks` got to, by channel and style, which ones and by which text; what of
the controls did not arrive; and which benign texts were set aside. Ends with 1 if anything got through, or a control
that is not known to be lost did not arrive.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tests.conftest import in_memory
from tests.support.attacks.campaign import Outcome, house, set_aside, table, tried
from tests.support.attacks.corpus import Attack, BenignText, Corpus, benign
from tests.support.attacks.gullible import CLAIMS, gullible


@dataclass
class Report:
    outcomes: list[Outcome] = field(default_factory=list)
    kept_out: list[Outcome] = field(default_factory=list)  # controls that did not reach their place
    held: list[BenignText] = field(default_factory=list)
    texts: int = 0
    seconds: float = 0.0

    @property
    def through(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.bad]

    @property
    def false_quarantine(self) -> float:
        return len(self.held) / self.texts if self.texts else 0.0

    def __str__(self) -> str:
        parts = [table(self.outcomes, "channel"), table(self.outcomes, "style"), table(self.outcomes, "lang")]
        parts.append(f"got through: {len(self.through)} of {len(self.outcomes)}")
        parts += [_told(outcome) for outcome in self.through]
        parts.append("controls that did not arrive: " + (", ".join(o.attack.id for o in self.kept_out) or "none"))
        parts.append(f"benign texts set aside: {len(self.held)} of {self.texts} ({self.false_quarantine:.1%})")
        parts += [f"  {one.id} {one.channel} {one.kind} {one.lang}: {one.text[:160]!r}" for one in self.held]
        parts.append(f"{self.seconds:.0f} s")
        return "\n\n".join(parts[:3]) + "\n\n" + "\n".join(parts[3:])

    def shape(self) -> dict[str, Any]:
        return {
            "attacks": [outcome.shape() for outcome in self.outcomes],
            "through": [outcome.attack.id for outcome in self.through],
            "controls_kept_out": [outcome.attack.id for outcome in self.kept_out],
            "benign": self.texts,
            "set_aside": [asdict(one) for one in self.held],
            "seconds": round(self.seconds, 1),
        }


def run(
    location: str,
    attacks: Sequence[Attack],
    controls: Sequence[Attack] = (),
    texts: Sequence[BenignText] = (),
    embedder: str = "none",
    **settings: Any,
) -> Report:
    """All of them in one store, each attack in a space of its own."""
    began, report = time.monotonic(), Report(texts=len(texts))
    with house(location, embedder, **settings) as home:
        report.outcomes = [tried(home, attack) for attack in attacks]
        reached = [tried(home, control) for control in controls]
        report.kept_out = [outcome for outcome in reached if outcome.attack.reaches not in outcome.reached]
        report.held = set_aside(home, texts)
    report.seconds = time.monotonic() - began
    return report


def run_gullible(location: str, corpus: Corpus) -> Report:
    """Nights with a model that believes all it reads: those of the attacks by content whose goals it has words for."""
    by_content = ("tool", "web", "file", "assistant", "unknown", "tainted assistant", "pasted")
    chosen = [a for a in corpus.attacks if a.goal.name in CLAIMS and a.channel in by_content]
    with gullible(tuple(CLAIMS)) as model:
        return run(location, chosen[::4], sleeper_model="openai:good", model_base_url=model.url)


def _told(outcome: Outcome) -> str:
    attack, places = outcome.attack, outcome.grave or ["unmarked"]
    head = f"  {attack.id} [{attack.channel}; {attack.style}] reached {', '.join(outcome.reached)}"
    return "\n".join([head, *(f"      {place}: {outcome.reached[place][:200]!r}" for place in places)])


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", default="", help="a postgresql:// URL; else a directory that is deleted again")
    parser.add_argument("--only", default="", help="attacks whose id or channel has this")
    parser.add_argument("--every", type=int, default=1, help="every n-th attack and benign text")
    parser.add_argument("--embedder", default="none")
    parser.add_argument("--gullible", action="store_true", help="only the nights with a model that believes it all")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(words)
    corpus = Corpus.read()
    chosen = [a for a in corpus.attacks if a.id.startswith(given.only) or given.only in a.channel]
    texts = [] if given.only else list(benign())
    controls = [] if given.only else corpus.controls
    here = given.store or tempfile.mkdtemp(prefix="reverie-attacks-", dir=in_memory())
    try:
        report = (
            run_gullible(here, corpus)
            if given.gullible
            else run(here, chosen[:: given.every], controls, texts[:: given.every], given.embedder)
        )
    finally:
        if not given.store:
            shutil.rmtree(here, ignore_errors=True)
    print(json.dumps(report.shape(), ensure_ascii=False, indent=1) if given.json else report)
    missing = {outcome.attack.id for outcome in report.kept_out} - corpus.lost
    return 1 if report.through or missing or report.false_quarantine >= 0.01 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
