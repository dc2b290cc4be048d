-- The lowest price that could be asked of a listing at the last decision that knew one: the margin floor, or the seller's
-- own minimum above it. Kept while it is unknown, so that a cost that is cleared first and lowered then is still a drop.

ALTER TABLE listing_metrics ADD COLUMN lowest_allowed numeric(10, 2);
ALTER TABLE listing_metrics ADD CONSTRAINT lowest_allowed_range CHECK (lowest_allowed between 0.01 and 99999999.99);
UPDATE listing_metrics m SET lowest_allowed = greatest(m.lowest_legal_price, l.min_price)
  FROM listings l WHERE l.id = m.listing_id AND m.lowest_legal_price IS NOT NULL;

-- What administrators alone are told of.
ALTER TABLE notices DROP CONSTRAINT kind_known;
ALTER TABLE notices ADD CONSTRAINT kind_known CHECK (kind in ('halted', 'disarmed', 'no_check', 'stuck', 'unknown', 'refused', 'connection', 'credentials', 'lowered_floors', 'hidden_clients', 'below_floor', 'idle_rule'));
