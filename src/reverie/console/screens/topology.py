"""Topology: the best linked memories as a picture, by tier and by name, and a list beside it that says the same."""

from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from reverie.console import charts
from reverie.console.shell import Reading, Screens
from reverie.model.memories import TIERS, Tier

routes = Screens()


@routes.screen("/topology")
def topology(
    here: Reading,
    tier: Annotated[str, Query(max_length=20)] = "hot",
    about: Annotated[str, Query(max_length=300)] = "",
) -> Response:
    chosen: Tier = next((one for one in TIERS if one == tier), "hot")
    graph = here.space.graph(tier=chosen, about=about)
    places = charts.layout(graph)
    return here.page(
        "topology.html",
        graph=graph,
        places=places,
        labels=charts.labels(graph, places),
        size={"width": charts.WIDTH, "height": charts.HEIGHT},
        kinds=sorted({node.kind for node in graph.nodes}),
        tiers=TIERS,
        tier=chosen,
        about=about,
    )
