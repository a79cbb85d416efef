"""What other products left behind, read into messages and texts: one file a source."""
