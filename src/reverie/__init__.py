"""Reverie: sleep-time compute for AI agents. A memory that gets better while nobody is waiting."""

from typing import TYPE_CHECKING, Any

from reverie.errors import ReverieError

if TYPE_CHECKING:
    from reverie.model.memories import Filter
    from reverie.reverie import Reverie
    from reverie.space import Space

__all__ = ["Filter", "Reverie", "ReverieError", "Space"]
__version__ = "0.1.0"

_HOMES = {"Reverie": "reverie.reverie", "Space": "reverie.space", "Filter": "reverie.model.memories"}


def __getattr__(name: str) -> Any:
    """Public names load on first use: `import reverie.model` must not load the store."""
    if name not in _HOMES:
        raise AttributeError(f"module 'reverie' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
