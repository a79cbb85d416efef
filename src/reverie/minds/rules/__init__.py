"""The rules reasoner: thinking without a model, without a network, the same every time."""
