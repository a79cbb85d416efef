"""The commands. `cli/main.py` says which file has which, and loads only the one that is asked for."""
