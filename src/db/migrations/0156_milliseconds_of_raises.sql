-- To the millisecond, as all other times of the table.
ALTER TABLE marketplace_listings ALTER COLUMN raise_after TYPE timestamptz(3);
