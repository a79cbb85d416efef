"""A yes or a no that says why; every policy that allows or refuses answers with one."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decision:
    allowed: bool
    why: str

    def __bool__(self) -> bool:
        return self.allowed
