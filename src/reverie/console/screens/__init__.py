"""One file a screen: what it reads of the library, and what its buttons do."""
