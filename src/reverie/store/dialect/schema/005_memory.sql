-- What steers Reverie is no caller's metadata any more: it has columns that only Reverie writes.
ALTER TABLE memories ADD COLUMN marks TEXT NOT NULL DEFAULT '{}';   -- quote, about, reasons, promoted, …
ALTER TABLE memories ADD COLUMN excluded TEXT;                      -- why nights conclude nothing from it
ALTER TABLE spaces ADD COLUMN private TEXT NOT NULL DEFAULT '{}';   -- Letta's profile, which sessions nights read

UPDATE memories SET marks = metadata WHERE kind <> 'episode' OR metadata LIKE '%"promoted"%';
UPDATE memories SET metadata = '{}' WHERE kind <> 'episode';
UPDATE journal SET before = replace(before, '"metadata":', '"marks":'), after = replace(after, '"metadata":', '"marks":')
    WHERE relation = 'memories';
