"""The step that finds statements which cannot both hold, and which of two is the current one."""
