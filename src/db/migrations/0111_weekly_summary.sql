-- Who gets an email about each week, and the Monday of the last one that was queued.
ALTER TABLE users ADD COLUMN weekly_summary boolean DEFAULT false NOT NULL;
ALTER TABLE users ADD COLUMN weekly_summary_until date;
