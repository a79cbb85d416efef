"""What the server has to offer: health, tags, models."""

from reverie import __version__
from reverie.server.dependencies import Asking, ReadableOrg, Routes
from reverie.server.letta.blocks import visible_blocks
from reverie.server.letta.profile import Profile
from reverie.server.letta.shapes import ENDPOINTS, RULES, llm_shape
from reverie.server.letta.shared import Cursor, Shape, TheServer, cursor, page_of, visible_agents

routes = Routes(prefix="/v1", tags=["letta"])
WINDOW = 128_000


@routes.get("/health/")
def health() -> Shape:
    return {"status": "ok", "version": __version__}


@routes.get("/tags/")
def list_tags(
    server: TheServer,
    org: ReadableOrg,
    caller: Asking,
    page: Cursor = cursor(1_000, "asc"),
    name: str = "",
    query_text: str = "",
) -> list[str]:
    """Tags of agents and of blocks, by the alphabet."""
    found = {tag for agent in visible_agents(server, caller) for tag in Profile.of(agent.record).tags}
    found |= {tag for block in visible_blocks(org, caller) for tag in block.tags}
    wanted = sorted(tag for tag in found if name in tag and query_text in tag)
    return list(page_of(wanted, page, str))


@routes.get("/models/")
def list_models(server: TheServer, _caller: Asking) -> list[Shape]:
    """The model that answers; without one, answers come from memory alone."""
    return [model_shape(server.reverie.config["primary_model"].replace(":", "/", 1) or RULES)]


def model_shape(handle: str) -> Shape:
    shape, provider = llm_shape(handle, WINDOW), handle.partition("/")[0]
    return {
        **shape,
        "name": shape["model"],
        "display_name": handle,
        "max_context_window": WINDOW,
        "model_type": "llm",
        "provider_type": provider if provider in ENDPOINTS else "letta",
        "provider_name": provider,
    }


@routes.get("/models/embedding")
def list_embedders(server: TheServer, _caller: Asking) -> list[Shape]:
    embedder = server.reverie.embedder
    if not embedder.dim:
        return []
    return [
        {
            "name": embedder.id,
            "display_name": embedder.id,
            "handle": f"reverie/{embedder.id}",
            "embedding_model": embedder.id,
            "embedding_dim": embedder.dim,
            "embedding_endpoint_type": "hugging-face",
            "model_type": "embedding",
            "provider_name": "reverie",
            "provider_type": "hugging-face",
        }
    ]
