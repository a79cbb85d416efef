"""What anticipation came to in a space, and the answers that a person does not want to see again."""

from reverie.errors import NotFound
from reverie.model.answers import BY_A_PERSON, OF_SPACE, AnswersReport, TrackRecord
from reverie.model.base import Instant
from reverie.store.db import Database
from reverie.store.tables import answers


def drop(db: Database, space: str, id: str, why: str = "") -> None:
    """Never given again; a night answers the question anew only if it then has something else to say."""
    with db.write("memory") as tx:
        if not answers.drop(tx, space, id, f"{BY_A_PERSON}: {why}" if why else BY_A_PERSON):
            raise NotFound("answer", id)


def report(db: Database, space: str, now: Instant) -> AnswersReport:
    """Hit rate and wrong-hit rate, tokens asleep and saved, per predictor."""
    records = answers.records(db, space)
    own = records.pop(OF_SPACE, TrackRecord(OF_SPACE))
    found = tuple(records.values())
    new = answers.outcomes_since(db, space, int(own.state.get("row", 0)))
    tokens, cost = answers.spent_asleep(db, space)
    return AnswersReport(
        live=answers.count_live(db, space, now),
        asked=int(own.state.get("asked", 0)) + new.asked,
        hits=sum(record.hits for record in found) + new.hits,
        probes=sum(record.probes for record in found),
        wrong=sum(record.wrong for record in found),
        tokens_asleep=tokens,
        cost_asleep=cost,
        tokens_saved=sum(record.saved for record in found) + new.saved,
        predictors=found,
        off=own.state.get("why") if "off_since" in own.state else None,
    )
