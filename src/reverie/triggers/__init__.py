"""When nights begin, and the processes that run them."""
