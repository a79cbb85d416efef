"""A space as text files that people and coding agents read and edit, kept in step both ways."""
