"""Topology: the best linked memories as a picture, and a list beside it that says the same."""

from starlette.responses import Response

from reverie.console import charts
from reverie.console.shell import Reading, Screens

routes = Screens()
LABELLED = 40  # the best linked: more names would cover each other


@routes.screen("/topology")
def topology(here: Reading) -> Response:
    graph = here.space.graph()
    return here.page(
        "topology.html",
        graph=graph,
        places=charts.layout(graph),
        labelled={node.id for node in graph.nodes[:LABELLED]},
        size={"width": charts.WIDTH, "height": charts.HEIGHT},
        texts={node.id: node.text for node in graph.nodes},
    )
