"""The command line: its frame here, one file a group of commands in `commands/`."""
