-- Due days are taken from the newest on.
CREATE INDEX profit_due_day_idx ON profit_due (day, listing_id);
