-- What steers Reverie is no caller's metadata any more: it has columns that only Reverie writes.
ALTER TABLE turns ADD COLUMN block TEXT;        -- the block that this line waits for: it was too long for it
ALTER TABLE turns ADD COLUMN quarantine TEXT;   -- why it is shown to nobody until a person has looked at it

-- What came from outside since the user last spoke: the assistant's text after it is no more trusted than that.
ALTER TABLE sessions ADD COLUMN tainted_by TEXT;
-- What a session is and where it comes from: nights may be told to leave it out.
ALTER TABLE sessions ADD COLUMN kind TEXT NOT NULL DEFAULT 'interactive';
ALTER TABLE sessions ADD COLUMN channel TEXT;
ALTER TABLE sessions ADD COLUMN source TEXT;
