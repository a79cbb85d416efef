-- What cites a turn or a memory is found by its id alone, and the edges of a space by its memories.
DROP INDEX sources_source;
CREATE INDEX sources_source ON sources (source);
DROP INDEX edges_space;
