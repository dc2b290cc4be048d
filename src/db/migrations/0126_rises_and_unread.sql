-- The circuit breaker counts rises like drops, and listings that move after their competitors could no longer be read.
ALTER TABLE listing_metrics
  ADD COLUMN competition text CONSTRAINT competition_known CHECK (competition in ('competitors', 'alone', 'not_read')),
  ADD COLUMN not_read_since timestamptz(3);
ALTER TABLE repricing_runs
  ADD COLUMN rose integer NOT NULL DEFAULT 0 CONSTRAINT rose_range CHECK (rose between 0 and 2147483647),
  ADD COLUMN moved_unread integer NOT NULL DEFAULT 0 CONSTRAINT moved_unread_range CHECK (moved_unread between 0 and 2147483647);
