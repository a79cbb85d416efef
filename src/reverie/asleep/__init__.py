"""Nights: the pipeline, its runner, and the steps that read, think and answer with changes."""
