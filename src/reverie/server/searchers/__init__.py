"""Processes beside a server that answer its recalls: Python runs one thread at a time, so one process has one core."""
