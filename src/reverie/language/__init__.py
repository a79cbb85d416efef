"""English, in one place: words, sentences, contractions, the calendar, word lists."""
