UPDATE turns SET metadata = json_remove(metadata, '$$.deferred_block', '$$.reverie_output') WHERE metadata <> '{}';
