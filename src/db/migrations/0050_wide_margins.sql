-- What loses most is sold at a slipped decimal point: a price of 16.99 for a cost of 1,211.60 is a margin of -7,031 %, and
-- was none at all while margins ended at -999.99.
ALTER TABLE listing_metrics DROP CONSTRAINT margin_range;
ALTER TABLE listing_metrics ALTER COLUMN margin TYPE numeric(15, 2);
ALTER TABLE listing_metrics ADD CONSTRAINT margin_range CHECK (margin between -9999999999999.99 and 9999999999999.99);

ALTER TABLE listing_keys DROP CONSTRAINT margin_range;
ALTER TABLE listing_keys ALTER COLUMN margin TYPE numeric(15, 2);
ALTER TABLE listing_keys ADD CONSTRAINT margin_range CHECK (margin between -9999999999999.99 and 9999999999999.99);

ALTER TABLE run_items DROP CONSTRAINT margin_before_range;
ALTER TABLE run_items DROP CONSTRAINT margin_after_range;
ALTER TABLE run_items ALTER COLUMN margin_before TYPE numeric(15, 2);
ALTER TABLE run_items ALTER COLUMN margin_after TYPE numeric(15, 2);
ALTER TABLE run_items ADD CONSTRAINT margin_before_range CHECK (margin_before between -9999999999999.99 and 9999999999999.99);
ALTER TABLE run_items ADD CONSTRAINT margin_after_range CHECK (margin_after between -9999999999999.99 and 9999999999999.99);

-- Those that were not known although the cost is: decided anew, and their figures with them.
SELECT mark_due((SELECT array_agg(m.listing_id) FROM listing_metrics m JOIN listings l ON l.id = m.listing_id
  WHERE m.margin IS NULL AND m.total_cost IS NOT NULL AND l.deleted_at IS NULL), 'migration');
