UPDATE spaces SET private = json_build_object('letta', metadata::json -> 'letta')::text,
    metadata = (metadata::jsonb - 'letta')::text WHERE json_typeof(metadata::json -> 'letta') = 'object';
UPDATE memories SET metadata = (metadata::jsonb - 'promoted' - 'provisional')::text WHERE marks <> '{}' AND kind = 'episode';
