-- The keys that stored secrets are locked with, each locked in turn with the key that is kept outside of the database.

CREATE TABLE data_keys (
  id text PRIMARY KEY NOT NULL,
  wrapped text NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT id_filled CHECK (char_length(btrim(id)) between 1 and 8),
  CONSTRAINT wrapped_filled CHECK (char_length(btrim(wrapped)) between 1 and 500)
);
