"""The hot path: what happens while somebody waits. No model is called here and no maintenance runs."""
