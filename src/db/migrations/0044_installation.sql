-- How a database notices that it is a restored backup: what the engine writes at each of its heartbeats, here and into a
-- file of the data folder. Nothing but that writes this row, and no later step may rewrite the table: its row is known by
-- the transaction that wrote it.

CREATE TABLE installation (
  id text PRIMARY KEY DEFAULT 'default' NOT NULL,
  name text NOT NULL,
  number bigint NOT NULL,
  beat_at timestamptz(3) NOT NULL,
  file text,
  written_by text NOT NULL,
  setback text,
  setback_at timestamptz(3),
  known_until timestamptz(3),
  CONSTRAINT one_row CHECK (installation.id = 'default'),
  CONSTRAINT name_filled CHECK (char_length(btrim(name)) between 1 and 100),
  CONSTRAINT number_range CHECK (number between 1 and 9007199254740991),
  CONSTRAINT file_filled CHECK (char_length(btrim(file)) between 1 and 100),
  CONSTRAINT written_by_filled CHECK (char_length(btrim(written_by)) between 1 and 20),
  CONSTRAINT setback_known CHECK (setback in ('restore', 'rest')),
  CONSTRAINT setback_whole CHECK ((setback is null) = (setback_at is null) and (setback is null) = (known_until is null))
);
