"""An export with rows that somebody added: a stranger's file, or one that lay where others could write."""

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from reverie.model.base import Instant

Row = dict[str, Any]


def forged(lines: Sequence[str], rows: Sequence[Mapping[str, Any]], now: Instant) -> list[str]:
    """The export with each forged row, made like one that is there; `set` says what differs."""
    header, *rest = [json.loads(line) for line in lines if line.strip()]
    made = [(table, row) for line in rest for table, row in line.items()]
    last = ""
    for given in rows:
        new = _new_rows(made, given, now, last)
        last = str(new[0][1].get("id", last)) if new else last
        made += new
    header["rows"] = len(made)
    return [json.dumps(header), *(json.dumps({table: row}, ensure_ascii=False) for table, row in made)]


def _new_rows(
    made: Sequence[tuple[str, Row]], given: Mapping[str, Any], now: Instant, last: str
) -> list[tuple[str, Row]]:
    table = given["table"]
    if "change" in given:  # one that is there, altered where it stands
        next(row for name, row in made if name == table and _like(row, given)).update(given["change"])
        return []
    row: Row = {**next(row for name, row in made if name == table and _like(row, given)), **given["set"]}
    if table == "turns":
        return [(table, _turn(made, row, now))]
    if table == "memories":
        row = {"id": f"mem-{uuid.uuid4()}", **{k: v for k, v in row.items() if k != "id"}, "created_at": now}
        shape = next(row for name, row in made if name == "sources")
        source = last if given.get("of") == "last" else row["id"]
        return [(table, row), ("sources", {**shape, "memory": row["id"], "position": 0, "source": source})]
    if "id" in row:
        row["id"] = f"{row['id'].partition('-')[0]}-{uuid.uuid4()}"
    return [(table, {name: last if value == "{last}" else value for name, value in row.items()})]


def _turn(made: Sequence[tuple[str, Row]], row: Row, now: Instant) -> Row:
    """At the end of the log, and unread."""
    seq = 1 + max(int(other["seq"]) for name, other in made if name == "turns")
    for name, other in made:
        if name == "activity":
            other["last_seq"] = seq
    return {**row, "id": f"turn-{uuid.uuid4()}", "seq": seq, "at": now, "key": None}


def _like(row: Row, given: Mapping[str, Any]) -> bool:
    return all(row.get(name) == value for name, value in given.get("like", {}).items())
