"""A pytest plugin: Letta's suites import pieces of its server, which is not here; whatever they ask of it is there."""

import importlib.abc
import importlib.machinery
import sys
from types import ModuleType
from unittest.mock import MagicMock


class Settings:
    """What the suites look at before they decide whether to run."""

    redis_host, redis_port, track_agent_run = "localhost", 6379, True
    tpuf_api_key = openai_api_key = "set"
    use_tpuf = embed_all_messages = embed_tools = True
    environment = "dev"

    def __getattr__(self, name: str) -> object:
        return None


CONSTANTS = {"CORE_MEMORY_BLOCK_CHAR_LIMIT": 100_000}


class StubModule(ModuleType):
    __path__: list[str] = []  # noqa: RUF012 - what makes a module a package

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in CONSTANTS:
            return CONSTANTS[name]
        return Settings() if name.endswith("settings") else MagicMock(name=f"{self.__name__}.{name}")


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, fullname, path=None, target=None):
        if fullname == "letta" or fullname.startswith("letta."):
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec):
        return StubModule(spec.name)

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, Finder())
