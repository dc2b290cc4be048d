-- Somebody asks for a whole reading of a marketplace, instead of waiting for each kind's turn.

ALTER TABLE integrations ADD COLUMN read_asked_at timestamptz(3);
