"""What a recall finds and in which order, and how hits fit into a prompt."""
