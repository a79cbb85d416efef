"""Questions that facts answer by themselves, and the answers: quotes, newest first."""
