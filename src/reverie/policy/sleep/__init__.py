"""When a space sleeps: what is due, the gates in front of it, and the settings that decide both."""
