"""Other frameworks' memory interfaces on a space, one file each, loaded when asked for.

Every adapter takes a `Space` and speaks to nothing else. `shared.py` has what several of them use.
"""
