"""What the rules leave to a model, if there is one: open sentences of a turn, quotes that nobody understands alone."""
