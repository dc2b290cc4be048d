-- How a file is laid out: its encoding, the lines above its header, the totals below its rows.
ALTER TABLE imports ADD COLUMN layout jsonb DEFAULT '{}'::jsonb NOT NULL;
