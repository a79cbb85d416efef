"""The patterns, as tables by theme: each row says which verb with which complement states which predicate."""

from reverie.minds.rules.tables import belongings, body, hiring, home, identity, intent, taste, tools, work
from reverie.minds.rules.tables.rule import Rule

# The first row that matches a clause wins, so the telling rows stand before the general ones.
RULES: tuple[Rule, ...] = (
    *identity.RULES,
    *home.RULES,
    *body.RULES,
    *belongings.RULES,
    *hiring.RULES,
    *work.RULES,
    *tools.RULES,
    *intent.RULES,
    *taste.RULES,
)
