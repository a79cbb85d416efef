"""How long a night over many turns will still take, from how long it took so far."""

COLLECTING = 0.4  # the part of a night that reading turns takes, by the rules with the default embedder


def seconds_left(turns: int, total: int, elapsed: float, collected_in: float) -> float:
    """The seconds until the end, after `turns` of `total` were read in `collected_in` seconds; never below zero.

    >>> seconds_left(500, 1_000, elapsed=50.0, collected_in=50.0), seconds_left(1_000, 1_000, 200.0, 100.0)
    (200.0, 50.0)
    """
    if turns <= 0 or total <= 0:
        return 0.0
    whole = collected_in / turns * total / COLLECTING
    return max(0.0, whole - elapsed)
