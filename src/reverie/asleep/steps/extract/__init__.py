"""Light sleep: sentences become facts; what was said again reinforces the fact that is there."""
