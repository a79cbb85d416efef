"""Guards: may the answer to one question be given to another? Each looks at one thing that must not differ.

`reading.read` reads a question once, for all of them; `compare.compare` asks them in turn.
"""
