-- Documents are searched in memory, and those of large spaces in a file: nothing reads this index any more.
DROP TRIGGER documents_in;
DROP TRIGGER documents_out;
DROP TRIGGER documents_over;
DROP TABLE document_words;
