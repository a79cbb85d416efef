"""What several steps use: episodes, derived memories, items that may fail, recall without evidence."""
