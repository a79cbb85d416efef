"""Where agents live: the hook client, what installs write, project identity, the status line."""
