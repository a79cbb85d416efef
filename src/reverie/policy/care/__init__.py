"""The upkeep of memories: how they fade, move between tiers, get tags, links and groups, and lose duplicates."""
