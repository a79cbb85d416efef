"""Dream: answers to likely questions, what earlier ones came to, and what speaks against one."""
