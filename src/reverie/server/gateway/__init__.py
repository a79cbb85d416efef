"""What every request passes before a route sees it: place, key, rate, size, the short way for hot routes."""
