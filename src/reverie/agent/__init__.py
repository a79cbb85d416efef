"""The agent that talks to a person: reads memory, writes the log, leaves the rest to the night."""
