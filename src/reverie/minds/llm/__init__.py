"""The reasoner that asks a language model. Nothing here imports a provider before a model is opened."""
