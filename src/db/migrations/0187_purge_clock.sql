-- The clock as the purges saw it: after it moved far ahead, nothing is deleted for a day.
CREATE TABLE purge_clock (
  id text PRIMARY KEY DEFAULT 'default',
  seen_at timestamptz(3) NOT NULL,
  jumped_at timestamptz(3),
  CONSTRAINT one_row CHECK (purge_clock.id = 'default')
);
