-- Whether a lower commission of a listing waits to be told again, as of the last decision: to decide about those of many listings.
ALTER TABLE listing_metrics ADD COLUMN is_fee_held boolean NOT NULL DEFAULT false;
