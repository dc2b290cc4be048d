-- How each column of a file writes its numbers, over all of its rows: what its first rows leave open, a later one may tell.
ALTER TABLE imports ADD COLUMN numbers jsonb DEFAULT '{}'::jsonb NOT NULL;
