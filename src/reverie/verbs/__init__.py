"""What a space can do, one file for each side of its life. `reverie.space.Space` is all of them together."""
