"""What each task shows a model, and what of its answer holds."""
