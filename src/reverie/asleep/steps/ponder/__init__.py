"""Dream: whole contexts thought through before anybody asks."""
