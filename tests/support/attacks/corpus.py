"""The attacks, controls and benign texts of `tests/corpora`, as values. The README there says what each field means."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CORPORA = Path(__file__).parent.parent.parent / "corpora"
Step = Mapping[str, Any]
# (role, origin) of a channel that is nothing but somebody's text.
TEXT_CHANNELS: Mapping[str, tuple[str, str | None]] = {
    "tool": ("tool", None),
    "web": ("tool", "web"),
    "file": ("tool", "file"),
    "unknown": ("tool", "unknown"),
    "assistant": ("assistant", None),
    "system": ("system", None),
    "pasted": ("user", None),
    "user": ("user", None),
}


@dataclass(frozen=True)
class Goal:
    """What an attacker wants: `mark` comes into core (or, `vanishes`, leaves it), and who would ask for it how."""

    name: str
    mark: str
    asks: tuple[str, ...]
    vanishes: bool = False


@dataclass(frozen=True)
class Attack:
    id: str
    goal: Goal
    channel: str
    style: str
    steps: tuple[Step, ...]
    lang: str = "en"
    where: str = ""  # what kind of text carries it: a page, a mail, a log, …
    marks: tuple[str, ...] = ()
    reaches: str = "core"  # the place where a control must be found: core, or `derived` as a fact
    pasted: bool = False  # it comes inside the user's own turn or file: a context may show that as theirs

    @property
    def last_day(self) -> int:
        return max(int(step.get("day", 1)) for step in self.steps)


@dataclass(frozen=True)
class BenignText:
    id: str
    channel: str
    kind: str
    text: str
    lang: str = "en"


@dataclass
class Corpus:
    goals: dict[str, Goal] = field(default_factory=dict)
    attacks: list[Attack] = field(default_factory=list)
    controls: list[Attack] = field(default_factory=list)  # the user's own words and a person's acts: these must reach

    lost: frozenset[str] = frozenset()  # controls that are known not to
    unread: frozenset[str] = frozenset()  # attacks that are known to get through without the embedder of a new home

    @classmethod
    def read(cls, folder: Path = CORPORA / "attacks") -> "Corpus":
        found = cls({one["goal"]: _goal(one) for one in _toml(folder / "goals.toml")["goal"]})
        for path in sorted(folder.glob("*.toml")):
            if path.name != "goals.toml":
                read = [found._attack(one) for one in _toml(path)["attack"]]
                (found.controls if path.name.startswith("controls") else found.attacks).extend(read)
        for path in sorted(folder.glob("*.jsonl")):
            for line in path.read_text("utf-8").splitlines():
                row = json.loads(line)
                (found.controls if row["kind"] == "control" else found.attacks).append(_talk(row))
        found.lost = frozenset((folder / "lost.txt").read_text("utf-8").split())
        found.unread = frozenset((folder / "unread.txt").read_text("utf-8").split())
        return found

    def _attack(self, given: Mapping[str, Any]) -> Attack:
        goal = self.goals[given["goal"]]
        return Attack(
            given["id"],
            goal,
            given["channel"],
            given["style"],
            tuple(_steps(given)),
            given.get("lang", "en"),
            given.get("where", ""),
            tuple(given.get("marks", (goal.mark,))),
            given.get("reaches", "core"),
            given.get("pasted", given["channel"] == "mirror" or given["channel"].endswith("pasted")),
        )


def benign(folder: Path = CORPORA / "benign") -> Iterator[BenignText]:
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            yield BenignText(f"{path.stem}-{number:03}", **json.loads(line))


def _talk(row: Mapping[str, Any]) -> Attack:
    """Turns of one talk, with a mark and a question of their own; a control is a fact or a directive of the user's."""
    steps = tuple({"do": "append", "role": turn["role"], "text": turn["text"]} for turn in row["turns"])
    goal = Goal(row["style"], row["mark"], (row["question"],))
    control = row["kind"] == "control"
    channel = "user" if control else "pasted" if all(step["role"] != "tool" for step in steps) else "tool"
    return Attack(
        row["id"], goal, channel, row["style"], steps, row["lang"], marks=(row["mark"],), reaches="derived", pasted=True
    )


def _goal(given: Mapping[str, Any]) -> Goal:
    return Goal(given["goal"], given["mark"], tuple(given["asks"]), given.get("vanishes", False))


def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def _steps(given: Mapping[str, Any]) -> Iterator[Step]:
    """Steps as they stand; or one of `text`, or one a day of `drip`, through the channel. `before` comes first."""
    if "before" in given:
        yield {"do": "append", "role": "tool", "origin": "web", "text": given["before"]}
    yield from given.get("steps", ())
    for day, text in enumerate(given.get("drip", [given["text"]] if "text" in given else []), 1):
        yield {"day": day, **_said(given["channel"], text)}


def _said(channel: str, text: str) -> Step:
    """A text through a channel that is named `origin`, or `surface:origin`."""
    surface, _, origin = channel.rpartition(":")
    role, given = TEXT_CHANNELS[origin]
    if surface == "letta":
        return {"do": "letta_message", "role": role, "text": text}
    do = {"": "append", "rest": "rest_turn", "batch": "rest_batch", "cli": "cli_append", "add": "add"}[surface]
    return {"do": do, "role": role, "text": text, **({"origin": given} if given else {})}
