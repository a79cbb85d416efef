"""When two statements say the same, when they cannot both hold, and which one gives way."""
