"""How long a store keeps what only helps it: recall events one by one, questions, expired answers; and how many."""

EVENT_DAYS = 45  # recall events younger than this are kept one by one: recency and recent use are counted from them
ASKED_DAYS = 90  # questions, and what serving them came to
MAX_ASKED = 20_000  # of each, in one space
MAX_OUTDATED = 500  # of what studied documents no longer say, and of what no longer follows from them
ANSWER_DAYS = 7  # after it has expired, or was dropped, somebody may still ask why
MAX_ANSWERS = 10_000
SEEN_DAYS = 7  # by then every process's cache has caught up with what is gone
