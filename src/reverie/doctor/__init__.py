"""What is wrong with a store and the next move; and a store put together again."""
