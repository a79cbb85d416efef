"""What `reverie doctor` found: one answer for each check."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "warning", "wrong"]


@dataclass(frozen=True, slots=True)
class Finding:
    check: str
    status: Status
    said: str
    next_move: str = ""
