"""Deep sleep: which memories have earned a place in core, judged by real use."""
