"""Search indexes: words and vectors in memory, files and tables of their own for large spaces."""
