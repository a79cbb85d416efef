"""Providers' own APIs, passed on with memory: any client, one changed base URL."""
