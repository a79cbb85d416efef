"""Overview: when it sleeps next and why not now, how the last nights went, what waits, what it cost, what is wrong."""

from starlette.responses import Response

from reverie.console import charts
from reverie.console.clients import first_lines
from reverie.console.shell import Form, Reading, Screens, Writing
from reverie.model.base import DAY
from reverie.model.ledger import Line
from reverie.policy.spending import day_start

routes = Screens()
NIGHTS = 14
LOOKED_AT = 60  # the last runs, skipped ones among them


@routes.screen("")
def overview(here: Reading) -> Response:
    space = here.space
    ran = [night for night in space.nights(limit=LOOKED_AT) if night.status not in ("skipped", "cancelled")][:NIGHTS]
    report, sleep = space.answers_report(), space.explain_sleep()
    return here.page(
        "overview.html",
        sleep=sleep,
        sleeper=space.sleeper_alive(),
        paused=any(gate.gate == "enabled" and not gate.open for gate in sleep.answers),
        strip=charts.strip(ran[::-1]),
        health=space.health(),
        memories=space.count(),
        waiting={
            "reviews": len(space.reviews(limit=100)),
            "contradictions": len(space.contradictions(status="open", limit=100)),
        },
        spent={
            "today": _sums(space.costs("day", day_start(here.now))),
            "30 days": _sums(space.costs("day", here.now - 30 * DAY)),
        },
        answers=report,
        intents=space.intents(limit=20),
        studies=space.studies(limit=5),
        empty=not space.happened(limit=1),
        first=first_lines(here),
    )


def _sums(lines: list[Line]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for regime in ("awake", "asleep"):
        of = [line for line in lines if line.regime == regime]
        tokens = sum(line.tokens_in + line.tokens_out for line in of)
        found[regime] = {"cost": sum(line.cost for line in of), "tokens": tokens}
    return found


@routes.action("/pause")
def pause(here: Writing, form: Form) -> Response:
    paused = form.get("paused") == "1"
    here.space.pause(paused)
    return here.go(told="It no longer sleeps by itself." if paused else "It sleeps by itself again.")


@routes.action("/intents/{id}/cancel")
def cancel_intent(here: Writing, _: Form, id: str) -> Response:
    gone = here.space.cancel_intent(id)
    return here.go(told=f"It will not remind of this any more: {gone.remind}")
