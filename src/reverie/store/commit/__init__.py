"""How a night's changes are written: one short transaction for the batch, its undo journal and the checkpoint."""
