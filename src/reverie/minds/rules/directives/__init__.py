"""How the user wants to be served: directives found in talk, and taken back in talk."""
