UPDATE spaces SET private = json_object('letta', json(json_extract(metadata, '$$.letta'))),
    metadata = json_remove(metadata, '$$.letta') WHERE json_type(metadata, '$$.letta') = 'object';
UPDATE memories SET metadata = json_remove(metadata, '$$.promoted', '$$.provisional') WHERE marks <> '{}' AND kind = 'episode';
