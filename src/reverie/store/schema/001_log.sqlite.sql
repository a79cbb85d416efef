-- Full text over the log's fresh tail. Terms are stemmed and prefixed per space in Python.
CREATE VIRTUAL TABLE turn_words USING fts5 (body, context, tokenize = "unicode61 remove_diacritics 0 tokenchars '_'");
