UPDATE turns SET metadata = (metadata::jsonb - 'deferred_block' - 'reverie_output')::text WHERE metadata <> '{}';
